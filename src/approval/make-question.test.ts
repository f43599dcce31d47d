import { expect, it } from 'vitest';
import { memorySnapshot } from './approval.fixture.ts';
import type { ApprovalRequest } from './approver.ts';
import { makeQuestion, type QuestionSource } from './make-question.ts';

const SHIPPED = new Map([
  ['CLAUDE.md', 'Shipped.'],
  ['checks/security.md', 'Shipped security.'],
  ['checks/tests.md', 'Shipped tests.'],
]);

function sourceOf(files: Readonly<Record<string, string>> = {}): QuestionSource {
  return {
    read: async (path) => files[path],
    list: async (folder) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`)),
    shipped: (type) => (type === 'code' || type === 'adr' ? SHIPPED : undefined),
    conventions: { texts: [], more: [] },
    language: 'de',
  };
}

const REQUEST: ApprovalRequest = { type: 'code', role: 'reviewer', files: ['src/other.ts', './src/db.ts'], found: [] };
const pinned = { snapshot: memorySnapshot(), asked: { tasks: [] } };

it('a question has the shipped definition, the settings and the pinned inputs by their digests', async () => {
  const question = await makeQuestion(REQUEST, sourceOf(), { ...pinned, difference: '+x' });
  expect(question.definition.text).toBe('Shipped.');
  expect(question.checks.map(({ id }) => id)).toEqual(['security', 'tests']);
  expect(question.inputs.map(({ path }) => path)).toEqual(['src/db.ts', 'src/other.ts']);
  expect(question.snapshot.files).toEqual(expect.arrayContaining([...question.inputs]));
  expect(question).toMatchObject({ language: 'de', difference: '+x', criteria: [], settings: { timeoutSeconds: 600 } });
});

it("the project's own folder is used whole, and nothing of the shipped one", async () => {
  const own = {
    'approvals/code/CLAUDE.md': 'Ours.',
    'approvals/code/checks/house.md': 'House rules.',
    'approvals/code/input/old.ts': 'left over',
  };
  const { definition, checks } = await makeQuestion(REQUEST, sourceOf(own), pinned);
  expect(definition.text).toBe('Ours.');
  expect(checks.map(({ id }) => id)).toEqual(['house']);
  expect(definition.files.map(({ path }) => path)).toEqual(['CLAUDE.md', 'checks/house.md']);
});

it('what the request says goes before the file', async () => {
  const config = {
    'config/approvals.yaml': 'approvals: { code: { model: m, checks: [security], required_confidence: 0.5 } }',
  };
  const request = { ...REQUEST, checks: ['tests'], model: 'n', timeoutSeconds: 7, requiredConfidence: 0.9 };
  const { checks, settings } = await makeQuestion(request, sourceOf(config), pinned);
  expect(checks.map(({ id }) => id)).toEqual(['tests']);
  expect(settings).toMatchObject({ model: 'n', timeoutSeconds: 7, requiredConfidence: 0.9 });
});

it('no checks are asked only where the project says so', async () => {
  const { checks } = await makeQuestion({ ...REQUEST, checks: [] }, sourceOf(), pinned);
  expect(checks).toEqual([]);
});

const HOUSE = { 'approvals/house/CLAUDE.md': 'Ours.' };

it.each<[string, Partial<ApprovalRequest>, Readonly<Record<string, string>>, RegExp, RegExp]>([
  ['a type that leads out', { type: '../../evil' }, {}, /"\.\.\/\.\.\/evil" cannot be/, /./],
  ['a type in capitals', { type: 'ADR' }, {}, /"ADR" cannot be/, /lower-case/],
  ['an unknown type', { type: 'cod' }, {}, /unknown approval type "cod"/, /did you mean "code"\?/],
  ['a misspelt type of its own', { type: 'hous' }, HOUSE, /unknown approval type/, /did you mean "house"\?/],
  [
    'a folder without CLAUDE.md',
    {},
    { 'approvals/code/checks/a.md': 'x' },
    /approvals\/code\/CLAUDE\.md is missing/,
    /./,
  ],
  ['a type without checks', { type: 'house' }, HOUSE, /approvals\/house has no checks/, /checks: \[\]/],
  [
    'a disabled type',
    {},
    { 'config/approvals.yaml': 'approvals: { code: { enabled: false } }' },
    /are disabled/,
    /enabled/,
  ],
  [
    'an error in the file',
    {},
    { 'config/approvals.yaml': 'approvals:\n  adr: { modle: x }' },
    /^config\/approvals\.yaml:2:10: unknown key "modle"/,
    /model/,
  ],
  [
    'a file that is too large',
    {},
    { 'config/approvals.yaml': `# ${'x'.repeat(300_000)}` },
    /config\/approvals\.yaml:1:1: .*256 KB/,
    /./,
  ],
  ['no inputs', { files: [] }, {}, /no input files/, /./],
  [
    'a misspelt input',
    { files: ['src/dv.ts'] },
    {},
    /the input src\/dv\.ts is not there/,
    /did you mean "src\/db\.ts"\?/,
  ],
  ['an input of another folder', { files: ['lib/other.ts'] }, {}, /is not there/, /did you mean "src\/other\.ts"\?/],
  ['an input like none', { files: ['nothing/at/all.bin'] }, {}, /is not there/, /Name files that exist/],
  ['an input outside', { files: ['../src/db.ts'] }, {}, /leaves its directory/, /./],
  ['an absolute input', { files: ['/etc/passwd'] }, {}, /is absolute/, /./],
  ['an input twice', { files: ['src/db.ts', 'src/./db.ts'] }, {}, /named twice/, /./],
  ['an unknown check', { checks: ['securty'] }, {}, /no check "securty"/, /did you mean "security"\?/],
])('%s is refused before anything is asked', async (_, request, files, message, hint) => {
  await expect(makeQuestion({ ...REQUEST, ...request }, sourceOf(files), pinned)).rejects.toThrow(
    expect.objectContaining({
      code: 'config',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    }),
  );
});

