import type { AdrView, IndexedItem } from './adr-index.ts';
import type { Written } from './parts.ts';
import type { Point } from './prepare-concept.ts';
import { clausesOf, wordsAround } from './sentences.ts';
import { scoresOf } from './weights.ts';

/** A piece of a point of the concept that says something by itself, and its words. */
export type Clause = { readonly point: Point; readonly words: ReadonlySet<string> };

/** A clause of the concept, the clauses of an item of the ADR that say the same, and how many of its words they have. */
export type ClauseMatch = {
  readonly clause: Clause;
  readonly item: IndexedItem;
  readonly from: number;
  readonly to: number;
  readonly share: number;
};

const SAME_CLAUSE = 0.55;
const FEWEST_WORDS = 2;
const ITEMS_SEARCHED = 24;
const CLAUSES_READ = 100;
/** An item with less of the words of a point has none of its clauses. */
const FEWEST = 0.15;

const CLAUSES = new WeakMap<Point, readonly Clause[]>();

/** The clauses of a point, or all its words when none of them says enough by itself. */
function clausesOfPoint(point: Point): readonly Clause[] {
  const known = CLAUSES.get(point);
  if (known !== undefined) return known;
  const all = clausesOf(point.text)
    .slice(0, CLAUSES_READ)
    .map((text) => ({ point, words: wordsAround(text) }));
  const telling = all.filter(({ words }) => words.size >= FEWEST_WORDS);
  const clauses = telling.length > 0 ? telling : [{ point, words: wordsAround(point.text) }];
  CLAUSES.set(point, clauses);
  return clauses;
}

/** Finds where the items of an ADR that may tell it say what the clauses of a point say, one or two clauses for one. */
export function matchClauses(view: AdrView, point: Point, mayTell: (item: IndexedItem) => boolean): ClauseMatch[] {
  const items = [...scoresOf(view.itemPostings, point.weights)]
    .filter(([, score]) => score >= FEWEST * point.weights.total)
    .toSorted((a, b) => b[1] - a[1])
    .flatMap(([number]) => view.items[number] ?? [])
    .filter(mayTell)
    .slice(0, ITEMS_SEARCHED);
  return clausesOfPoint(point).flatMap((clause) => items.flatMap((item) => matchesIn(item, clause)));
}

function matchesIn(item: IndexedItem, clause: Clause): ClauseMatch[] {
  const read = readOnce(item);
  const single: ClauseMatch[] = [];
  const double: ClauseMatch[] = [];
  for (const [at, words] of read.entries()) {
    const share = shareOf(clause.words, [words]);
    if (share >= SAME_CLAUSE) single.push({ clause, item, from: at, to: at + 1, share });
    const next = read[at + 1];
    const both = next === undefined ? 0 : shareOf(clause.words, [words, next]);
    if (both >= SAME_CLAUSE && both > share) double.push({ clause, item, from: at, to: at + 2, share: both });
  }
  return single.length > 0 ? single : double;
}

function shareOf(words: ReadonlySet<string>, others: readonly ReadonlySet<string>[]): number {
  let found = 0;
  for (const word of words) if (others.some((each) => each.has(word))) found += 1;
  return words.size === 0 ? 0 : found / words.size;
}

const READ = new WeakMap<Written, readonly ReadonlySet<string>[]>();

/** Many points may be near to one item. */
function readOnce(item: Written): readonly ReadonlySet<string>[] {
  const known = READ.get(item);
  if (known !== undefined) return known;
  const read = clausesOf(item.text)
    .slice(0, CLAUSES_READ)
    .map((text) => wordsAround(text));
  READ.set(item, read);
  return read;
}

/** The clauses that are found when each clause of the ADR stands for one of them only, the most alike first. */
export function assignClauses(matches: readonly ClauseMatch[]): ReadonlySet<Clause> {
  const found = new Set<Clause>();
  const taken = new Map<IndexedItem, Set<number>>();
  for (const { clause, item, from, to } of matches.toSorted((a, b) => b.share - a.share)) {
    const here = taken.get(item) ?? new Set();
    if (found.has(clause) || here.has(from) || here.has(to - 1)) continue;
    found.add(clause);
    here.add(from).add(to - 1);
    taken.set(item, here);
  }
  return found;
}

/** The points of which at least half of the clauses are found. */
export function pointsWith(found: ReadonlySet<Clause>, points: readonly Point[]): Point[] {
  return points.filter((point) => {
    const clauses = clausesOfPoint(point);
    return clauses.filter((clause) => found.has(clause)).length * 2 >= clauses.length;
  });
}

/** A clause with nearly all its words is that clause, wherever it stands. */
const VERY_SAME_CLAUSE = 0.8;

/** The matches of clauses that are found word for word, or nearly so. */
export function veryLike(matches: readonly ClauseMatch[]): ClauseMatch[] {
  return matches.filter(({ share }) => share >= VERY_SAME_CLAUSE);
}

/** How many clauses some points have. */
export function clauseCount(points: readonly Point[]): number {
  return points.reduce((sum, point) => sum + clausesOfPoint(point).length, 0);
}
