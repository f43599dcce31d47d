/** The languages whose common words are known; a text in none of them is read like English. */
export type Language = 'de' | 'en' | 'fr';

const LANGUAGES = ['de', 'en', 'fr'] as const;

const NONE: readonly Language[] = [];

/** Words that say nothing by themselves, with the languages they are of. */
export const COMMON = byWord({
  de: `der die das den dem des ein eine einer eines einem einen und oder aber als auch auf aus bei bis da dann dass damit
    dabei dazu doch durch es er sie wir ihr ihre ihren ist sind war waren wird werden wurde wurden kann können könnte muss müssen soll
    sollen sollte darf dürfen hat haben hatte hier im in ins ja je jede jeder jedes jeden kein keine keinen man mehr mit nach nicht noch
    nur ob ohne sehr sein seine sich so sowie über um uns unter vom von vor was weil wenn wer wie wo zu zum zur zwischen alle alles
    allem allen andere anderen anderer bereits beim diese dieser dieses diesem diesen für gegen immer jetzt neue neuen neuer neues
    nun schon statt viel welche wieder`,
  en: `the a an and or but as at by be been being is are was were will would can could should shall may might must do does did
    not no nor of off on in into to from for with without within this that these those it its they them their there then than so such
    we our us you your he she his her i if else when while which who whom whose what why how where all any each every some more most
    other also only just over under up down out about after before between both because through during via per have has had new use
    used using uses one same own very need needs`,
  fr: `le la les un une des du de et ou mais que qui quoi dont où ce cet cette ces il elle ils elles nous vous on est sont était
    être sera seront peut doit avoir ont été dans sur sous avec sans pour par pas plus ne se sa son ses leur leurs au aux en comme si
    tout tous toute toutes entre aussi afin lors`,
});

function byWord(lists: Readonly<Record<Language, string>>): ReadonlyMap<string, readonly Language[]> {
  const words = new Map<string, readonly Language[]>();
  for (const language of LANGUAGES)
    for (const word of lists[language].split(/\s+/)) words.set(word, [...(words.get(word) ?? NONE), language]);
  return words;
}

const TOKEN = /[\p{L}_][\p{L}\p{M}\p{N}_]*/gu;
const ADDRESS = /\bhttps?:\/\/\S+|<[^<>\s][^<>]*>/g;
const LONGEST_TARGET = 500;

/** Text without the addresses of its links. */
export function withoutLinks(text: string): string {
  const plain = text.includes('](') ? withoutTargets(text) : text;
  return plain.includes('http') || plain.includes('<') ? plain.replace(ADDRESS, ' ') : plain;
}

/** No pattern does this in linear time where many links are opened and none is closed. */
function withoutTargets(text: string): string {
  let kept = '';
  let from = 0;
  let close = 0;
  for (let open = text.indexOf(']('); open !== -1; open = text.indexOf('](', from)) {
    if (close < open) close = text.indexOf(')', open);
    if (close === -1) break;
    const isLink = close - open <= LONGEST_TARGET;
    kept += isLink ? `${text.slice(from, open)} ` : text.slice(from, open + 2);
    from = isLink ? close + 1 : open + 2;
  }
  return kept + text.slice(from);
}

/** The distinct words of a text that mean something, cut down so that inflected forms and compounds meet. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  for (const token of withoutLinks(text).match(TOKEN) ?? []) for (const term of knownStems(token)) terms.add(term);
  return terms;
}

/** The languages in which a word says nothing by itself. */
export function languagesOf(token: string): readonly Language[] {
  return COMMON.get(token.toLowerCase()) ?? NONE;
}

/** The language that most of the common words of a text are of; undefined when there are too few to tell. */
export function likeliest(counts: Readonly<Record<Language, number>>): Language | undefined {
  const [first, second] = LANGUAGES.toSorted((a, b) => counts[b] - counts[a]);
  if (first === undefined || second === undefined) return undefined;
  return counts[first] >= 12 && counts[first] >= 2 * counts[second] ? first : undefined;
}

const CACHE_LIMIT = 50_000;
const cache = new Map<string, readonly string[]>();

function knownStems(token: string): readonly string[] {
  if (token.length > 80) return [];
  const known = cache.get(token);
  if (known !== undefined) return known;
  if (cache.size >= CACHE_LIMIT) cache.clear();
  const stems = stemsOf(token);
  cache.set(token, stems);
  return stems;
}

/** What a single word is known by: `ApprovalRunner` and `approval_runner` by their words as well as whole. */
export function stemsOf(token: string): readonly string[] {
  if (!/_|\p{Ll}\p{Lu}/u.test(token)) {
    const only = stem(token);
    return only === undefined ? [] : [only];
  }
  const parts = token.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part.length > 1);
  const stems = parts.flatMap((part) => stem(part) ?? []);
  if (parts.length > 1 && stems.length > 0) stems.push(parts.join('').toLowerCase());
  return stems;
}

const ENDING = /(?:ungen|ung|ings|ing|erns?|ers?|em|ens?|es|ed|e|s|n)$/;

/** "Nightly" and "every night" are the same, and so are "nächtlich" and "jede Nacht". */
const OFTEN =
  /^(?:(night|week|month|hour|year|quart)(?:er)?ly|(nacht|tag|stund|woch|monat|jahr)(?:ent)?lich(?:e[mnrs]?)?)$/;

/** Six letters without ending and accents tell a word apart in German, English and French, and cross compounds; a number is part of a name. */
function stem(token: string): string | undefined {
  const word = token.toLowerCase();
  if (word.length < 3 || COMMON.has(word)) return undefined;
  if (/\d/.test(word)) return word;
  const folded = /[^a-z0-9]/.test(word) ? word.normalize('NFD').replace(/\p{M}/gu, '').replace(/ß/g, 'ss') : word;
  if (folded === 'daily') return 'day';
  const often = OFTEN.exec(folded);
  if (often !== null) return often[1] ?? often[2];
  const bare = folded.replace(ENDING, '');
  if (bare.length >= 3) return undoubled(bare).slice(0, 6);
  return folded.length > 3 && folded.endsWith('s') ? folded.slice(0, -1) : folded;
}

/** "Stopped" and "stop", "written" and "write". */
function undoubled(word: string): string {
  return word.length > 3 && word.at(-1) === word.at(-2) ? word.slice(0, -1) : word;
}
