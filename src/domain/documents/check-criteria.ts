import type { SpecCriterion, SpecFile } from './spec-file.ts';

/** A criterion of a specification: what it is known by, what it says, and how it is seen. */
export type ReadCriterion = { readonly id: string; readonly text: string; readonly check?: string };

/** What is wrong with criteria; `check` names the rule. */
export type CriterionFault = {
  readonly check: 'duplicate-criterion' | 'contradicting-criteria' | 'uncheckable-criterion' | 'duplicate-id';
  readonly message: string;
  readonly hint: string;
};

/** The acceptance criteria of a specification, at the top and below `implementation`; one without an id is known by its place. */
export function criteriaIn({ acceptance_criteria: top = [], implementation }: SpecFile): ReadCriterion[] {
  return [...top, ...(implementation?.acceptance_criteria ?? [])].map((each, index) => readCriterion(each, index + 1));
}

function readCriterion(each: SpecCriterion, place: number): ReadCriterion {
  if (typeof each === 'string') return fromText(each, place);
  const text = each.text ?? each.description ?? each.criterion ?? '';
  const id = each.id === undefined ? `number ${place}` : String(each.id);
  return { id, text, ...(each.check !== undefined && { check: each.check }) };
}

const WITH_ID = /^([A-Z]{1,4}-?\d{1,4}):\s+(?=\S)/;

/** A line may begin with its id: "C1: the file begins with a BOM". */
function fromText(line: string, place: number): ReadCriterion {
  const id = WITH_ID.exec(line)?.[1];
  return id === undefined ? { id: `number ${place}`, text: line } : { id, text: line.replace(WITH_ID, '') };
}

/** What is wrong with criteria among themselves and each alone, as far as words show it. */
export function criteriaFaults(criteria: readonly ReadCriterion[]): CriterionFault[] {
  const faults: CriterionFault[] = [];
  const ids = new Set<string>();
  const bySubject = new Map<string, Subject & { readonly id: string }>();
  for (const criterion of criteria) {
    const { id, text } = criterion;
    if (ids.has(id))
      faults.push(fault('duplicate-id', `two criteria are called ${id}`, 'Give each one an id of its own.'));
    ids.add(id);
    const vague = whyUncheckable(criterion);
    if (vague !== undefined)
      faults.push(
        fault(
          'uncheckable-criterion',
          `${id}: ${vague}`,
          'Say what can be seen: a test and its result, a number, a file and what stands in it.',
        ),
      );
    const subject = subjectOf(text);
    const earlier = bySubject.get(subject.words);
    if (subject.words === '') continue;
    if (earlier === undefined) bySubject.set(subject.words, { ...subject, id });
    else faults.push(...compared(earlier, { ...subject, id }));
  }
  return faults;
}

function fault(check: CriterionFault['check'], message: string, hint: string): CriterionFault {
  return { check, message, hint };
}

type Subject = {
  /** What it is about, without numbers and negation. */
  readonly words: string;
  readonly numbers: readonly string[];
  readonly negated: boolean;
  readonly bound: 'most' | 'least' | 'exactly' | undefined;
};

type Named = Subject & { readonly id: string };

/** Criteria for both sides of a bound, and for several cases, go together: only what no work could fulfil is a contradiction. */
function compared(one: Named, other: Named): CriterionFault[] {
  const [was, is] = [one.numbers.join(', '), other.numbers.join(', ')];
  if (one.negated !== other.negated) {
    if (was !== is || one.bound !== other.bound) return [];
    return [contradiction([one, other], 'one demands what the other forbids', 'Keep the one that was asked for.')];
  }
  if (one.bound === other.bound && was === is)
    return [fault('duplicate-criterion', `${one.id} and ${other.id} say the same`, 'Keep one of them.')];
  if (!excludes(one, other)) return [];
  const hint = 'Keep the number that was asked for, or say for which case each one holds.';
  return [contradiction([one, other], `the same with ${was} and with ${is}`, hint)];
}

function contradiction([one, other]: readonly [Named, Named], why: string, hint: string): CriterionFault {
  return fault('contradicting-criteria', `${one.id} and ${other.id} contradict each other: ${why}`, hint);
}

