import { describe, expect, it } from 'vitest';
import {
  accepted,
  answered,
  asked,
  consulted,
  ended,
  finished,
  HOSTILE,
  judged,
  missing,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../test/sample-run.ts';
import { RunDocument, SummaryDocument } from '../domain/documents/documents.ts';
import { MetricsDocument } from '../domain/documents/metrics-document.ts';
import type { NewEvent } from '../domain/facts/run-event.ts';
import { metricsDocument } from './approval/metrics.ts';
import { factsOfRun } from './approval/metrics-facts.ts';
import { renderMetrics } from './approval/metrics-text.ts';
import { renderHtml } from './html/html.ts';
import { renderEvent } from './run/event-text.ts';
import { runDocument } from './run/run-document.ts';
import { renderStatus } from './run/status-text.ts';
import { summaryDocument } from './run/summary.ts';
import { first, plan, stuck } from './two-phases.fixture.ts';

const view = { owned: false, width: 120, paint: (_style: unknown, text: string) => text };

function overruled(reason: string): NewEvent {
  const override = { request: 'r1-q1', actor: 'ann', reason };
  return { type: 'phase_accepted', data: { phase: '02-second', attempt: 3, tree: 't1', override } };
}

function acceptedByHuman(reason: string): NewEvent[] {
  return [...first, ...stuck, asked('02-second'), answered('A', 'accept', reason), overruled(reason), ended('passed')];
}

describe('work that was accepted by override', () => {
  const run = sampleRun(plan, acceptedByHuman('good enough for the demo'));
  const told = 'accepted by override (ann: good enough for the demo)';

  it('is listed with who did it, when and why, and its verdict stays what it was', () => {
    const at = run.state.requests.get('r1-q1')?.answer?.at;
    const overrides = [{ phase: '02-second', request: 'r1-q1', actor: 'ann', at, reason: 'good enough for the demo' }];
    const document = RunDocument.parse(runDocument(run.state, false));
    expect(document).toMatchObject({ overrides, phases: [{ verdict: 'pass' }, { verdict: 'reject' }] });
    expect(SummaryDocument.parse(summaryDocument(run.state))).toMatchObject({ overrides });
  });

  it('is not listed any more once it was reverted', () => {
    const back: NewEvent = {
      type: 'plan_reverted',
      data: { phase: '02-second', target: '01-first', voided: ['01-first', '02-second'], by: 'human' },
    };
    const { state } = sampleRun(plan, [...acceptedByHuman('x').slice(0, -1), back]);
    expect(runDocument(state, false).overrides).toEqual([]);
  });

  it('is told in the status, in the line of its fact and in the report, never as passed', () => {
    const line = renderStatus(run.state, view)
      .split('\n')
      .find((each) => each.includes('02-second'));
    expect(line).toMatch(/^! 02-second +override .*accepted by override \(ann: good enough for the demo\)$/);
    expect(renderStatus(run.state, view)).toContain('with 1 override');
    expect(renderEvent(overruled('good enough for the demo'), plan)).toBe(`02-second  ${told} with attempt 3`);
    const html = renderHtml(run.state, run.events);
    expect(html).toContain('Passed, with 1 override');
    expect(html).toContain('1 of 2, 1 by override');
    expect(html).toContain('<span class="override">accepted by override</span>');
    expect(html).toContain(`<b class="override">${told}</b>`);
  });

  it('is shown safely, whatever the reason says', () => {
    const hostile = sampleRun(plan, acceptedByHuman(HOSTILE));
    expect(renderStatus(hostile.state, view)).not.toMatch(/[^\n\P{Cc}]/u);
    expect(renderHtml(hostile.state, hostile.events)).not.toContain('<script>');
  });
});

describe('what happens above the attempts', () => {
  const decided = consulted('02-second', {
    changes: { model: 'two', hints: ['h'] },
    outcome: 'revert',
    target: '01-first',
  });
  const back: NewEvent = {
    type: 'plan_reverted',
    data: { phase: '02-second', target: '01-first', voided: ['01-first', '02-second'], by: 'consultant' },
  };
  const again = [...tried('01-first', 2, verdict('pass')), accepted('01-first', 2)];
  const own = [
    started('02-second', 4, { agent: 'human', manual: true }),
    finished('02-second', 4),
    judged('02-second', 4, verdict('reject', [missing()])),
  ];
  const run = sampleRun(plan, [...first, ...stuck, ...decided, back, ...again, ...own, asked('02-second')]);

  it('is in the report: consultations, what they changed, reverts and own changes', () => {
    const html = renderHtml(run.state, run.events);
    for (const text of [
      'consultant</b> (adviser) asked: its gate files_exist failed 3 times. Decided: back to 01-first, model two, 1 hint.',
      'the brief names no file',
      'reverted</b> by a consultant: went back to 01-first',
      'done again: 02-second went back to 01-first',
      'a human&#39;s own change',
      'attempt 4 by hand: reject',
    ])
      expect(html).toContain(text);
  });

  it('is counted in the metrics, and an own change is no work of an agent', () => {
    const document = MetricsDocument.parse(metricsDocument(factsOfRun('r1', run.events), { runs: 1, unreadable: [] }));
    expect(document.ladder).toEqual({ interventions: 1, reverts: 1, questions: 1, ownChanges: 1, overrides: 0 });
    expect(document.phases.find(({ phase }) => phase === '02-second')?.attempts).toBe(3);
    expect(document.simulated).toBe(true);
    const text = renderMetrics(document, (_style, each) => each);
    expect(text).toContain('decided by consultants: 1');
    expect(text).not.toContain('accepted by override');
  });

  it('is told while it lasts', () => {
    const [began] = consulted('02-second');
    const { state } = sampleRun(plan, [...first, ...stuck, ...(began ? [began] : [])]);
    expect(renderStatus(state, { ...view, owned: true })).toContain('a consultant is asked');
  });
});
