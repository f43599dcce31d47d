const NUMBERS =
  table(`ein eine einen einem einer one=1 zwei two=2 drei three=3 vier four=4 fünf five=5 sechs six=6 sieben seven=7 acht eight=8
  neun nine=9 zehn ten=10 elf eleven=11 zwölf twelve=12 dreizehn thirteen=13 vierzehn fourteen=14 fünfzehn fifteen=15 sechzehn sixteen=16
  siebzehn seventeen=17 achtzehn eighteen=18 neunzehn nineteen=19 zwanzig twenty=20 dreißig dreissig thirty=30 vierzig forty=40
  fünfzig fifty=50 sechzig sixty=60 siebzig seventy=70 achtzig eighty=80 neunzig ninety=90 hundert hundred=100`);

const UNITS =
  table(`tag tage tagen tages day days d=day stunde stunden hour hours h=hour minute minuten minutes min=minute
  sekunde sekunden second seconds sek sec s=second millisekunde millisekunden millisecond milliseconds ms=ms woche wochen week weeks=week
  monat monate monaten month months=month jahr jahre jahren year years=year quartal quartale quarter quarters=quarter
  viertelstunde viertelstunden=quarterhour dreiviertelstunde dreiviertelstunden=threequarterhour
  prozent percent %=% ‰=‰ euro euros eur €=€ dollar dollars usd $=$ £=£ byte bytes b=byte kb kib=kb mb mib=mb gb gib=gb tb tib=tb`);

const MONTHS =
  table(`januar january jan janvier=1 februar february feb février=2 märz march mar mars=3 april apr avril=4 mai may=5
  juni june jun juin=6 juli july jul juillet=7 august aug août=8 september sep sept septembre=9 oktober october okt oct octobre=10
  november nov novembre=11 dezember december dez dec décembre=12`);

/** What stands before a whole: "half an hour", "eine halbe Stunde", "a quarter of an hour". */
const FRACTIONS = table(`half halbe halben halber halbes halbem=0.5 quarter=0.25`);

/** Units that measure the same in other sizes. */
const KIN = table(
  `ms second minute quarterhour threequarterhour hour day week month quarter year=time % ‰=share € $ £=money byte kb mb gb tb=size`,
);

/** How much a unit is of the smallest that measures the same; money has no such measure. */
const SIZES =
  table(`ms=0.001 second=1 minute=60 quarterhour=900 threequarterhour=2700 hour=3600 day=86400 week=604800 month=2629800 quarter=7889400 year=31557600
  ‰=0.1 %=1 byte=1 kb=1e3 mb=1e6 gb=1e9 tb=1e12`);

/** "a b=1 c=2": a and b mean 1, c means 2. */
function table(text: string): ReadonlyMap<string, string> {
  const entries: [string, string][] = [];
  let waiting: string[] = [];
  for (const word of text.split(/\s+/)) {
    const [name = '', meaning] = word.split('=');
    waiting.push(name);
    if (meaning === undefined) continue;
    entries.push(...waiting.map((each): [string, string] => [each, meaning]));
    waiting = [];
  }
  return new Map(entries);
}

const DIGITS = longestFirst([...NUMBERS].filter(([, value]) => Number(value) < 10));
const TENS = longestFirst([...NUMBERS].filter(([, value]) => Number(value) >= 20 && Number(value) < 100));

/** A pattern for numbers in words up to a hundred, German and English: "fünf", "twenty-one", "vierundzwanzig". */
export const NUMBER_WORDS = `(?:${DIGITS})und(?:${TENS})|(?:${TENS})[- ](?:${DIGITS})|${longestFirst([...NUMBERS])}`;

/** A pattern for the words of fractions. */
export const FRACTION_WORDS = longestFirst([...FRACTIONS]);

/** Every word that is a number or a unit by itself. */
export const VALUE_WORDS: readonly string[] = [...NUMBERS.keys(), ...FRACTIONS.keys(), ...UNITS.keys(), 'taegig'];

/** A pattern for the names of months. */
export const MONTH_WORDS = longestFirst([...MONTHS]);

function longestFirst(entries: readonly (readonly [string, string])[]): string {
  return entries
    .map(([name]) => name)
    .toSorted((a, b) => b.length - a.length)
    .join('|');
}

/** The number or fraction that a word or two tell. */
export function numberOf(words: string): number | undefined {
  const plain = words.toLowerCase();
  const whole = NUMBERS.get(plain) ?? FRACTIONS.get(plain);
  if (whole !== undefined) return Number(whole);
  if (!/und|[- ]/.test(plain)) return undefined;
  const [, german = '', tens = ''] = /^(.+?)und(.+)$/.exec(plain) ?? [];
  const [, first = tens, second = german] = /^(\p{L}+)[- ](\p{L}+)$/u.exec(plain) ?? [];
  const [large, small] = [NUMBERS.get(first), NUMBERS.get(second)];
  return large === undefined || small === undefined ? undefined : Number(large) + Number(small);
}

/** The month, from 1 to 12, that a name tells. */
export function monthOf(name: string): number {
  return Number(MONTHS.get(name.toLowerCase()) ?? 0);
}

/** One name for each unit that is known, whatever the language: "Tagen" and "days" are "day". */
export function unitOf(word: string): string | undefined {
  const plain = word.toLowerCase();
  return UNITS.get(plain) ?? (plain.startsWith('tägig') || plain.startsWith('taegig') ? 'day' : undefined);
}

/** Tells whether two units, as `unitOf` gives them, measure the same. */
export function areKin(one: string, other: string): boolean {
  return KIN.has(one) && KIN.get(one) === KIN.get(other);
}

/** What values of a unit measure: time, share, money or size, a day or week by its number, or a date; undefined for what is counted. */
export function measuredBy(unit: string): string | undefined {
  if (unit === 'date') return unit;
  return KIN.get(unit) ?? (unit.startsWith('no. ') && KIN.has(unit.slice(4)) ? unit : undefined);
}

/** A unit and those that measure the same. */
export function kinOf(unit: string): string[] {
  return [unit, ...[...KIN.keys()].filter((each) => areKin(unit, each))];
}

/** An amount with its unit as a word: 7 days, one week and 168 hours are the same. */
export function measureOf(amount: string, unit: string): string {
  const size = SIZES.get(unit);
  if (size === undefined) return `${amount} ${unit}`;
  const inBase = amount.replace(/[\d.]+/g, (number) => String(Number((Number(number) * Number(size)).toPrecision(12))));
  return `${inBase} ${KIN.get(unit)}`;
}

/** Months and what is made of them have no exact number of days, nor have sizes one of bytes. */
const INEXACT = /^(?:month|quarter|year|[kmgt]b)$/;
const NEARLY = 0.1;

/** Tells whether amounts of two units that measure the same are others; without a common measure only the same number is. */
export function areOther(one: readonly [amount: string, unit: string], other: typeof one): boolean {
  const [[amount, unit], [otherAmount, otherUnit]] = [one, other];
  if (!SIZES.has(unit)) return amount === otherAmount;
  const [size, otherSize] = [measureOf(amount, unit), measureOf(otherAmount, otherUnit)];
  if (!INEXACT.test(unit) && !INEXACT.test(otherUnit)) return size !== otherSize;
  const [numbers, others] = [size.match(/[\d.]+/g) ?? [], otherSize.match(/[\d.]+/g) ?? []];
  return (
    numbers.length !== others.length ||
    numbers.some((number, at) => Math.abs(Number(number) - Number(others[at])) > NEARLY * Number(number))
  );
}
