import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { PlanGrowth } from '../plan-growth.ts';
import { PLAN_GATE } from '../plan-growth.ts';
import type { Verdict } from '../verdict.ts';
import { decide } from './decide.ts';
import { Simulation } from './simulation.fixture.ts';

const GROWS = { type: PLAN_GATE, settings: {}, onFailure: 'retry', maxRetries: 3 } as const;
const NONE: PlanGrowth = { added: [], changed: [], dropped: [], powers: [], lost: [] };
const MORE: PlanGrowth = { ...NONE, added: ['new'], powers: ['gate command: ["rm"]'] };

function meeting(): Simulation {
  const plan = samplePlan(
    [
      samplePhase('before'),
      samplePhase('meeting', { type: 'meeting', dependsOn: ['before'], gates: [GROWS] }),
      samplePhase('beside'),
      samplePhase('after', { dependsOn: ['meeting'] }),
    ],
    { concurrency: 4 },
  );
  const run = new Simulation(plan);
  expect(next(run)).toEqual(['attempt before']);
  pass(run, 'before');
  return run;
}

function next({ state }: Simulation): string[] {
  return decide(state, new Set()).map((step) => {
    if (step.do !== 'record') return `${step.do} ${step.phase.id}`;
    return step.event.type === 'human_asked' ? `asks ${step.event.data.reason}` : step.event.type;
  });
}

function judge(run: Simulation, id: string, growth?: PlanGrowth, more: object = {}): void {
  const step = decide(run.state, new Set()).find((each) => each.do === 'attempt' && each.phase.id === id);
  if (step?.do !== 'attempt') throw new Error(`${id} does not start`);
  run.started(step);
  run.finished(step, 0, more);
  const tree = run.state.phases.get(id)?.current?.tree ?? '';
  const gate = growth === undefined ? 'files_exist' : PLAN_GATE;
  const verdict: Verdict = { gate, outcome: 'pass', findings: [], tree, durationMs: 1, ...(growth && { growth }) };
  run.add({ type: 'attempt_judged', data: { phase: id, attempt: step.attempt, verdicts: [verdict] } });
}

function accept(run: Simulation, id: string): void {
  const { attempt = 1, tree = '' } = run.state.phases.get(id)?.current ?? {};
  run.add({ type: 'phase_accepted', data: { phase: id, attempt, tree } });
}

function pass(run: Simulation, id: string, growth?: PlanGrowth): void {
  judge(run, id, growth);
  accept(run, id);
}

function ask(run: Simulation): void {
  const [step] = decide(run.state, new Set());
  if (step?.do !== 'record') throw new Error('nothing is asked');
  run.add(step.event);
}

function answer(run: Simulation, letter: string): void {
  const request = [...run.state.requests.values()].at(-1);
  const option = request?.options.find(({ id }) => id === letter);
  if (request === undefined || option === undefined) throw new Error(`there is no option ${letter}`);
  const { decision } = option;
  run.add({ type: 'decision_taken', data: { request: request.id, option: letter, decision, actor: 'me' } });
}

describe('while the plan may grow', () => {
  it('nothing begins but what the meeting waits for; what it wrote is taken before anything else', () => {
    const run = meeting();
    expect(next(run)).toEqual(['attempt meeting']);
    pass(run, 'meeting', NONE);
    expect(next(run)).toEqual(['grow meeting']);
    const data = { phase: 'meeting', tree: run.state.phases.get('meeting')?.accepted?.tree ?? '' };
    run.add({ type: 'plan_grown', data: { ...data, added: [], changed: [], dropped: [] } });
    expect(next(run)).toEqual(['attempt beside', 'attempt after']);
  });

  it('a run of the meeting alone grows nothing', () => {
    const plan = samplePlan([samplePhase('meeting', { type: 'meeting', gates: [GROWS] }), samplePhase('after')]);
    const run = new Simulation(plan, { only: 'meeting' });
    pass(run, 'meeting', NONE);
    expect(next(run)).toEqual(['run_finished']);
  });

  it('what has begun keeps its state, what is new has none, and what is left out is gone with its questions', () => {
    const run = meeting();
    pass(run, 'meeting', NONE);
    const { plan, phases } = run.state;
    const tree = phases.get('meeting')?.accepted?.tree ?? '';
    const grown = { ...plan, phases: [...plan.phases.slice(0, 2), samplePhase('new', { dependsOn: ['meeting'] })] };
    run.add({
      type: 'plan_grown',
      data: { phase: 'meeting', tree, plan: grown, added: ['new'], changed: [], dropped: ['beside', 'after'] },
    });
    expect([...run.state.phases.keys()]).toEqual(['before', 'meeting', 'new']);
    expect(run.state.phases.get('before')).toEqual(phases.get('before'));
    expect(next(run)).toEqual(['attempt new']);
  });
});

describe('a plan that could do more', () => {
  it('is asked about before it is accepted; whoever takes it goes on', () => {
    const run = meeting();
    judge(run, 'meeting', MORE);
    expect(next(run)).toEqual(['asks plan']);
    ask(run);
    expect(next(run)).toEqual([]);
    answer(run, 'B');
    expect(next(run)).toEqual(['accept meeting']);
  });

  it('sent back, its agent is told what not to write, and another plan is asked about anew', () => {
    const run = meeting();
    judge(run, 'meeting', MORE);
    ask(run);
    answer(run, 'A');
    expect(run.state.phases.get('meeting')?.history.guidance.join()).toContain('gate command');
    expect(next(run)).toEqual(['attempt meeting']);
    judge(run, 'meeting', MORE);
    expect(next(run)).toEqual(['asks plan']);
  });

  it('no deadline answers for anybody', () => {
    const run = meeting();
    judge(run, 'meeting', MORE);
    ask(run);
    expect([...run.state.requests.values()].at(-1)).not.toHaveProperty('deadline');
    expect([...run.state.requests.values()].at(-1)).not.toHaveProperty('onTimeout');
  });

  it('of which more is new than can be shown cannot be taken', () => {
    const run = meeting();
    judge(run, 'meeting', { ...MORE, powers: Array.from({ length: 101 }, (_, at) => `gate command: ${at}`) });
    ask(run);
    const actions = [...run.state.requests.values()].at(-1)?.options.map(({ decision }) => decision.action);
    expect(actions).toEqual(['retry', 'keep', 'abort']);
  });
});

it('a plan that comes back as it was sent back is asked about again', () => {
  const run = meeting();
  judge(run, 'meeting', MORE);
  expect(next(run)).toEqual(['asks plan']);
  const { tree } = run.state.phases.get('meeting')?.current ?? {};
  ask(run);
  answer(run, 'A');
  judge(run, 'meeting', MORE, { tree });
  expect(run.state.phases.get('meeting')?.current?.tree).toBe(tree);
  expect(next(run)).toEqual(['asks plan']);
});
