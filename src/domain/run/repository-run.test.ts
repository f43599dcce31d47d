import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { openRequests } from '../facts/run-state.ts';
import { amend } from '../ladder/amend.ts';
import { decisionOf } from '../ladder/answer.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Phase, Plan } from '../plan/plan.ts';
import type { Verdict } from '../verdict.ts';
import { decide } from './decide.ts';
import { replay } from './evolve.ts';
import { Simulation } from './simulation.fixture.ts';

const NONE: ReadonlySet<string> = new Set();
const BASE = { commit: 'c0', tree: 't0', branch: 'refs/heads/helix/sim' };
const NO_CONSULTANT = { ...DEFAULT_ESCALATION, consultant: { attempts: 0, actions: [], models: [] } };

function inRepository(plan: Plan): Simulation {
  return new Simulation(plan, { base: BASE, escalation: NO_CONSULTANT });
}

function phaseOf(simulation: Simulation, id: string): Phase {
  const phase = simulation.state.plan.phases.find((each) => each.id === id);
  if (phase === undefined) throw new TypeError(id);
  return phase;
}

/** Lets a phase be worked on up to its judgement. */
function work(simulation: Simulation, id: string, passes = true, more: object = {}): void {
  const phase = phaseOf(simulation, id);
  const attempt = (simulation.state.phases.get(id)?.history.judged ?? 0) + 1;
  simulation.started({ do: 'attempt', phase, attempt, start: undefined });
  simulation.finished({ phase, attempt }, 0, more);
  simulation.judged({ phase, attempt }, passes);
}

function accept(simulation: Simulation, id: string, commit: string): void {
  const { attempt = 1, tree = '' } = simulation.state.phases.get(id)?.current ?? {};
  simulation.add({ type: 'phase_accepted', data: { phase: id, attempt, tree, commit } });
}

function steps(simulation: Simulation, busy = NONE): string[] {
  return decide(simulation.state, busy).map((step) =>
    step.do === 'record' ? step.event.type : `${step.do} ${step.phase.id}`,
  );
}

describe('two phases at once in a repository', () => {
  const plan = samplePlan([samplePhase('a'), samplePhase('b')], { concurrency: 2 });

  function bothJudged(): Simulation {
    const simulation = inRepository(plan);
    work(simulation, 'a');
    work(simulation, 'b');
    return simulation;
  }

  it('are accepted one after the other', () => {
    const simulation = bothJudged();
    expect(steps(simulation)).toEqual(['accept a']);
    expect(steps(simulation, new Set(['a']))).toEqual([]);
  });

  it('are joined when the second one started before the first was accepted', () => {
    const simulation = bothJudged();
    accept(simulation, 'a', 'c1');
    expect(steps(simulation)).toEqual(['join b']);
    const joined = { phase: 'b', attempt: 1, tree: 'merged', base: 'c1', with: ['a'], conflicts: [] };
    simulation.add({ type: 'attempt_joined', data: joined });
    expect(steps(simulation)).toEqual(['judge b']);
    simulation.judged({ phase: phaseOf(simulation, 'b'), attempt: 1 }, true);
    expect(simulation.state.phases.get('b')?.history.judged).toBe(1);
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'accept', tree: 'merged' }]);
  });

  it('lead to another attempt on the merged tree when they do not fit together', () => {
    const simulation = bothJudged();
    accept(simulation, 'a', 'c1');
    const conflict = { severity: 'error', check: 'merge-conflict', message: 'x', location: { file: 'f' } } as const;
    const joined = { phase: 'b', attempt: 1, tree: 'marked', base: 'c1', with: ['a'], conflicts: [conflict] };
    simulation.add({ type: 'attempt_joined', data: joined });
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'attempt', attempt: 2, start: 'marked' }]);
    expect(simulation.state.phases.get('b')?.conflicted).toEqual(['f']);
    work(simulation, 'b');
    expect(steps(simulation)).toEqual(['accept b']);
  });

  it('lead to another attempt when a gate of either fails on the merged tree, and to a human in the end', () => {
    const simulation = bothJudged();
    accept(simulation, 'a', 'c1');
    const joined = { phase: 'b', attempt: 1, tree: 'merged', base: 'c1', with: ['a'], conflicts: [] };
    simulation.add({ type: 'attempt_joined', data: joined });
    const others: Verdict = { gate: 'tests_pass', outcome: 'reject', findings: [], tree: 'merged', durationMs: 1 };
    simulation.add({ type: 'attempt_judged', data: { phase: 'b', attempt: 1, verdicts: [others] } });
    expect(steps(simulation)).toEqual(['attempt b']);
    for (const _ of [2, 3]) work(simulation, 'b', false);
    expect(steps(simulation)).toEqual(['human_asked']);
  });
});

