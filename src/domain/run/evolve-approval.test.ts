import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { openRequests, type RunState } from '../facts/run-state.ts';
import type { ApprovalResult } from '../judge/approval.ts';
import { judgeReservation } from '../ladder/budget.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import { type FailureClass, failurePolicy, type Verdict } from '../verdict.ts';
import { decide, type Step } from './decide.ts';
import { evolve, replay } from './evolve.ts';
import { Simulation } from './simulation.fixture.ts';

const SCHEDULES = 2000;
const SEED = Number(process.env.HELIX_SEED ?? 1);
const NONE: ReadonlySet<string> = new Set();

type Result = 'approved' | 'needs_revision' | 'rejected';
type Random = () => number;

function pick<T>(choices: readonly T[], random: Random): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

/** Makers and approvals of what they make, some of which send it back. */
function randomPlan(random: Random): Plan {
  const phases: Phase[] = [samplePhase('p0')];
  const size = 2 + Math.floor(random() * 5);
  for (let index = 1; index < size; index += 1) {
    const approves = random() < 0.6;
    const makers = phases.filter(({ type }) => type !== 'approval').map(({ id }) => id);
    const target = pick(makers, random);
    const before = phases.filter(({ id }) => id === target || random() < 0.3).map(({ id }) => id);
    const gate = { type: approves ? 'approval' : 'files_exist', settings: {}, onFailure: 'retry' as const };
    phases.push(
      samplePhase(`p${index}`, {
        dependsOn: before,
        gates: [{ ...gate, maxRetries: 3 }],
        ...(approves && { type: 'approval', approvalType: 'tone', onRejection: rejection(target, random) }),
      }),
    );
  }
  return samplePlan(phases, { concurrency: 1 + Math.floor(random() * 3) });
}

function rejection(target: string, random: Random): NonNullable<Phase['onRejection']> {
  const action = random() < 0.8 ? 'retry_phase' : random() < 0.7 ? 'escalate' : 'fail';
  return { action, target_phase: target, max_retries: 1 + Math.floor(random() * 3) };
}

function resultOf(approval_id: string, result: Result): ApprovalResult {
  return {
    ...{ approval_id, approval_type: 'tone', timestamp: '', result, confidence: 1, findings: [], recommendations: [] },
    agent_context: { duration_seconds: 0, cost_basis: 'simulated', simulated: true },
    ...{ inputs: [], checks: [], definition_sha256: '', cached: false, stage: 'agent' as const },
  };
}

/** A run in memory whose judges give opinions about content, and which remembers what each of them saw. */
class Judged extends Simulation {
  readonly opinions = new Map<string, Result[]>();
  readonly #saw = new Map<string, string>();
  readonly #random: Random;

  constructor(plan: Plan, random: Random) {
    super(plan, { escalation: { ...DEFAULT_ESCALATION, consultant: { attempts: 0, actions: [], models: [] } } });
    this.#random = random;
  }

  /** What a phase builds on: what was accepted of all it depends on. */
  contentOf(phase: Phase): string {
    return JSON.stringify(phase.dependsOn.map((id) => this.state.phases.get(id)?.accepted?.tree));
  }

  begin(step: Extract<Step, { do: 'attempt' }>): void {
    this.started(step);
    this.#saw.set(step.phase.id, this.contentOf(step.phase));
  }

