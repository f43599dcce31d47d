import { termsOf, withoutLinks } from './terms.ts';
import { FRACTION_WORDS, MONTH_WORDS, monthOf, NUMBER_WORDS, numberOf, unitOf } from './value-words.ts';

/** A number with what it counts, or a date. */
export type Value = {
  /** As written. */
  readonly text: string;
  /** "5", "2-3", "5 or 7", "99.9", "2025-03-01". */
  readonly amount: string;
  /** "day", "%", "date", or the word it counts, cut down; "no. day" when the word stands before the number. */
  readonly unit: string;
};

/** "5k", "2 Mio.", "3 million": what a number is to be multiplied by. */
const TIMES = '(?:(?:[km]|\\s?(?:thousand|tausend|tsd|million(?:en|s)?|mio|bn|milliarden?|mrd))(?![\\p{L}\\p{N}])\\.?)';
/** "5 000" and "5'000" are one number; a blank may be a narrow one. */
const GROUPED = "[1-9]\\d{0,2}(?:[\\s'’]\\d{3}){1,3}(?!\\d)(?:[.,]\\d{1,9})?";
/** A pattern for a number in digits. */
export const NUMBER = `(?:${GROUPED}|\\d{1,12}(?:[.,]\\d{1,9}){0,4})${TIMES}?`;
const TO = '(?:\\s?(?:-|–|—|…|bis|to|through)\\s?)';
const BETWEEN = '(?:between|zwischen)\\s';
const AND = '\\s(?:and|und)\\s';
const OR = '\\s(?:or|oder)\\s';
const ANY_NUMBER = `(?:${NUMBER}|(?:${NUMBER_WORDS})(?=[\\s-]))`;
const LABEL = '(?:tage?n?|days?|wochen?|weeks?|monate?n?|months?|jahre?n?|years?)';
/** "Tag 6 bis 10", "day 6 to day 10". */
const NTH = `\\d{1,4}(?:${TO}(?:${LABEL}\\s)?\\d{1,4})?`;
const AND_NEXT = `(?<joint>${AND}(?<again>${LABEL}\\s)?)(?<next>\\d{1,4})`;
/** "Half an hour", "a quarter of an hour", "einer halben Stunde"; half a day is as long as people work, not half of one. */
const PART = `(?:(?:an?|one|eine[mnrs]?)\\s)?(?<part>${FRACTION_WORDS})(?:(?:\\sof)?\\san?)?[\\s-](?<whole>hour|year|stunde|jahr)(?:es)?(?!\\p{L})`;
const ORDINAL = '(?:\\.|st|nd|rd|th)?';
const START = '(?<![\\p{L}\\p{N}_#/]|[\\p{L}\\p{N}][.:,-])';

const DATE = new RegExp(
  [
    `${START}(?<iso>\\d{4}-\\d{2}-\\d{2})(?![\\p{N}-])`,
    `${START}(?<dotted>\\d{1,2}\\.\\d{1,2}\\.\\d{4})(?!\\p{N})`,
    `${START}(?<day>\\d{1,2})${ORDINAL}(?:\\sof)?\\s(?<month>${MONTH_WORDS})[.,]?\\s(?<year>\\d{4})(?!\\p{N})`,
    `${START}(?<month2>${MONTH_WORDS})\\.?\\s(?<day2>\\d{1,2})${ORDINAL},?\\s(?<year2>\\d{4})(?!\\p{N})`,
    `${START}(?<quarter>Q[1-4][ /-]\\d{4})(?!\\p{N})`,
  ].join('|'),
  'giu',
);
const AMOUNT = new RegExp(
  [
    `${START}${PART}`,
    `${START}(?:(?<label>${LABEL})\\s(?<nth>${NTH})(?:${AND_NEXT}(?![\\p{L}\\p{N}]|[.,]\\p{N}))?|${BETWEEN}(?<first>${LABEL}\\s\\d{1,4})${AND}(?:${LABEL}\\s)?(?<last>\\d{1,4}))(?![\\p{L}\\p{N}]|[.,]\\p{N})`,
    `${START}(?<currency>[€$£])\\s?(?<price>${NUMBER}(?:${TO}[€$£]?${NUMBER})?)(?![\\p{L}\\p{N}])`,
    `${START}(?<amount>${BETWEEN}${ANY_NUMBER}${AND}${ANY_NUMBER}|${ANY_NUMBER}(?:(?:${TO}|${OR})${ANY_NUMBER})?)(?<unit>\\s?[%‰€$£]|[\\s\\u00a0-]?(?<word>\\p{L}{1,30}))`,
  ].join('|'),
  'giu',
);
/** The word before a number, and whether it starts a sentence. */
const WORD_BEFORE = /(^|[^\p{L}\p{N}\s-]|\s)\s*(\p{L}[\p{L}\p{N}]*)[\s-]*$/u;
const NAMING =
  /^(?:version|layer|level|option|phase|step|schritt|stufe|rule|regel|issue|port|node|python|java|section|abschnitt|kapitel|chapter|release|sprint|adr|rfc)$/i;