describe('a change to protected files', () => {
  type Change = { readonly paths?: readonly string[]; readonly more?: object; readonly others?: readonly Phase[] };
  function trespassed({ paths = ['ci.yml'], more = {}, others = [] }: Change = {}): Simulation {
    const simulation = inRepository(samplePlan([samplePhase('a'), ...others]));
    work(simulation, 'a', true, { protected: [...paths], ...more });
    const step = decide(simulation.state, NONE).find((each) => each.do === 'record');
    if (step?.do !== 'record') throw new TypeError('no question');
    simulation.add(step.event);
    return simulation;
  }

  function answer(simulation: Simulation, option: string): void {
    const [request] = openRequests(simulation.state);
    const chosen = request?.options.find(({ id }) => id === option);
    if (request === undefined || chosen === undefined) throw new TypeError(option);
    const { decision } = chosen;
    simulation.add({ type: 'decision_taken', data: { request: request.id, option, decision, actor: 'me' } });
  }

  it('is shown to a human before it is accepted, though every gate passed', () => {
    const simulation = trespassed();
    expect(openRequests(simulation.state)).toMatchObject([
      { reason: 'protected', question: expect.stringContaining('ci.yml') },
    ]);
    expect(steps(simulation)).toEqual([]);
  });

  const DECOYS = Array.from({ length: 30 }, (_, index) => `ci/${index}.md`);

  it('is asked about with how many and what is run first, then every name, and the agent is told every name', () => {
    const foundCommand = { before: '[npm, test]', after: '[npm, "x"]' };
    const [request] = openRequests(trespassed({ paths: [...DECOYS, 'release.yml'], more: { foundCommand } }).state);
    expect(request?.question).toMatch(
      /^Phase a passed its gates, but it changed 31 protected files\. What gates run there was "\[npm, test\]"; now it is "\[npm, \\"x\\"\]"\. Is that right\?/,
    );
    expect(request?.question.split('\n').slice(1)).toEqual([...DECOYS, 'release.yml'].map((path) => `"${path}"`));
    expect(request?.protected).toEqual([...DECOYS, 'release.yml']);
    expect(request?.options[0]?.decision.guidance).toContain('"release.yml"');
  });

  it('cannot speak for HELIX by the name of a file', () => {
    const [request] = openRequests(trespassed({ paths: ['a". Is that right?\nRecommended: B'] }).state);
    expect(request?.question.split('\n').slice(1)).toEqual(['"a\\". Is that right?\\nRecommended: B"']);
  });

  it.each([
    ['too many names', Array.from({ length: 201 }, (_, index) => `ci/${index}`), {}],
    ['names that are too long', DECOYS.map((path) => path + 'x'.repeat(1000)), {}],
    ['a command that is too long', ['package.json'], { foundCommand: { before: 'a', after: 'b…' } }],
  ])('cannot be accepted where a human cannot see all of it: %s', (_, paths, more) => {
    const [request] = openRequests(trespassed({ paths, more }).state);
    expect(request?.options.map(({ decision }) => decision.action)).toEqual(['retry', 'abort']);
    expect(request?.question).toContain('cannot be accepted here');
  });

  it('is accepted when the human says so, for exactly that tree', () => {
    const simulation = trespassed();
    answer(simulation, 'B');
    expect(steps(simulation)).toEqual(['accept a']);
  });

  it('is accepted with words that those are told who build on it, and no reviewer', () => {
    const later = [samplePhase('b', { dependsOn: ['a'] }), samplePhase('c', { dependsOn: ['b'] })];
    const judging = samplePhase('d', { type: 'review', dependsOn: ['a'] });
    const simulation = trespassed({ others: [...later, judging, samplePhase('e')] });
    const [request] = openRequests(simulation.state);
    const said = { request: request?.id ?? '', option: 'B', comment: 'deploys by hand from now on' };
    simulation.add(decisionOf(simulation.state, said, 'me'));
    const told = (id: string) => simulation.state.phases.get(id)?.history.guidance;
    const words = 'About the work of a, which was accepted as it is: deploys by hand from now on';
    expect(['a', 'b', 'c', 'd', 'e'].map(told)).toEqual([[said.comment], [words], [words], [], []]);
  });

  it('is undone by another attempt when the human does not want it, and asked about again if it stays', () => {
    const simulation = trespassed();
    answer(simulation, 'A');
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'attempt', attempt: 2 }]);
    expect(simulation.state.phases.get('a')?.history.guidance.join()).toContain('ci.yml');
    work(simulation, 'a', true, { protected: ['ci.yml'] });
    expect(steps(simulation)).toEqual(['human_asked']);
  });

  it('is asked about again even if the agent left the very same tree, so that nothing goes round in circles', () => {
    const simulation = trespassed();
    const tree = simulation.state.phases.get('a')?.current?.tree;
    answer(simulation, 'A');
    work(simulation, 'a', true, { protected: ['ci.yml'], tree });
    expect(simulation.state.phases.get('a')?.current?.tree).toBe(tree);
    expect(steps(simulation)).toEqual(['human_asked']);
  });
});

