import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { carries, listProcesses } from '../../src/adapters/programs/process-table.ts';
import type { RunEvent } from '../../src/domain/facts/run-event.ts';
import type { FailureClass, FailurePolicy } from '../../src/domain/verdict.ts';
import { DEEP } from '../repetitions.ts';
import type { RepositoryRun } from '../repository.ts';
import { type ClaudeParts, claudeRepository } from './claude-repository.ts';
import { type Answer, fail, hang, inTurn, refuse, reset, say, use } from './loopback/answer.ts';
import {
  creditTooLow,
  modelUnknown,
  overloaded,
  promptTooLong,
  rateLimited,
  revoked,
  serverError,
  unauthorised,
} from './loopback/failures.ts';
import { type LoopbackModel, type Scenario, startLoopbackModel } from './loopback-model.ts';
import { requireAgent } from './real-agents.ts';

const AT_ONCE = 3;
const STAND_IN = fileURLToPath(new URL('programs/stand-in-claude.ts', import.meta.url));
const EXIT = { passed: 0, refused: 2, human: 3, budget: 4, parked: 5 } as const;
const RESET = Math.floor(Date.now() / 1000) + 3600;
const QUOTA = {
  'anthropic-ratelimit-unified-status': 'rejected',
  'anthropic-ratelimit-unified-reset': String(RESET),
  'anthropic-ratelimit-unified-representative-claim': 'five_hour',
};
const LONG_COMMAND = { command: 'python3 -c "import time; time.sleep(1000)"', description: 'waits' };

/** What an interruption leads to; `none` where there is none. */
type Next = FailurePolicy | 'none';
type Expected = readonly [failure: FailureClass | 'none', next: Next, exit: number];
type Row = Partial<ClaudeParts> & {
  readonly expect: Expected;
  /** What HELIX tells its user. */
  readonly says?: RegExp;
  /** What the model answers the real program with. */
  readonly answers?: Scenario;
  /** What a stand-in does instead of the real program. */
  readonly standIn?: string;
  /** Of a class that another row shows as well: played by `npm run test:deep`. */
  readonly again?: true;
};

/** The whole work of a phase. */
const work = [use('Write', { file_path: 'out.txt', content: 'done' }), say('Done.')] as const;

/** The first process of a run meets the failure, the next one can work. */
function once(answer: Answer): Scenario {
  const sessions: string[] = [];
  return ({ session, turn }) => {
    if (!sessions.includes(session)) sessions.push(session);
    return session === sessions[0] ? answer : (work[turn] ?? work[1]);
  };
}

/** A phase that may take so many seconds, or so many turns. */
function phase(limits: { timeout?: number; config?: object }): Pick<Row, 'phases'> {
  return { phases: [{ id: 'work', type: 'development', output: ['out.txt'], ...limits }] };
}