/** One limit of a kind is enough, and the least must not be above the most. */
function excludes(one: Subject, other: Subject): boolean {
  if (one.numbers.length !== 1 || other.numbers.length !== 1) return false;
  if (one.bound === other.bound) return one.bound !== undefined;
  const [least, most] = one.bound === 'least' ? [one, other] : [other, one];
  return least.bound === 'least' && most.bound === 'most' && numberIn(least) > numberIn(most);
}

function numberIn({ numbers: [number = ''] }: Subject): number {
  return Number(number.replace(',', '.'));
}

const NEGATION = new Set([
  ...['no', 'not', 'never', 'none', 'without', 'cannot', "can't", "doesn't", "don't", "isn't", "mustn't", "won't"],
  ...['kein', 'keine', 'keinen', 'keiner', 'nicht', 'nie', 'niemals', 'ohne'],
]);
const FILLING = new Set([
  ...[
    'a',
    'an',
    'the',
    'is',
    'are',
    'be',
    'it',
    'its',
    'must',
    'shall',
    'should',
    'will',
    'can',
    'may',
    'does',
    'do',
    'has',
    'have',
    'that',
    'this',
  ],
  ...['at', 'most', 'least', 'than', 'less', 'more', 'exactly', 'about'],
  ...[
    'der',
    'die',
    'das',
    'ein',
    'eine',
    'ist',
    'sind',
    'muss',
    'soll',
    'kann',
    'darf',
    'wird',
    'werden',
    'mindestens',
    'höchstens',
  ],
]);
const BOUNDS = [
  [
    'most',
    /(?<!\p{L})(?:at most|within|(?:no|not) more than|(?<!no |not )(?:less|fewer) than|up to|below|under|höchstens|innerhalb|unter)(?!\p{L})/iu,
  ],
  ['least', /(?<!\p{L})(?:at least|(?:no|not) less than|more than|above|mindestens|über)(?!\p{L})/iu],
  ['exactly', /(?<!\p{L})(?:exactly|genau)(?!\p{L})/iu],
] as const;
const TOKEN = /\d+(?:[.,]\d+)*|[\p{L}'_-]+/gu;
const NUMBER = /^\d/;

function subjectOf(text: string): Subject {
  const words: string[] = [];
  const numbers: string[] = [];
  let negated = false;
  for (const [token] of text.toLowerCase().replaceAll('’', "'").matchAll(TOKEN)) {
    if (NUMBER.test(token)) numbers.push(token);
    else if (NEGATION.has(token)) negated = !negated;
    else if (!FILLING.has(token)) words.push(token.replace(/(?<=[\p{L}]{3})s$/u, ''));
  }
  const bound = BOUNDS.find(([, said]) => said.test(text))?.[0];
  return { words: words.sort().join(' '), numbers, negated, bound };
}

const TASTE =
  /(?<![\p{L}])(?:nice|nicely|good|beautiful|clean|intuitive|user[- ]friendly|easy to use|fast|quick|quickly|modern|appropriate|reasonable|robust|optimal|elegant|as needed|etc|schön|gut|intuitiv|benutzerfreundlich|schnell|modern|angemessen|sauber|robust|usw)(?![\p{L}])/iu;
/** Something that can be looked at: a number, a quotation, code or the name of a file. */
const TANGIBLE = /\d|["'`„“«].{2,}["'`”“»]|\w\.\w{1,5}\b|\//u;
const LEAST_WORDS = 3;

function whyUncheckable({ text, check }: ReadCriterion): string | undefined {
  if (text.trim() === '') return 'it says nothing';
  const words = [...text.matchAll(TOKEN)].length;
  const shown = check ?? '';
  const taste = TASTE.exec(text)?.[0];
  if (check !== undefined && TASTE.test(shown) && !TANGIBLE.test(shown))
    return `its check is a matter of taste (${JSON.stringify(TASTE.exec(shown)?.[0])})`;
  if (check !== undefined && [...shown.matchAll(TOKEN)].length >= LEAST_WORDS) return undefined;
  if (taste !== undefined && !TANGIBLE.test(text))
    return `whether something is ${JSON.stringify(taste)} is a matter of taste`;
  if (words < LEAST_WORDS && !TANGIBLE.test(text)) return 'it does not say what is to be seen';
  return undefined;
}
