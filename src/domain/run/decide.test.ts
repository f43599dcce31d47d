import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/random-numbers.ts';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { NewEvent } from '../facts/run-event.ts';
import { openRequests, type RunState } from '../facts/run-state.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Plan } from '../plan/plan.ts';
import { FailureClass, failurePolicy } from '../verdict.ts';
import { decide, type Step } from './decide.ts';
import { replay } from './evolve.ts';
import { Simulation } from './simulation.fixture.ts';

const SCHEDULES = 3000;
const SEED = Number(process.env.HELIX_SEED ?? 1);
const CAP = 5;
const NONE: ReadonlySet<string> = new Set();

function randomPlan(random: () => number): Plan {
  const size = 1 + Math.floor(random() * 6);
  const phases = Array.from({ length: size }, (_, index) =>
    samplePhase(`p${index}`, {
      type: random() < 0.15 ? 'approval' : 'development',
      dependsOn: Array.from({ length: index }, (_, before) => `p${before}`).filter(() => random() < 0.4),
      optional: random() < 0.15,
      requiresApproval: random() < 0.15,
      gates: [
        {
          type: 'files_exist',
          settings: {},
          onFailure: random() < 0.8 ? 'retry' : random() < 0.5 ? 'escalation' : 'abort',
          maxRetries: 1 + Math.floor(random() * 3),
        },
      ],
      ...(random() < 0.1 && { budget: { usd: random(), attempts: 1 + Math.floor(random() * 3) } }),
    }),
  );
  return samplePlan(phases, { concurrency: 1 + Math.floor(random() * 3) });
}

const JUDGES_FAIL_BY: readonly FailureClass[] = ['setup', 'crash', 'rate_limit', 'overloaded'];

function pick<T>(choices: readonly T[], random: () => number): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

/** Performs one step with a random outcome; an attempt may stay open until a kill closes it. */
function perform(simulation: Simulation, step: Exclude<Step, { do: 'record' }>, random: () => number): void {
  if (step.do === 'accept') {
    const { phase, attempt, tree } = step;
    simulation.add({ type: 'phase_accepted', data: { phase: phase.id, attempt, tree } });
  } else if (step.do !== 'judge' && step.do !== 'attempt') {
    throw new Error(
      `nothing leads to ${step.do} here: no repository, no approval, no consultant, no change of one's own`,
    );
  } else if (step.do === 'judge') {
    const cut = { phase: step.phase.id, attempt: step.attempt, gate: 'files_exist', message: '' };
    if (random() < 0.1)
      simulation.add({ type: 'judging_interrupted', data: { ...cut, failure: pick(JUDGES_FAIL_BY, random) } });
    else simulation.judged(step, random() < 0.5);
  } else {
    const chance = random();
    const failure = pick(FailureClass.options, random);
    if (chance >= 0.05) simulation.started(step);
    if (chance >= 0.05 && chance < 0.15) return;
    if (chance < 0.35) simulation.interrupted(step, failure);
    else simulation.finished(step, random());
  }
}

function checkSteps(state: RunState, steps: readonly Step[]): void {
  const beginning = steps.flatMap((step) => (step.do === 'attempt' ? [step.phase] : []));
  for (const phase of beginning) {
    for (const id of phase.dependsOn) expect(['passed', 'skipped']).toContain(state.phases.get(id)?.status);
  }
  const running = state.plan.phases.filter(
    ({ id, type }) => type !== 'approval' && state.phases.get(id)?.status === 'running',
  );
  const fresh = beginning.filter(({ id, type }) => type !== 'approval' && state.phases.get(id)?.current === undefined);
  if (fresh.length > 0) expect(running.length + fresh.length).toBeLessThanOrEqual(state.plan.concurrency);
}