describe('an edited plan', () => {
  const gate = (command: string) =>
    ({ type: 'custom', settings: { command: [command] }, onFailure: 'retry', maxRetries: 3 }) as const;
  const plan = samplePlan([
    samplePhase('a', { gates: [gate('old')] }),
    samplePhase('b', { dependsOn: ['a'], gates: [gate('old')] }),
    samplePhase('c', { dependsOn: ['b'] }),
  ]);
  const edited = (change: Partial<Record<string, Partial<Phase>>>): Plan => ({
    ...plan,
    phases: plan.phases.map((phase) => ({ ...phase, ...change[phase.id] })),
  });

  function stuckAtB(): Simulation {
    const simulation = inRepository(plan);
    work(simulation, 'a');
    accept(simulation, 'a', 'c1');
    for (const _ of [1, 2, 3]) work(simulation, 'b', false);
    const [step] = decide(simulation.state, NONE);
    if (step?.do === 'record') simulation.add(step.event);
    return simulation;
  }

  function replan(simulation: Simulation, changed: Plan): void {
    const { source, agents, creator } = simulation.state;
    const { voided, rejudged } = amend(simulation.state, changed);
    const data = { plan: changed, source, agents, creator, actor: 'me', voided: [...voided], rejudged: [...rejudged] };
    simulation.add({ type: 'run_replanned', data });
  }

  it('with a mended gate has the last work judged again, without an agent and without what passed before', () => {
    const simulation = stuckAtB();
    expect(openRequests(simulation.state)).toHaveLength(1);
    replan(simulation, edited({ b: { gates: [gate('new')] } }));
    expect(openRequests(simulation.state)).toEqual([]);
    expect(decide(simulation.state, NONE)).toMatchObject([{ do: 'judge', attempt: 3, phase: { id: 'b' } }]);
    simulation.judged({ phase: phaseOf(simulation, 'b'), attempt: 3 }, true);
    expect(simulation.state.phases.get('b')?.history.judged).toBe(3);
    expect(steps(simulation)).toEqual(['accept b']);
  });

  it('forgets that a consultant broke off: whatever stops the phase next is told as what it is', () => {
    const simulation = stuckAtB();
    const at = { phase: 'b', attempt: 3, consultation: 'c1' };
    const asked = { ...at, purpose: 'decide', because: 'it failed', agent: 'default', reserved: 5 } as const;
    simulation.add({ type: 'consultation_started', data: asked });
    const cut = { ...at, failure: 'crash', message: 'gone', durationMs: 1 } as const;
    simulation.add({ type: 'consultation_interrupted', data: cut });
    expect(simulation.state.phases.get('b')?.rung.consultantBroke).toBe('crash');
    replan(simulation, edited({ b: { gates: [gate('new')] } }));
    expect(simulation.state.phases.get('b')?.rung.consultantBroke).toBeUndefined();
  });

  it('that does a phase again anyway is not gone back over once more', () => {
    const simulation = stuckAtB();
    const [request] = openRequests(simulation.state);
    const decision = { action: 'revert', phase: 'a' } as const;
    const data = { request: request?.id ?? '', option: 'X', decision, actor: 'me' };
    simulation.add({ type: 'decision_taken', data });
    expect(simulation.state.reverting).toMatchObject([{ phase: 'b', target: 'a', by: 'human' }]);
    replan(simulation, edited({ a: { description: 'something else' } }));
    expect(simulation.state.reverting).toEqual([]);
    expect(steps(simulation)).toEqual(['attempt a']);
  });

  it('with another task voids that phase and what builds on it, and nothing before it', () => {
    const simulation = stuckAtB();
    replan(simulation, edited({ b: { description: 'something else' } }));
    expect([...simulation.state.phases].map(({ id, status }) => [id, status])).toEqual([
      ['a', 'passed'],
      ['b', 'voided'],
      ['c', 'pending'],
    ]);
    expect(steps(simulation)).toEqual(['attempt b']);
  });

  it('voids a passed phase whose work it changes, and judges a passed phase again whose gate it changes', () => {
    const changed = edited({ a: { gates: [gate('new')] } });
    expect(amend(stuckAtB().state, changed)).toEqual({ voided: [], rejudged: ['a'] });
    expect(amend(stuckAtB().state, edited({ a: { description: 'x' } }))).toEqual({ voided: ['a', 'b'], rejudged: [] });
    expect(amend(stuckAtB().state, plan)).toEqual({ voided: [], rejudged: [] });
  });

  it('may add and drop phases', () => {
    const simulation = stuckAtB();
    const [a, , c] = plan.phases;
    if (a === undefined || c === undefined) throw new TypeError('no phases');
    replan(simulation, { ...plan, phases: [a, { ...c, dependsOn: ['a'] }, samplePhase('d', { dependsOn: ['c'] })] });
    expect([...simulation.state.phases.keys()]).toEqual(['a', 'c', 'd']);
    expect(openRequests(simulation.state)).toEqual([]);
    expect(steps(simulation)).toEqual(['attempt c']);
  });

  it('is part of the facts: a replay comes to the same state', () => {
    const simulation = stuckAtB();
    replan(simulation, edited({ b: { gates: [gate('new')] } }));
    expect(replay(simulation.events)).toEqual(simulation.state);
  });
});

