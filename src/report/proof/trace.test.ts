import { describe, expect, it } from 'vitest';
import { criteriaIn } from '../../domain/documents/check-criteria.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { traceOf, unprovenFindings } from './trace.ts';
import { renderTrace } from './trace-text.ts';

const CRITERIA = criteriaIn({
  acceptance_criteria: [
    { id: 'C1', text: 'The file begins with a BOM', check: 'a test' },
    { id: 'C2', text: 'An empty table gives an empty file' },
  ],
});
const GATE = { settings: {}, onFailure: 'retry', maxRetries: 3 };
const PASSED = { outcome: 'pass', findings: [], tree: 't1', durationMs: 1 };

type Given = { outcome?: string; quotes?: string; says?: string; void?: boolean; tree?: string };

/** A run whose phase `build` has a gate that names C1, and a judge. */
function run({ outcome = 'pass', quotes, says, ...given }: Given): RunState {
  const gates = [
    { ...GATE, type: 'files_exist' },
    { ...GATE, type: 'tests_pass', criteria: ['C1'] },
  ];
  const verdicts = [
    { ...PASSED, gate: 'files_exist' },
    { ...PASSED, gate: 'tests_pass', outcome },
  ];
  const evidence = [{ file: 'a.js', line: 3, quote: 'if (rows.length === 0)', ...(quotes && { shows: quotes }) }];
  const findings = says === undefined ? [] : [{ severity: 'error', check: 'task', message: says, fingerprint: 'f' }];
  const result = {
    approval_id: 'a',
    approval_type: 'change',
    checks: [{ id: 'task', outcome: 'pass', evidence }],
    findings,
  };
  return {
    plan: { phases: [{ id: 'build', name: 'build', type: 'development', config: {}, gates }] },
    phases: new Map([['build', { current: { attempt: 1, tree: 't1', stage: 'judged' }, lastVerdicts: verdicts }]]),
    approvals: [{ phase: 'build', attempt: 1, tree: 't1', result, ...given }],
    ended: { status: 'passed', at: '' },
  } as never;
}

const states = (given: Given) => traceOf(run(given), CRITERIA).map(({ state }) => state);

describe('a criterion', () => {
  it('is proven by a gate that names it and has passed, and by a judge that quotes for it', () => {
    expect(states({})).toEqual(['proven', 'unproven']);
    expect(states({ quotes: 'C2: handled' })).toEqual(['proven', 'proven']);
    expect(states({ quotes: 'an empty table gives an empty file.' })).toEqual(['proven', 'proven']);
  });

  it('has failed where its gate has, or a judge objects in its name', () => {
    expect(states({ outcome: 'reject' })).toEqual(['failed', 'unproven']);
    expect(states({ says: 'C2: an empty table gives a line' })).toEqual(['proven', 'failed']);
    expect(states({ says: 'C20 is not C2x' })).toEqual(['proven', 'unproven']);
  });

  it('is proven by no word about other work, or about work that was sent back', () => {
    expect(states({ quotes: 'C2', void: true })).toEqual(['proven', 'unproven']);
    expect(states({ quotes: 'C2', tree: 'before' })).toEqual(['proven', 'unproven']);
  });

  it('is not proven as long as its gate has not looked', () => {
    const open = run({});
    const untold = { ...open, phases: new Map([['build', { lastVerdicts: [] }]]) } as never;
    expect(traceOf(untold, CRITERIA).map(({ state, gates }) => [state, gates[0]?.outcome])).toEqual([
      ['unproven', 'open'],
      ['unproven', undefined],
    ]);
  });

  it('that nothing has proven is a finding of a run that passed, and of no other', () => {
    const state = run({});
    const trace = traceOf(state, CRITERIA);
    expect(unprovenFindings(state, trace)).toMatchObject([
      { severity: 'warning', check: 'unproven-criterion', message: expect.stringContaining('C2: nothing shows') },
    ]);
    expect(unprovenFindings({ ended: { status: 'failed', at: '' } }, trace)).toEqual([]);
  });

  it('is shown with its proof, or with the word that there is none', () => {
    const text = renderTrace(traceOf(run({ quotes: 'C2' }), CRITERIA), { width: 80, paint: (_style, words) => words });
    expect(text).toBe(`Criteria  2 of 2 proven
  ✔ C1  The file begins with a BOM
        build: gate tests_pass has passed
  ✔ C2  An empty table gives an empty file
        build: judge, task: a.js:3 if (rows.length === 0)
`);
    const none = renderTrace(traceOf(run({}), CRITERIA), { width: 80, paint: (_style, words) => words });
    expect(none).toContain('nothing: no gate names it, and no judge has quoted it');
  });
});
