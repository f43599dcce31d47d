import { statusName } from '../corpus/own-id.ts';
import type { Adr, Told } from '../document/adr.ts';
import { addField, extendField, fieldLine, quotedLike, setField } from './edit-front-matter.ts';
import { type EditableText, editable, insertAfter, joined, lineAt, setLine } from './edit-lines.ts';
import { fieldName, linkTo, shortName } from './refer.ts';
import { statusWords } from './status-words.ts';
import { lowered, supersededValue } from './superseded-value.ts';
import { extendTopLine, linesAtTop, splitTopLine } from './top-lines.ts';

/** An ADR and the text it was read from. */
export type Written = { readonly adr: Adr; readonly text: string };

const SUPERSEDED_BY = ['superseded_by', 'superseded-by'];

/** The text of an ADR after it says, in its own style, that another one superseded it; nothing else in it changes. */
export function markSuperseded({ adr, text }: Written, by: Adr): string {
  const edit = editable(text);
  const words = statusWords(adr);
  const [field] = linesAtTop(adr, 'superseded_by');
  if (field !== undefined) extendTopLine(edit, field, nameLike(lineAt(edit, field), by, adr));
  const named = field !== undefined;
  // From the end, so that lines above keep their numbers.
  const statuses = [...adr.statuses].sort((a, b) => b.line - a.line);
  for (const status of statuses) {
    if (status.source === 'front-matter') continue;
    if (status.source === 'top') setTopStatus(edit, { adr, status, by, named });
    else setSectionStatus(edit, { adr, status, by, named });
  }
  if (tellsInFrontMatter(adr)) markInFrontMatter(edit, adr, by);
  else if (statuses.length === 0) {
    const value = (label: 'heading' | 'name') =>
      named ? words.superseded : `${words.supersededBy} ${linkTo(by, adr, label)}`;
    if (!appendToStatus(edit, adr, value(isNumbered(by) ? 'heading' : 'name')))
      insertBelowTitle(edit, adr, `Status: ${value('name')}`);
  }
  return joined(edit);
}

function markInFrontMatter(edit: EditableText, adr: Adr, by: Adr): void {
  const words = statusWords(adr);
  const line = fieldLine(edit, adr, ['status']);
  const named = fieldLine(edit, adr, SUPERSEDED_BY);
  const old = adr.statuses.find(({ source }) => source === 'front-matter')?.value ?? '';
  const already = statusName(adr) === 'superseded';
  if (named === 0 && !isHelix(adr)) {
    // MADR has no field for it: the status names the successor.
    const value = supersededValue({ adr, value: old, name: shortName(by, adr) });
    if (line > 0) setField(edit, adr, { line, value });
    else addField(edit, adr, { after: 0, field: `status: ${quotedLike(lowered(value), '')}` });
    return;
  }
  const value = fieldName(by, adr, 'superseded_by');
  const name = (): void => {
    if (named > 0) extendField(edit, adr, { line: named, value });
    else addField(edit, adr, { after: line, field: `superseded_by: ${quotedLike(value, quotesOf(edit, adr))}` });
  };
  const change = (): void => {
    if (line > 0 && !already) setField(edit, adr, { line, value: supersededValue({ adr, value: old }) });
    else if (line === 0 && adr.statuses.length === 0)
      addField(edit, adr, { after: 0, field: `status: ${words.superseded}` });
  };
  // The lower one first, so that the other keeps its line.
  const edits = named > 0 && named < line ? [change, name] : [name, change];
  for (const each of edits) each();
}

/** Some front matter is only for the program that shows the page; then the ADR tells its status elsewhere. */
function tellsInFrontMatter({ frontMatter, statuses }: Adr): boolean {
  if (frontMatter === undefined) return false;
  const known = ['status', 'adr_id', 'supersedes', ...SUPERSEDED_BY].some((name) =>
    Object.hasOwn(frontMatter.fields, name),
  );
  return known || statuses.length === 0;
}

function isHelix({ frontMatter }: Adr): boolean {
  const fields = frontMatter?.fields ?? {};
  return ['adr_id', 'supersedes', 'depends_on', 'component_type'].some((name) => Object.hasOwn(fields, name));
}

