import { statusName } from '../corpus/own-id.ts';
import type { Adr } from '../document/adr.ts';
import { statusOf } from '../document/status.ts';
import { type StatusWords, statusWords } from './status-words.ts';

type Asked = {
  readonly adr: Adr;
  /** The status as it is written. */
  readonly value: string;
  /** What the successor is called; without it another place names it. */
  readonly name?: string;
};

/** The status of an ADR that was superseded, in its language and letters; a further successor comes behind the first. */
export function supersededValue({ adr, value, name }: Asked): string {
  const words = statusWords(adr);
  const already = statusName(adr) === 'superseded';
  if (already && name === undefined) return value;
  if (already && /\d|\]\(/.test(value)) {
    const note = value.indexOf(`, ${words.previously} `);
    const end = note === -1 ? value.length : note;
    return `${value.slice(0, end)} ${words.and} ${name}${value.slice(end)}`;
  }
  const text = name === undefined ? words.superseded : `${words.supersededBy} ${name}`;
  const lower = /^\P{L}*\p{Ll}/u.test(value);
  return `${lower ? lowered(text) : text}${noteOf(value, words)}`;
}

/** When and by whom it was accepted stays; ADRs named there would be read as successors. */
function noteOf(value: string, { previously }: StatusWords): string {
  const telling = /[(\d]/.test(value) && statusOf(value) !== undefined && !/[|\n]/.test(value);
  return telling && !/\]\(|\badr[-_ ]?\d/i.test(value) ? `, ${previously} ${value}` : '';
}

/** With a small letter at its beginning. */
export function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
