import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/domain/facts/run-event.ts';
import { ApprovalResult } from '../../src/domain/judge/approval.ts';
import { askedChecks, fails, isJudge, JUDGE_OFFER, judgesOf, offered, passes, pinnedPath } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { say, structured, together, use } from './loopback/answer.ts';
import { type LoopbackModel, type ModelRequest, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const FILE = 'src/greet.mjs';
const TASK = 'Greet people by their names.';
const STUB = "throw new Error('to be written');";
const WHOLE = "return 'Hello, ' + name + '!';";
const OBJECTION = 'src/greet.mjs greets nobody, it only throws';
const HINT = 'return the greeting with the name in it';

const FIRST = [
  use('Write', { file_path: FILE, content: `export function greet(name) {\n  ${STUB}\n}\n` }),
  // There is nothing of that name yet.
  use('Read', { file_path: 'feedback.md' }),
];
const SECOND = [
  use('Read', { file_path: 'feedback.md' }),
  use('Read', { file_path: FILE }),
  use('Edit', { file_path: FILE, old_string: STUB, new_string: WHOLE }),
];

let model: LoopbackModel;

/** Looks what there is, reads it, and objects to what is only promised. */
function verify(request: ModelRequest) {
  const { turn, messages } = request;
  const dir = pinnedPath(request, '');
  const looks = [use('Glob', { pattern: '**/*', path: dir }), use('Read', { file_path: pinnedPath(request, FILE) })];
  if (turn === 0) return together(looks);
  const evidence = { file: FILE, line: 2, quote: messages.includes(STUB) ? STUB : WHOLE };
  if (!messages.includes(STUB)) return structured(passes(askedChecks(request), evidence));
  const objection = { check: 'gate-criteria', message: OBJECTION, hint: HINT, evidence };
  return structured(fails(askedChecks(request), objection));
}

const works: Scenario = (request) => {
  if (isJudge(request)) return verify(request);
  return (request.messages.includes(OBJECTION) ? SECOND : FIRST)[request.turn] ?? say('Done.');
};

beforeAll(async () => {
  model = await startLoopbackModel({ works });
});
afterAll(() => model.close());

describe('an attempt that the real claude verifies', () => {
  it('is sent back with feedback.md, which the next one reads and which is no part of what is accepted', async (test) => {
    const { repository, run } = claudeRepository({
      command: [requireAgent(test, 'claude-code')],
      url: model.url('works'),
      phases: [{ id: 'greet', type: 'development', description: TASK, output: [FILE], verify_agent: true }],
    });
    const { code, said, run: id, events } = await run();
    expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });

    const workers = model.requests('works').filter((each) => !isJudge(each));
    const [first = [], second = []] = [false, true].map((told) =>
      workers.filter(({ messages }) => messages.includes(OBJECTION) === told),
    );
    expect(first.map(({ turn }) => turn)).toEqual([0, 1, 2]);
    expect(first[2]?.messages).toMatch(/File does not exist/);
    expect(second[0]?.messages).toContain('feedback.md');
    expect(second[0]?.messages).not.toContain('# Verification Feedback');
    for (const text of ['# Verification Feedback', '**Attempt**: 1/3', OBJECTION, HINT]) {
      expect(second[1]?.messages).toContain(text);
    }

    expect(await repository.files()).not.toContain('feedback.md');
    expect(await repository.changed()).toEqual([`A ${FILE}`]);
    expect(await repository.result(FILE)).toContain(WHOLE);
    expect(existsSync(repository.path('feedback.md'))).toBe(false);

    const logs = `.helix/runs/${id}/phases/greet/logs`;
    const documents = [1, 2].map((n) => JSON.parse(repository.read(`${logs}/attempt-${n}/verification.json`)));
    const error = `${FILE}:2: ${OBJECTION} (gate-criteria)`;
    expect(documents).toEqual([
      { success: false, feedback: error, errors: [error], checks_passed: ['syntax', 'expected-files'] },
      { success: true, feedback: '', errors: [], checks_passed: ['gate-criteria', 'syntax', 'expected-files'] },
    ]);
    expectVerifiers(events);
  });
});

/** Two fresh verifiers of the quick model that could only read, and saw neither the feedback nor each other. */
function expectVerifiers(events: readonly RunEvent[]): void {
  const results = events.flatMap((event) => (event.type === 'approval_finished' ? [event.data.result] : []));
  expect(results.map((result) => ApprovalResult.parse(result))).toMatchObject([
    { approval_type: 'verification', result: 'rejected', stage: 'agent' },
    { approval_type: 'verification', result: 'approved', stage: 'agent' },
  ]);
  const verifiers = judgesOf(model.requests('works'));
  expect(verifiers.map(({ turn }) => turn)).toEqual([0, 1, 0, 1]);
  expect(offered(verifiers)).toEqual(JUDGE_OFFER);
  for (const { model: by, messages } of verifiers) {
    expect(by).toMatch(/^claude-haiku-/);
    expect(messages).not.toContain('feedback.md');
  }
  for (const { messages } of verifiers.slice(2)) expect(messages).not.toContain(OBJECTION);
  for (const text of [WHOLE, 'readme.md']) expect(verifiers[3]?.messages).toContain(text);
}