const CODE = /`[^`\n]{0,500}`/g;
const VALUE_AS_CODE = /^`[<>=~≥≤\s]*\d+(?:[.,]\d+)?\s*(?:\p{L}{1,12}|%)`$/u;

/** Values are looked for in so many characters of an item: no paragraph is longer. */
export const LONGEST_TEXT = 20_000;

/** The amounts and dates of a text, in its order; versions, ids, links and code are none. */
export function valuesIn(whole: string): Value[] {
  const text = whole.slice(0, LONGEST_TEXT);
  if (!/\d/.test(text) && !HAS_NUMBER_WORD.test(text)) return [];
  const plain = withoutMarkup(withoutLinks(text));
  const values: Value[] = [];
  const readDate = (date: string, ...more: unknown[]) => {
    values.push({ text: date, amount: isoDate(more.at(-1) as Record<string, string | undefined>), unit: 'date' });
    return ' '.repeat(date.length);
  };
  const rest = /\d{4}/.test(plain) ? plain.replace(DATE, readDate) : plain;
  AMOUNT.lastIndex = 0;
  for (let match = AMOUNT.exec(rest); match !== null; match = AMOUNT.exec(rest)) {
    const value = readAmount(match, rest);
    if (value === undefined) continue;
    values.push(value);
    AMOUNT.lastIndex = match.index + value.text.length;
  }
  return values;
}

/** Without code that is no value, and without emphasis. */
export function withoutMarkup(text: string): string {
  const plain = text.includes('`')
    ? text.replace(CODE, (code) => (VALUE_AS_CODE.test(code) ? code.replaceAll('`', ' ') : ' '.repeat(code.length)))
    : text;
  return plain.includes('**') || plain.includes('__') ? plain.replace(/[*_]{2}/g, '') : plain;
}

const HAS_NUMBER_WORD = new RegExp(`(?<!\\p{L})(?:${NUMBER_WORDS}|${FRACTION_WORDS})(?!\\p{L})`, 'iu');

