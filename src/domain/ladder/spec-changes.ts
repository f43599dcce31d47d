import type { Changes } from '../facts/consultation.ts';
import type { SpecChange } from '../facts/run-state.ts';

type Fields = Record<string, unknown>;

/** Where the seeds have acceptance criteria: wherever they stand, they are one list. */
const CRITERIA = [['acceptance_criteria'], ['implementation', 'acceptance_criteria']] as const;

/** What somebody's changes change in the specification. */
export function specChangesOf({ spec = {}, override = {} }: Changes, by: SpecChange['by']): SpecChange[] {
  return [
    ...Object.entries(override).map(([path, instead]) => ({ path, by, instead })),
    ...Object.entries(spec).map(([path, adds]) => ({ path, by, adds })),
  ];
}

/** The specification with all that was changed in it, in that order. */
export function amendedSpec(value: unknown, changes: readonly SpecChange[]): unknown {
  if (changes.length === 0) return value;
  const root: Fields = isMap(value) ? structuredClone(value) : {};
  if (value !== undefined && value !== null && !isMap(value)) root.specification = value;
  for (const change of changes) {
    if ('adds' in change) add(root, placeOf(change.path, root), change.adds);
    else replace(root, placeOf(change.path, root), change.instead);
  }
  return root;
}

/** The acceptance criteria of a specification, at the top and below `implementation`, as one list. */
export function acceptanceCriteria(spec: unknown): string[] {
  const found = CRITERIA.flatMap((path) => listOf(valueAt(spec, path)).map(wordsOf));
  return [...new Set(found.filter((text) => text.trim() !== ''))];
}

/** What stands at a path, for criteria in both their places; undefined for nothing. */
export function standingAt(path: readonly string[], spec: unknown): unknown {
  if (!isCriteria(path)) return valueAt(spec, path);
  const [one, other] = CRITERIA.map((each) => valueAt(spec, each));
  if (one === undefined || other === undefined) return one ?? other;
  return [...listOf(one), ...listOf(other)];
}

/** One line for each change, with who decided it. */
export function specChangeLines(changes: readonly SpecChange[]): string[] {
  return changes.flatMap((change) => {
    const who = change.by === 'helix' ? 'assumed by HELIX: nobody was there to answer' : `added by a ${change.by}`;
    if ('adds' in change) return change.adds.map((text) => `${change.path}: ${text} (${who})`);
    const instead = [change.instead].flat();
    if (instead.length === 0) return [`${change.path}: taken away by a ${change.by}`];
    return [`${change.path}: ${instead.join('; ')} (a ${change.by} put this in the place of what stood there)`];
  });
}

function isCriteria(path: readonly string[]): boolean {
  return CRITERIA.some((each) => each.join('.') === path.join('.'));
}

/** Criteria go where the specification has them already. */
function placeOf(path: string, root: Fields): readonly string[] {
  const segments = path.split('.');
  if (!isCriteria(segments) || valueAt(root, segments) !== undefined) return segments;
  return CRITERIA.find((each) => valueAt(root, each) !== undefined) ?? segments;
}

function add(root: Fields, path: readonly string[], adds: readonly string[]): void {
  const standing = valueAt(root, path);
  const place = isMap(standing) ? [...path, 'notes'] : path;
  const before = listOf(valueAt(root, place));
  put(root, place, [...before, ...adds.filter((text) => !before.includes(text))]);
}

function replace(root: Fields, path: readonly string[], instead: string | readonly string[]): void {
  if (isCriteria(path)) for (const each of CRITERIA) put(root, each, undefined);
  put(root, path, instead.length === 0 ? undefined : typeof instead === 'string' ? instead : [...instead]);
}

/** Puts a value at a path, or takes away what stands there; a name that would reach beyond the value is passed over. */
function put(root: Fields, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (name === '__proto__') return;
  if (rest.length === 0) {
    if (value === undefined) delete root[name];
    else root[name] = value;
    return;
  }
  const below = Object.hasOwn(root, name) ? root[name] : undefined;
  if (Array.isArray(below) && Object.hasOwn(below, rest[0] ?? '')) {
    putInto(below, rest, value);
    return;
  }
  if (!isMap(below) && value === undefined) return;
  const next: Fields = isMap(below) ? below : {};
  root[name] = next;
  put(next, rest, value);
}

/** An entry of a list is named by its number. */
function putInto(list: unknown[], [name = '', ...rest]: readonly string[], value: unknown): void {
  const index = Number(name);
  const entry = list[index];
  if (rest.length > 0 && isMap(entry)) put(entry, rest, value);
  else list.splice(index, 1, ...(value === undefined ? [] : [value]));
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let at: unknown = root;
  for (const name of path) {
    if (!(isMap(at) || Array.isArray(at)) || !Object.hasOwn(at, name)) return undefined;
    at = (at as Fields)[name];
  }
  return at ?? undefined;
}

function listOf(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : [value].flat();
}

/** A criterion may be a text, or a map with one beside its id. */
function wordsOf(criterion: unknown): string {
  if (!isMap(criterion)) return String(criterion);
  const named = criterion.text ?? criterion.description ?? criterion.criterion;
  return typeof named === 'string' ? named : JSON.stringify(criterion);
}

function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
