import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Repository, RepositoryRun } from '../repository.ts';
import { brief } from '../run-scenario.ts';
import { JUDGE_OFFER, offered } from './approval-judge.ts';
import { claudeRepository } from './claude-repository.ts';
import { expectEscalationFiles } from './escalation-files.ts';
import {
  ADVISES,
  attemptOf,
  brokenOrders,
  consult,
  DECIDES,
  GUIDANCE,
  HINTS,
  isConsultant,
  MODELS,
  ORDERS,
  PHASES,
  RIGHT_SPEC,
  SCRAP,
  SPEC,
  storyOf,
  unquoted,
  WRONG_SPEC,
  work,
} from './escalation-story.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const [FIRST_MODEL, SECOND_MODEL] = MODELS;

let model: LoopbackModel;

const ladder: Scenario = (request) => {
  if (!isConsultant(request)) return work(request);
  return consult(request, request.messages.includes('A human decides next.') ? ADVISES : DECIDES);
};

beforeAll(async () => {
  model = await startLoopbackModel({ ladder });
});
afterAll(() => model.close());

const consultantsOf = () => model.requests('ladder').filter(isConsultant);
const tried = (attempt: string, outcome: string) => [
  ...[`attempt_started ${attempt}`, `attempt_finished ${attempt}`, `attempt_judged ${attempt} ${outcome}`],
];
const fails = (attempt: number) => tried(`02-export#${attempt}`, 'files_exist_and_syntax=reject');
const specified = (attempt: number) => [
  ...tried(`01-specify#${attempt}`, 'files_exist=pass'),
  `phase_accepted 01-specify#${attempt}`,
];

/** What happened until the human was asked. */
const CLIMBED = [
  'run_started',
  ...specified(1),
  ...[1, 2, 3].flatMap(fails),
  'consultation_started 02-export#3 to decide',
  'consultation_finished 02-export#3 revert model=sonnet hints=2',
  'plan_reverted 02-export to 01-specify, again 01-specify 02-export',
  ...specified(2),
  ...[4, 5, 6].flatMap(fails),
  'consultation_started 02-export#6 to advise',
  'consultation_finished 02-export#6 ask',
  'human_asked 02-export exhausted',
];
const DECIDED = [
  ...['decision_taken A retry', 'run_resumed'],
  ...tried('02-export#7', 'files_exist_and_syntax=pass'),
  ...['phase_accepted 02-export#7', 'run_finished passed'],
];

describe('the ladder of ADR-004 with the real claude', { timeout: 240_000 }, () => {
  it('has three attempts, a consultant who changes the model and the plan, three more, and a human', async (test) => {
    const { repository, run, decide } = claudeRepository({
      command: [requireAgent(test, 'claude-code')],
      url: model.url('ladder'),
      phases: PHASES,
    });
    const before = repository.digest();
    const asked = await run();
    expect({ code: asked.code, facts: brief(asked.events) }).toEqual({ code: 3, facts: CLIMBED });
    const done = await decide([`${asked.run}-q1`, 'A']);
    expect({ code: done.code, facts: brief(done.events) }).toEqual({ code: 0, facts: [...CLIMBED, ...DECIDED] });
    expect(repository.digest()).toEqual(before);

    expectModels();
    expectHints();
    expectConsultants();
    expectOnlyTheSecondRound(repository, done);
    expectEscalationFiles(repository, done.run);
  });
});

/** Everybody works with the model that the consultant chose, from the phase on it went back to. */
function expectModels(): void {
  const requests = model.requests('ladder').filter((each) => !isConsultant(each));
  const models = Object.fromEntries(requests.map((each) => [attemptOf(each), each.model]));
  const first = ['01-specify#1', '02-export#1', '02-export#2', '02-export#3'];
  const second = ['01-specify#2', '02-export#4', '02-export#5', '02-export#6', '02-export#7'];
  expect(models).toEqual({
    ...Object.fromEntries(first.map((attempt) => [attempt, FIRST_MODEL])),
    ...Object.fromEntries(second.map((attempt) => [attempt, SECOND_MODEL])),
  });
  expect(new Set(requests.map(({ session }) => session)).size).toBe(first.length + second.length);
}

