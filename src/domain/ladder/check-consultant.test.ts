import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { ConsultantAnswer } from '../facts/consultation.ts';
import { CONSULTANT_ACTIONS } from '../plan/escalation-settings.ts';
import { type ConsultantCase, checkConsultant } from './check-consultant.ts';

const CASE: ConsultantCase = {
  purpose: 'decide',
  plan: samplePlan(['01-plan', '02-draft', '03-build', '04-check'].map((id) => samplePhase(id))),
  actions: CONSULTANT_ACTIONS.slice(),
  switches: [
    { name: 'fast', kind: 'model', tried: true },
    { name: 'strong', id: 'vendor-strong-1', kind: 'model', tried: false },
    { name: 'other', kind: 'agent', tried: false },
  ],
  skills: ['pandas', 'csv'],
  targets: ['02-draft', '01-plan'],
  spec: undefined,
};

type Parts = Partial<Omit<ConsultantAnswer, 'decision'>> & Partial<ConsultantAnswer['decision']>;

function answer({ options, question, analysis, ...decision }: Parts): ConsultantAnswer {
  return ConsultantAnswer.parse({
    analysis: analysis ?? { failure_summary: 'it fails', root_cause: 'the wrong library', learning: 'use pandas' },
    decision: { action: 'retry_with_changes', ...decision },
    ...(options && { options }),
    ...(question && { question }),
  });
}

const check = (parts: Parts, more: Partial<ConsultantCase> = {}) =>
  checkConsultant(answer(parts), { ...CASE, ...more });
const back = (task: string | number | null) => ({ plan_revert: { enabled: true, revert_to_task: task } });
const offer = (more: object) => ({ options: [{ description: 'do it', effort: 'low', ...more }] });
const SPEC = { value: { title: 'Export', limits: { rows: 5 }, criteria: ['opens in Excel'] } };

describe('what a consultant may do by itself', () => {
  it('is trying again with all it wants changed', () => {
    const wanted = {
      model_switch: { from: 'fast', to: 'strong', reasoning: 'it knows pandas' },
      additional_hints: ['use to_csv'],
      additional_skills: ['csv', 'csv'],
      spec_updates: { criteria: 'has a BOM' },
    };
    expect(check(wanted)).toEqual({
      outcome: 'retry',
      changes: { model: 'strong', hints: ['use to_csv'], skills: ['csv'], spec: { criteria: ['has a BOM'] } },
    });
    expect(check({})).toEqual({ outcome: 'retry', changes: {} });
    expect(check({ model_switch: null, plan_revert: null, additional_hints: null, spec_updates: null })).toEqual({
      outcome: 'retry',
      changes: {},
    });
  });

  it('is switching to a model by the name its provider has for it, or to an agent', () => {
    expect(check({ model_switch: { to: 'vendor-strong-1' } })).toEqual({
      outcome: 'retry',
      changes: { model: 'strong' },
    });
    expect(check({ model_switch: { to: 'other' } })).toEqual({ outcome: 'retry', changes: { agent: 'other' } });
  });

  it.each([2, '2', '02-draft'])('is going back to a finished phase, by its place or its id: %j', (task) => {
    for (const action of ['revert', 'retry_with_changes'] as const)
      expect(check({ action, ...back(task) })).toEqual({ outcome: 'revert', changes: {}, target: '02-draft' });
  });

  it('is not going back where it says so itself', () => {
    expect(check({ plan_revert: { enabled: false, revert_to_task: 2 } })).toEqual({ outcome: 'retry', changes: {} });
  });
});

