import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { Author } from '../facts/run-event.ts';
import type { Finding } from '../finding.ts';
import type { Phase } from '../plan/plan.ts';
import { decide, type Step } from './decide.ts';
import { Simulation } from './simulation.fixture.ts';

const NONE: ReadonlySet<string> = new Set();
const REVIEW = {
  type: 'review',
  gates: [{ type: 'review_approved', settings: {}, onFailure: 'retry', maxRetries: 1 }],
} as const satisfies Partial<Phase>;

const PLAN = samplePlan([
  samplePhase('a'),
  samplePhase('b', { dependsOn: [] }),
  samplePhase('r', { ...REVIEW, gates: [...REVIEW.gates], dependsOn: ['a', 'b'] }),
  samplePhase('s', { ...REVIEW, gates: [...REVIEW.gates], dependsOn: ['b'] }),
]);

function finding(fingerprint: string, file?: string): Finding {
  return {
    severity: 'error',
    check: 'c',
    message: fingerprint,
    fingerprint,
    ...(file !== undefined && { location: { file } }),
  };
}

const doing = ({ state }: Simulation, busy = NONE) =>
  decide(state, busy).map((step) => (step.do === 'record' ? step.event.type : `${step.do} ${step.phase.id}`));

function stepOf<K extends Step['do']>(run: Simulation, what: K, id: string): Extract<Step, { do: K }> {
  const step = decide(run.state, NONE).find((each) => each.do === what && each.do !== 'record' && each.phase.id === id);
  if (step?.do !== what) throw new Error(`no ${what} of ${id} in ${doing(run).join(', ')}`);
  return step as Extract<Step, { do: K }>;
}

function worked(run: Simulation, id: string): void {
  const step = stepOf(run, 'attempt', id);
  run.started(step);
  run.finished(step);
}

function accepted(run: Simulation, id: string): void {
  worked(run, id);
  run.judged(stepOf(run, 'judge', id), true);
  const { phase, attempt, tree } = stepOf(run, 'accept', id);
  run.add({ type: 'phase_accepted', data: { phase: phase.id, attempt, tree } });
}

function rejected(run: Simulation, id: string, authors: Author[], findings: Finding[]): void {
  const { phase, attempt } = stepOf(run, 'judge', id);
  const verdict = { gate: 'review_approved', outcome: 'reject', findings, tree: 't', durationMs: 1 } as const;
  run.add({ type: 'attempt_judged', data: { phase: phase.id, attempt, verdicts: [verdict], authors } });
}

/** Both authors are done, and both reviews have been read; `r` rejects. */
function readOnce(authors: Author[] = [{ phase: 'a', findings: ['f1'] }], findings = [finding('f1')]): Simulation {
  const run = new Simulation(PLAN);
  accepted(run, 'a');
  accepted(run, 'b');
  worked(run, 'r');
  worked(run, 's');
  rejected(run, 'r', authors, findings);
  return run;
}