/** A source with links, each with where it leads. */
function linkedSource(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>>,
): QuestionSource {
  return {
    ...sourceOf(files),
    links: async (folder) => Object.keys(links).filter((path) => path.startsWith(`${folder}/`)),
    target: async (path) => links[path],
  };
}

const OWN = { 'approvals/code/CLAUDE.md': 'Ours.', 'approvals/code/checks/house.md': 'House rules.' };

it.each([
  ['a check', 'approvals/code/checks/security.md'],
  ['the folder of checks', 'approvals/code/checks'],
  ['the folder of skills', 'approvals/code/skills'],
  ['a skill', 'approvals/code/skills/sql'],
  ['what the judge is to do', 'approvals/code/CLAUDE.md'],
  ['the whole definition', 'approvals/code'],
  ['the folder of all definitions', 'approvals'],
])('%s that is a link out of the project, or to nowhere, is refused and named, not left out', async (_, link) => {
  const files = Object.fromEntries(Object.entries(OWN).filter(([path]) => !`${path}/`.startsWith(`${link}/`)));
  const up = '../'.repeat(link.split('/').length);
  const named = link === 'approvals' ? 'approvals/code' : link;
  for (const [target, why] of [
    ['/etc/passwd', 'is a link with an absolute target'],
    [`${up}elsewhere`, 'is a link that leads out of the project'],
    ['nowhere', 'is a link that leads nowhere'],
    [link.split('/').at(-1) ?? '', 'is a link that leads on and on, over more than 16 others'],
    [`${up.slice(3)}.git/hooks`, 'is a link to .git/hooks'],
  ] as const) {
    await expect(makeQuestion(REQUEST, linkedSource(files, { [link]: target }), pinned)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining(`${named} ${why}`),
    });
  }
});

it('links that stay in the project are followed, also one behind another, and name files as the definition does', async () => {
  const files = {
    ...OWN,
    'skills/helix/adr/SKILL.md': 'Read the ADRs.',
    'skills/helix/adr/more/list.md': 'A list.',
    'shared/safe.md': 'Is it safe?',
  };
  const links = {
    'approvals/code/skills/adr': '../../../skills/helix/adr',
    'approvals/code/checks/safe.md': '../../../all/safe.md',
    all: './shared',
    'skills/helix/adr/list.md': 'more/list.md',
  };
  const { definition, checks } = await makeQuestion(REQUEST, linkedSource(files, links), pinned);
  expect(checks.map(({ id, text }) => [id, text])).toEqual([
    ['house', 'House rules.'],
    ['safe', 'Is it safe?'],
  ]);
  expect(definition.skills).toEqual([
    { path: 'skills/adr/SKILL.md', text: 'Read the ADRs.' },
    { path: 'skills/adr/list.md', text: 'A list.' },
    { path: 'skills/adr/more/list.md', text: 'A list.' },
  ]);
});

it('a folder that holds a link to itself is refused after a bounded number of steps', async () => {
  const links = { 'approvals/code/skills/again': '.' };
  const source = linkedSource({ ...OWN, 'approvals/code/skills/a.md': 'a' }, links);
  await expect(makeQuestion(REQUEST, source, pinned)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringMatching(/is a link that leads on and on|more than 100 links/),
  });
});

it("a link beside a definition is nobody's business", async () => {
  const source = { ...sourceOf(), links: async () => ['approvals/code/notes.md', 'approvals/code/input'] };
  expect((await makeQuestion(REQUEST, source, pinned)).definition.text).toBe('Shipped.');
});
