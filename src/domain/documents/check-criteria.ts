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
  if (typeof each === 'string') return { id: `number ${place}`, text: each };
  const text = each.text ?? each.description ?? each.criterion ?? '';
  const id = each.id === undefined ? `number ${place}` : String(each.id);
  return { id, text, ...(each.check !== undefined && { check: each.check }) };
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
    else faults.push(compared(earlier, { ...subject, id }));
  }
  return faults;
}

function fault(check: CriterionFault['check'], message: string, hint: string): CriterionFault {
  return { check, message, hint };
}

type Subject = {
  /** What it is about, without numbers and negation. */
  readonly words: string;
  readonly numbers: string;
  readonly negated: boolean;
};

function compared(one: Subject & { readonly id: string }, other: Subject & { readonly id: string }): CriterionFault {
  if (one.negated !== other.negated)
    return fault(
      'contradicting-criteria',
      `${one.id} and ${other.id} contradict each other: one demands what the other forbids`,
      'Keep the one that was asked for.',
    );
  if (one.numbers !== other.numbers)
    return fault(
      'contradicting-criteria',
      `${one.id} and ${other.id} contradict each other: the same with ${one.numbers || 'no number'} and with ${other.numbers || 'no number'}`,
      'Keep the number that was asked for, or say for which case each one holds.',
    );
  return fault('duplicate-criterion', `${one.id} and ${other.id} say the same`, 'Keep one of them.');
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
  return { words: words.sort().join(' '), numbers: numbers.join(', '), negated };
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