function isoDate(found: Record<string, string | undefined>): string {
  if (found.iso !== undefined) return found.iso;
  if (found.quarter !== undefined) return found.quarter.toUpperCase().replace(/[ /]/, '-');
  const [day = '', month = '', year = ''] = found.dotted?.split('.') ?? [
    found.day ?? found.day2 ?? '',
    String(monthOf(found.month ?? found.month2 ?? '')),
    found.year ?? found.year2 ?? '',
  ];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function readAmount(match: RegExpMatchArray, text: string): Value | undefined {
  const { part, whole = '', label, first, currency, price, amount = '', unit = '', word } = match.groups ?? {};
  if (part !== undefined) return { text: match[0], amount: String(numberOf(part)), unit: unitOf(whole) ?? whole };
  if (label !== undefined || first !== undefined) return readNumbered(match, text);
  if (currency !== undefined && price !== undefined)
    return { text: match[0], amount: amountOf(price.replace(/[€$£]/g, '')) ?? price, unit: currency };
  const canonical = amountOf(amount);
  if (canonical === undefined) return undefined;
  const known = unitOf(word ?? unit.trim());
  if (known !== undefined) return { text: match[0], amount: canonical, unit: known };
  return countOf(
    { text: match[0], amount: canonical, word: word ?? '' },
    text.slice(Math.max(0, (match.index ?? 0) - 40), match.index),
  );
}

const SINGULAR = /^(?:tag|day|woche|week|monat|month|jahr|year)$/i;

/** "Days 13 and 14" are the days 13-14, "days 13 and 20" are no range, and "on day 13 and 14 users" tells two things. */
function readNumbered(match: RegExpMatchArray, text: string): Value {
  const { label, nth = '', joint = '', again, next = '', first, last } = match.groups ?? {};
  const named = label ?? first?.replace(/\s.*/, '') ?? '';
  const counts =
    again === undefined && SINGULAR.test(named) && /^\s\p{L}/u.test(text.slice((match.index ?? 0) + match[0].length));
  const isPair = next !== '' && Number(next) === Number(nth) + 1 && !counts;
  const numbers = label === undefined ? `${first} ${last}` : isPair ? `${nth} ${next}` : nth;
  return {
    text: isPair ? match[0] : match[0].slice(0, match[0].length - joint.length - next.length),
    amount: numbers.match(/\d+/g)?.join('-') ?? '',
    unit: `no. ${unitOf(named) ?? named}`,
  };
}

/** "3 Versuche" counts something; "Node 20 images" and "Phase 2 ends" do not. */
function countOf(found: { text: string; amount: string; word: string }, before: string): Value | undefined {
  const [unit] = termsOf(found.word);
  if (unit === undefined || !/^\d+(?:(?:-| or )\d+)?$/.test(found.amount) || found.amount === '1') return undefined;
  if (isName(before)) return undefined;
  return { text: found.text, amount: found.amount, unit };
}

/** A capital inside a sentence makes a name: "with Node 20"; words such as "Nach" and "The" never do. */
export function isName(before: string): boolean {
  const [whole, lead = '', word = ''] = WORD_BEFORE.exec(before) ?? [];
  if (whole === undefined) return false;
  const startsSentence = lead.trim() !== '' || before.trim() === word;
  return NAMING.test(word) || (/^\p{Lu}/u.test(word) && !startsSentence && termsOf(word).size > 0);
}

const WORDED_JOINT = /\s?(?:bis|to|through)\s|\s(?:and|und|or|oder)\s/i;

/** One form for each number and range; a range must rise: "one to one" is none. */
export function amountOf(written: string): string | undefined {
  const ends = written
    .replace(/^(?:between|zwischen)\s/i, '')
    .split(WORDED_JOINT)
    .flatMap((end) => (numberOf(end) === undefined ? end.split(/\s?[-–—…]\s?/) : end));
  const times = timesOf(ends.at(-1) ?? '');
  const amounts = ends.map((end) => numberOf(end)?.toString() ?? plainNumber(end, times));
  const [low, high] = amounts;
  if (amounts.includes(undefined) || (high !== undefined && Number(low) >= Number(high))) return undefined;
  return amounts.join(/\s(?:or|oder)\s/i.test(written) ? ' or ' : '-');
}

const LARGE: readonly (readonly [RegExp, number])[] = [
  [/(?:k|thousand|tausend|tsd\.?)$/i, 1e3],
  [/(?:bn|milliarden?|mrd\.?)$/i, 1e9],
  [/(?:m|million(?:en|s)?|mio\.?)$/i, 1e6],
];

function timesOf(written: string): number {
  return LARGE.find(([word]) => word.test(written))?.[1] ?? 1;
}

/** One form for 1.000, 1,000, 1k and 1000, and for 99,9 and 99.9; a version such as 1.2.3 is none. In "5-10k" both are thousands. */
function plainNumber(written: string, times: number): string | undefined {
  const [digits = ''] = /^[\d.,]*\d/.exec(written.replace(/(?<=\d)[\s'’](?=\d)/g, '')) ?? [];
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(digits)) return String(Number(digits.replace(/[.,]/g, '')) * times);
  const parts = digits.split(/[.,]/);
  return parts.length > 2 ? undefined : String(Number((Number(parts.join('.')) * times).toPrecision(12)));
}