describe('work that a review rejects', () => {
  it('goes to its author, and the review waits for the new work', () => {
    const run = readOnce();
    expect(doing(run)).toEqual(['send-back r', 'judge s']);
    run.sentBack(stepOf(run, 'send-back', 'r'));
    expect(run.state.phases.get('a')).toMatchObject({ status: 'voided', feedback: 'for a' });
    expect(run.state.phases.get('a')?.lastVerdicts[0]?.findings).toEqual([finding('f1')]);
    expect(run.state.phases.get('r')).toMatchObject({ status: 'voided', lastVerdicts: [], rung: { reworks: 1 } });
    expect(run.state.phases.get('b')?.status).toBe('passed');
    expect(doing(run)).toEqual(['judge s', 'attempt a']);
  });

  it('is shared out where it is that of two, and each gets what is about its own', () => {
    const authors = [
      { phase: 'a', findings: ['f1'] },
      { phase: 'b', findings: ['f2'] },
    ];
    const run = readOnce(authors, [finding('f1'), finding('f2'), finding('stray')]);
    // The other review builds on b, too: it is heard first.
    expect(doing(run)).toEqual(['judge s']);
    rejected(run, 's', [{ phase: 'b', findings: ['f3'] }], [finding('f3')]);
    run.sentBack(stepOf(run, 'send-back', 'r'));
    const found = (id: string) =>
      run.state.phases.get(id)?.lastVerdicts.flatMap(({ findings }) => findings.map(({ message }) => message));
    expect([found('a'), found('b')]).toEqual([['f1'], ['f2', 'f3']]);
    expect(['r', 's'].map((id) => run.state.phases.get(id)?.rung.reworks)).toEqual([1, 1]);
  });

  it('is not lost where another review becomes void by what goes back', () => {
    const run = readOnce([{ phase: 'b', findings: ['f1'] }]);
    rejected(run, 's', [{ phase: 'b', findings: ['f2'] }], [finding('f2')]);
    run.sentBack(stepOf(run, 'send-back', 'r'));
    expect(run.state.phases.get('b')?.lastVerdicts.flatMap(({ findings }) => findings)).toHaveLength(2);
  });

  it('climbs when it was reworked often enough, and what the consultant says is for the author', () => {
    const run = readOnce();
    run.sentBack(stepOf(run, 'send-back', 'r'));
    accepted(run, 'a');
    worked(run, 'r');
    rejected(run, 'r', [{ phase: 'a', findings: ['f1'] }], [finding('f1')]);
    const step = stepOf(run, 'consult', 'r');
    const about = { phase: 'r', attempt: step.attempt, consultation: 'c1', purpose: step.purpose };
    run.add({ type: 'consultation_started', data: { ...about, because: step.because, agent: 'default' } });
    const answer = {
      analysis: { failure_summary: 's', root_cause: 'r' },
      decision: { action: 'retry_with_changes' },
    } as const;
    const cost = { usd: 0, basis: 'simulated' } as const;
    const changes = { model: 'other', hints: ['look'] };
    const said = { answer, outcome: 'retry', changes, cost, durationMs: 1, simulated: true } as const;
    run.add({ type: 'consultation_finished', data: { ...about, ...said } });
    expect(run.state.phases.get('a')?.history.changes).toEqual(changes);
    expect(run.state.phases.get('r')?.history.changes).toEqual({});
    expect(doing(run)).toContain('send-back r');
    run.sentBack(stepOf(run, 'send-back', 'r'));
    expect(run.state.phases.get('r')).toMatchObject({ climbed: { consulted: true }, rung: { reworks: 1 } });
  });

  it('is known by the paths that its author has', () => {
    const run = new Simulation(PLAN);
    accepted(run, 'a');
    accepted(run, 'b');
    const step = stepOf(run, 'attempt', 'r');
    const inputs = [{ path: 'input/a/x.md', digest: 'd', from: { phase: 'a', tree: 't', path: 'output/x.md' } }];
    const begun = { phase: 'r', attempt: step.attempt, turn: 0, start: 's', inputs, brief: '', agent: 'default' };
    run.add({ type: 'attempt_started', data: begun });
    run.finished(step);
    rejected(run, 'r', [{ phase: 'a', findings: ['f1'] }], [finding('f1', 'input/a/x.md')]);
    worked(run, 's');
    run.judged(stepOf(run, 'judge', 's'), true);
    run.sentBack(stepOf(run, 'send-back', 'r'));
    const [verdict] = run.state.phases.get('a')?.lastVerdicts ?? [];
    expect(verdict?.findings[0]?.location).toEqual({ file: 'output/x.md' });
  });
});

it('a review that nobody has begun is not begun while its work goes back', () => {
  const run = new Simulation(PLAN);
  accepted(run, 'a');
  accepted(run, 'b');
  worked(run, 'r');
  rejected(run, 'r', [{ phase: 'b', findings: [] }], []);
  expect(doing(run)).toEqual(['send-back r']);
});
