import { isNothing } from '../corpus/relations.ts';
import type { Adr } from '../document/adr.ts';
import { type EditableText, lineAt, setLine } from './edit-lines.ts';

/** A line, bullet or table row with a field: what stands before its value, the value, and what stands behind it. */
type TopLine = { readonly head: string; readonly value: string; readonly rest: string };

const HEAD = /^(.*?\p{L}(?:\*\*|__)?\s*(?::?\s*\||:\s*(?:\*\*|__)?)\s*)/su;
const AFTER_VALUE = /^(.*?)(\s*(?:\\|<!--.*|[·•|]\s.*|\|.*)?\s*)$/s;

/** Takes a field at the top apart; undefined for a line that is none. */
export function splitTopLine(line: string): TopLine | undefined {
  const [, head] = HEAD.exec(line) ?? [];
  if (head === undefined) return undefined;
  const [, value = '', rest = ''] = AFTER_VALUE.exec(line.slice(head.length)) ?? [];
  return { head, value, rest };
}

const NAMES = {
  supersedes: /^[\s|*_+-]*(?:supersedes|ersetzt|remplace)[\s*_]*[:|]/i,
  superseded_by: /^[\s|*_+-]*(?:superseded by|(?:ersetzt|abgelöst) durch|remplacé par)[\s*_]*[:|]/i,
};

/** A field is no paragraph. */
const LONGEST = 400;

/** The lines above the first section that have this field, also where it says nothing yet. */
export function linesAtTop(adr: Adr, field: keyof typeof NAMES): number[] {
  const title = adr.sections.find(({ level }) => level === 1)?.line ?? 0;
  const next = adr.sections.find(({ line }) => line > title)?.line ?? adr.prose.length + 1;
  const top = adr.prose.slice(0, next - 1);
  return top.flatMap((text, index) => (text.length <= LONGEST && NAMES[field].test(text) ? [index + 1] : []));
}

/** Adds a value to a field at the top; what only says that there is none gives way to it. */
export function extendTopLine(edit: EditableText, number: number, value: string): void {
  const parts = splitTopLine(lineAt(edit, number));
  if (parts === undefined) return;
  const { head, value: held, rest } = parts;
  const before = /\s$/.test(head) ? head : `${head} `;
  const after = /^\S/.test(rest) ? ` ${rest}` : rest;
  setLine(edit, number, `${before}${isNothing(held) ? value : `${held}, ${value}`}${after}`);
}
