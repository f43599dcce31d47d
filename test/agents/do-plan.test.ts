import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HELIX } from '../helix-process.ts';
import { CONTROL, onTerminal } from '../on-terminal.ts';
import { scratch } from '../scratch.ts';
import { askedChecks, isJudge, judgesOf, passes, readPinned } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, use } from './loopback/answer.ts';
import { type LoopbackModel, type ModelRequest, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const TASK = 'lists can be shared by a link, with a login before it, ZEBRA-1';
const OWN_WORDS = 'whoever has the link, for a week, ZEBRA-2';
const PLANNER = 'I planned it with great care, ZEBRA-3.';
const FILES = {
  'package.json': '{ "name": "lists", "type": "module", "scripts": { "test": "node --test" } }\n',
  'share.js': 'export const share = () => undefined;\n',
  'test/share.test.js': testOf('is there', 'typeof share', "'function'"),
};

function testOf(name: string, is: string, wanted: string): string {
  return `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { share } from '../share.js';\ntest('${name}', () => assert.equal(${is}, ${wanted}));\n`;
}

const LINE = "export const share = (id) => '/shared/' + id;";
const PHASES = `phases:
  - id: link
    type: development
    description: Make share give the link of a list
`;

/** What is written in a phase, a file for each turn. */
const WRITTEN: Readonly<Record<string, readonly (readonly [path: string, content: string])[]>> = {
  agree: [
    ['helix-plan/spec.yaml', 'goal: A list has a link that others can open\nacceptance_criteria: []\n'],
    ['helix-plan/phases.yaml', PHASES],
    ['helix-plan/quality-gates.yaml', 'gates: []\n'],
  ],
  link: [['test/link.test.js', testOf('links', "share('a')", "'/shared/a'")]],
};

const LOOKED = { coverage: [{ topic: 'readers', state: 'missing', found: 'looked in share.js' }], questions: [] };
const QUESTION = {
  ...{ topic: 'readers', question: 'Who may open a link?' },
  options: [{ answer: 'Everybody', recommended: true, reason: 'it is a link' }, { answer: 'Users' }],
};
const CRITERIA = {
  criteria: [{ id: 'C1', text: "share('a') is '/shared/a'", check: 'a test compares them' }],
  quality_gates: [{ id: 'tested', type: 'tests_pass', criteria: ['C1'] }],
};

/** Who is asked in a meeting, as its system prompt says. */
const HEARD: readonly (readonly [says: string, answer: unknown])[] = [
  [
    'who is heard before a piece of work is planned',
    { matters: ['Links are guessed'], risks: [], disagreements: [], questions: [] },
  ],
  ['an experienced consultant who turns a wish into work', { ...LOOKED, questions: [QUESTION] }],
  ['what has to be seen before a piece of work counts as done', CRITERIA],
];

const works: Scenario = (request) => {
  const { system, messages, turn } = request;
  const heard = HEARD.find(([says]) => system.includes(says));
  if (heard !== undefined) return structured(heard[1]);
  if (isJudge(request)) {
    if (turn === 0) return readPinned(request, 'share.js');
    return structured(passes(askedChecks(request), { file: 'share.js', line: 1, quote: LINE }));
  }
  const [, phase = ''] = /You are doing phase `(\w+)`/.exec(messages) ?? [];
  const file = WRITTEN[phase]?.[turn];
  if (file !== undefined) return use('Write', { file_path: file[0], content: file[1] });
  if (phase === 'link' && turn === 1) return use('Read', { file_path: 'share.js' });
  if (phase === 'link' && turn === 2)
    return use('Edit', { file_path: 'share.js', old_string: FILES['share.js'].trim(), new_string: LINE });
  return say(phase === 'agree' ? PLANNER : 'Done.');
};

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ works });
});
afterAll(() => model.close());

function asked(says: string): readonly ModelRequest[] {
  return model.requests('works').filter(({ system, messages }) => `${system}${messages}`.includes(says));
}

it('one sentence becomes a plan and a merged branch with the real claude; what it asks is answered on the terminal', async (test) => {
  const command = [requireAgent(test, 'claude-code')];
  const { repository } = claudeRepository({
    ...{ command, url: model.url('works'), planless: true, root: scratch({}, tmpdir()) },
    files: { ...FILES, 'helix.yaml': JSON.stringify({ agents: { default: { driver: 'claude-code', command } } }) },
  });
  const before = repository.digest();
  const place = { dir: repository.top, path: (name: string) => repository.path(name) };
  const login = { ANTHROPIC_API_KEY: 'a-dummy-key', ANTHROPIC_BASE_URL: model.url('works'), NO_COLOR: '1' };
  const terminal = onTerminal(place, `${HELIX} do --plan '${TASK}'`, { ...repository.env(), ...login });
  await terminal.shows('[y/N]');
  terminal.type('y\n');
  await terminal.shows('agree asks 1 of 1');
  await terminal.shows('A/B/C or your own words');
  terminal.type(`${OWN_WORDS}\n`);
  await terminal.shows('agree wrote a plan');
  await terminal.shows('empty leaves it open: ');
  terminal.type('a\n');
  await terminal.shows('comment (may be empty): ');
  terminal.type('\n');
  const { code, shown } = await terminal.end;
  const said = shown.replaceAll(CONTROL, '');
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  expect(repository.digest()).toEqual(before);
  expect(said).toMatch(/^tests +2 pass, 1 new/m);
  expect(said).toMatch(/^judge +approved: /m);

  const { state } = await repository.journaled();
  expect(state?.plan.phases.map(({ id }) => id)).toEqual(['agree', 'link', 'change']);
  expect(state?.phases.get('agree')?.history.meeting).toMatchObject({
    heard: expect.arrayContaining([
      expect.objectContaining({ expert: 'security' }),
      expect.objectContaining({ expert: 'typescript' }),
    ]),
    answers: [{ question: 0, words: OWN_WORDS, by: 'human' }],
  });
  for (const says of ['You are doing phase `agree`', 'You are doing phase `link`', 'You are doing phase `change`'])
    for (const word of ['ZEBRA-1', 'ZEBRA-2']) expect(asked(says)[0]?.messages).toContain(word);
  const [judged] = judgesOf(model.requests('works'));
  for (const word of ['ZEBRA-1', 'ZEBRA-2', `+${LINE}`]) expect(judged?.messages).toContain(word);
  expect(judged?.messages).not.toContain('ZEBRA-3');

  repository.git('merge', '-q', /git merge (helix\/\S+)/.exec(said)?.[1] ?? 'no branch');
  expect(repository.read('share.js')).toBe(`${LINE}\n`);
  expect(await repository.files('HEAD')).toEqual(
    [...Object.keys(FILES), 'helix.yaml', 'readme.md', 'test/link.test.js'].sort(),
  );
});
