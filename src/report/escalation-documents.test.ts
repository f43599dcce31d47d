import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  accepted,
  answered,
  asked,
  consulted,
  finished,
  HOSTILE,
  interrupted,
  judged,
  missing,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../test/sample-run.ts';
import {
  ConsultantDecisionDocument,
  HilRequestDocument,
  ResolutionDocument,
  TriggerDocument,
  UpdatedConfigDocument,
  UserDecisionDocument,
} from '../domain/documents/escalation-documents.ts';
import type { NewEvent, RunEvent } from '../domain/facts/run-event.ts';
import type { RequestState, RunState } from '../domain/facts/run-state.ts';
import { consultantAnalysis } from './ladder/consultant-analysis.ts';
import { consultantDecision } from './ladder/consultant-decision.ts';
import { hilRequest } from './ladder/hil-request.ts';
import { resolution } from './ladder/resolution.ts';
import { consultantTrigger, trigger } from './ladder/trigger.ts';
import { renderUpdatedConfig, updatedConfig } from './ladder/updated-config.ts';
import { isTaken, readUserDecision, userDecision } from './ladder/user-decision.ts';
import { type ConsultationRecord, consultationHistory } from './run/consultations.ts';
import { first, plan, stuck } from './two-phases.fixture.ts';

type Run = { readonly state: RunState; readonly events: readonly RunEvent[] };

function requestOf({ state }: Run, id = 'r1-q1'): RequestState {
  const request = state.requests.get(id);
  if (request === undefined) throw new TypeError(`no request ${id}`);
  return request;
}

function consultationsOf({ events }: Run): ConsultationRecord[] {
  return consultationHistory(events).get('02-second') ?? [];
}

function lastConsultation(run: Run): ConsultationRecord {
  const last = consultationsOf(run).at(-1);
  if (last === undefined) throw new TypeError('no consultation');
  return last;
}

/** The names of all fields, as ADR-004 writes them. */
function fields(value: unknown, below = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => [`${below}${name}`, ...fields(each, `${below}${name}.`)]);
}

