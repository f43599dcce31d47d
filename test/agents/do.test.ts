import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { askedChecks, isJudge, judgesOf, passes, readPinned } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, together, use } from './loopback/answer.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const TASK = 'the average of an empty list is NaN, ZEBRA-4; it has to be 0';
const CLAIM = 'I am certain that this is free of mistakes, ZEBRA-5.';
const FILES = {
  'package.json': '{ "name": "averages", "type": "module", "scripts": { "test": "node --test" } }\n',
  'average.js': 'export const average = (list) => list.reduce((a, b) => a + b, 0) / list.length;\n',
  'test/average.test.js': testOf('halves', '[2, 4], 3'),
};

function testOf(name: string, call: string): string {
  const [list, wanted] = call.split('], ');
  return `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { average } from '../average.js';\ntest('${name}', () => assert.equal(average(${list}]), ${wanted}));\n`;
}

const WORK = [
  together([say(CLAIM), use('Write', { file_path: 'test/empty.test.js', content: testOf('nothing', '[], 0') })]),
  use('Read', { file_path: 'average.js' }),
  use('Edit', { file_path: 'average.js', old_string: 'list.length;', new_string: '(list.length || 1);' }),
];
const LINE = 'export const average = (list) => list.reduce((a, b) => a + b, 0) / (list.length || 1);';

const works: Scenario = (request) => {
  const { turn } = request;
  if (!isJudge(request)) return WORK[turn] ?? say('Done.');
  if (turn === 0) return readPinned(request, 'average.js');
  return structured(passes(askedChecks(request), { file: 'average.js', line: 1, quote: LINE }));
};

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ works });
});
afterAll(() => model.close());

it('one sentence becomes a merged branch with the real claude: it works, another one judges by the sentence alone', async (test) => {
  const command = [requireAgent(test, 'claude-code')];
  const agents = { default: { driver: 'claude-code', command } };
  const { repository, ...helix } = claudeRepository({
    ...{ command, url: model.url('works'), planless: true, root: scratch({}, tmpdir()) },
    files: { ...FILES, 'helix.yaml': JSON.stringify({ agents }) },
  });
  const before = repository.digest();
  const end = await helix.call(['do', TASK, '--trust']);
  expect({ code: end.code, said: end.code === 0 ? '' : `${end.stderr}${end.stdout}` }).toEqual({ code: 0, said: '' });
  expect(repository.digest()).toEqual(before);
  expect(end.stderr).toMatch(/agent {2,}claude-code, up to 2[.]00 USD/);
  expect(end.stdout).toMatch(/^tests +2 pass, 1 new [(]before: 1 pass[)]$/m);
  expect(end.stdout).toMatch(/^judge +approved: /m);

  const requests = model.requests('works');
  const judges = judgesOf(requests);
  expect(judges.length).toBeGreaterThan(0);
  for (const { messages } of judges.slice(0, 1)) {
    expect(messages).toContain('ZEBRA-4');
    expect(messages).toContain('+export const average');
    expect(messages).not.toContain('ZEBRA-5');
  }
  const [creator] = requests.filter((request) => !isJudge(request));
  expect(creator?.messages).toContain('ZEBRA-4');

  repository.git('merge', '-q', 'helix/average-empty-list-nan-zebra');
  expect(repository.read('average.js')).toBe(`${LINE}\n`);
  expect(repository.worktrees()).toEqual([]);
});
