import { phrasesOf } from './sentences.ts';
import { languagesOf, termsOf, withoutLinks } from './terms.ts';
import { measuredBy, measureOf, NUMBER_WORDS, numberOf, unitOf } from './value-words.ts';
import { amountOf, isName, NUMBER, type Value, withoutMarkup } from './values.ts';

/** A sentence with what means something only beside a sentence that says the same: a single thing, a version, a time, "a week", "of 50". */
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
const CLOCK =
  /(?<![\p{L}\p{N}:.,/-])(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?![\p{L}\p{N}]|[:.,-]\p{N})(?:\s?(?<half>[AaPp])\.?[Mm](?!\p{L}))?(?:\s(?<zone>[A-Z]{3,4})(?!\p{L}))?/gu;
/** "A second" and "every quarter" mostly are no times. */
const EACH =
  /(?<!\p{L})(?:(?:an?|each|every)\s(?!second|quarter)|(?:per|pro|je|jede[mnrs]?)\s)(?<span>\p{L}{3,12})(?!\p{L})/giu;
const BARE = new RegExp(
  `(?<!\\p{L})(?<lead>of|at|to|by|than|below|above|under|over|until|von|zu|auf|bei|um|als|bis|unter|über|ab)\\s(?<number>${NUMBER})(?![\\p{L}\\p{N}_/:–—-]|[.,]\\p{N}|\\s?[%‰€$£]|\\s\\d)`,
  'giu',
);
const EXACT = /\d+|(?<!\p{L})(?:not|no|never|without|nicht|nie|ohne|kein\p{L}{0,2})(?!\p{L})/giu;

/** The sentences of a text that tell such values; clauses say too little for that. */
export function looseSentencesOf(text: string): LooseSentence[] {
  return phrasesOf(text).flatMap(({ text: sentence, isClause }) => {
    if (isClause) return [];
    const values: Value[] = [];
    const plain = withoutMarkup(withoutLinks(sentence));
    const rest = withoutNumbers(withoutCounts(withoutTimes(withoutVersions(plain, values), values), values), values);
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

/** A time with a zone is compared only with those of the same zone. */
function withoutTimes(text: string, values: Value[]): string {
  const rest = !text.includes(':')
    ? text
    : text.replace(CLOCK, (found, ...more) => {
        const { hour = '', minute = '', half, zone = '' } = more.at(-1) as Record<string, string | undefined>;
        const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
        values.push({ text: found, amount: String(60 * hours + Number(minute)), unit: `no. clock ${zone}` });
        return ' ';
      });
  return rest.replace(EACH, (found, span: string) => {
    const unit = unitOf(span);
    if (unit === undefined || measuredBy(unit) !== 'time') return found;
    values.push({ text: found, amount: measureOf('1', unit), unit: 'no. each' });
    return ' ';
  });
}

/** "In batches of 50": numbers that stand before no word that they could count. */
function withoutNumbers(text: string, values: Value[]): string {
  if (!/\d/.test(text)) return text;
  return text.replace(BARE, (found, lead: string, written: string, at: number) => {
    const number = written.replace(/\.$/, '');
    const [, next] = /^\s(\p{L}+)/u.exec(text.slice(at + found.length, at + found.length + 40)) ?? [];
    const counts = next !== undefined && languagesOf(next).length === 0;
    const amount = counts ? undefined : amountOf(number);
    if (amount === undefined) return found;
    values.push({ text: number, amount, unit: `no. ${lead.toLowerCase()}` });
    return `${lead} `;
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