describe('refused is', () => {
  it.each<[string, Parts, RegExp, Partial<ConsultantCase>?]>([
    ['a model nobody allowed', { model_switch: { to: 'gpt-99' } }, /"gpt-99" is not in the list.*yet: strong, other$/],
    ['a model that was tried', { model_switch: { to: 'fast' } }, /"fast" was tried before/],
    ['a switch without the right to', { model_switch: { to: 'strong' } }, /do not allow/, { actions: [] }],
    ['a phase that is not there', back('99'), /"99" is no phase of the plan; possible: 02-draft, 01-plan/],
    ['the phase itself', back(3), /3 is not a finished phase before this one/],
    ['a later phase', back('04-check'), /is not a finished phase before/],
    ['a revert to nothing', back(null), /nothing is no phase/],
    ['a revert that is not asked for', { action: 'revert' }, /plan_revert with enabled: true/],
    ['a revert that is switched off', { action: 'revert', plan_revert: { enabled: false } }, /enabled: true/],
    ['a revert without the right to', back(1), /do not allow/, { actions: ['hints'] }],
    ['21 hints', { additional_hints: Array(21).fill('x') }, /21 hints, at most 20/],
    ['a hint of 1001 characters', { additional_hints: ['x'.repeat(1001)] }, /longer than 1000/],
    ['hints of 4097 bytes', { additional_hints: Array(9).fill('ü'.repeat(228)) }, /4104 bytes all together/],
    ['10 MB of hints', { additional_hints: ['x'.repeat(10_000_000)] }, /longer than 1000/],
    ['an empty hint', { additional_hints: [' '] }, /one is empty/],
    ['hints without the right to', { additional_hints: ['x'] }, /do not allow/, { actions: ['skills'] }],
    ['a skill that does not exist', { additional_skills: ['csv', 'magic'] }, /\["magic"\] do not exist; .*pandas, csv/],
    ['skills without the right to', { additional_skills: ['csv'] }, /do not allow/, { actions: ['hints'] }],
    ['additions without the right to', { spec_updates: { a: 'b' } }, /do not allow/, { actions: ['hints'] }],
    ['a place that is none', { spec_updates: { '../a': 'b' } }, /"..\/a" is no place/],
    ['a place every object has', { spec_updates: { constructor: 'b' } }, /"constructor" is no place/],
    ['a place too long', { spec_updates: { ['a'.repeat(201)]: 'b' } }, /is no place/],
    ['a place too deep', { spec_updates: { a: nested(12) } }, /is no place/],
    ['too many additions', { spec_updates: { a: Array(51).fill('b') } }, /more than 50 entries/],
    ['an addition too long', { spec_updates: { a: 'b'.repeat(1001) } }, /longer than 1000/],
    ['additions too long together', { spec_updates: { a: Array(9).fill('b'.repeat(999)) } }, /more than 8192 bytes/],
    ['additions too long with their places', { spec_updates: wide(45) }, /more than 8192 bytes/],
    ['too many places', { spec_updates: wide(51) }, /more than 50 entries/],
    ['an option with a bad model', { action: 'ask_human', ...offer({ model: 'fast' }) }, /options\[0\].*tried before/],
    ['an option with a bad phase', { action: 'ask_human', ...offer({ revert_to_task: 4 }) }, /options\[0\]: revert/],
    ['an option with long guidance', offer({ guidance: 'x'.repeat(4097) }), /options\[0\]: its guidance/],
  ])('%s', (_, parts, reason, more = {}) => {
    const result = check(parts, more);
    expect(result).toHaveProperty('refused');
    expect('refused' in result && result.refused.join('\n')).toMatch(reason);
    expect(JSON.stringify(result).length).toBeLessThan(2000);
  });

  it('an answer as a whole, with all that is wrong with it', () => {
    const result = check({ model_switch: { to: 'x' }, additional_skills: ['y'], ...back('z') });
    expect('refused' in result && result.refused).toHaveLength(3);
  });

  it('what is wrong with advice, too', () => {
    expect(check({ model_switch: { to: 'fast' } }, { purpose: 'advise' })).toHaveProperty('refused');
  });
});

