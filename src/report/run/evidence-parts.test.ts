import { describe, expect, it } from 'vitest';
import { criteriaIn } from '../../domain/documents/check-criteria.ts';
import { askedOnTop } from '../../domain/facts/asked-on-top.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { ApprovalResult, CheckEvidence } from '../../domain/judge/approval.ts';
import { partsOf } from './evidence-parts.ts';

type Check = Partial<ApprovalResult['checks'][number]>;

/** A run in which one judge gave these answers. */
function judged(
  checks: readonly Check[],
  change: { void?: boolean; tree?: string; findings?: ApprovalResult['findings'] } = {},
): RunState {
  const { findings = [], ...rest } = change;
  const result = { approval_id: 'a1', approval_type: 'change', checks, findings };
  const phases = new Map([['change', { current: { attempt: 1, tree: 't1' } }]]);
  const given = { phase: 'change', attempt: 1, tree: 't1', result, ...rest };
  const run = { request: 'keep umlauts;\nadd a test', approvals: [given], phases, plan: { phases: [] } };
  return { ...run, specChanges: [] } as never;
}

const quote = (shows: string | undefined, line = 1): CheckEvidence => ({
  ...{ file: 'src/a.js', line, quote: 'toCsv(rows)' },
  ...(shows !== undefined && { shows }),
});
const ASKED = 'keep umlauts; add a test';

/** What is said of each part, in short. */
const said = (state: RunState, criteria: readonly string[] = []) =>
  partsOf(state, criteriaIn({ acceptance_criteria: [...criteria] })).map(({ part, state: how, by }) => [
    ...[part, how],
    ...by.flatMap(({ check, quotes }) => quotes.map(({ file, line }) => `${check} ${file}:${line}`)),
  ]);

describe('the parts of a task', () => {
  it('are those the judge named, each with what it quoted', () => {
    const evidence = [quote('keeps umlauts'), quote('a test', 7), quote('a test', 9)];
    expect(said(judged([{ id: 'task', outcome: 'pass', evidence }]))).toEqual([
      ['keeps umlauts', 'shown', 'task src/a.js:1'],
      ['a test', 'shown', 'task src/a.js:7', 'task src/a.js:9'],
    ]);
  });

  it('are one, with all that was quoted, where the judge named none', () => {
    const one = judged([{ id: 'task', outcome: 'pass', evidence: [quote(undefined)] }]);
    expect(said(one)).toEqual([[ASKED.replace('; ', '; '), 'shown', 'task src/a.js:1']]);
  });

  it.each([
    ['no judge was asked', judged([])],
    ['the judge left the check out', judged([{ id: 'task', outcome: 'unanswered' }])],
    ['what it judged was sent back', judged([{ id: 'task', outcome: 'pass', evidence: [quote('x')] }], { void: true })],
    ['it judged an earlier version', judged([{ id: 'task', outcome: 'pass', evidence: [quote('x')] }], { tree: 't0' })],
  ])('are checked by nobody where %s', (_, state) => {
    expect(said(state)).toEqual([[ASKED, 'unchecked']]);
  });

  const finding = { severity: 'error', check: 'task', message: 'no test', fingerprint: 'f' } as const;

  it('that a judge found missing keep the words of who asked, with what the judge found below them', () => {
    const state = judged([{ id: 'task', outcome: 'fail', evidence: [quote('x')] }], { findings: [finding] });
    expect(partsOf(state, [])).toMatchObject([{ part: ASKED, state: 'missing', findings: ['no test'] }]);
  });

  it('keep them also beside the parts that the judge found', () => {
    const state = judged([{ id: 'task', outcome: 'pass', evidence: [quote('keeps umlauts')] }], {
      findings: [finding],
    });
    expect(partsOf(state, [])).toMatchObject([
      { part: 'keeps umlauts', state: 'shown' },
      { part: ASKED, state: 'missing', findings: ['no test'] },
    ]);
    const whole = judged([{ id: 'task', outcome: 'pass', evidence: [quote(undefined)] }], { findings: [finding] });
    expect(partsOf(whole, [])).toMatchObject([{ part: ASKED, state: 'missing', findings: ['no test'] }]);
  });

  it('are those of each request, where one goes on from another', () => {
    const request = askedOnTop('keep umlauts;\nadd a test\n', ['not the BOM'], 'also the BOM');
    expect(said({ ...judged([]), request })).toEqual([
      [ASKED, 'unchecked'],
      ['also the BOM', 'unchecked'],
    ]);
  });
});

describe('a criterion', () => {
  const criteria = ['C1: keeps umlauts', 'C10: a test is there', 'An empty table gives an empty file.'];
  const check = (...evidence: CheckEvidence[]) => judged([{ id: 'gate-criteria', outcome: 'pass', evidence }]);
  const ofCriteria = (state: RunState) => said(state, criteria).slice(1);

  it('is shown by whoever names it, by its words or its id', () => {
    const state = check(quote('C1', 3), quote('an empty table gives an empty file', 5), quote('C10: tested', 8));
    expect(ofCriteria(state)).toEqual([
      ['C1: keeps umlauts', 'shown', 'gate-criteria src/a.js:3'],
      ['C10: a test is there', 'shown', 'gate-criteria src/a.js:8'],
      ['An empty table gives an empty file.', 'shown', 'gate-criteria src/a.js:5'],
    ]);
  });

  it('is checked by nobody where it is not named, or the check failed', () => {
    const failed = judged([{ id: 'gate-criteria', outcome: 'fail', evidence: [quote('C1')] }]);
    for (const state of [check(quote(undefined)), failed])
      expect(ofCriteria(state).map(([, how]) => how)).toEqual(['unchecked', 'unchecked', 'unchecked']);
  });
});
