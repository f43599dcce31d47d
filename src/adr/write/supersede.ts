import type { Adr, Told } from '../adr.ts';
import { statusName } from '../corpus/own-id.ts';
import { addField, extendField, fieldLine, quotedLike, setField } from './edit-front-matter.ts';
import { type EditableText, editable, insertAfter, joined, lineAt, setLine } from './edit-lines.ts';
import { fieldName, linkTo, shortName } from './refer.ts';
import { statusWords } from './status-words.ts';

/** An ADR and the text it was read from. */
export type Written = { readonly adr: Adr; readonly text: string };

const SUPERSEDED_BY = ['superseded_by', 'superseded-by'];

/** The text of an ADR after it says, in its own style, that another one superseded it; nothing else in it changes. */
export function markSuperseded({ adr, text }: Written, by: Adr): string {
  const edit = editable(text);
  const words = statusWords(adr);
  // From the end, so that lines above keep their numbers.
  const statuses = [...adr.statuses].sort((a, b) => b.line - a.line);
  for (const status of statuses) {
    if (status.source === 'front-matter') continue;
    if (status.source === 'top') setTopStatus(edit, { adr, status, by });
    else setSectionStatus(edit, { adr, status, by });
  }
  if (tellsInFrontMatter(adr)) markInFrontMatter(edit, adr, by);
  else if (statuses.length === 0)
    insertBelowTitle(edit, adr, `Status: ${words.supersededBy} ${linkTo(by, adr, 'name')}`);
  return joined(edit);
}

