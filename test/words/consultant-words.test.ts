import { describe, expect, it } from 'vitest';
import { ToldProject } from './told-project.ts';

const GATE = { type: 'files_exist', max_retries: 2, files: ['a.txt'] };
const ANALYSIS = { failure_summary: 'it fails', root_cause: 'unclear', attempts_analyzed: 2 };

/** ADR-004's consultant-decision.json, as it is printed there. */
const PRINTED = {
  timestamp: '2025-12-21T15:30:00Z',
  analysis: {
    failure_summary: 'Developer konnte CSV-Export nicht korrekt implementieren',
    root_cause: 'Model hat pandas nicht richtig genutzt, zu komplexer Ansatz',
    attempts_analyzed: 3,
  },
  decision: {
    action: 'retry_with_changes',
    model_switch: {
      from: 'openai/gpt-4o',
      to: 'anthropic/claude-sonnet-4',
      reasoning: 'Claude ist besser für Python/Pandas Code',
    },
    plan_revert: {
      enabled: true,
      revert_to_task: 5,
      current_task: 10,
      reasoning: 'Ab Task 5 war der Ansatz falsch, muss neu gemacht werden',
    },
    additional_hints: [
      'Nutze pandas.DataFrame.to_csv() direkt',
      'Keine eigene CSV-Serialisierung implementieren',
      'Encoding muss UTF-8 mit BOM sein für Excel',
    ],
    spec_updates: {
      'implementation.acceptance_criteria': ['CSV muss mit Excel öffenbar sein (UTF-8 BOM)'],
    },
    additional_skills: ['python-pandas', 'csv-excel-compat'],
  },
  expected_outcome: 'Mit Claude und dem vereinfachten Ansatz sollte es funktionieren',
  confidence: 0.8,
};