function checkEnd({ state, events }: Simulation): void {
  const grants = new Map<string, number>();
  for (const { phase, answer, reason } of state.requests.values()) {
    if (answer?.decision.action === 'retry' && reason !== 'start') grants.set(phase, (grants.get(phase) ?? 0) + 1);
  }
  for (const phase of state.plan.phases) {
    const [gate] = phase.gates;
    const limit = (gate?.maxRetries ?? 0) * (1 + (grants.get(phase.id) ?? 0));
    expect(state.phases.get(phase.id)?.history.judged).toBeLessThanOrEqual(limit);
  }
  const inARow = new Map<string, number>();
  for (const event of events) {
    if (!('phase' in event.data)) continue;
    const { phase } = event.data;
    if (event.type === 'attempt_interrupted' && failurePolicy(event.data.failure) === 'retry') {
      inARow.set(phase, (inARow.get(phase) ?? 0) + 1);
    }
    if (event.type === 'attempt_judged' || event.type === 'human_asked') inARow.set(phase, 0);
    expect(inARow.get(phase) ?? 0).toBeLessThanOrEqual(CAP);
  }
  expect(replay(events)).toEqual(state);
}

function runOne(seed: number): Simulation {
  const random = randomNumbers(seed);
  const escalation = { ...DEFAULT_ESCALATION, consultant: { attempts: 0, actions: [], models: [] } };
  const simulation = new Simulation(randomPlan(random), { escalation, ...(random() < 0.2 && { budget: { usd: 2 } }) });
  for (let n = 0; n < 2000; n += 1) {
    const { state } = simulation;
    if (state.ended !== undefined) return simulation;
    const steps = decide(state, NONE);
    checkSteps(state, steps);
    const [first] = steps.filter((step) => step.do === 'record');
    const step = first ?? steps[Math.floor(random() * steps.length)];
    if (step?.do === 'record') simulation.add(step.event);
    else if (step !== undefined) perform(simulation, step, random);
    else nothingToDo(simulation, random);
    if (random() < 0.03) simulation.killedAndResumed();
  }
  throw new Error('the run neither ends nor waits for something named');
}

/** When nothing can happen, the run must be waiting for something with a name: an answer, a budget, a resume. */
function nothingToDo(simulation: Simulation, random: () => number): void {
  const { state } = simulation;
  const [request] = openRequests(state);
  if (request !== undefined) {
    const option = random() < 0.7 ? request.options[0] : request.options.at(-1);
    if (option === undefined) throw new Error('a question without options');
    const data = { request: request.id, option: option.id, decision: option.decision, actor: 'me' };
    simulation.add({ type: 'decision_taken', data });
  } else if (state.parked !== undefined) {
    const owner = { host: '', pid: 1, start: '', boot: '' };
    simulation.add({ type: 'run_resumed', data: { owner, budget: { usd: state.spent.usd + 2 } } });
    if ([...state.phases].some(({ status }) => status === 'parked')) simulation.add(withoutPhaseBudgets(state));
  } else {
    const open = [...state.phases].some(({ current }) => current?.stage === 'open');
    expect(open, 'nothing is under way, nothing can start, and nobody is asked').toBe(true);
    simulation.killedAndResumed();
  }
}

/** What raises the limits of single phases: a changed plan. */
function withoutPhaseBudgets({ plan, source, agents, creator }: RunState): NewEvent {
  const phases = plan.phases.map(({ budget: _none, ...phase }) => phase);
  const data = { plan: { ...plan, phases }, source, agents, creator, voided: [], rejudged: [], actor: 'me' };
  return { type: 'run_replanned', data };
}

