import type { Reading } from './readings.ts';

/** Whether there is any list that could hold a secret; most files have none. */
const HINT = /(?:\d[\da-zA-Z]{0,5}[\s,;]{1,16}){8}/;
const NUMBER = /(?<![\w.])(?:0[xX]([0-9a-fA-F]{1,2})|([0-9]{1,3}))(?:[uU]8|[uUlL]{1,3})?(?![\w.])[\s,;]{0,16}/g;

/** The bytes that lists of numbers stand for (`90, 107`, `0x5a, 0x6b`), with a NUL between two lists; undefined where there are none. */
export function numbered({ bytes, at }: Reading): Reading | undefined {
  const text = bytes.toString('latin1');
  if (!HINT.test(text)) return undefined;
  const made: number[] = [];
  const places: number[] = [];
  let end = 0;
  for (const { 0: whole, 1: hex, 2: decimal, index } of text.matchAll(NUMBER)) {
    const value = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const values = [...(index === end ? [] : [0]), value < 256 ? value : 0];
    made.push(...values);
    places.push(...values.map(() => at?.[index] ?? index));
    end = index + whole.length;
  }
  return { bytes: Buffer.from(made), at: Uint32Array.from(places) };
}