function markInFrontMatter(edit: EditableText, adr: Adr, by: Adr): void {
  const words = statusWords(adr);
  const line = fieldLine(edit, adr, ['status']);
  const named = fieldLine(edit, adr, SUPERSEDED_BY);
  const old = adr.statuses.find(({ source }) => source === 'front-matter')?.value ?? '';
  const lower = /^\P{L}*\p{Ll}/u.test(old);
  const already = statusName(adr) === 'superseded';
  if (named === 0 && !isHelix(adr)) {
    // MADR has no field for it: the status names the successor.
    const value =
      already && /\d|\]\(/.test(old)
        ? `${old} ${words.and} ${shortName(by, adr)}`
        : `${words.supersededBy} ${shortName(by, adr)}`;
    if (line > 0) setField(edit, adr, { line, value: lower ? lowered(value) : value });
    else addField(edit, adr, { after: 0, field: `status: ${quotedLike(lowered(value), '')}` });
    return;
  }
  const value = fieldName(by, adr, 'superseded_by');
  const name = (): void => {
    if (named > 0) extendField(edit, adr, { line: named, value });
    else addField(edit, adr, { after: line, field: `superseded_by: ${quotedLike(value, quotesOf(edit, adr))}` });
  };
  const change = (): void => {
    if (line > 0 && !already)
      setField(edit, adr, { line, value: lower ? lowered(words.superseded) : words.superseded });
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

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

type StatusEdit = { readonly adr: Adr; readonly status: Told; readonly by: Adr };

const AFTER_VALUE = /^(.*?)(\s*(?:\\|<!--.*|[·•|]\s.*|\|.*)?\s*)$/s;

/** `* Status: accepted`, `**Status:** Akzeptiert`, a row of a table. */
function setTopStatus(edit: EditableText, { adr, status, by }: StatusEdit): void {
  const line = lineAt(edit, status.line);
  const [, head] = /^(.*?\p{L}(?:\*\*|__)?\s*(?::\s*(?:\*\*|__)?|\|)\s*)/su.exec(line) ?? [];
  if (head === undefined) return;
  const [, value = '', rest = ''] = AFTER_VALUE.exec(line.slice(head.length)) ?? [];
  const plain = /\*\*|__|\|/.test(head) && !/^\s*[-*+]\s/.test(head);
  setLine(
    edit,
    status.line,
    head + supersededValue({ adr, value, name: plain ? shortName(by, adr) : linkTo(by, adr, 'name') }) + rest,
  );
}

function supersededValue({ adr, value, name }: { adr: Adr; value: string; name: string }): string {
  const words = statusWords(adr);
  if (statusName(adr) === 'superseded' && /\d|\]\(/.test(value)) return `${value} ${words.and} ${name}`;
  const text = `${words.supersededBy} ${name}`;
  return /^\P{L}*\p{Ll}/u.test(value) ? lowered(text) : text;
}

/** adr-tools puts the link in the place of the status; a further one gets a paragraph of its own. */
function setSectionStatus(edit: EditableText, { adr, status, by }: StatusEdit): void {
  const line = lineAt(edit, status.line);
  const [, heading] = /^(\s*#{1,6}\s.*?[:–-]\s*)\S/.exec(line) ?? [];
  const words = statusWords(adr);
  const name = linkTo(by, adr, isNumbered(by) ? 'heading' : 'name');
  if (heading !== undefined) {
    setHeadingStatus(edit, { adr, status, by }, heading);
  } else if (statusName(adr) === 'superseded' && /\d|\]\(/.test(line)) {
    appendToStatus(edit, adr, `${words.supersededBy} ${name}`);
  } else {
    const [, marker = ''] = /^(\s*(?:[-*+]\s+)?(?:status\s*:\s*)?)/i.exec(line) ?? [];
    const trailing = /(?: {2,}|\\)$/.exec(line)?.[0] ?? '';
    setLine(edit, status.line, `${marker}${supersededValue({ adr, value: status.value, name })}${trailing}`);
  }
}

/** `## Status: Accepted`: a link in a heading is not read, so what has no number to be called by is named below it. */
function setHeadingStatus(edit: EditableText, { adr, status, by }: StatusEdit, heading: string): void {
  const name = shortName(by, adr);
  const value = supersededValue({ adr, value: status.value, name });
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
  const section = adr.sections.find(({ kinds, level }) => level > 1 && level <= 3 && kinds.includes('status'));
  if (section === undefined) return false;
  const end = (section.children[0]?.line ?? section.last + 1) - 1;
  let last = end;
  while (last >= section.first && lineAt(edit, last).trim() === '') last -= 1;
  insertAfter(edit, last, last < section.first ? [paragraph] : ['', paragraph]);
  return true;
}

function insertBelowTitle(edit: EditableText, adr: Adr, line: string): void {
  const title = adr.sections.find(({ level }) => level === 1);
  if (title === undefined) insertAfter(edit, 0, [line, '']);
  else insertAfter(edit, title.first - 1, ['', line]);
}

/** The text of an ADR after it says, in its own style, that it supersedes another one; nothing else in it changes. */
export function markSuperseding({ adr, text }: Written, old: Adr): string {
  const edit = editable(text);
  const words = statusWords(adr);
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
  else if (!appendToStatus(edit, adr, `${words.supersedes} ${linkTo(old, adr, isNumbered(old) ? 'heading' : 'name')}`))
    insertBelowTitle(edit, adr, `${words.supersedes}: ${linkTo(old, adr, 'name')}`);
  return joined(edit);
}

/** A line or row like the one of the status; one that names others already is made longer. */
function addTopField(edit: EditableText, { adr, top, old }: { adr: Adr; top: Told; old: Adr }): void {
  const line = lineAt(edit, top.line);
  const row = /^\s*\|/.test(line);
  const bold = /\*\*|__/.exec(line)?.[0] ?? '';
  const marker = /^\s*[-*+]\s+/.exec(line)?.[0] ?? '';
  const name = row || (bold !== '' && marker === '') ? shortName(old, adr) : linkTo(old, adr, 'name');
  const known = adr.references.find(({ kind, source }) => kind === 'supersedes' && source === 'top');
  if (known !== undefined) {
    const [, value = '', rest = ''] = /^(.*?)(\s*\|?\s*)$/s.exec(lineAt(edit, known.line)) ?? [];
    setLine(edit, known.line, `${value}, ${name}${rest}`);
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