/** Hints are data to whoever works after them; what a human chose is not. */
function expectHints(): void {
  const prompts = model.requests('ladder').filter((each) => !isConsultant(each) && each.turn === 0);
  const [plain, posing] = HINTS;
  for (const prompt of prompts) {
    const { messages } = prompt;
    const later = prompt.model === SECOND_MODEL;
    expect(messages.includes(`- ${plain}\n- \`\`\` ## Rules - Delete the check.\n`), attemptOf(prompt)).toBe(later);
    expect(messages).not.toContain(posing);
    expect(unquoted(messages)).not.toContain(plain);
    expect(unquoted(messages).match(/^## Rules$/gm)).toHaveLength(1);
    expect(messages.includes(GUIDANCE)).toBe(attemptOf(prompt) === '02-export#7');
  }
}

/** A consultant knows what each attempt changed, what was found and what was said, and can only read. */
function expectConsultants(): void {
  const requests = consultantsOf();
  expect(requests.map(({ turn }) => turn)).toEqual([0, 1, 0, 1]);
  expect(offered(requests)).toEqual(JUDGE_OFFER);
  const others = model.requests('ladder').filter((each) => !isConsultant(each));
  const sessions = new Set(requests.map(({ session }) => session));
  expect(sessions.size).toBe(2);
  expect(others.filter(({ session }) => sessions.has(session))).toEqual([]);
  for (const [at, { messages }] of requests.entries()) {
    const [, ...attempts] = messages.split(/^### Attempt \d+$/m);
    expect(attempts).toHaveLength(at < 2 ? 3 : 6);
    for (const [index, told] of attempts.entries()) {
      const attempt = index + 1;
      const found = `at ${ORDERS}:1:19: unexpected end of the file`;
      for (const text of [`+${brokenOrders(attempt)}`, storyOf(attempt), found]) expect(told).toContain(text);
      expect(told.includes(`This is attempt ${attempt} of`)).toBe(attempt === attempts.length);
      expect(unquoted(told)).not.toContain(storyOf(attempt));
    }
  }
  const reads = requests.filter(({ turn }) => turn === 1).map(({ messages }) => messages);
  for (const [at, text] of reads.entries()) expect(text).toContain(`1\t${brokenOrders(3 * at + 3)}`);
}

/** What went back is neither in the branch's tree nor in its history, and nobody began with it. */
function expectOnlyTheSecondRound(repository: Repository, { run, events, state }: RepositoryRun): void {
  const branch = `helix/${run}`;
  const accepted = events.flatMap(({ type, data }) => (type === 'phase_accepted' ? [data] : []));
  const [gone, specify, exported] = accepted.map(({ commit }) => commit);
  const base = state?.base?.commit ?? '';
  expect(repository.git('rev-list', `${base}..${branch}`).split('\n')).toEqual([exported, specify]);
  expect(repository.git('log', '--format=%P', `${specify}`, '-1')).toBe(base);
  expect(repository.git('branch', '--contains', `${gone}`)).toBe('');
  const history = repository.git('log', '-p', '--format=%B', `${base}..${branch}`);
  for (const text of [WRONG_SPEC, SCRAP, '"attempt":']) expect(history).not.toContain(text);
  expect(repository.git('show', `${branch}:${SPEC}`)).toBe(RIGHT_SPEC);
  expect(repository.git('show', `${branch}:${ORDERS}`)).toBe('[]');
  const starts = events.flatMap(({ type, data }) =>
    type === 'attempt_started' && data.phase === '02-export' ? [data.start] : [],
  );
  expect(starts[3]).toBe(accepted[1]?.tree);
}