describe('the request to a human', () => {
  const switched = [
    started('02-second', 2, { model: 'two' }),
    finished('02-second', 2),
    judged('02-second', 2, verdict('reject', [missing()])),
  ];
  const facts = [...first, ...tried('02-second', 1, verdict('reject', [missing()])), ...switched, asked('02-second')];

  it('has the fields of ADR-004, drawn from what happened', () => {
    const run = sampleRun(plan, facts);
    const request = HilRequestDocument.parse(hilRequest(run.state, requestOf(run), run.events));
    expect(request).toMatchObject({ project_id: 'hello', phase: '02-second', run: 'r1', level: 'stufe-2' });
    expect(fields({ ...request, options: [] })).toEqual(
      expect.arrayContaining([
        ...['timestamp', 'project_id', 'phase', 'options', 'question_for_user'],
        ...['total_attempts', 'stufe_1_interventions', 'models_tried', 'time_spent_minutes'].map((n) => `summary.${n}`),
        ...['problem', 'suspected_cause', 'learning'].map((n) => `consultant_analysis.${n}`),
        ...['full_logs', 'code_attempts', 'consultant_transcript'].map((n) => `attachments.${n}`),
      ]),
    );
    expect(request.summary).toEqual({
      total_attempts: 2,
      stufe_1_interventions: 0,
      models_tried: ['scripted', 'two'],
      time_spent_minutes: 0.1,
    });
    expect(request.consultant_analysis.problem).toBe('files_exist: output/x.md is missing');
    expect(request.consultant_analysis.suspected_cause).toContain('No consultant was asked');
    expect(request.options[0]).toEqual({
      id: 'A',
      effect: '02-second tries again',
      description: 'Try again',
      effort: 'low',
      decision: { action: 'retry' },
    });
    expect(request.attachments).toEqual({
      full_logs: '.helix/runs/r1/phases/02-second/logs/',
      code_attempts: '.helix/runs/r1/phases/02-second/escalation/stufe-2/attachments/all-attempts.zip',
      consultant_transcript: '.helix/runs/r1/phases/02-second/escalation/stufe-2/attachments/consultant-analysis.md',
    });
  });

  it('counts what the consultant did, and recommends only what the consultant recommends', () => {
    const options = [true, false].flatMap((recommended, index) => [
      { id: `A${index}`, description: 'x', effort: 'low', recommended, decision: { action: 'retry' as const } },
      ...[
        { id: `B${index}`, description: 'x', effort: 'low', recommended, decision: { action: 'retry' as const } },
      ].map((option) => ({ ...option, by: 'consultant' as const })),
    ]);
    const analysis = { problem: 'p', suspected_cause: 's', learning: 'l' };
    const facts = [...first, ...stuck, ...consulted('02-second'), asked('02-second', { options, analysis })];
    const run = sampleRun(plan, facts);
    const request = HilRequestDocument.parse(hilRequest(run.state, requestOf(run), run.events));
    expect(request.summary).toMatchObject({ stufe_1_interventions: 1, time_spent_minutes: 0.3 });
    expect(request.consultant_analysis).toEqual(analysis);
    expect(request.options.map(({ consultant_recommendation }) => consultant_recommendation)).toEqual([
      undefined,
      true,
      undefined,
      undefined,
    ]);
  });

  it('takes what a consultant said earlier where nobody advised', () => {
    const run = sampleRun(plan, [...first, ...stuck, ...consulted('02-second'), asked('02-second')]);
    const { consultant_analysis } = hilRequest(run.state, requestOf(run), run.events);
    expect(consultant_analysis.suspected_cause).toBe('the brief names no file');
  });

  it('says why the consultant was of no use', () => {
    const [began] = consulted('02-second');
    const refused: NewEvent = {
      type: 'consultation_refused',
      data: {
        ...{ phase: '02-second', attempt: 3, consultation: 'c1', purpose: 'decide' },
        reasons: ['there is no model nine'],
        durationMs: 1,
      },
    };
    const run = sampleRun(plan, [...first, ...stuck, ...(began ? [began] : []), refused, asked('02-second')]);
    const document = hilRequest(run.state, requestOf(run), run.events);
    expect(document.consultant_analysis.suspected_cause).toContain('there is no model nine');
    expect(consultantAnalysis(document, consultationsOf(run))).toContain('there is no model nine');
  });

  it("does not count a human's own change among the models", () => {
    const own = started('02-second', 3, { agent: 'human', manual: true });
    const run = sampleRun(plan, [...facts.slice(0, -1), own, finished('02-second', 3), asked('02-second')]);
    expect(hilRequest(run.state, requestOf(run), run.events).summary.models_tried).toEqual(['scripted', 'two']);
  });

  it('does not change with what happens after the question', () => {
    const before = sampleRun(plan, facts);
    const later = sampleRun(plan, [
      ...facts,
      answered('A', 'retry'),
      ...tried('02-second', 3, verdict('reject', [])),
      ...consulted('02-second'),
    ]);
    for (const render of [
      (run: Run) => hilRequest(run.state, requestOf(run), run.events),
      (run: Run) => trigger(requestOf(run), run.events),
    ])
      expect(render(later)).toEqual(render(before));
  });

  it('comes with a trigger and an analysis that says nobody analysed anything', () => {
    const run = sampleRun(plan, facts);
    expect(TriggerDocument.parse(trigger(requestOf(run), run.events))).toEqual({
      timestamp: requestOf(run).askedAt,
      ...{ phase: '02-second', level: 'stufe-2', attempts: 2, reason: expect.any(String), findings: [missing()] },
    });
    const because = 'Phase 02-second is stuck: its gate files_exist failed 2 times.';
    expect(trigger({ ...requestOf(run), because }, run.events).reason).toBe(because);
    const document = hilRequest(run.state, requestOf(run), run.events);
    expect(consultantAnalysis(document, [])).toContain('No consultant was asked about this phase.');
  });

  it('names the interruption when nothing could be judged', () => {
    const cut = interrupted('01-first', 1, { failure: 'auth', message: 'please\x1b[31m log in' });
    const run = sampleRun(plan, [started('01-first'), cut, asked('01-first', { reason: 'blocked' })]);
    const request = hilRequest(run.state, requestOf(run), run.events);
    expect(request.consultant_analysis.problem).toBe(
      'The last attempt was interrupted: its login is missing or was refused: please log in',
    );
  });

  it('names what failed and why, however much a command said between them', () => {
    const output = ['…', ...Array.from({ length: 58 }, (_, line) => `noise ${line}`), 'ZEBRA-REASON'].join('\n');
    const finding = {
      severity: 'error',
      check: 'custom',
      message: `it ended with exit code 1:\n${output}`,
      output,
    } as const;
    const run = sampleRun(plan, [...first, ...tried('02-second', 1, verdict('reject', [finding])), asked('02-second')]);
    const request = hilRequest(run.state, requestOf(run), run.events);
    expect(request.consultant_analysis.problem).toBe('custom: it ended with exit code 1: … ZEBRA-REASON');
    expect(consultantAnalysis(request, [])).toContain('ZEBRA-REASON');
  });

  it('has no problem when a phase only asks before it starts', () => {
    const run = sampleRun(plan, [asked('01-first', { level: 'start', reason: 'start' })]);
    const request = hilRequest(run.state, requestOf(run), run.events);
    expect(request.consultant_analysis.problem).toMatch(/^None:/);
    expect(request.attachments.code_attempts).toMatch(/attachments\/$/);
  });
});

