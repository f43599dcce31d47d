import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, together, use } from './loopback/answer.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const FILE = 'src/average.mjs';
const REQUEST = 'The average of an empty list is NaN. It has to be 0.';
const CLAIM = 'I am certain that this is free of mistakes.';
const BROKEN = 'export const average = (list) => list.reduce((a, b) => a + b, 0) / list.length;\n';
const WRONG = 'export const average = (list) => list.reduce((a, b) => a + b, 0) / (list.length + 1);\n';
const RIGHT = 'export const average = (list) => list.reduce((a, b) => a + b, 0) / (list.length || 1);\n';
const REASON = 'the average of 2 and 4 must be 3, but is 2';

/** A runner of the project's own: it talks a lot, and says last what is wrong. */
const TESTS = `import { average } from './src/average.mjs';
for (let n = 1; n <= 2000; n += 1) console.log('comparing case ' + n);
const wrong = [
  ...(average([]) === 0 ? [] : ['the average of nothing must be 0, but is ' + average([])]),
  ...(average([2, 4]) === 3 ? [] : ['the average of 2 and 4 must be 3, but is ' + average([2, 4])]),
];
for (const each of wrong) console.log(each);
process.exitCode = wrong.length === 0 ? 0 : 1;
`;

const PHASES = [
  {
    id: '01-fix',
    type: 'development',
    description: 'Mend the average.',
    output: [FILE],
    quality_gate: { type: 'tests_pass', command: ['node', 'tests.mjs'] },
  },
  { id: '02-review', type: 'review', output: ['review.json'], quality_gate: { type: 'review_approved' } },
];

const FIRST = [together([say(CLAIM), use('Write', { file_path: FILE, content: WRONG })])];
const SECOND = [
  use('Read', { file_path: FILE }),
  use('Edit', { file_path: FILE, old_string: '(list.length + 1)', new_string: '(list.length || 1)' }),
];
const REVIEW = [structured({ approved: true, findings: [], suggestions: [] })];

/** Does what a brief asks for; without the reason of the failure it never finds the mistake. */
const works: Scenario = ({ messages, turn }) => {
  const asked = messages.includes('## What you review') ? REVIEW : messages.includes(REASON) ? SECOND : FIRST;
  return asked[turn] ?? say('Done.');
};

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ works });
});
afterAll(() => model.close());

it('the real claude is told why its first attempt at a bug failed, and whoever reviews it is shown the difference', async (test) => {
  // Behind the walls of the program's own shell there is nothing in /dev/shm.
  const { repository, run } = claudeRepository({
    ...{ command: [requireAgent(test, 'claude-code')], url: model.url('works'), root: scratch({}, tmpdir()) },
    phases: PHASES,
    files: { [FILE]: BROKEN, 'tests.mjs': TESTS, 'request.md': `${REQUEST}\n` },
  });
  const { code, said } = await run();
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  expect(await repository.result(FILE)).toBe(RIGHT.trimEnd());

  const prompts = model.requests('works').filter(({ turn }) => turn === 0);
  const [first = '', second = '', review = ''] = prompts.map(({ messages }) => messages);
  expect(prompts).toHaveLength(3);
  for (const brief of [first, second, review]) expect(brief).toContain(REQUEST);

  expect(first).not.toContain('What was wrong last time');
  const wrong = section(second, 'What was wrong last time');
  expect(wrong).toContain(`\n    comparing case 2000\n    ${REASON}\n`);
  expect(wrong).not.toContain('comparing case 1\n');

  const reviewed = section(review, 'What you review');
  expect(reviewed).toContain('Mend the average.');
  expect(reviewed).toContain(`- \`${FILE}\` (changed)`);
  for (const line of [`-${BROKEN}`, `+${RIGHT}`]) expect(reviewed).toContain(`\n${line}`);
  for (const words of [CLAIM, REASON, WRONG]) expect(review).not.toContain(words);
});

/** The part of a prompt below a heading of the brief. */
function section(prompt: string, heading: string): string {
  return prompt.split(`\n## ${heading}\n`)[1]?.split(/\n## /)[0] ?? '';
}
