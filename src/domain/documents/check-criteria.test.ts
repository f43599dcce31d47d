import { describe, expect, it } from 'vitest';
import { criteriaFaults, criteriaIn } from './check-criteria.ts';

const faults = (...texts: (string | { text: string; check: string })[]) =>
  criteriaFaults(criteriaIn({ acceptance_criteria: texts })).map(({ check }) => check);

describe('criteria that stand beside each other', () => {
  it.each([
    ['Answers within 2 seconds', 'Answers within 5 seconds'],
    ['A session lasts at most 30 minutes', 'A session lasts at least 45 minutes'],
    ['A code has exactly 4 digits', 'A code has exactly 6 digits'],
    ['The export holds the address', 'The export does not hold the address'],
    ['Passwords are logged', 'Passwords are never logged'],
    ['Der Export enthält die Adresse', 'Der Export enthält die Adresse nicht'],
  ])('contradict each other: %s / %s', (one, other) => {
    expect(faults(one, other)).toEqual(['contradicting-criteria']);
  });

  it.each([
    ['The file begins with a BOM', 'the file begins with a BOM.'],
    ['Import takes 3 files', 'Imports take 3 files'],
  ])('say the same: %s / %s', (one, other) => {
    expect(faults(one, other)).toEqual(['duplicate-criterion']);
  });

  it.each([
    ['Exit code 0 on success', 'Exit code 1 on failure'],
    ['A user without rights is refused', 'A user with rights is served'],
    ['Names hold 20 characters', 'Titles hold 90 characters'],
    ['A name of 20 characters is accepted', 'A name of 21 characters is not accepted'],
    ['A name has at least 1 letter', 'A name has at most 5 letters'],
    ['Python 3.11 can run it', 'Python 3.12 can run it'],
    ['Orders below 100 euros pay shipping', 'Orders of at least 100 euros pay no shipping'],
    ['Less than 100 orders are sent at once', 'At least 100 orders are sent at once'],
    ['Orders of less than 100 euros pay shipping', 'Orders of at least 100 euros do not pay shipping'],
    ['Ein Name hat mindestens 1 Zeichen', 'Ein Name hat höchstens 20 Zeichen'],
  ])('go together: %s / %s', (one, other) => {
    expect(faults(one, other)).toEqual([]);
  });

  it('have an id of their own', () => {
    const spec = {
      acceptance_criteria: [
        { id: 'C1', text: 'The page loads' },
        { id: 'C1', text: 'The export loads' },
      ],
    };
    expect(criteriaFaults(criteriaIn(spec)).map(({ check }) => check)).toEqual(['duplicate-id']);
  });
});

describe('a criterion', () => {
  it.each([
    'The page is user-friendly',
    'It is fast',
    'Die Oberfläche ist intuitiv',
    'Works well etc.',
    'Done',
    ' ',
  ])('that nothing can check is one: %j', (text) => {
    expect(faults(text)).toContain('uncheckable-criterion');
  });

  it.each([
    'The page is there in less than 2 seconds on a fast line',
    'A good file named in `config.yaml` is read',
    'npm test passes',
  ])('that can be looked at is none: %s', (text) => {
    expect(faults(text)).toEqual([]);
  });

  it('is checked by what is seen, and not by taste', () => {
    expect(faults({ text: 'The page is nice', check: 'five people find the button' })).toEqual([]);
    expect(faults({ text: 'The page shows the total', check: 'it looks good to users' })).toEqual([
      'uncheckable-criterion',
    ]);
  });

  it('is read at the top and below implementation, as texts and as maps', () => {
    const implementation = { acceptance_criteria: [{ id: 7, description: 'two' }, { criterion: 'three' }] };
    expect(criteriaIn({ acceptance_criteria: ['one'], implementation })).toEqual([
      { id: 'number 1', text: 'one' },
      { id: '7', text: 'two' },
      { id: 'number 3', text: 'three' },
    ]);
  });
});