describe('what the consultant decided', () => {
  const answer = {
    analysis: { failure_summary: 'f', root_cause: 'r', learning: 'l' },
    decision: {
      action: 'revert' as const,
      model_switch: { to: 'two', reasoning: 'better' },
      plan_revert: { enabled: true, revert_to_task: 1, reasoning: 'wrong from there on' },
      additional_hints: ['hint'],
      spec_updates: { 'implementation.acceptance_criteria': ['more'] },
      additional_skills: ['pandas'],
    },
    expected_outcome: 'it works',
    confidence: 0.8,
  };
  const applied = { model: 'two', hints: ['hint'], skills: ['pandas'] };
  const decided = consulted('02-second', { answer, outcome: 'revert', changes: applied, target: '01-first' });
  const run = sampleRun(plan, [...first, ...stuck, ...decided]);

  it('has the fields of ADR-004 and what of it takes effect', () => {
    const document = ConsultantDecisionDocument.parse(consultantDecision(run.state, lastConsultation(run), run.events));
    expect(fields({ ...document, decision: { ...document.decision, spec_updates: 0 }, applied: 0 })).toEqual([
      ...['timestamp', 'run', 'phase', 'consultation'],
      ...[
        'analysis',
        'analysis.failure_summary',
        'analysis.root_cause',
        'analysis.attempts_analyzed',
        'analysis.learning',
      ],
      ...['decision', 'decision.action', 'decision.model_switch'],
      ...['from', 'to', 'reasoning'].map((name) => `decision.model_switch.${name}`),
      'decision.plan_revert',
      ...['enabled', 'revert_to_task', 'current_task', 'reasoning'].map((name) => `decision.plan_revert.${name}`),
      ...['decision.additional_hints', 'decision.spec_updates', 'decision.additional_skills'],
      ...['expected_outcome', 'confidence', 'outcome', 'applied'],
    ]);
    expect(document).toMatchObject({
      analysis: { attempts_analyzed: 3 },
      decision: { model_switch: { from: 'scripted', to: 'two' }, plan_revert: { current_task: '02-second' } },
      ...{ confidence: 0.8, outcome: 'revert', applied: { ...applied, revert_to: '01-first' } },
    });
  });

  it('has all of these fields however little the consultant says', () => {
    const short = sampleRun(plan, [...first, ...stuck, ...consulted('02-second')]);
    const document = consultantDecision(short.state, lastConsultation(short), short.events);
    expect(ConsultantDecisionDocument.parse(document)).toMatchObject({
      decision: { model_switch: null, plan_revert: { enabled: false }, spec_updates: {}, additional_skills: [] },
      ...{ expected_outcome: '', confidence: null, outcome: 'retry' },
    });
  });

  it('is not there while it thinks, and not when it was cut short', () => {
    const [began] = consulted('02-second');
    const thinking = sampleRun(plan, [...first, ...stuck, ...(began ? [began] : [])]);
    expect(consultantDecision(thinking.state, lastConsultation(thinking), thinking.events)).toBeUndefined();
  });

  it('comes with a trigger that counts what was judged before it', () => {
    const later = sampleRun(plan, [
      ...first,
      ...stuck,
      ...consulted('02-second'),
      ...tried('02-second', 4, verdict('pass')),
    ]);
    expect(TriggerDocument.parse(consultantTrigger(lastConsultation(later), later.events))).toEqual({
      timestamp: lastConsultation(later).startedAt,
      ...{ phase: '02-second', level: 'stufe-1', attempts: 3, reason: 'its gate files_exist failed 3 times' },
      findings: [missing()],
    });
  });

  it('is told to the human in words that cannot pose as anything else', () => {
    const hostile = { ...answer, analysis: { failure_summary: HOSTILE, root_cause: '# [x](http://y)\n## z' } };
    const said = consulted('02-second', { answer: hostile, changes: applied });
    const told = sampleRun(plan, [...first, ...stuck, ...said, asked('02-second')]);
    const text = consultantAnalysis(hilRequest(told.state, requestOf(told), told.events), consultationsOf(told));
    expect(text).not.toMatch(/[^\n\P{Cc}]/u);
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(2);
    expect(text).not.toContain('<script>');
    expect(text).toContain('> What takes effect: model two, 1 hint, skills pandas');
  });

  it('becomes the configuration the next attempts run with', () => {
    const [, phase] = plan.phases;
    if (phase === undefined) throw new TypeError('no phase');
    const setup = { agent: 'default', model: 'two', skills: ['own', 'pandas'] };
    const changed = { ...phase, config: { experts: ['ann'], model: 'one', skills: ['own'] } };
    const document = updatedConfig(changed, setup, { ...applied, spec: { a: ['b: c'] }, revertTo: '01-first' });
    const read: unknown = parse(renderUpdatedConfig(document));
    expect(UpdatedConfigDocument.parse(read)).toEqual({
      ...{ phase: '02-second', agent: 'default', model: 'two', experts: ['ann'], skills: ['own', 'pandas'] },
      ...{ hints: ['hint'], spec: { a: ['b: c'] }, revert_to: '01-first' },
    });
  });
});