function quotesOf(edit: EditableText, adr: Adr): string {
  const line = fieldLine(edit, adr, ['adr_id', 'id', 'number']);
  return /:\s*(["'])/.exec(lineAt(edit, line))?.[1] ?? '';
}

type StatusEdit = {
  readonly adr: Adr;
  readonly status: Told;
  readonly by: Adr;
  /** Another line names the successor. */
  readonly named: boolean;
};

/** `* Status: accepted`, `**Status:** Akzeptiert`, a row of a table. */
function setTopStatus(edit: EditableText, { adr, status, by, named }: StatusEdit): void {
  const line = lineAt(edit, status.line);
  const parts = splitTopLine(line);
  if (parts === undefined) return;
  const value = supersededValue({ adr, value: parts.value, ...(!named && { name: nameLike(line, by, adr) }) });
  setLine(edit, status.line, parts.head + value + parts.rest);
}

/** Tables and lines in bold name ADRs shortly, bullets and plain lines link to them. */
function nameLike(line: string, other: Adr, adr: Adr): string {
  const plain = /^[^:]*?(?:\*\*|__|\|)/.test(line) && !/^\s*[-*+]\s/.test(line);
  return plain ? shortName(other, adr) : linkTo(other, adr, 'name');
}

/** adr-tools puts the link in the place of the status; a further one gets a paragraph of its own. */
function setSectionStatus(edit: EditableText, { adr, status, by, named }: StatusEdit): void {
  const line = lineAt(edit, status.line);
  const [, heading] = /^(\s*#{1,6}\s.*?[:–-]\s*)\S/.exec(line) ?? [];
  const words = statusWords(adr);
  const name = linkTo(by, adr, isNumbered(by) ? 'heading' : 'name');
  if (heading !== undefined) {
    setHeadingStatus(edit, { adr, status, by, named }, heading);
  } else if (!named && statusName(adr) === 'superseded' && /\d|\]\(/.test(line)) {
    appendToStatus(edit, adr, `${words.supersededBy} ${name}`);
  } else {
    const [, marker = ''] = /^(\s*(?:[-*+]\s+)?(?:status\s*:\s*)?)/i.exec(line) ?? [];
    const trailing = /(?: {2,}|\\)$/.exec(line)?.[0] ?? '';
    const value = supersededValue({ adr, value: status.value, ...(!named && { name }) });
    setLine(edit, status.line, `${marker}${value}${trailing}`);
  }
}

/** `## Status: Accepted`: a link in a heading is not read, so what has no number to be called by is named below it. */
function setHeadingStatus(edit: EditableText, { adr, status, by, named }: StatusEdit, heading: string): void {
  const name = named ? '' : shortName(by, adr);
  const value = supersededValue({ adr, value: status.value, ...(!named && { name }) });
  if (!name.startsWith('[')) setLine(edit, status.line, heading + value);
  else {
    setLine(edit, status.line, heading.replace(/\s*[:–-]\s*$/, ''));
    insertAfter(edit, status.line, ['', value]);
  }
}

function isNumbered(adr: Adr): boolean {
  return /^\d+[.)]\s/.test(adr.sections.find(({ level }) => level === 1)?.title ?? '');
}

/** A paragraph at the end of the section with the status. */
function appendToStatus(edit: EditableText, adr: Adr, paragraph: string): boolean {
  const section = adr.sections.find(
    ({ kinds, level, parent }) => level > 1 && (parent?.level ?? 1) === 1 && kinds.includes('status'),
  );
  if (section === undefined) return false;
  let last = (section.children[0]?.line ?? section.last + 1) - 1;
  while (last >= section.first && lineAt(edit, last).trim() === '') last -= 1;
  insertParagraph(edit, last, paragraph);
  return true;
}

/** What follows without an empty line would become a part of the paragraph. */
function insertParagraph(edit: EditableText, after: number, paragraph: string): void {
  insertAfter(edit, after, ['', paragraph, ...(lineAt(edit, after + 1).trim() === '' ? [] : [''])]);
}

function insertBelowTitle(edit: EditableText, adr: Adr, line: string): void {
  const title = adr.sections.find(({ level }) => level === 1);
  if (title === undefined && adr.frontMatter === undefined) insertAfter(edit, 0, [line, '']);
  else insertParagraph(edit, title === undefined ? (adr.frontMatter?.last ?? 0) : title.first - 1, line);
}

/** The text of an ADR after it says, in its own style, that it supersedes another one; nothing else in it changes. */
export function markSuperseding({ adr, text }: Written, old: Adr): string {
  const edit = editable(text);
  const top = adr.statuses.find(({ source }) => source === 'top');
  if (tellsInFrontMatter(adr)) {
    const line = fieldLine(edit, adr, ['supersedes']);
    const value = fieldName(old, adr, 'supersedes');
    if (line > 0) extendField(edit, adr, { line, value });
    else {
      const field = `supersedes: ${quotedLike(value, quotesOf(edit, adr))}`;
      addField(edit, adr, { after: isHelix(adr) ? 0 : fieldLine(edit, adr, ['status']), field });
    }
  } else if (top !== undefined) addTopField(edit, { adr, top, old });
  else addLine(edit, adr, old);
  return joined(edit);
}

/** In a section that tells no status yet the line would be taken for one. */
function addLine(edit: EditableText, adr: Adr, old: Adr): void {
  const { supersedes } = statusWords(adr);
  const [field] = linesAtTop(adr, 'supersedes');
  if (field !== undefined) extendTopLine(edit, field, nameLike(lineAt(edit, field), old, adr));
  else if (
    adr.statuses.length === 0 ||
    !appendToStatus(edit, adr, `${supersedes} ${linkTo(old, adr, isNumbered(old) ? 'heading' : 'name')}`)
  )
    insertBelowTitle(edit, adr, `${supersedes}: ${linkTo(old, adr, 'name')}`);
}

/** A line or row like the one of the status; one that names others already is made longer. */
function addTopField(edit: EditableText, { adr, top, old }: { adr: Adr; top: Told; old: Adr }): void {
  const line = lineAt(edit, top.line);
  const row = /^\s*\|/.test(line);
  const bold = /\*\*|__/.exec(line)?.[0] ?? '';
  const marker = /^\s*[-*+]\s+/.exec(line)?.[0] ?? '';
  const known = adr.references.find(({ kind, source }) => kind === 'supersedes' && source === 'top');
  const [field = known?.line] = linesAtTop(adr, 'supersedes');
  const name = nameLike(field === undefined ? line : lineAt(edit, field), old, adr);
  if (field !== undefined) {
    extendTopLine(edit, field, name);
    return;
  }
  const key = statusWords(adr).supersedes;
  const trailing = /(?: {2,}|\\)$/.exec(line)?.[0] ?? '';
  insertAfter(edit, top.line, [
    row ? `| ${bold}${key}${bold} | ${name} |` : `${marker}${boldKey(key, bold, line)} ${name}${trailing}`,
  ]);
}

function boldKey(key: string, bold: string, line: string): string {
  if (bold === '') return `${key}:`;
  return /:(?:\*\*|__)/.test(line) ? `${bold}${key}:${bold}` : `${bold}${key}${bold}:`;
}