const skill = (name: string) => ({
  [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: how to ${name}\n---\n\nDo it.\n`,
});
const MODELS = JSON.stringify({
  escalation: {
    levels: {
      stufe_1: {
        actions: [
          { type: 'model_switch', models: ['anthropic/claude-sonnet-4'] },
          { type: 'plan_revert' },
          { type: 'hints' },
          { type: 'spec_updates' },
          { type: 'skills' },
        ],
      },
    },
  },
});

describe('a consultant’s answer', () => {
  it('as ADR-004 prints it is accepted word for word', async () => {
    const before = Array.from({ length: 9 }, (_, n) => ({
      id: `task-${n + 1}`,
      type: 'development',
      output: ['x.txt'],
    }));
    const project = new ToldProject({
      phases: [...before, { id: 'task-10', type: 'development', quality_gate: { ...GATE, max_retries: 1 } }],
      script: { 'task-10': [{ writes: { 'b.txt': 'b' } }, { writes: { 'a.txt': 'a' } }] },
      roles: { consultant: [{ answer: PRINTED }] },
      files: { 'config/escalation.yaml': MODELS, ...skill('python-pandas'), ...skill('csv-excel-compat') },
    });
    const state = await project.start();
    expect(state.ended?.status).toBe('passed');
    const given = JSON.parse(project.file('phases/task-10/escalation/stufe-1/consultant-decision.json'));
    const { timestamp: _when, ...rest } = PRINTED;
    expect(given).toMatchObject({ ...rest, outcome: 'revert' });
    expect(project.brief('task-5', 2)).toContain('Ab Task 5 war der Ansatz falsch');
    expect(project.brief('task-10', 2)).toContain('CSV muss mit Excel öffenbar sein (UTF-8 BOM)');
    expect(project.brief('task-10', 2)).toContain('Encoding muss UTF-8 mit BOM sein für Excel');
  });

  it.each([
    [
      'that wants what is not there',
      { analysis: ANALYSIS, decision: { action: 'retry_with_changes', model_switch: { to: 'BADGER-MODEL' } } },
    ],
    ['that is none at all', { nonsense: 'BADGER-MODEL' }],
  ])('%s is kept where a person can read it', async (_, answer) => {
    const project = new ToldProject({
      phases: [{ id: 'one', type: 'development', quality_gate: { ...GATE, max_retries: 1 } }],
      script: { one: [{ writes: { 'b.txt': 'b' } }] },
      roles: { consultant: [{ answer }] },
    });
    const state = await project.start();
    expect(state.requests.size).toBe(1);
    const [first = ''] = await project.consultations('one');
    const kept = JSON.parse(project.file(`phases/one/escalation/stufe-1/consultations/${first}/refused-answer.json`));
    expect(kept).toMatchObject({ phase: 'one', consultation: first, reasons: [expect.any(String)] });
    expect(kept.answer).toContain('BADGER-MODEL');
    expect(project.file('phases/one/escalation/stufe-2/attachments/consultant-analysis.md')).toContain(
      'refused-answer.json',
    );
  });
});

describe('a consultant is told', () => {
  const phases = [
    { id: 'spec', type: 'planning', output: ['spec.yaml'] },
    { id: 'build', type: 'development', description: 'PANDA-TASK', quality_gate: GATE },
    { id: 'ship', type: 'deploy', input: { from_phase: 'build', files: ['KIWI-NEEDED.txt'] }, output: ['shipped.txt'] },
  ];
  const ask = { analysis: ANALYSIS, decision: { action: 'ask_human' } };
  const add = {
    analysis: ANALYSIS,
    decision: {
      action: 'retry_with_changes',
      additional_hints: ['IBEX-HINT'],
      spec_updates: { notes: ['HERON-NOTE'] },
    },
  };
  const script = {
    spec: [{ writes: { 'spec.yaml': 'acceptance_criteria: [FINCH-CRITERION]\n' } }],
    build: [{ prints: 'MAGPIE-CLAIM: all done', writes: { 'b.txt': 'STORK-CHANGE\n' } }],
  };

  it('what was asked, where the phase stands, by what it is judged, what is left, and what was tried', async () => {
    const project = new ToldProject({
      phases,
      script,
      plan: { budget: { usd: 7.5, minutes: 30 } },
      roles: { consultant: [{ answer: add }, { answer: ask }] },
      files: { 'request.md': 'ZEBRA-REQUEST, please' },
    });
    await project.start();
    const [first = '', second = ''] = await project.consultantBriefs('build');
    for (const brief of [first, second]) {
      for (const word of [
        'ZEBRA-REQUEST',
        'FINCH-CRITERION',
        'PANDA-TASK',
        'STORK-CHANGE',
        'a.txt is missing',
        '7.50 USD',
      ])
        expect(brief).toContain(word);
      expect(brief).toMatch(/These files must exist: `a\.txt`/);
      expect(brief).toMatch(/phase 2 of 3/);
      expect(brief).toMatch(/ship.*KIWI-NEEDED\.txt/);
      expect(brief).toMatch(/claims?[^\n]*:\n\n```text\n[^`]*MAGPIE-CLAIM/);
      expect(brief).toMatch(/\b(29\.\d|30(\.0)?) minutes/);
    }
    for (const word of ['HERON-NOTE', 'IBEX-HINT'])
      expect([first.includes(word), second.includes(word)]).toEqual([false, true]);
  });

  it('the findings of every attempt, however many there were', async () => {
    const project = new ToldProject({
      phases: [{ id: 'one', type: 'development', quality_gate: { ...GATE, max_retries: 16, files: ['never.txt'] } }],
      script: { one: Array.from({ length: 16 }, (_, n) => ({ writes: { 'b.txt': `${n}` } })) },
      roles: { consultant: [{ answer: ask }] },
    });
    await project.start();
    const [brief = ''] = await project.consultantBriefs('one');
    for (let n = 1; n <= 16; n += 1)
      expect(brief).toMatch(new RegExp(`attempt ${n}\\b[^#]*never\\.txt is missing`, 'i'));
  });

  it('what humans said, and why work came back', async () => {
    const project = new ToldProject({ phases, script, roles: { consultant: [{ answer: ask }] } });
    await project.start();
    await project.decide({ option: await project.option('retry'), comment: 'ZEBRA-GUIDANCE' });
    await project.decide({ option: await project.option('revert'), phase: 'spec', comment: 'ZEBRA-BACK' });
    const last = (await project.consultantBriefs('build')).at(-1) ?? '';
    for (const word of ['ZEBRA-GUIDANCE', 'ZEBRA-BACK']) expect(last).toContain(word);
  });

  it('what failed before anybody worked', async () => {
    const test = 'node check.mjs';
    const project = new ToldProject({
      plan: { workspace: 'repo' },
      phases: [
        {
          id: 'one',
          type: 'development',
          quality_gate: { type: 'custom', command: ['node', 'check.mjs'], max_retries: 1 },
        },
      ],
      script: { one: [{ writes: { 'b.txt': 'b' } }] },
      roles: { consultant: [{ answer: ask }] },
      files: { 'repository/check.mjs': 'process.exit(1)\n' },
    });
    await project.start();
    const [brief = ''] = await project.consultantBriefs('one');
    expect(brief).toMatch(new RegExp(`before anybody worked[^#]*${test}`));
  });
});
