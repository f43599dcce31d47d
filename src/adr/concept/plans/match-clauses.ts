import type { AdrView, IndexedItem } from '../index/adr-index.ts';
import type { Point } from '../index/prepare-concept.ts';
import { scoresOf } from '../index/weights.ts';
import type { Written } from '../read/parts.ts';
import { clausesOf, wordsAround } from '../read/sentences.ts';

/** A piece of a point of the concept that says something by itself, or the whole point, and its words. */
export type Clause = { readonly point: Point; readonly words: ReadonlySet<string>; readonly isWhole: boolean };

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

/** A point of many words is told by an item with less of them: nobody says that by chance. */
const SAME_POINT = 0.4;
const MANY_WORDS = 6;

/** "Phase 1 –" is a place in an order, which numbers and rows carry on; what happens there follows. */
const LABEL =
  /^[\s|*_]*(?:phase|step|schritt|stage|stufe|sprint|wave|welle|milestone|meilenstein|etappe|day|days|tage?|weeks?|wochen?|months?|monate?)\s\d{1,3}(?:\s?[-–]\s?\d{1,3})?[\s|*_]*[:|–—*_-]\s*/i;

const CLAUSES = new WeakMap<Point, readonly Clause[]>();

/** The clauses of a point, or all its words when none of them says enough by itself. */
function clausesOfPoint(point: Point): readonly Clause[] {
  const known = CLAUSES.get(point);
  if (known !== undefined) return known;
  const text = point.text.replace(LABEL, '');
  const all = clausesOf(text)
    .slice(0, CLAUSES_READ)
    .map((clause) => ({ point, words: wordsAround(clause), isWhole: false }));
  const telling = all.filter(({ words }) => words.size >= FEWEST_WORDS);
  const clauses = telling.length > 0 ? telling : [{ point, words: wordsAround(text), isWhole: false }];
  CLAUSES.set(point, clauses);
  return clauses;
}

/** Finds where the items of an ADR that may tell it say what a point says, as a whole, or one or two clauses for one. */
export function matchClauses(view: AdrView, point: Point, mayTell: (item: IndexedItem) => boolean): ClauseMatch[] {
  const { total } = point.weights;
  const items = [...scoresOf(view.itemPostings, point.weights)]
    .filter(([, score]) => score >= FEWEST * total)
    .toSorted((a, b) => b[1] - a[1])
    .flatMap(([number, score]) => {
      const item = view.items[number];
      return item !== undefined && mayTell(item) ? [{ item, share: score / total }] : [];
    })
    .slice(0, ITEMS_SEARCHED);
  const whole = { point, words: point.terms, isWhole: true };
  const alike = point.terms.size < MANY_WORDS ? [] : items.filter(({ share }) => share >= SAME_POINT);
  return [
    ...clausesOfPoint(point).flatMap((clause) => items.flatMap(({ item }) => matchesIn(item, clause))),
    ...alike.map(({ item, share }) => ({ clause: whole, item, share, from: 0, to: readOnce(item).length })),
  ];
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
  for (const word of words) if (others.some((each) => hasWord(each, word))) found += 1;
  return words.size === 0 ? 0 : found / words.size;
}

/** German verbs come apart: "umschalten" and "wir schalten um". Stems have six letters at most, so that what is left has three or four. */
const SEPARABLE = /^(?:ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|um|vor|weg|zu)(?=.{3,4}$)(?=.*[aeiou])/;
const STARTS = [3, 4] as const;

function hasWord(words: ReadonlySet<string>, word: string): boolean {
  if (words.has(word)) return true;
  const verb = word.replace(SEPARABLE, '');
  return verb === word ? STARTS.some((length) => words.has(`-${word.slice(0, length)}`)) : words.has(`${verb}-`);
}

/** Adds how its words start, and what is left of those that come apart. */
function withVerbs(words: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set(words);
  for (const word of words) {
    const verb = word.replace(SEPARABLE, '');
    if (verb !== word) all.add(`-${verb}`);
    else for (const length of STARTS) all.add(`${word.slice(0, length)}-`);
  }
  return all;
}

const READ = new WeakMap<Written, readonly ReadonlySet<string>[]>();

/** Many points may be near to one item. */
function readOnce(item: Written): readonly ReadonlySet<string>[] {
  const known = READ.get(item);
  if (known !== undefined) return known;
  const read = clausesOf(item.text)
    .slice(0, CLAUSES_READ)
    .map((text) => withVerbs(wordsAround(text)));
  READ.set(item, read);
  return read;
}

/** For which point each clause of an item stands. */
type Taken = Map<IndexedItem, Map<number, Point>>;

/** The clauses that are found when each clause of the ADR stands for one of them only, the most alike first, whole points last. */
export function assignClauses(matches: readonly ClauseMatch[]): ReadonlySet<Clause> {
  const found = new Set<Clause>();
  const told = new Set<Point>();
  const taken: Taken = new Map();
  const { pieces = [], wholes = [] } = Object.groupBy(matches, ({ clause }) => (clause.isWhole ? 'wholes' : 'pieces'));
  for (const { clause, item, from, to } of pieces.toSorted((a, b) => b.share - a.share)) {
    const here = takenIn(taken, item);
    if (found.has(clause) || here.has(from) || here.has(to - 1)) continue;
    found.add(clause);
    here.set(from, clause.point).set(to - 1, clause.point);
  }
  for (const { clause, item, to } of wholes.toSorted((a, b) => b.share - a.share)) {
    if (told.has(clause.point) || !takeFree(takenIn(taken, item), clause.point, to)) continue;
    found.add(clause);
    told.add(clause.point);
  }
  return found;
}

function takenIn(taken: Taken, item: IndexedItem): Map<number, Point> {
  const here = taken.get(item) ?? new Map();
  taken.set(item, here);
  return here;
}

/** Takes as many clauses of an item as a point has, unless most of them stand for other points. */
function takeFree(here: Map<number, Point>, point: Point, all: number): boolean {
  let others = 0;
  for (const owner of here.values()) if (owner !== point) others += 1;
  if (others * 2 > all) return false;
  let wanted = clausesOfPoint(point).length;
  for (let at = 0; at < all && wanted > 0; at += 1) {
    if (here.has(at)) continue;
    here.set(at, point);
    wanted -= 1;
  }
  return true;
}

/** The points that are found as a whole or with at least half of their clauses. */
export function pointsWith(found: ReadonlySet<Clause>, points: readonly Point[]): Point[] {
  const whole = new Set([...found].flatMap(({ isWhole, point }) => (isWhole ? [point] : [])));
  return points.filter((point) => {
    const clauses = clausesOfPoint(point);
    return whole.has(point) || clauses.filter((clause) => found.has(clause)).length * 2 >= clauses.length;
  });
}

/** A clause with nearly all its words is that clause, wherever it stands. */
const VERY_SAME_CLAUSE = 0.8;

/** The matches of clauses that are found word for word, or nearly so. */
export function veryLike(matches: readonly ClauseMatch[]): ClauseMatch[] {
  return matches.filter(({ clause, share }) => !clause.isWhole && share >= VERY_SAME_CLAUSE);
}

/** How many clauses some points have. */
export function clauseCount(points: readonly Point[]): number {
  return points.reduce((sum, point) => sum + clausesOfPoint(point).length, 0);
}
