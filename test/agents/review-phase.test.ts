import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { scratch } from '../scratch.ts';
import { isJudge, JUDGE_OFFER, judgesOf, offered } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, use } from './loopback/answer.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const OBJECTION = 'ZEBRA-FOUND: add(1, 2) is -1';
const PHASES = [
  { id: 'write', type: 'development', output: ['sum.mjs'] },
  { id: 'check', type: 'review', output: ['review.json'], quality_gate: { type: 'review_approved' } },
];

const write = (sign: string) =>
  use('Write', { file_path: 'sum.mjs', content: `export const add = (a, b) => a ${sign} b;\n` });

/** Writes something wrong, reads it as the reviewer, and mends it when it comes back. */
const reviewed: Scenario = (request) => {
  const { turn, messages } = request;
  if (!isJudge(request)) {
    const mends = messages.includes(OBJECTION);
    if (turn === 0) return mends ? use('Read', { file_path: 'sum.mjs' }) : write('-');
    return mends && turn === 1 ? write('+') : say('Done.');
  }
  if (turn === 0) return use('Read', { file_path: `${/lies below `([^`]+)`/.exec(messages)?.[1]}/sum.mjs` });
  if (/=> a \+ b/.test(messages)) return structured({ approved: true, findings: [], suggestions: [] });
  const finding = { severity: 'error', file: 'sum.mjs', line: 1, message: OBJECTION };
  return structured({ approved: false, findings: [finding], suggestions: ['name it sum'] });
};

/** A reviewer that only talks. */
const talks: Scenario = (request) => {
  if (isJudge(request)) return say('I approve of all of this.');
  return request.turn === 0 ? write('+') : say('Done.');
};

let model: LoopbackModel;
beforeAll(async () => {
  model = await startLoopbackModel({ reviewed, talks });
});
afterAll(() => model.close());

describe('a review phase with the real claude', () => {
  it('is asked of a judge that only reads; HELIX writes review.json, and a rejection goes to the author', async (test) => {
    const { repository, ...helix } = claude(test, 'reviewed');
    const { code, said, run, events } = await helix.run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
    const asked = judgesOf(model.requests('reviewed'));
    expect(offered(asked)).toEqual(JUDGE_OFFER);
    const [first] = asked;
    expect(first?.messages).toContain('it is written to `review.json` for you');
    expect(first?.messages).toContain('+export const add = (a, b) => a - b;');
    expect(first?.messages).not.toContain('Write only inside your working directory');
    const sentBack = events.filter(({ type }) => type === 'phase_sent_back');
    expect(sentBack).toMatchObject([{ data: { phase: 'check', target: 'write' } }]);
    const written = await repository.helix(['shell', run, 'check'], { input: 'cat review.json\nexit\n' });
    expect(written.stdout).toContain('"approved": true');
    expect(await repository.result('sum.mjs')).toBe('export const add = (a, b) => a + b;');
  });

  it('is interrupted, and says nothing about the work, where the answer cannot be read', async (test) => {
    const { events } = await claude(test, 'talks').run(['--no-wait']);
    const cut = events.filter(({ type }) => type === 'attempt_interrupted');
    expect(cut.length).toBeGreaterThan(0);
    for (const { data } of cut) expect(data).toMatchObject({ phase: 'check', failure: 'schema' });
    const judged = events.filter(({ type, data }) => type === 'attempt_judged' && data.phase === 'check');
    expect(judged).toEqual([]);
  });
});

function claude(test: TestContext, scenario: string) {
  const root = scratch({}, tmpdir());
  const command = [requireAgent(test, 'claude-code')];
  return claudeRepository({ command, url: model.url(scenario), root, phases: PHASES });
}