  /** Makers sometimes hand in what they had made before. */
  finish({ phase, attempt, start }: Extract<Step, { do: 'attempt' }>): void {
    const same = phase.type === 'approval' || (start !== undefined && this.#random() < 0.3);
    this.finished({ phase, attempt }, 0, same ? { tree: start ?? `empty-${phase.id}` } : {});
  }

  /** Asks a judge as the engine does: an opinion that is known is not asked for again. */
  judge(step: Extract<Step, { do: 'judge' }>): void {
    const { phase, attempt } = step;
    if (phase.type !== 'approval') return void this.judged(step, this.#random() < 0.7);
    const key = `${phase.id}:${this.#saw.get(phase.id)}`;
    const known = this.state.approvals.find((given) => given.key === key && given.phase === phase.id);
    if (known !== undefined) return void this.#verdict(step, known.result.result);
    const approval = `a${this.events.length}`;
    const about = { phase: phase.id, attempt, approval };
    this.add({ type: 'approval_started', data: { ...about, of: 'tone', role: 'reviewer', agent: 'default' } });
    const chance = this.#random();
    if (chance < 0.05) return;
    if (chance < 0.2) return void this.#cut(step, approval);
    const result = chance < 0.55 ? 'approved' : chance < 0.65 ? 'needs_revision' : 'rejected';
    this.opinions.set(key, [...(this.opinions.get(key) ?? []), result]);
    const told = resultOf(approval, result);
    const cost = { usd: 0, basis: 'simulated' } as const;
    this.add({ type: 'approval_finished', data: { ...about, key, result: told, cost, durationMs: 1 } });
    if (this.#random() > 0.05) this.#verdict(step, result);
  }

  #cut({ phase, attempt }: Extract<Step, { do: 'judge' }>, approval: string): void {
    const failure = pick<FailureClass>(['crash', 'schema', 'timeout_wall', 'setup', 'rate_limit'], this.#random);
    const about = { phase: phase.id, attempt, failure, message: '' };
    this.add({ type: 'approval_interrupted', data: { ...about, approval, durationMs: 1 } });
    this.add({ type: 'judging_interrupted', data: { ...about, gate: 'approval' } });
  }

  #verdict({ phase, attempt }: Extract<Step, { do: 'judge' }>, result: Result): void {
    const outcome = result === 'approved' ? 'pass' : result === 'rejected' ? 'reject' : 'revise';
    const unsure = result === 'needs_revision' && { unsure: true };
    const verdicts: Verdict[] = [{ gate: 'approval', outcome, findings: [], tree: 't', durationMs: 1, ...unsure }];
    this.add({ type: 'attempt_judged', data: { phase: phase.id, attempt, verdicts } });
  }

  /** What a start after a kill does: judges nobody waits for any more are cut short without counting. */
  override killedAndResumed(): void {
    for (const { id, asking, current } of this.state.phases) {
      for (const { approval } of asking) {
        const about = { phase: id, attempt: current?.attempt ?? 1, approval, message: '', durationMs: 1 };
        this.add({ type: 'approval_interrupted', data: { ...about, failure: 'orchestrator' } });
      }
    }
    super.killedAndResumed();
  }

  /** Whatever has passed rests on what is accepted now. */
  check(): void {
    const { plan, phases } = this.state;
    for (const phase of plan.phases) {
      const at = phases.get(phase.id);
      if (at?.status !== 'passed') continue;
      const rests = phase.dependsOn.every((id) => ['passed', 'skipped'].includes(phases.get(id)?.status ?? ''));
      if (!rests) throw new Error(`${phase.id} rests on what is void`);
      if (this.#saw.get(phase.id) !== this.contentOf(phase)) throw new Error(`${phase.id} rests on other content`);
      if (
        phase.type === 'approval' &&
        at.rulings.vouched === undefined &&
        at.rulings.override === undefined &&
        !this.#isApproved(phase.id)
      )
        throw new Error(`${phase.id} has passed without an approval of what is there`);
    }
  }

  #isApproved(id: string): boolean {
    const key = `${id}:${this.#saw.get(id)}`;
    const given = this.state.approvals.filter((approval) => approval.phase === id && approval.key === key);
    return given.length === 1 && given[0]?.result.result === 'approved';
  }
}

function perform(run: Judged, step: Exclude<Step, { do: 'record' }>, random: Random): void {
  const { phase } = step;
  if (step.do === 'accept') {
    run.add({ type: 'phase_accepted', data: { phase: phase.id, attempt: step.attempt, tree: step.tree } });
  } else if (step.do === 'send-back') {
    run.sentBack(step);
  } else if (step.do === 'judge') {
    run.judge(step);
  } else if (step.do === 'attempt') {
    run.begin(step);
    const chance = random();
    if (chance < 0.05) return;
    if (chance < 0.15 && phase.type !== 'approval') run.interrupted(step, 'crash');
    else run.finish(step);
  } else if (step.do === 'take') {
    const own = { ...step, do: 'attempt' } as const;
    run.begin(own);
    run.finish(own);
  } else throw new Error('nothing is joined outside a repository, and there is no consultant');
}

/** When nothing can happen, the run must be waiting for something with a name: an answer, a quota, a judge or an agent. */
function nothingToDo(run: Judged, random: Random): void {
  const { state } = run;
  const [request] = openRequests(state);
  if (request !== undefined) {
    const option = random() < 0.8 ? request.options[0] : pick(request.options, random);
    if (option === undefined) throw new Error('a question without options');
    const data = { request: request.id, option: option.id, decision: option.decision, actor: 'me' };
    run.add({ type: 'decision_taken', data });
  } else {
    const on = [...state.phases].some(({ current, asking }) => current?.stage === 'open' || asking.length > 0);
    expect(on || state.parked !== undefined, 'nothing is under way, and nobody is asked').toBe(true);
    run.killedAndResumed();
  }
}

/** No phase sends work back more often than it may, unless a human wants it to. */
function checkReworks({ events, state }: Simulation): void {
  for (const { id, onRejection } of state.plan.phases) {
    const sent = events.filter(({ type, data }) => type === 'phase_sent_back' && 'phase' in data && data.phase === id);
    const wanted = [...state.requests.values()].filter(
      ({ phase, answer }) => phase === id && answer?.decision.action === 'retry',
    );
    expect(sent.length).toBeLessThanOrEqual((onRejection?.max_retries ?? 0) + wanted.length);
  }
}

/** There is one opinion about the same content, whatever was sent back meanwhile. */
function checkOpinions({ opinions }: Judged): void {
  for (const given of opinions.values()) expect(given).toHaveLength(1);
}

function checkInterruptions({ events }: Simulation): void {
  const inARow = new Map<string, number>();
  for (const { type, data } of events) {
    if (type === 'judging_interrupted' && failurePolicy(data.failure) === 'retry')
      inARow.set(data.phase, (inARow.get(data.phase) ?? 0) + 1);
    if ((type === 'attempt_judged' || type === 'human_asked') && 'phase' in data) inARow.set(data.phase, 0);
  }
  expect(Math.max(0, ...inARow.values())).toBeLessThanOrEqual(5);
}

function runOne(seed: number): Judged {
  const random = randomNumbers(seed);
  const run = new Judged(randomPlan(random), random);
  for (let n = 0; n < 3000; n += 1) {
    run.check();
    if (run.state.ended !== undefined) return run;
    const steps = decide(run.state, NONE);
    const [first] = steps.filter((step) => step.do === 'record');
    const step = first ?? (steps.length > 0 ? pick(steps, random) : undefined);
    if (step?.do === 'record') run.add(step.event);
    else if (step !== undefined) perform(run, step, random);
    else nothingToDo(run, random);
    if (random() < 0.03) run.killedAndResumed();
  }
  throw new Error('the run neither ends nor waits for something named');
}

it(`approvals keep their promises over ${SCHEDULES} random runs with rejections, interruptions, kills and answers (HELIX_SEED=${SEED})`, () => {
  let sent = 0;
  for (let seed = SEED; seed < SEED + SCHEDULES; seed += 1) {
    try {
      const run = runOne(seed);
      checkReworks(run);
      checkOpinions(run);
      checkInterruptions(run);
      expect(replay(run.events)).toEqual(run.state);
      sent += run.events.filter(({ type }) => type === 'phase_sent_back').length;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  expect(sent).toBeGreaterThan(SCHEDULES / 10);
});

const APPROVAL = { type: 'approval', approvalType: 'tone', dependsOn: ['write'] } satisfies Partial<Phase>;
const GATE = { type: 'approval', settings: {}, onFailure: 'retry', maxRetries: 3 } as const;

/** A cascade of two approvals of which the first has rejected what was written. */
function rejectedOnce(over: Partial<Phase> = {}): Judged {
  const back = { action: 'retry_phase', max_retries: 2 } as const;
  const run = new Judged(
    samplePlan([
      samplePhase('write'),
      samplePhase('tone', { ...APPROVAL, gates: [GATE], onRejection: back }),
      samplePhase('facts', { ...APPROVAL, gates: [GATE], onRejection: back, ...over }),
      samplePhase('build', { dependsOn: ['write'] }),
    ]),
    () => 0.5,
  );
  pass(run, 'write');
  for (const id of ['tone', 'facts']) begin(run, id);
  opinion(run, 'tone', 'reject');
  return run;
}

function begin(run: Judged, id: string): void {
  const step = decide(run.state, NONE).find((each) => each.do === 'attempt' && each.phase.id === id);
  if (step?.do !== 'attempt') throw new Error(`${id} cannot begin`);
  run.begin(step);
  run.finish(step);
}

function opinion(run: Judged, phase: string, outcome: 'pass' | 'reject', fingerprint = phase): void {
  const finding = { severity: 'error', check: 'kind', message: `${phase} objects`, fingerprint } as const;
  const findings = outcome === 'pass' ? [] : [finding];
  const verdicts: Verdict[] = [{ gate: 'approval', outcome, findings, tree: 't', durationMs: 1 }];
  run.add({
    type: 'attempt_judged',
    data: { phase, attempt: run.state.phases.get(phase)?.current?.attempt ?? 1, verdicts },
  });
}

function pass(run: Judged, id: string): void {
  begin(run, id);
  const phase = samplePhase(id);
  run.judged({ phase, attempt: run.state.phases.get(id)?.current?.attempt ?? 1 }, true);
  const [accept] = decide(run.state, NONE).filter((step) => step.do === 'accept');
  if (accept?.do === 'accept') perform(run, accept, () => 0.5);
}

function sendBack(run: Judged): void {
  const step = decide(run.state, NONE).find((each) => each.do === 'send-back');
  if (step?.do !== 'send-back') throw new Error('nothing goes back');
  perform(run, step, () => 0.5);
}

const doing = (state: RunState, busy = NONE) =>
  decide(state, busy).map((step) => (step.do === 'record' ? step.event.type : `${step.do} ${step.phase.id}`));

describe('work that goes back', () => {
  it('waits until every judge who was asked has been heard, and begins nothing that builds on it', () => {
    const { state } = rejectedOnce();
    expect(doing(state)).toEqual(['judge facts']);
    expect(doing(state, new Set(['facts']))).toEqual([]);
  });

  it('goes once, with the objections of all', () => {
    const run = rejectedOnce();
    opinion(run, 'facts', 'reject');
    expect(doing(run.state)).toEqual(['send-back tone']);
    sendBack(run);
    const write = run.state.phases.get('write');
    expect(write?.lastVerdicts.flatMap(({ findings }) => findings.map(({ message }) => message))).toEqual([
      'tone objects',
      'facts objects',
    ]);
    expect(doing(run.state)).toEqual(['attempt write']);
    expect([...run.state.phases].map(({ id, status }) => `${id} ${status}`)).toEqual([
      'write voided',
      'tone voided',
      'facts voided',
      'build pending',
    ]);
  });

  it('is not begun upon while it goes', () => {
    const run = rejectedOnce();
    opinion(run, 'facts', 'pass');
    expect(doing(run.state, new Set(['tone']))).toEqual([]);
  });

  it('takes the questions with it that were asked about it', () => {
    const run = rejectedOnce({ onRejection: { action: 'escalate' } });
    const question = { request: 'q', phase: 'facts', level: 'stufe-2', reason: 'rejected', question: '?' } as const;
    opinion(run, 'facts', 'reject');
    expect(doing(run.state)).toEqual(['send-back tone']);
    run.add({ type: 'human_asked', data: { ...question, options: [] } });
    sendBack(run);
    expect(openRequests(run.state)).toEqual([]);
  });

  it('remembers how often a finding came back', () => {
    const run = rejectedOnce();
    opinion(run, 'facts', 'pass');
    sendBack(run);
    pass(run, 'write');
    for (const id of ['tone', 'facts']) begin(run, id);
    opinion(run, 'tone', 'reject');
    opinion(run, 'facts', 'pass');
    sendBack(run);
    expect(run.state.phases.get('write')?.rung.seen).toEqual({ tone: 2 });
  });
});

it("what is kept for a judge is nobody else's until it has ended", () => {
  const phase = samplePhase('tone', { ...APPROVAL, dependsOn: [], gates: [GATE] });
  const agents = { default: { driver: 'claude-code' } } as const;
  const run = new Simulation(samplePlan([phase, samplePhase('facts')]), { agents, budget: { usd: 1 } });
  const judging = { phase, agent: 'default', timeoutMs: 1000 };
  const about = { phase: 'tone', attempt: 1, approval: 'a' };
  run.add({
    type: 'approval_started',
    data: { ...about, of: 'tone', role: 'reviewer', agent: 'default', reserved: 1 },
  });
  expect(judgeReservation(judging, run.state)).toBe('wait');
  run.add({ type: 'approval_interrupted', data: { ...about, failure: 'crash', message: '', durationMs: 1 } });
  expect(judgeReservation(judging, run.state)).toMatchObject({ reserved: 1 });
});

it('a mark says what people found out about a verdict, and nothing happens in the run by that', () => {
  const run = new Simulation(samplePlan([samplePhase('p0')]));
  const before = run.state;
  const data = { approval: 'a1', as: 'missed', actor: 'ada' } as const;
  const at = '2026-12-24T00:00:00.000Z';
  const after = evolve(before, { type: 'approval_marked', data, seq: before.seq + 1, v: 1, at, hash: 'h' });
  expect(after).toEqual({ ...before, seq: before.seq + 1, head: 'h' });
});
