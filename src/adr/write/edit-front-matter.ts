import type { Adr } from '../document/adr.ts';
import { type EditableText, insertAfter, lineAt, setLine } from './edit-lines.ts';

/** The line of a field at the top level of the front matter, 0 when it has none. */
export function fieldLine(text: EditableText, { frontMatter }: Adr, names: readonly string[]): number {
  if (frontMatter === undefined) return 0;
  for (let line = frontMatter.first + 1; line < frontMatter.last; line += 1) {
    const key = /^(['"]?)([\w-]+)\1\s*:(?=\s|$)/.exec(lineAt(text, line))?.[2];
    if (key !== undefined && names.includes(key)) return line;
  }
  return 0;
}

const FIELD = /^(['"]?[\w-]+['"]?\s*:)(\s*)("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^#]*?)(\s+#.*|\s*)$/;

/** Sets a field that holds one value, on however many lines; its quotes and the comment behind it stay. */
export function setField(text: EditableText, adr: Adr, { line, value }: { line: number; value: string }): void {
  const [, key, gap = '', old = '', rest = ''] = FIELD.exec(lineAt(text, line)) ?? [];
  if (key === undefined) return;
  text.lines.splice(line, endOfField(text, adr, line) - line);
  setLine(text, line, `${key}${gap === '' ? ' ' : gap}${quotedLike(value, old)}${rest}`);
}

/** Adds a field behind the one in a line, or at the end of the front matter. */
export function addField(text: EditableText, adr: Adr, { after, field }: { after: number; field: string }): void {
  insertAfter(text, after > 0 ? endOfField(text, adr, after) : (adr.frontMatter?.last ?? 1) - 1, [field]);
}

function endOfField(text: EditableText, { frontMatter }: Adr, line: number): number {
  let last = line;
  while (last + 1 < (frontMatter?.last ?? 0) && /^(?:\s+\S|\s*-\s)/.test(lineAt(text, last + 1))) last += 1;
  return last;
}

/** Adds a value to a field that may be empty, hold one value, or a list in either notation. */
export function extendField(text: EditableText, adr: Adr, { line, value }: { line: number; value: string }): void {
  const last = endOfField(text, adr, line);
  const item = lineAt(text, last);
  const [, dash, old = ''] = /^(\s*-\s+)(.*?)(?:\s+#.*)?$/.exec(item) ?? [];
  if (last > line && dash !== undefined) {
    insertAfter(text, last, [dash + quotedLike(value, old)]);
    return;
  }
  const [, key = '', gap = '', held = '', rest = ''] = FIELD.exec(lineAt(text, line)) ?? [];
  setLine(text, line, `${key}${gap === '' ? ' ' : gap}${extended(held, value)}${rest}`);
}

function extended(held: string, value: string): string {
  if (/^(?:null|~)?$/.test(held)) return quotedLike(value, '');
  if (!held.startsWith('[')) return `[${held}, ${quotedLike(value, held)}]`;
  const quoted = quotedLike(value, held.slice(1));
  // A list that goes on in the next lines gets it at its beginning.
  if (!held.endsWith(']')) return `[${quoted},${held.slice(1)}`;
  const inner = held.slice(1, -1);
  return inner.trim() === ''
    ? `[${quoted}]`
    : `[${inner.trimEnd().replace(/,$/, '')}, ${quoted}${/\s*$/.exec(inner)?.[0] ?? ''}]`;
}

/** Numbers and names of files, which some write without quotes. */
const BARE = /^(?:\d+|\w[\w.-]*\.(?:md|markdown))$/i;

/** The value in the quotes that another one has; without any it gets some where YAML would read something else. */
export function quotedLike(value: string, other: string): string {
  const quote = /^\s*(["'])/.exec(other)?.[1];
  if (quote === "'") return `'${value.replaceAll("'", "''")}'`;
  if (quote === undefined && /^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
  if (BARE.test(value) && BARE.test(/^[^,\]]*/.exec(other)?.[0].trim() ?? '')) return value;
  if (quote === '"' || !/^[\p{L}](?:[\p{L}\p{N} ./_()-]*[\p{L}\p{N})])?$/u.test(value) || isWord(value))
    return JSON.stringify(value);
  return value;
}

function isWord(value: string): boolean {
  return /^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
}
