import { phrasesOf } from './sentences.ts';
import { termsOf, withoutLinks } from './terms.ts';
import { NUMBER_WORDS, numberOf, unitOf } from './value-words.ts';
import { isName, type Value, withoutMarkup } from './values.ts';

/** A sentence with numbers that mean something only beside a sentence that says the same: a single thing counted, a version. */
export type LooseSentence = {
  readonly text: string;
  readonly values: readonly Value[];
  /** What else it says: its words, and its other numbers and negations in order. */
  readonly words: ReadonlySet<string>;
  readonly exact: string;
};

const VERSION =
  /(?<![\p{L}\p{N}_#/.-])(?<name>\.?\p{L}[\p{L}.]{1,29})(?<joint>[\s-])(?<version>\d{1,5}(?:\.\d{1,5}){0,3})(?![\p{L}\p{N}_%]|[.,]\p{N})/gu;
/** Only of these a hyphen makes no id: "AES-256", but not "ABC-256". */
const STANDARD = /^(?:tls|ssl|aes|sha|rsa|utf|http)$/i;
/** Other words before a number mostly make an id or a place in a list: "phase 2", "criterion 1.2". */
const PRODUCT =
  /^(?:node|java|jdk|python|php|ruby|kotlin|oauth|\.net|postgres|mysql|redis|kafka|kubernetes|ubuntu|debian|alpine|angular|react|vue|django|rails|android|ios|windows|version)$/i;
const NAME = /^(?:\p{L}+\.js|\p{L}*\p{Ll}\p{Lu}\p{L}*)$/u;
const COUNT = new RegExp(
  `(?<![\\p{L}\\p{N}_#/]|[\\p{L}\\p{N}][.:,-])(?<count>\\d{1,6}|${NUMBER_WORDS})\\s(?<word>\\p{L}{3,30})`,
  'giu',
);
const EXACT = /\d+|(?<!\p{L})(?:not|no|never|without|nicht|nie|ohne|kein\p{L}{0,2})(?!\p{L})/giu;

/** The sentences of a text that tell versions or count something; clauses say too little for that. */
export function looseSentencesOf(text: string): LooseSentence[] {
  return phrasesOf(text).flatMap(({ text: sentence, isClause }) => {
    if (isClause) return [];
    const values: Value[] = [];
    const plain = withoutMarkup(withoutLinks(sentence));
    const rest = withoutCounts(withoutVersions(plain, values), values);
    if (values.length === 0) return [];
    return [{ text: sentence, values, words: termsOf(rest), exact: rest.toLowerCase().match(EXACT)?.join(' ') ?? '' }];
  });
}

function withoutVersions(text: string, values: Value[]): string {
  if (!/\d/.test(text)) return text;
  return text.replace(VERSION, (found, name: string, joint: string, version: string) => {
    const isVersion = STANDARD.test(name) || (joint !== '-' && (PRODUCT.test(name) || NAME.test(name)));
    if (!isVersion) return found;
    values.push({ text: found, amount: version, unit: `no. ${name.toLowerCase()}` });
    return `${name} `;
  });
}

function withoutCounts(text: string, values: Value[]): string {
  return text.replace(COUNT, (found, count: string, word: string, at: number) => {
    const [unit] = termsOf(word);
    if (unit === undefined || unitOf(word) !== undefined || isName(text.slice(Math.max(0, at - 40), at))) return found;
    values.push({ text: found, amount: String(numberOf(count) ?? Number(count)), unit });
    return ` ${word}`;
  });
}

/** What a value is told apart by. */
export function looseKey({ amount, unit }: Value): string {
  return `${amount} ${looseUnit(unit)}`;
}

/** The unit of a value, whether there is one of it or several. */
export function looseUnit(unit: string): string {
  return unit.startsWith('no. ') ? unit : bare(unit);
}

/** "Admins" and "admin" are cut down to different words. */
function bare(word: string): string {
  return word.length > 3 ? word.slice(0, 3) + word.slice(3).replace(/[enrs]{1,6}$/, '') : word;
}

/** Tells whether two values are of the same kind, and one of them is no closer word for the other: version 15.4 is version 15. */
export function isLooseChange(value: Value, other: Value): boolean {
  if (looseUnit(value.unit) !== looseUnit(other.unit) || value.amount === other.amount) return false;
  if (!value.unit.startsWith('no. ')) return value.amount === '1' || other.amount === '1';
  const [parts, others] = [value.amount.split('.'), other.amount.split('.')];
  return parts.slice(0, others.length).some((part, at) => Number(part) !== Number(others[at]));
}

const NEARLY = 0.75;

/** Tells whether two sentences say the same, their loose values apart. */
export function areTwins(one: LooseSentence, other: LooseSentence): boolean {
  if (one.exact !== other.exact) return false;
  const [words, others] = [new Set([...one.words].map(bare)), new Set([...other.words].map(bare))];
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared >= 2 && shared >= NEARLY * Math.max(words.size, others.size);
}
