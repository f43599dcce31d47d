import type { AdrView } from '../index/adr-index.ts';
import type { Point } from '../index/prepare-concept.ts';
import { scoresOf } from '../index/weights.ts';
import { splitSentences } from '../read/sentences.ts';

/** In code ticks, or a path without them. */
const NAME = /`([^`\s]{2,80})`|(?<![\p{L}\p{N}`/.:])(\/[\p{L}\p{N}][\p{L}\p{N}_/-]{1,79})/gu;
/** One name may be said for many reasons, two in one breath hardly. */
const FEWEST_NAMES = 2;
const ITEMS_SEARCHED = 24;
const SENTENCES_READ = 50;

function namesIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(NAME)].map(([, ticked, path]) => ticked ?? path ?? ''));
}

/** Tells whether all names of code in a point of a concept stand together in an ADR, in as many sentences: it then says the same in other words. */
export function isToldByName({ itemPostings, items }: AdrView, { text, weights }: Point): boolean {
  const names = [...namesIn(text)];
  if (names.length < FEWEST_NAMES) return false;
  const length = splitSentences(text).length;
  return [...scoresOf(itemPostings, weights)]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, ITEMS_SEARCHED)
    .some(([place]) => {
      const sentences = splitSentences(items[place]?.text ?? '').slice(0, SENTENCES_READ);
      const told = sentences.map(namesIn);
      return told.some((_, at) => {
        const near = told.slice(at, at + length);
        return names.every((name) => near.some((each) => each.has(name)));
      });
    });
}