describe('the resolution', () => {
  const waiting = [...first, ...stuck, asked('02-second')];
  const override = { request: 'r1-q1', actor: 'ann', reason: 'good enough' };
  const back: NewEvent = {
    type: 'decision_taken',
    data: { request: 'r1-q1', option: 'C', decision: { action: 'revert', phase: '01-first' }, actor: 'ann' },
  };
  const reverted: NewEvent = {
    type: 'plan_reverted',
    data: { phase: '02-second', target: '01-first', voided: ['01-first', '02-second'], by: 'human' },
  };

  it.each([
    ['in_progress', [answered('A', 'retry')]],
    ['passed', [answered('A', 'retry'), ...tried('02-second', 4, verdict('pass')), accepted('02-second', 4)]],
    ['asked_again', [answered('A', 'retry'), asked('02-second', { request: 'r1-q2' })]],
    ['aborted', [answered('B', 'abort')]],
    [
      'overridden',
      [
        answered('A', 'accept'),
        { type: 'phase_accepted', data: { phase: '02-second', attempt: 3, tree: 't1', override } },
      ],
    ],
    ['reverted', [back, reverted]],
  ] as const)('ends as %s', (outcome, facts) => {
    const run = sampleRun(plan, [...waiting, ...facts]);
    const document = ResolutionDocument.parse(resolution(run.state, requestOf(run)));
    expect(document).toMatchObject({ request: 'r1-q1', actor: 'ann', applied: true, outcome });
  });

  it.each([
    ['going back', back],
    ['taking a change', answered('A', 'take')],
  ])('is not applied before its time: %s', (_what, fact) => {
    const run = sampleRun(plan, [...waiting, fact]);
    expect(resolution(run.state, requestOf(run))).toMatchObject({ applied: false, outcome: 'in_progress' });
  });

  it('is not there before the answer', () => {
    const run = sampleRun(plan, waiting);
    expect(resolution(run.state, requestOf(run))).toBeUndefined();
  });
});

