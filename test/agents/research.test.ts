import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, use } from './loopback/answer.ts';
import { type LoopbackModel, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const PHASES = [
  { id: 'find-out', type: 'research', output: ['findings.md'], config: { max_iterations: 3 } },
  { id: 'build', type: 'development', output: ['out.txt'] },
];

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({
    works: ({ messages, turn }) => {
      const file = messages.includes('You are doing phase `find-out`') ? 'findings.md' : 'out.txt';
      return turn === 0 ? use('Write', { file_path: file, content: 'x\n' }) : say('Done.');
    },
  });
});
afterAll(() => model.close());

it('the real claude is offered web search for research, is told so, and has none for other work', async (test) => {
  const { run } = claudeRepository({
    ...{ command: [requireAgent(test, 'claude-code')], url: model.url('works'), root: scratch({}, tmpdir()) },
    ...{ phases: PHASES, settings: { network: { creator: ['docs.example.org'] } } },
  });
  const { code, said } = await run();
  expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
  const [research, build] = model.requests('works').filter(({ turn }) => turn === 0);
  expect(research?.tools).toEqual(expect.arrayContaining(['WebSearch', 'WebFetch']));
  expect(research?.messages).toContain('You can search the web.');
  expect(research?.messages).toContain('Questions you may leave open for a human: at most 3');
  expect(build?.tools.join(' ')).not.toContain('Web');
  expect(build?.messages).not.toContain('search the web');
});
