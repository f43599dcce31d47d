import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { fresh } from '../facts/state-draft.ts';
import type { Finding } from '../finding.ts';
import type { Verdict } from '../verdict.ts';
import { convergence, isStuck, stuckFindings, survived } from './convergence.ts';

const finding = (fingerprint: string | undefined, severity: Finding['severity'] = 'error'): Finding => ({
  ...{ severity, check: 'kind', message: `about ${fingerprint}` },
  ...(fingerprint !== undefined && { fingerprint }),
});

function judgement(...findings: readonly Finding[]): Verdict[] {
  return [{ gate: 'approval', outcome: 'reject', findings: [...findings], tree: 't', durationMs: 1 }];
}

/** A phase that has been through these judgements, one after the other. */
function after(...judgements: readonly Verdict[][]) {
  let at = fresh('a');
  for (const verdicts of judgements) {
    const { seen, mended } = convergence(at, verdicts);
    at = { ...at, rung: { ...at.rung, seen }, mended, lastVerdicts: verdicts };
  }
  return at;
}

it('counts in how many judgements in a row a finding has stood', () => {
  const at = after(
    judgement(finding('a'), finding('b')),
    judgement(finding('a')),
    judgement(finding('a'), finding('b')),
  );
  expect(at.rung.seen).toEqual({ a: 3, b: 1 });
  expect(['a', 'b', 'c'].map((each) => survived(at.rung, finding(each)))).toEqual([2, 0, 0]);
});

it('tells what the last judgement found no more', () => {
  const at = after(judgement(finding('a'), finding('b', 'warning')), judgement(finding('b', 'warning')));
  expect(at.mended.map(({ message }) => message)).toEqual(['about a']);
});

it('leaves remarks and findings without a name out of it', () => {
  const at = after(
    judgement(finding('a', 'info'), finding(undefined)),
    judgement(finding('a', 'info'), finding(undefined)),
  );
  expect([at.rung.seen, at.mended, stuckFindings(at)]).toEqual([{}, [], []]);
});

it.each([
  [undefined, 9, false],
  [false, 9, false],
  [true, 2, false],
  [true, 3, true],
  [1, 2, true],
  [3, 3, false],
  [3, 4, true],
])('with stop_when_stuck %s, after the same finding in %i judgements a phase is stuck: %s', (setting, times, stuck) => {
  const at = after(...Array.from({ length: times }, () => judgement(finding('a'))));
  const phase = samplePhase('a', setting === undefined ? {} : { stopWhenStuck: setting });
  expect(isStuck(phase, at)).toBe(stuck);
});

it('is not stuck when the finding that came back has been mended at last', () => {
  const same = Array.from({ length: 5 }, () => judgement(finding('a')));
  expect(isStuck(samplePhase('a', { stopWhenStuck: true }), after(...same, judgement(finding('b'))))).toBe(false);
});
