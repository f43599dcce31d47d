import { expect, it } from 'vitest';
import { alwaysApplies, chosenChecks, parseDefinition } from './load-definition.ts';

const FILES = new Map([
  ['CLAUDE.md', 'Judge.'],
  ['checks/tests.md', 'Tests?'],
  ['checks/migration.md', 'Migration?'],
  ['skills/sql/SKILL.md', 'SQL.'],
]);
const definition = parseDefinition('code', FILES);

it('a definition is CLAUDE.md, the checks by their file names, and the skills', () => {
  expect(definition.text).toBe('Judge.');
  expect(definition.checks.map(({ id, text }) => [id, text])).toEqual([
    ['migration', 'Migration?'],
    ['tests', 'Tests?'],
  ]);
  expect(definition.skills).toEqual([{ path: 'skills/sql/SKILL.md', text: 'SQL.' }]);
});

it('what lies beside a definition is no part of it', () => {
  const beside = ['README.md', 'input/a.md', 'output/approval-result.json', 'defects.yaml', 'checks/notes.txt'];
  const files = new Map([...FILES, ...beside.map((path) => [path, 'x'] as const)]);
  expect(parseDefinition('code', files)).toEqual(definition);
});

it.each([
  'CLAUDE.md',
  'checks/tests.md',
  'skills/sql/SKILL.md',
])('a change in %s makes it another definition', (path) => {
  expect(parseDefinition('code', new Map([...FILES, [path, 'changed']])).sha256).not.toBe(definition.sha256);
});

it('the front matter of a check says what may be answered not_applicable, and is no part of its text', () => {
  const checkOf = (text: string) => {
    const [, check] = parseDefinition('code', new Map([...FILES, ['checks/tests.md', text]])).checks;
    return [check?.text, check?.notApplicable];
  };
  expect(checkOf('Tests?')).toEqual(['Tests?', undefined]);
  expect(checkOf('---\nnot_applicable: [only prose, 12]\n---\nTests?')).toEqual(['Tests?', ['only prose', '12']]);
  expect(checkOf('---\r\nnot_applicable:\r\n- only prose\r\n---\r\nTests?')).toEqual(['Tests?', ['only prose']]);
  expect(checkOf('---\nx-owner: ada\n---\nTests?')).toEqual(['Tests?', []]);
  expect(checkOf('---\n---\nTests?')).toEqual(['Tests?', []]);
  expect(checkOf('Tests?\n\n---\n\nMore.\n\n---\n')).toEqual(['Tests?\n\n---\n\nMore.\n\n---\n', undefined]);
});

it.each<[string, ReadonlyMap<string, string>, RegExp]>([
  ['a misspelt front matter', checkWith('not_aplicable: [x]'), /tests\.md:2:1: .*not_aplicable/],
  ['front matter that is no list of phrases', checkWith('not_applicable: never'), /tests\.md:2:\d+: /],
  ['front matter that is no mapping', checkWith('just words'), /tests\.md:\d:\d+: /],
  ['front matter that is no YAML', checkWith('not_applicable: [x'), /tests\.md:\d:\d+: /],
  ['front matter with nothing below it', checkWith('not_applicable: [x]', ''), /tests\.md is empty/],
  ['no CLAUDE.md', new Map([['checks/a.md', 'x']]), /approvals\/code\/CLAUDE\.md is missing/],
  ['an empty CLAUDE.md', new Map([['CLAUDE.md', ' \n']]), /CLAUDE\.md is empty/],
  ['an empty check', new Map([...FILES, ['checks/a.md', '']]), /checks\/a\.md is empty/],
  ['a check whose name is no id', new Map([...FILES, ['checks/Big Check.md', 'x']]), /cannot be the id/],
  ['a file over 64 KB', new Map([...FILES, ['skills/a.md', 'ä'.repeat(33_000)]]), /skills\/a\.md is larger than 64 KB/],
  ['more than 512 KB', new Map([...FILES, ...many(9, 'skills', 'x'.repeat(60_000))]), /larger than 512 KB in all/],
  ['51 checks', new Map([['CLAUDE.md', 'x'], ...many(51, 'checks', 'x')]), /51 checks, more than the 50/],
])('%s is refused with a hint', (_, files, message) => {
  expect(() => parseDefinition('code', files)).toThrow(
    expect.objectContaining({ code: 'config', message: expect.stringMatching(message), hint: expect.any(String) }),
  );
});

function checkWith(header: string, text = 'Tests?'): ReadonlyMap<string, string> {
  return new Map([...FILES, ['checks/tests.md', `---\n${header}\n---\n${text}`]]);
}

function many(count: number, folder: string, text: string): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`${folder}/c${index}.md`, text]);
}

it.each<[readonly string[] | undefined, string[]]>([
  [undefined, ['migration', 'tests']],
  [[], []],
  [['tests'], ['tests']],
  [
    ['tests', 'migration', 'tests'],
    ['migration', 'tests'],
  ],
  [['migration-plan'], ['migration']],
])('of %j the checks %j are asked', (wanted, ids) => {
  expect(chosenChecks(definition, wanted).map(({ id }) => id)).toEqual(ids);
});

it('a check that is called like the alias is the one that is meant', () => {
  const own = parseDefinition('adr', new Map([...FILES, ['checks/migration-plan.md', 'Plan?']]));
  expect(chosenChecks(own, ['migration-plan']).map(({ id }) => id)).toEqual(['migration-plan']);
});

it('an unknown check is refused and the nearest one named', () => {
  expect(() => chosenChecks(definition, ['test'])).toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringContaining('"test"'),
      hint: 'did you mean "tests"?',
    }),
  );
});

it.each([
  ['# Tests\n\nNot applicable: never\n', true],
  ['**Not applicable:** Never.', true],
  ['- not Applicable : NEVER', true],
  ['For a pass: the most telling entry. Not applicable: never.', true],
  ['## Not applicable\n\nNever.\n\n## More', true],
  ['## Not applicable\n\nNever, unless an input is an index.', false],
  ['## Not applicable\n\nNever\nfor a page people read.', false],
  ['Not applicable: never for code', false],
  ['Say not applicable: never.', false],
  ['## Not applicable\n\nOnly images. Never quote one.', false],
])('whether a check always applies is read from its text: %j', (text, always) => {
  expect(alwaysApplies({ id: 'tests', text, sha256: '' })).toBe(always);
});

it.each([
  [[], true],
  [['only prose'], false],
])('with front matter %j alone says whether a check always applies', (notApplicable, always) => {
  expect(
    alwaysApplies({ id: 'tests', text: always ? 'Tests?' : 'Not applicable: never.', notApplicable, sha256: '' }),
  ).toBe(always);
});
