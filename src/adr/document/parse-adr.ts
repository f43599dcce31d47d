import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { isRecord } from '../../text/is-record.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';
import type { Adr, CodeBlock, FrontMatter, Place, Section, Task } from './adr.ts';
import type { Block } from './block.ts';
import { readHeader } from './header.ts';
import { proseLines } from './prose-lines.ts';
import { kindsOf, plainHeading, sectionName } from './section-names.ts';
import { markdownBlocks } from './simple-markdown.ts';

/** Reads an ADR, or any Markdown document with headings, in one pass; it judges nothing and never throws. */
export function parseAdr(text: string, path: string): Adr {
  const plain = plainText(text);
  const lines = plain.split('\n');
  const frontMatter = readFrontMatter(lines, path);
  const above = frontMatter?.last ?? 0;
  const blocks = markdownBlocks(lines, above);
  const { prose, openComment } = proseLines(lines, above, blocks);
  const sections = readSections(blocks, lines);
  const body = {
    path,
    lines,
    prose,
    frontMatter,
    sections,
    tasks: readTasks(blocks, { lines, prose, sections }),
    code: blocks.filter((block): block is Block & CodeBlock => block.kind === 'code'),
    quotes: blocks.filter(({ kind }) => kind === 'quote').map(({ first, last }) => ({ first, last })),
    openComment,
  };
  return { ...body, ...readHeader(body) };
}

/** Without a byte order mark, with one kind of line end and composed letters. */
function plainText(text: string): string {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  const lined = bare.includes('\r') ? bare.replace(/\r\n?/g, '\n') : bare;
  return /[\u0300-\u036f]/.test(lined) ? lined.normalize('NFC') : lined;
}

type Heading = Place & {
  readonly title: string;
  readonly name: string;
  readonly kinds: Section['kinds'];
  readonly level: number;
  readonly first: number;
};

function readSections(blocks: readonly Block[], lines: readonly string[]): Section[] {
  const headings = readHeadings(blocks, lines);
  const open: { section: Section; children: Section[] }[] = [];
  const sections: Section[] = [];
  for (const [index, heading] of headings.entries()) {
    while ((open.at(-1)?.section.level ?? 0) >= heading.level) open.pop();
    const children: Section[] = [];
    const section = {
      ...heading,
      last: lastLine(headings, index, lines.length),
      parent: open.at(-1)?.section,
      children,
    };
    open.at(-1)?.children.push(section);
    open.push({ section, children });
    sections.push(section);
  }
  return sections;
}

/** A section ends before the next heading that is not below it. */
function lastLine(headings: readonly Heading[], index: number, total: number): number {
  const level = headings[index]?.level ?? 0;
  for (let next = index + 1; next < headings.length; next += 1) {
    const heading = headings[next];
    if (heading !== undefined && heading.level <= level) return heading.line - 1;
  }
  return total;
}

function readHeadings(blocks: readonly Block[], lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  const real = blocks.filter((block) => block.kind === 'heading').length;
  let around = 1;
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      around = block.level;
      headings.push(heading(block.text, block.level, block, lines));
    } else if (block.kind === 'paragraph' && !block.item && !isValue(blocks[index - 1], headings.at(-1))) {
      const bold = boldHeading(block.text) ?? (real <= 1 ? plainName(block.text) : undefined);
      if (bold !== undefined)
        headings.push(heading(bold, around + 1, { first: block.first, last: block.first }, lines));
    }
  }
  return headings;
}

/** The first paragraph of a status is what the status is, and no heading. */
function isValue(before: Block | undefined, section: Heading | undefined): boolean {
  return before?.kind === 'heading' && section?.kinds.includes('status') === true;
}