it('a run that takes over phases of another begins after them', () => {
  const plan = samplePlan([samplePhase('a'), samplePhase('b', { dependsOn: ['a'] })]);
  const adopted = [{ phase: 'a', attempt: 2, tree: 'ta', inputs: [], verdicts: [] }];
  const simulation = new Simulation(plan, { base: BASE, from: { run: 'old', phase: 'b', adopted } });
  expect(simulation.state.phases.get('a')).toMatchObject({ status: 'passed', accepted: { tree: 'ta' } });
  expect(steps(simulation)).toEqual(['attempt b']);
});

describe('work that could not be judged', () => {
  function blocked(): Simulation {
    const simulation = inRepository(samplePlan([samplePhase('a')]));
    const phase = phaseOf(simulation, 'a');
    simulation.started({ do: 'attempt', phase, attempt: 1, start: undefined });
    simulation.finished({ phase, attempt: 1 });
    const cut = { phase: 'a', attempt: 1, gate: 'tests_pass', failure: 'setup', message: 'no such program' } as const;
    simulation.add({ type: 'judging_interrupted', data: cut });
    const [step] = decide(simulation.state, NONE);
    if (step?.do === 'record') simulation.add(step.event);
    return simulation;
  }

  function retry(simulation: Simulation, more: { guidance?: string; rework?: true } = {}): void {
    const [request] = openRequests(simulation.state);
    const decision = { action: 'retry' as const, ...more };
    simulation.add({
      type: 'decision_taken',
      data: { request: request?.id ?? '', option: 'A', decision, actor: 'me' },
    });
  }

  it('is judged again when a human says so without a word', () => {
    const simulation = blocked();
    retry(simulation);
    expect(steps(simulation)).toEqual(['judge a']);
  });

  it('is judged again with a comment, too, which its agent hears if it comes back', () => {
    const simulation = blocked();
    retry(simulation, { guidance: 'the program is there now' });
    expect(steps(simulation)).toEqual(['judge a']);
    expect(simulation.state.phases.get('a')?.history.guidance).toEqual(['the program is there now']);
  });

  it('goes back to its agent where a human says so, with what they have to say about it', () => {
    const simulation = blocked();
    retry(simulation, { guidance: 'mend the script', rework: true });
    expect(steps(simulation)).toEqual(['attempt a']);
    expect(simulation.state.phases.get('a')).toMatchObject({
      history: { guidance: ['mend the script'] },
      lastVerdicts: [{ outcome: 'reject', findings: [{ message: 'no such program' }] }],
    });
  });
});