/** Short texts at long places. */
function wide(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${'p'.repeat(190)}${n}`, 'x']));
}

function nested(depth: number): unknown {
  return depth === 0 ? 'x' : { a: nested(depth - 1) };
}

describe('the specification', () => {
  it.each<[string, Record<string, unknown>, Record<string, string[]>]>([
    ['a list gets longer', { criteria: ['has a BOM', 'opens in Excel'] }, { criteria: ['has a BOM'] }],
    ['what is not there yet', { 'limits.columns': 7, 'a.b': ['c'] }, { 'limits.columns': ['7'], 'a.b': ['c'] }],
    ['maps stand for paths', { limits: { columns: 'seven' } }, { 'limits.columns': ['seven'] }],
    ['what stands there already', { title: 'Export', 'limits.rows': '5' }, {}],
  ])('may be added to: %s', (_, spec_updates, added) => {
    const spec = Object.keys(added).length > 0 ? { spec: added } : {};
    expect(check({ spec_updates }, { spec: SPEC })).toEqual({ outcome: 'retry', changes: spec });
  });

  it.each<[string, Record<string, unknown>]>([
    ['a criterion is deleted', { criteria: null }],
    ['a criterion is emptied', { criteria: [] }],
    ['a text is emptied', { title: '' }],
    ['an entry is emptied', { criteria: ['new', ' '] }],
    ['a value changes', { 'limits.rows': 3 }],
    ['an entry of a list changes', { 'criteria[0]': 'opens somewhere' }],
    ['a map gives way to a text', { limits: 'none' }],
    ['a text gives way to a map', { 'title.short': 'x' }],
    ['a removal is asked for', { criteria: { remove: ['opens in Excel'] } }],
    ['a removal is asked for by a path', { 'criteria.remove': 'opens in Excel' }],
    ['a replacement is asked for', { criteria: { add: ['x'], replace: { 'opens in Excel': 'opens' } } }],
  ])('is not changed by anybody but a human: %s', (_, spec_updates) => {
    const result = check({ spec_updates, additional_hints: ['h'] }, { spec: SPEC });
    expect(result).toMatchObject({ outcome: 'ask', changes: {} });
    const { question, options } = ('advice' in result && result.advice) || { options: [] };
    expect(question).toContain('would change the specification');
    expect(options.map(({ decision }) => decision)).toEqual([
      { action: 'retry', changes: expect.objectContaining({ hints: ['h'] }) },
      { action: 'retry', changes: { hints: ['h'] } },
    ]);
    const { spec, override } = options[0]?.decision.changes ?? {};
    expect(Object.keys({ ...spec, ...override })).not.toEqual([]);
    expect(options.some(({ recommended }) => recommended)).toBe(false);
  });

  it('knows acceptance criteria wherever they stand', () => {
    const spec = { value: { acceptance_criteria: ['opens in Excel'] } };
    const path = 'implementation.acceptance_criteria';
    const added = check({ spec_updates: { [path]: ['opens in Excel', 'has a BOM'] } }, { spec });
    expect(added).toMatchObject({ outcome: 'retry', changes: { spec: { [path]: ['has a BOM'] } } });
    expect(check({ spec_updates: { [path]: [] } }, { spec })).toMatchObject({ outcome: 'ask' });
  });

  it.each([
    'implementation.acceptance_criteria_remove',
    'removed_criteria',
    'criteria-deletions',
    'weakened',
    'acceptanceCriteriaDropped',
    'implementation.relaxedLimits.rows',
    'criteria without',
    'skip_checks',
    'ignoredFindings',
    'excludes',
    'criteria.toReplace',
    'ｒｅｍｏｖｅ',
    'zu_entfernen',
    'kriterienLöschen',
    'gestrichen',
    'ersetzt',
    'gelockert.grenzen',
  ])('is not added to under a name that takes something away: %s', (path) => {
    for (const spec of [SPEC, undefined])
      expect(check({ spec_updates: { [path]: ['opens in Excel'] } }, { spec })).toMatchObject({ outcome: 'ask' });
  });

  it.each([
    'remove the first criterion',
    '- Delete: opens in Excel',
    'please drop the limit',
    'No longer has to open in Excel',
    'opening in Excel is no longer required',
    'entfällt',
    'Das Kriterium 1 entfällt',
    'Streiche das erste Kriterium',
    'lockere die Grenze',
  ])('is not added to with words that take something away: %s', (text) => {
    for (const spec of [SPEC, undefined])
      expect(check({ spec_updates: { criteria: ['has a BOM', text] } }, { spec })).toMatchObject({ outcome: 'ask' });
  });

  it.each<[string, string]>([
    ['criteria', 'the user can remove a row'],
    ['criteria', 'the export no longer than 5 s'],
    ['dropdown.entries', 'are sorted'],
    ['limits.sunset', 'at six'],
    ['limits.columns', 'undefined'],
  ])('is added to by what only sounds like less: %s: %s', (path, text) => {
    const changes = { spec: { [path]: [text] } };
    expect(check({ spec_updates: { [path]: text } }, { spec: SPEC })).toEqual({ outcome: 'retry', changes });
  });

  it('that already has such words is not changed by them', () => {
    const spec = { value: { criteria: ['remove blank rows'] } };
    expect(check({ spec_updates: { criteria: ['remove blank rows', 'x'] } }, { spec })).toEqual({
      outcome: 'retry',
      changes: { spec: { criteria: ['x'] } },
    });
  });

  it('that nobody can read is not added to without a human', () => {
    expect(check({ spec_updates: { a: 'b' } }, { spec: 'unreadable' })).toMatchObject({ outcome: 'ask' });
    expect(check({ spec_updates: { a: 'b' } }, { spec: undefined })).toMatchObject({ outcome: 'retry' });
    expect(check({ spec_updates: { a: null } }, { spec: undefined })).toMatchObject({ outcome: 'ask' });
  });

  it('is changed before a revert as before another try', () => {
    const result = check({ action: 'revert', ...back(1), spec_updates: { title: 'x' } }, { spec: SPEC });
    expect(result).toMatchObject({
      advice: { options: [{ decision: { action: 'revert', phase: '01-plan' } }, { decision: { action: 'revert' } }] },
    });
  });
});

describe('a human is asked', () => {
  it("with the consultant's analysis, question and options", () => {
    const options = [
      { description: 'split it', effort: 'medium', consultant_recommendation: true, guidance: 'only the first half' },
      { description: 'start over', effort: 'high', revert_to_task: 1, model: 'other' },
      { description: 'keep it small', effort: 'low' },
    ];
    expect(check({ action: 'ask_human', options, question: 'How?' })).toEqual({
      outcome: 'ask',
      changes: {},
      advice: {
        analysis: { problem: 'it fails', suspected_cause: 'the wrong library', learning: 'use pandas' },
        question: 'How?',
        options: [
          {
            ...{ description: 'split it', effort: 'medium', recommended: true },
            decision: { action: 'retry', guidance: 'only the first half' },
          },
          {
            ...{ description: 'start over', effort: 'high', recommended: false },
            decision: { action: 'revert', phase: '01-plan', guidance: 'start over', changes: { agent: 'other' } },
          },
          {
            ...{ description: 'keep it small', effort: 'low', recommended: false },
            decision: { action: 'retry', guidance: 'keep it small' },
          },
        ],
      },
    });
  });

  it('whatever a consultant answers who is only to advise: what it would do is an option', () => {
    const result = check(
      { additional_hints: ['h'], model_switch: { to: 'strong' }, ...back(2) },
      { purpose: 'advise' },
    );
    expect(result).toMatchObject({
      outcome: 'ask',
      changes: {},
      advice: {
        options: [
          {
            description:
              'Do what the consultant would do: go back to phase 02-draft, switch to the model strong, give the agent 1 hint',
            recommended: true,
            decision: { action: 'revert', phase: '02-draft', changes: { model: 'strong', hints: ['h'] } },
          },
        ],
      },
    });
    expect(check({}, { purpose: 'advise' })).toMatchObject({ outcome: 'ask', advice: { options: [] } });
  });
});
