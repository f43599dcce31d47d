import { standingAt } from './spec-changes.ts';

/** The specification as it stands: its value, or that nobody can read it; absent where there is none. */
export type SpecNow = { readonly value: unknown } | 'unreadable' | undefined;

/** Something that would be changed or taken away, and not added: only a human may agree to that. */
export type Contested = {
  readonly path: string;
  readonly wish: string;
  /** What would stand there, where that can be put in the place of what does; an empty list: nothing would. */
  readonly instead?: string | string[];
};

/** What a consultant wants to write into the specification. */
export type SpecUpdates = {
  /** By the dotted path it belongs to. */
  readonly added: Readonly<Record<string, string[]>>;
  readonly contested: readonly Contested[];
  readonly refused: readonly string[];
};

const MAX_ENTRIES = 50;
const MAX_BYTES = 8 * 1024;
const MAX_ENTRY = 1000;
const MAX_PATH = 200;
const MAX_DEPTH = 8;
const SHOWN = 200;

const PATH = /^[\p{L}\p{N}_$][\p{L}\p{N}_$ -]*(?:\.[\p{L}\p{N}_$][\p{L}\p{N}_$ -]*)*$/u;
/** Words that take something away, wherever they stand in a name; who means it harmlessly is asked about, too. */
const TAKES_AWAY =
  /remov|delet|drop(?!down|box)|replac|weaken|weaker|relax|without|skip|ignor|exclud|exclusion|omit|waive|discard|overrid|overwrit|\bunset|entf(?:ern|(?:ä|ae?)ll)|l(?:ö|oe)sch|str(?:ei|i)ch|ersetz|locker(?!s)/iu;
const FIRST_WORD = /^[^\p{L}]*(?:(?:please|bitte|now|the|all|die|den|das|alle)\s+)*(\p{L}+)/iu;
const NO_MORE =
  /^[^\p{L}]*(?:no longer|not any ?more|nicht (?:mehr|länger)|kein\p{L}* mehr)|(?:no longer|nicht mehr|nicht länger) (?:appl|count|need|requir|necess|mandat|must|ha[sv]|nötig|notwendig|erforderlich|gefordert|verlangt)|entf(?:ä|ae?)ll(?:t|en)/iu;

/** Tells what of some updates only adds to the specification, what would change it, and what makes no sense. */
export function checkSpecUpdates(updates: Readonly<Record<string, unknown>>, spec: SpecNow): SpecUpdates {
  const refused: string[] = [];
  const added = new Map<string, string[]>();
  const contested: Contested[] = [];
  for (const { path, value, deep } of flattened(updates)) {
    if (deep || path.length > MAX_PATH || !PATH.test(path) || path in Object.prototype) {
      refused.push(`spec_updates: ${shown(path)} is no place in a specification`);
      continue;
    }
    const found = compare(path, value, spec);
    if ('wish' in found) contested.push({ path, ...found });
    else if (found.news.length > 0) added.set(path, [...(added.get(path) ?? []), ...found.news]);
  }
  const texts = [...[...added.values()].flat(), ...contested.map(({ wish }) => wish)];
  if (texts.length > MAX_ENTRIES) refused.push(`spec_updates: more than ${MAX_ENTRIES} entries`);
  if (texts.some((text) => text.length > MAX_ENTRY))
    refused.push(`spec_updates: an entry is longer than ${MAX_ENTRY} characters`);
  const lines = [
    ...[...added].flatMap(([path, news]) => news.map((text) => `${path}: ${text}`)),
    ...contested.map(({ path, wish }) => `${path}: ${wish}`),
  ];
  if (byteLength(lines.join('')) > MAX_BYTES) refused.push(`spec_updates: all together more than ${MAX_BYTES} bytes`);
  return { added: Object.fromEntries(added), contested, refused };
}

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

type Update = { readonly path: string; readonly value: unknown; readonly deep?: boolean };

/** Nested maps as dotted paths; `[0]` names an entry of a list as `.0` does. */
function flattened(updates: Readonly<Record<string, unknown>>, above = '', depth = 0): Update[] {
  return Object.entries(updates).flatMap(([key, value]): Update[] => {
    const path = `${above}${key.trim().replaceAll(/\[(\d+)\]/g, '.$1')}`;
    if (!isMap(value) || Object.keys(value).length === 0 || Object.keys(value).some(takesAway))
      return [{ path, value }];
    return depth >= MAX_DEPTH ? [{ path, value, deep: true }] : flattened(value, `${path}.`, depth + 1);
  });
}

type Compared = { readonly news: string[] } | Omit<Contested, 'path'>;

function compare(path: string, value: unknown, spec: SpecNow): Compared {
  const texts = textsOf(value);
  const segments = path.split('.');
  if (texts === undefined)
    return isNothing(value) ? { wish: 'take away what stands there', instead: [] } : { wish: shown(value) };
  if (segments.some(takesAway)) return { wish: shown(value) };
  if (spec === 'unreadable')
    return { wish: `${shown(value)} (the specification cannot be read, so what it changes is unknown)` };
  const present =
    spec === undefined ? undefined : (standingAt(segments, spec.value) ?? presentAt(segments, spec.value));
  const standing = present === undefined ? [] : [present].flat().map(String);
  const news = texts.filter((text) => !standing.includes(text));
  if (present !== undefined && !Array.isArray(present) && (isMap(present) || news.length > 0))
    return {
      wish: `${shown(value)} instead of ${shown(present)}`,
      ...(!isMap(present) && { instead: givenAs(value, texts) }),
    };
  return news.some(saysLess) ? { wish: shown(value) } : { news };
}

/** A text stays a text, a list a list. */
function givenAs(value: unknown, texts: string[]): string | string[] {
  return Array.isArray(value) ? texts : (texts[0] ?? '');
}

function takesAway(name: string): boolean {
  return TAKES_AWAY.test(name.normalize('NFKC').replaceAll(/(\p{Ll})(?=\p{Lu})|_/gu, '$1 '));
}

/** True for a text that by its first word, or as a whole, gives up something instead of asking for it. */
function saysLess(text: string): boolean {
  const plain = text.normalize('NFKC');
  return takesAway(FIRST_WORD.exec(plain)?.[1] ?? '') || NO_MORE.test(plain);
}

/** What is to be added, as text; undefined for what adds nothing. */
function textsOf(value: unknown): string[] | undefined {
  const list = Array.isArray(value) ? value : [value];
  const texts = list.flatMap((entry) => (isText(entry) && String(entry).trim() !== '' ? [String(entry).trim()] : []));
  return texts.length > 0 && texts.length === list.length ? texts : undefined;
}

function isNothing(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** What stands at a path, or the scalar on the way there that would have to give way. */
function presentAt(path: readonly string[], root: unknown): unknown {
  let at = root ?? undefined;
  for (const segment of path) {
    if (at === undefined || !(isMap(at) || Array.isArray(at))) return at;
    at = Object.hasOwn(at, segment) ? ((at as Readonly<Record<string, unknown>>)[segment] ?? undefined) : undefined;
  }
  return at;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Enough of a value to know it by. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