/** Markers of list items, hashes and emphasis. */
const BEFORE_TITLE = /^(?:\s*(?:[-+*]|\d{1,9}[.)])\s+)*[\s#*_]*/;

function heading(
  text: string,
  level: number,
  block: { first: number; last: number },
  lines: readonly string[],
): Heading {
  const title = plainHeading(text);
  const line = lines[block.first - 1] ?? '';
  const column = line.length - line.replace(BEFORE_TITLE, '').length + 1;
  const name = sectionName(title);
  return { title, name, kinds: kindsOf(name), level, line: block.first, column, first: block.last + 1 };
}

/** The name in bold that makes up the first line of a paragraph, if it is the name of a known section. */
function boldHeading(text: string): string | undefined {
  if (!/^[*_]/.test(text)) return undefined;
  const [first = ''] = text.split('\n', 1);
  const [, , name] = /^(\*\*|__)(.{1,80}?)\1:?\s*$/.exec(first) ?? [];
  return name !== undefined && kindsOf(sectionName(name)).length > 0 ? name : undefined;
}

/** A known name alone on its line, for documents that have no headings but their title. */
function plainName(text: string): string | undefined {
  return text.length <= 60 && kindsOf(sectionName(text)).length > 0 && !/[.,:]./.test(text) ? text : undefined;
}

const BOX = /^\[([ \txX])\]\s+(?=\S)/;

type Around = {
  readonly lines: readonly string[];
  readonly prose: readonly string[];
  readonly sections: readonly Section[];
};

function readTasks(blocks: readonly Block[], { lines, prose, sections }: Around): Task[] {
  const tasks: Task[] = [];
  let within = 0;
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || !block.item) continue;
    const [box, mark] = BOX.exec(block.text) ?? [];
    if (box === undefined) continue;
    while ((sections[within + 1]?.line ?? Number.POSITIVE_INFINITY) <= block.first) within += 1;
    const section = (sections[within]?.line ?? Number.POSITIVE_INFINITY) <= block.first ? sections[within] : undefined;
    const column = (lines[block.first - 1] ?? '').indexOf('[') + 1;
    const text = block.text.includes('<')
      ? proseFrom(prose, { ...block, column: column + '[x]'.length })
      : block.text.slice(box.length).trim();
    if (text !== '') tasks.push({ text, checked: mark?.toLowerCase() === 'x', line: block.first, column, section });
  }
  return tasks;
}

/** What a reader sees of a block from a column of its first line on: no comments and no tags. */
function proseFrom(
  prose: readonly string[],
  { first, last, column }: { first: number; last: number; column: number },
): string {
  const [start = '', ...others] = prose.slice(first - 1, last);
  return [start.slice(column - 1), ...others]
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** Ids and dates are text as written: 015 is no number, and a date no other day. */
const TEXT_KEYS = new Set([
  'adr_id',
  'id',
  'number',
  'date',
  'title',
  'status',
  'depends_on',
  'related_to',
  'supersedes',
  'superseded_by',
  'superseded-by',
]);

const KEY = /^[\p{L}_][\p{L}\p{N}_ -]*:(?:\s|$)/u;

/** Reads the YAML between `---` lines at the very top; undefined when there is none. */
function readFrontMatter(lines: readonly string[], file: string): FrontMatter | undefined {
  if (lines[0]?.trimEnd() !== '---') return undefined;
  const closing = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (closing === -1 && !KEY.test(lines.slice(1).find((line) => line.trim() !== '') ?? '')) return undefined;
  if (closing !== -1 && isMarkdown(lines.slice(1, closing))) return undefined;
  const end = closing === -1 ? endOfUnclosed(lines) : closing;
  const yaml = parseYaml(`\n${lines.slice(1, end).join('\n')}\n`, file, TEXT_KEYS);
  const findings = yaml.findings.map(asHeaderFinding);
  if (closing === -1)
    findings.unshift(error(file, 'the front matter that starts here is never closed', 'add a line `---` after it'));
  return {
    first: 1,
    last: closing === -1 ? end : end + 1,
    fields: isRecord(yaml.value) ? yaml.value : {},
    isMapping: !yaml.complete || isRecord(yaml.value ?? {}),
    findings,
    locate: (path) => yaml.locate(path),
    locateKey: (path) => yaml.locateKey(path),
  };
}

/** Between two rules there may stand Markdown: "**Status:** Accepted", a heading. */
function isMarkdown(lines: readonly string[]): boolean {
  return /^(?:#{1,6} |\*\*|__|>|\||!?\[)/.test(lines[0] ?? '') && !lines.some((line) => KEY.test(line));
}

/** What is never closed ends where the document visibly starts. */
function endOfUnclosed(lines: readonly string[]): number {
  const heading = lines.findIndex((line, index) => index > 0 && (/^#{1,6}\s/.test(line) || line.trim() === ''));
  return heading === -1 ? lines.length : heading;
}

function asHeaderFinding({ severity, message, hint, location }: Finding): Finding {
  return {
    severity,
    check: 'header-yaml',
    message,
    ...present({ hint }),
    ...(location && { location }),
  };
}

function error(file: string, message: string, hint: string): Finding {
  return { severity: 'error', check: 'header-yaml', message, hint, location: { file, line: 1, column: 1 } };
}