describe('a user decision', () => {
  const written = {
    timestamp: '2025-12-21T16:15:00Z',
    chosen_option: 'a',
    user_comment: 'Macht Sinn, Revision als separates Feature',
    additional_input: { spec_override: null, manual_code: null, priority_change: 'Revision-History wird P2' },
  };
  const run = sampleRun(plan, [...first, ...stuck, asked('02-second'), answered('A', 'retry', 'go on')]);

  it('is read as ADR-004 writes it', () => {
    expect(UserDecisionDocument.parse(written)).toEqual(written);
    expect(readUserDecision(`\ufeff${JSON.stringify(written)}`)).toEqual(written);
  });

  it('needs no more than the option', () => {
    expect(UserDecisionDocument.safeParse({ chosen_option: 'B', additional_input: null }).success).toBe(true);
    expect(UserDecisionDocument.safeParse({ choosen_option: 'B' }).success).toBe(false);
  });

  it('is written in the form of ADR-004, however it came', () => {
    expect(UserDecisionDocument.parse(userDecision(requestOf(run)))).toEqual({
      ...{ timestamp: requestOf(run).answer?.at, request: 'r1-q1', chosen_option: 'A', user_comment: 'go on' },
      additional_input: { spec_override: null, manual_code: null, priority_change: null },
    });
  });

  it('has what becomes more urgent apart from the comment', () => {
    const said = 'go on\nthen rest\nPriority: P2';
    const urgent = sampleRun(plan, [...first, ...stuck, asked('02-second'), answered('A', 'retry', said)]);
    const document = userDecision(requestOf(urgent));
    expect(document).toMatchObject({
      user_comment: 'go on\nthen rest',
      additional_input: { priority_change: 'P2' },
    });
    const alone = sampleRun(plan, [...first, ...stuck, asked('02-second'), answered('A', 'retry', 'Priority: P2')]);
    expect(userDecision(requestOf(alone))).toMatchObject({
      user_comment: null,
      additional_input: { priority_change: 'P2' },
    });
  });

  it('by hand is the one that was taken as long as it says the same', () => {
    const said = `${written.user_comment}\nPriority: ${written.additional_input.priority_change}`;
    const taken = requestOf(sampleRun(plan, [...first, ...stuck, asked('02-second'), answered('A', 'retry', said)]));
    expect(isTaken(taken, written)).toBe(true);
    for (const other of [
      { chosen_option: 'B' },
      { request: 'r1-q9' },
      { user_comment: 'else' },
      { additional_input: { priority_change: 'P1' } },
      { additional_input: { ...written.additional_input, manual_code: { 'a.txt': 'a' } } },
      { additional_input: { ...written.additional_input, spec_override: 'more' } },
    ]) {
      expect(isTaken(taken, { ...written, ...other }), JSON.stringify(other)).toBe(false);
    }
  });
});