describe('decide', () => {
  it(`holds its promises over ${SCHEDULES} random runs with interruptions, kills and answers (HELIX_SEED=${SEED})`, () => {
    const ends = new Set<string>();
    for (let seed = SEED; seed < SEED + SCHEDULES; seed += 1) {
      try {
        const simulation = runOne(seed);
        checkEnd(simulation);
        ends.add(simulation.state.ended?.status ?? '');
      } catch (error) {
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
      }
    }
    expect([...ends].sort()).toEqual(['failed', 'passed']);
  });

  it('lets independent branches go on while one waits for a human', () => {
    const simulation = new Simulation(samplePlan([samplePhase('a', { requiresApproval: true }), samplePhase('b')]));
    const [ask] = decide(simulation.state, NONE);
    if (ask?.do === 'record') simulation.add(ask.event);
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'attempt', phase: { id: 'b' } }]);
  });

  it('starts nothing new once a run is cancelled, and ends it when nothing is under way', () => {
    const simulation = new Simulation(samplePlan([samplePhase('a'), samplePhase('b')]));
    simulation.add({ type: 'cancel_requested', data: { actor: 'me' } });
    expect(decide(simulation.state, new Set(['a']))).toEqual([]);
    expect(decide(simulation.state, NONE)).toMatchObject([
      { event: { type: 'run_finished', data: { status: 'cancelled' } } },
    ]);
  });

  it('does not count approval phases against concurrency', () => {
    const phases = ['a', 'b', 'c'].map((id) => samplePhase(id, { type: 'approval' }));
    const { state } = new Simulation(samplePlan([...phases, samplePhase('d')], { concurrency: 1 }));
    expect(decide(state, NONE)).toHaveLength(4);
  });

  it('keeps to the concurrency when several interrupted phases may start again', () => {
    const simulation = new Simulation(
      samplePlan([samplePhase('a'), samplePhase('b'), samplePhase('c')], { concurrency: 1 }),
    );
    for (const { id } of simulation.state.plan.phases) {
      const phase = samplePhase(id);
      simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
      simulation.interrupted({ phase, attempt: 1 }, 'rate_limit');
    }
    simulation.killedAndResumed();
    expect(decide(simulation.state, NONE)).toHaveLength(1);
  });

  it('starts from the judged tree when an attempt broke before its agent started', () => {
    const phase = samplePhase('a');
    const simulation = new Simulation(samplePlan([phase]));
    simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
    simulation.finished({ phase, attempt: 1 });
    const tree = simulation.state.phases.get('a')?.current?.tree;
    simulation.judged({ phase, attempt: 1 }, false);
    simulation.interrupted({ phase, attempt: 2 }, 'crash');
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'attempt', attempt: 2, start: tree }]);
    expect(simulation.state.phases.get('a')?.history.turns).toBe(1);
  });

  it.each<[failure: FailureClass, reason: string]>([
    ['rate_limit', 'quota'],
    ['overloaded', 'quota'],
    ['budget', 'budget'],
  ])('an attempt and a judgement cut short by %s park the run and count for nothing', (failure, reason) => {
    const phase = samplePhase('a');
    const until = '2026-11-15T15:00:00.000Z';
    const simulation = new Simulation(samplePlan([phase]));
    const owner = { host: '', pid: 1, start: '', boot: '' };
    simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
    simulation.interrupted({ phase, attempt: 1 }, failure, { until });
    expect(simulation.state.parked).toEqual({ reason, message: '', until });
    expect(decide(simulation.state, NONE)).toEqual([]);
    simulation.add({ type: 'run_resumed', data: { owner } });
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'attempt', attempt: 1 }]);
    simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
    simulation.finished({ phase, attempt: 1 });
    const cut = { phase: 'a', attempt: 1, gate: 'approval', message: 'no' };
    simulation.add({ type: 'judging_interrupted', data: { ...cut, failure } });
    expect(simulation.state).toMatchObject({ parked: { reason, message: 'no' }, spent: { attempts: 0 } });
    expect(simulation.state.phases.get('a')).toMatchObject({ status: 'parked', rung: { interruptions: 0 } });
    expect(decide(simulation.state, NONE)).toEqual([]);
    simulation.add({ type: 'run_resumed', data: { owner } });
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'judge', attempt: 1 }]);
  });

  it('takes only the first answer to a question', () => {
    const simulation = new Simulation(samplePlan([samplePhase('a', { requiresApproval: true })]));
    const [ask] = decide(simulation.state, NONE);
    if (ask?.do !== 'record' || ask.event.type !== 'human_asked') throw new Error('no question');
    const { request } = ask.event.data;
    expect(request).toBe(`sim-q1-${simulation.state.head.slice(0, 6)}`);
    simulation.add(ask.event);
    const answer = (option: string, action: 'proceed' | 'abort') =>
      simulation.add({
        type: 'decision_taken',
        data: { request, option, decision: { action }, actor: 'me' },
      });
    answer('A', 'proceed');
    answer('B', 'abort');
    expect(simulation.state.phases.get('a')?.status).toBe('pending');
  });
});
