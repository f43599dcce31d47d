import { describe, expect, it } from 'vitest';
import {
  accepted,
  answered,
  asked,
  ended,
  finished,
  interrupted,
  missing,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../test/sample-run.ts';
import {
  InboxDocument,
  PlanDocument,
  RunDocument,
  SummaryDocument,
  VerdictsDocument,
} from '../domain/documents/documents.ts';
import type { Cost } from '../domain/facts/run-event.ts';
import { planDocument } from './plan/plan-document.ts';
import { verdictsDocument } from './run/attempts.ts';
import { inboxDocument, runDocument } from './run/run-document.ts';
import { summaryDocument } from './run/summary.ts';
import { first, plan, stuck } from './two-phases.fixture.ts';
import { renderJson } from './words/json.ts';

describe('the run document', () => {
  it('of a passed run names every phase with its attempts and verdict', () => {
    const { state } = sampleRun(plan, [
      ...first,
      ...tried('02-second', 1, verdict('pass')),
      accepted('02-second'),
      ended('passed'),
    ]);
    const document = RunDocument.parse(runDocument(state, false));
    expect(document).toMatchObject({
      run: 'r1',
      status: 'passed',
      simulated: true,
      startedAt: '2026-11-03T10:00:00.000Z',
    });
    expect(document.phases).toEqual([
      { id: '01-first', status: 'passed', attempts: 1, verdict: 'pass', findings: [] },
      { id: '02-second', status: 'passed', attempts: 1, verdict: 'pass', findings: [] },
    ]);
    expect(document).not.toHaveProperty('waitingFor');
  });

  it('of a waiting run shows the first open question with its options', () => {
    const { state } = sampleRun(plan, [...first, ...stuck, asked('02-second')]);
    const document = RunDocument.parse(runDocument(state, false));
    expect(document.status).toBe('waiting');
    expect(document.phases[1]).toMatchObject({
      status: 'waiting',
      attempts: 3,
      verdict: 'reject',
      findings: [missing()],
    });
    expect(document.waitingFor).toMatchObject({
      request: 'r1-q1',
      options: [{ id: 'A', recommended: true }, { id: 'B' }],
    });
  });

  it('calls a phase running only while somebody owns the run', () => {
    const { state } = sampleRun(plan, [started('01-first')]);
    expect(runDocument(state, true).phases[0]?.status).toBe('running');
    expect(runDocument(state, false)).toMatchObject({ status: 'interrupted', phases: [{ status: 'pending' }, {}] });
  });

  it('does not count an interrupted attempt', () => {
    const { state } = sampleRun(plan, [started('01-first'), interrupted('01-first')]);
    expect(runDocument(state, false).phases[0]).toMatchObject({ status: 'pending', attempts: 0, findings: [] });
  });

  it('of a run for one phase shows only that one', () => {
    const { state } = sampleRun(plan, [], { only: '02-second' });
    expect(runDocument(state, true).phases.map((phase) => phase.id)).toEqual(['02-second']);
  });

  it('takes the worst of several verdicts', () => {
    const verdicts = [
      verdict('pass'),
      verdict('revise', [], 'custom'),
      verdict('reject', [], 'tests_pass'),
      verdict('pass'),
    ];
    const { state } = sampleRun(plan, tried('01-first', 1, ...verdicts));
    expect(runDocument(state, true).phases[0]?.verdict).toBe('reject');
  });
});

describe('the cost', () => {
  const costing = (usd: number | undefined, basis: Cost['basis'], equivalent = false) => {
    const cost = { ...(usd !== undefined && { usd }), basis, tokens: 100, ...(equivalent && { equivalent }) };
    return finished('01-first', 1, { cost });
  };

  it.each([
    ['reported', [costing(0.5, 'reported')], false, { usd: 0.5, basis: 'reported', tokens: 100 }],
    ['absent when it is unknown, never 0', [costing(undefined, 'unknown')], false, { basis: 'unknown', tokens: 100 }],
    [
      'estimated as soon as a part is',
      [costing(0.5, 'estimated')],
      false,
      { usd: 0.5, basis: 'estimated', tokens: 100 },
    ],
    [
      'equivalent when a subscription pays for all of it',
      [costing(0.5, 'reported', true)],
      false,
      { usd: 0.5, basis: 'equivalent', tokens: 100 },
    ],
    [
      'mixed when a subscription pays for a part of it',
      [costing(0.5, 'estimated', true), costing(0.25, 'reported')],
      false,
      { usd: 0.75, basis: 'mixed', tokens: 200 },
    ],
    ['marked as simulated', [costing(0.5, 'reported')], true, { usd: 0.5, basis: 'simulated', tokens: 100 }],
    ['nothing before anything was done', [], false, { usd: 0, basis: 'reported', tokens: 0 }],
  ] as const)('is %s', (_what, facts, simulated, cost) => {
    const { state } = sampleRun(plan, [started('01-first'), ...facts], { simulated });
    expect(summaryDocument(state).cost).toEqual(cost);
    expect(runDocument(state, true).cost).toEqual(cost);
  });

  it('keeps the known part of a partly unknown amount', () => {
    const facts = [
      started('01-first'),
      costing(0.5, 'reported'),
      started('01-first', 2),
      costing(undefined, 'unknown'),
    ];
    const { state } = sampleRun(plan, facts, { simulated: false });
    expect(runDocument(state, true).cost).toEqual({ usd: 0.5, basis: 'unknown', tokens: 200 });
  });
});

describe('the summary', () => {
  it('counts findings and ties itself to the journal', () => {
    const facts = [
      ...first,
      ...stuck,
      asked('02-second'),
      answered('B', 'abort'),
      ended('failed', '02-second: aborted by ann'),
    ];
    const { state, events } = sampleRun(plan, facts);
    const summary = SummaryDocument.parse(summaryDocument(state));
    expect(summary.phases[1]).toMatchObject({
      status: 'failed',
      attempts: 3,
      findings: { error: 1, warning: 0, info: 0 },
    });
    expect(summary.requests).toMatchObject([{ id: 'r1-q1', option: 'B', actor: 'ann' }]);
    expect(summary.journal).toEqual({ seq: events.length, hash: events.at(-1)?.hash });
    expect(summary.durationMs).toBe((events.length - 1) * 1000);
    expect(summary.report).toBe('.helix/runs/r1/final/report.html');
  });
});

describe('the inbox', () => {
  it('lists the questions it is given, each with its run', () => {
    const deadline = '2026-11-04T10:00:00.000Z';
    const { requests } = sampleRun(plan, [...first, ...stuck, asked('02-second', { deadline })]).state;
    const inbox = InboxDocument.parse(inboxDocument([...requests.values()].map((request) => ({ run: 'r1', request }))));
    expect(inbox.requests).toMatchObject([{ id: 'r1-q1', run: 'r1', phase: '02-second', level: 'stufe-2', deadline }]);
  });
});

describe('the other documents', () => {
  it('show a plan even where it is wrong', () => {
    const findings = [{ severity: 'error' as const, check: 'unknown-gate', message: 'no such gate' }];
    const phase = { id: 'a', name: 'A', type: 'developmnt', dependsOn: ['b'], gates: ['files_exist'], model: 'm' };
    const document = PlanDocument.parse(planDocument({ project: 'hello', phases: [phase], findings }));
    expect(document.phases).toEqual([phase]);
    expect(document.findings).toEqual(findings);
  });

  it('hold the verdicts of an attempt', () => {
    const data = { phase: '01-first', attempt: 2, verdicts: [verdict('pass'), verdict('revise')] };
    expect(VerdictsDocument.parse(verdictsDocument(data))).toEqual({ ...data, outcome: 'revise' });
  });

  it('are written as JSON that loses nothing and hides nothing', () => {
    const value = { text: 'a\u202eb\u009b31m\u{e0041}\x1b"ü漢' };
    const json = renderJson(value);
    expect(JSON.parse(json)).toEqual(value);
    expect(json).toMatch(/^[\n\x20-\x7eü漢]*$/);
  });
});