const ALL: Readonly<Record<string, Row>> = {
  'it works': { answers: [...work], expect: ['none', 'none', EXIT.passed] },
  '529 twice': {
    again: true,
    answers: [inTurn(overloaded, overloaded, work[0]), work[1]],
    expect: ['none', 'none', EXIT.passed],
  },
  'an answer of 300 KB': {
    answers: [work[0], say('word '.repeat(60_000))],
    expect: ['none', 'none', EXIT.passed],
  },
  '529': { answers: [overloaded], expect: ['overloaded', 'park', EXIT.parked] },
  '500': { again: true, answers: [serverError], expect: ['overloaded', 'park', EXIT.parked] },
  '429': { answers: [rateLimited({ 'retry-after': '3600' })], expect: ['rate_limit', 'park', EXIT.parked] },
  'the quota of a subscription is used up': {
    answers: [rateLimited(QUOTA)],
    login: { CLAUDE_CODE_OAUTH_TOKEN: 'a-dummy-token' },
    expect: ['rate_limit', 'park', EXIT.parked],
  },
  '401': { answers: [unauthorised], expect: ['auth', 'human', EXIT.human], says: /Log\s+in\s+again/ },
  '403, a token that was revoked': { again: true, answers: [revoked], expect: ['auth', 'human', EXIT.human] },
  'not logged in': { answers: [...work], login: {}, expect: ['auth', 'human', EXIT.human], says: /Log\s+in\s+again/ },
  'credit too low': {
    answers: [creditTooLow],
    expect: ['billing', 'human', EXIT.human],
    says: /account\s+that\s+pays/,
  },
  '402': {
    again: true,
    answers: [fail(402, 'billing_error', 'Payment required')],
    expect: ['billing', 'human', EXIT.human],
  },
  '413': {
    answers: [fail(413, 'request_too_large', 'Request too large')],
    expect: ['context_too_long', 'human', EXIT.human],
  },
  'a request that is refused for good': {
    answers: [fail(400, 'invalid_request_error', 'tools: at most 512 characters')],
    expect: ['unknown', 'human', EXIT.human],
  },
  'prompt too long': { answers: [promptTooLong], expect: ['context_too_long', 'human', EXIT.human] },
  'no such model': {
    answers: [modelUnknown],
    expect: ['model_unavailable', 'human', EXIT.human],
    says: /another\s+model/,
  },
  refusal: { answers: [refuse('no')], expect: ['refusal', 'human', EXIT.human] },
  'too many turns': {
    answers: [use('Read', { file_path: 'readme.md' })],
    expect: ['max_turns', 'human', EXIT.human],
    says: /Split the phase into smaller ones/,
  },
  'too expensive': {
    answers: [use('Read', { file_path: 'readme.md' }, { usage: { input: 100_000, output: 100_000 } })],
    settings: { budget: { usd: 1 } },
    expect: ['budget', 'park', EXIT.budget],
    says: /--budget/,
  },
  'max_tokens again and again': {
    answers: once(say('too much', { stop: 'max_tokens' })),
    expect: ['output_limit', 'retry', EXIT.passed],
  },
  'connection reset': { answers: once(reset), expect: ['network', 'retry', EXIT.passed] },
  'stream cut': { again: true, answers: once(say('cut', { cutAfter: 0 })), expect: ['network', 'retry', EXIT.passed] },
  'no answer at all': {
    again: true,
    answers: once(hang),
    ...phase({ timeout: 12 }),
    expect: ['timeout_wall', 'retry', EXIT.passed],
  },
  'a command that takes too long': {
    answers: once(use('Bash', LONG_COMMAND)),
    ...phase({ timeout: 12 }),
    expect: ['timeout_wall', 'retry', EXIT.passed],
  },
  'a command in the background': {
    again: true,
    answers: [use('Bash', { ...LONG_COMMAND, run_in_background: true }), ...work],
    expect: ['none', 'none', EXIT.passed],
  },
  'binary missing': { command: ['/nowhere/claude'], expect: ['none', 'none', EXIT.refused], says: /npm install -g/ },
  'a program without a flag that HELIX needs': {
    standIn: 'an old program',
    expect: ['none', 'none', EXIT.refused],
    says: /--restricted.*claude update/s,
  },
  'a program that refuses a flag': { standIn: 'an unknown flag', expect: ['spawn', 'human', EXIT.human] },
  'garbage on stdout': { standIn: 'garbage', expect: ['protocol', 'retry', EXIT.passed] },
  'garbage for ever': { standIn: 'always garbage', expect: ['protocol', 'retry', EXIT.human] },
  'half a character at the end': {
    again: true,
    standIn: 'half a character',
    expect: ['protocol', 'retry', EXIT.passed],
  },
  'a character in two halves': { standIn: 'a character in two halves', expect: ['none', 'none', EXIT.passed] },
  'exit without a result': { again: true, standIn: 'no result', expect: ['protocol', 'retry', EXIT.passed] },
  'killed by somebody': { standIn: 'killed', expect: ['crash', 'retry', EXIT.passed] },
  'result without exit': { standIn: 'no exit', expect: ['none', 'none', EXIT.passed] },
  'output after the result': { again: true, standIn: 'words after the result', expect: ['none', 'none', EXIT.passed] },
  'a line of 100 MB': { standIn: 'a long line', expect: ['none', 'none', EXIT.passed] },
  silence: { again: true, standIn: 'silent', ...phase({ timeout: 5 }), expect: ['timeout_wall', 'retry', EXIT.passed] },
  'deaf to SIGTERM': { standIn: 'deaf', ...phase({ timeout: 5 }), expect: ['timeout_wall', 'retry', EXIT.passed] },
};

