import type { Postings } from './adr-index.ts';

/** Parts or items of an ADR, from one up to the other. */
export type Range = { readonly from: number; readonly to: number };

/** The words of a text by number, each with its weight: high for words that few sections of the concept have. */
export type Weights = {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
  readonly total: number;
};

/** Adds up what each word of a text weighs. */
export function weightsOf(entries: Iterable<readonly [id: number, weight: number]>): Weights {
  const ids: number[] = [];
  const weights: number[] = [];
  let total = 0;
  for (const [id, weight] of entries) {
    ids.push(id);
    weights.push(weight);
    total += weight;
  }
  return { ids, weights, total };
}

/** The words of a text that fulfil a condition; the total is only theirs. */
export function pick({ ids, weights }: Weights, holds: (id: number) => boolean): Weights {
  const kept: [number, number][] = [];
  for (const [at, id] of ids.entries()) if (holds(id)) kept.push([id, weights[at] ?? 0]);
  return weightsOf(kept);
}

/** How much of a text's weight some places hold. */
export function weightIn(postings: Postings, { ids, weights }: Weights, ranges: readonly Range[]): number {
  let found = 0;
  for (let at = 0; at < ids.length; at += 1) {
    const places = postings[ids[at] ?? -1];
    if (places === undefined) continue;
    for (const range of ranges) {
      if (!isIn(places, range)) continue;
      found += weights[at] ?? 0;
      break;
    }
  }
  return found;
}

/** Tells whether a sorted list has a number of the range. */
export function isIn(sorted: readonly number[] | undefined, { from, to }: Range): boolean {
  if (sorted === undefined) return false;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (sorted[low] ?? Number.POSITIVE_INFINITY) < to;
}

/** A word that stands in more places than this finds none. */
const COMMON = 200;

/** How much of the weight of a text each place holds, for the places that hold some; words that stand nearly everywhere are asked for only when there is no other. */
export function scoresOf(postings: Postings, { ids, weights }: Weights): ReadonlyMap<number, number> {
  const scores = new Map<number, number>();
  let rarest: readonly number[] | undefined;
  for (let at = 0; at < ids.length; at += 1) {
    const places = postings[ids[at] ?? -1];
    if (places === undefined) continue;
    if (rarest === undefined || places.length < rarest.length) rarest = places;
    if (places.length > COMMON) continue;
    const weight = weights[at] ?? 0;
    for (const place of places) scores.set(place, (scores.get(place) ?? 0) + weight);
  }
  if (scores.size === 0) for (const place of rarest?.slice(0, COMMON) ?? []) scores.set(place, 1);
  return scores;
}

/** The most that one single place holds of a text. */
export function highestIn(postings: Postings, weights: Weights): number {
  let best = 0;
  for (const score of scoresOf(postings, weights).values()) if (score > best) best = score;
  return best;
}