const ROWS = Object.fromEntries(Object.entries(ALL).filter(([, { again }]) => DEEP || again !== true));

async function play(row: Row, real: { program: string; url: string }): Promise<RepositoryRun> {
  const { expect: _expected, says: _words, answers: _answers, again: _again, standIn, ...parts } = row;
  const command = standIn === undefined ? [real.program] : [process.execPath, STAND_IN, standIn];
  return claudeRepository({ command, url: real.url, ...parts }).run();
}

/** All rows, a few at once: each has a repository, a home and a scenario of its own. */
async function playAll(program: string, model: LoopbackModel): Promise<Map<string, RepositoryRun>> {
  const ends = new Map<string, RepositoryRun>();
  const waiting = Object.entries(ROWS);
  const player = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [name, row] = next;
      ends.set(name, await play(row, { program, url: model.url(encodeURIComponent(name)) }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, player));
  return ends;
}

function failuresIn({ events }: RepositoryRun): FailureClass[] {
  return events.flatMap(({ type, data }) => (type === 'attempt_interrupted' ? [data.failure] : []));
}

/** What the journal says came after the first interruption. */
function nextIn({ events, state }: RepositoryRun): Next {
  const at = events.findIndex(({ type }) => type === 'attempt_interrupted');
  if (at === -1) return 'none';
  const after = events.slice(at + 1).map(({ type }) => type);
  if (after[0] === 'human_asked') return 'human';
  if (after[0] === 'attempt_started') return 'retry';
  return state?.parked === undefined ? 'free' : 'park';
}

function outcomeOf(end: RepositoryRun): Expected {
  return [failuresIn(end)[0] ?? 'none', nextIn(end), end.code ?? -1];
}

async function leftOf({ state }: RepositoryRun): Promise<number> {
  const { marker } = state ?? {};
  return marker === undefined ? 0 : (await listProcesses()).filter((row) => carries(row, marker)).length;
}

function countOf({ events }: RepositoryRun, wanted: RunEvent['type']): number {
  return events.filter(({ type }) => type === wanted).length;
}

it('each failure of the real program has its class, its consequence and an exit code', {
  timeout: 600_000,
}, async (test) => {
  const program = requireAgent(test, 'claude-code');
  const scenarios = Object.entries(ROWS).map(([name, { answers = [say('')] }]) => [encodeURIComponent(name), answers]);
  const model = await startLoopbackModel(Object.fromEntries(scenarios));
  onTestFinished(() => model.close());
  const ends = await playAll(program, model);

  const met = Object.fromEntries([...ends].map(([name, end]) => [name, outcomeOf(end)]));
  expect(met).toEqual(Object.fromEntries(Object.entries(ROWS).map(([name, row]) => [name, row.expect])));
  for (const [name, end] of ends) {
    expect.soft(end.said, name).toMatch(ROWS[name]?.says ?? '');
    expect
      .soft(countOf(end, 'attempt_judged'), `${name}: only finished work is judged`)
      .toBe(countOf(end, 'attempt_finished'));
    expect.soft(await leftOf(end), `${name}: no process is left`).toBe(0);
  }
  expect.soft(failuresIn(ends.get('garbage for ever') as RepositoryRun)).toHaveLength(5);
  const finished = ends.get('a character in two halves')?.events.find(({ type }) => type === 'attempt_finished');
  expect.soft(finished?.data).toMatchObject({ model: 'schön' });
  const quota = ends.get('the quota of a subscription is used up')?.events.at(-1);
  expect.soft(quota?.data).toMatchObject({ until: new Date(RESET * 1000).toISOString() });
});
