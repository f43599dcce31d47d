import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JudgeTask } from '../../src/ports/agent.ts';
import { approving, judgedText, LETTER, play, rejecting } from '../approval.fixture.ts';

/** Writes files into the directory an agent works in. */
const writing = (files: Readonly<Record<string, string>>) => (dir: string) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
};

/** The part of a brief below a heading. */
const section = (brief: string, heading: string) => brief.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const planOf = (phases: readonly unknown[], workspace = 'phase-dirs') =>
  JSON.stringify({ project: { name: 'told', type: 'feature' }, workspace, phases });

const APPROVAL = { type: 'approval', approval_type: 'tone' };
const WRITE = {
  id: 'write',
  type: 'development',
  description: 'Write the ZEBRA-TASK letter.',
  output: ['letter.md'],
};
const SPEC = { id: 'specify', type: 'consultant', description: 'Say what is wanted.', output: ['spec.yaml'] };
const ASKED = { 'request.md': 'Please write to the ZEBRA-REQUEST.\n' };

const MODES = ['phase-dirs', 'repo'] as const;

describe.each(MODES)('in %s', (workspace) => {
  const repository = workspace === 'repo';

  it.each([
    ['a gate', [SPEC, { ...WRITE, quality_gate: APPROVAL }]],
    ['an approval phase', [SPEC, WRITE, { id: 'ok', ...APPROVAL, description: 'ZEBRA-OWN', input: ['letter.md'] }]],
    ['verify_agent', [SPEC, { ...WRITE, verify_agent: true }]],
  ])('the judge of %s is told request, task and specification, and not a word of the author', async (kind, phases) => {
    const asked: JudgeTask[] = [];
    const { told } = await play(
      { ...ASKED, 'phases.yaml': planOf(phases, workspace) },
      {
        repository,
        make: {
          specify: writing({ 'spec.yaml': 'goal: ZEBRA-SPEC\n' }),
          write: writing({ 'letter.md': LETTER, 'notes.md': 'ZEBRA-AUTHOR: this is bug-free\n' }),
        },
        judge: (task) => {
          asked.push(task);
          return approving(task);
        },
      },
    );
    expect([asked.length, told.filter((line) => !line.includes(' pass: '))]).toEqual([1, []]);
    const what = section(asked[0]?.brief ?? '', 'What was asked');
    for (const word of ['ZEBRA-REQUEST', 'The task of phase `write`', 'ZEBRA-TASK', 'ZEBRA-SPEC'])
      expect(what).toContain(word);
    expect(what.includes('ZEBRA-OWN')).toBe(kind === 'an approval phase');
    expect(asked[0]?.brief).not.toContain('ZEBRA-AUTHOR');
  });

  it('a skill of the definition that is a link reaches the judge as it was when the run began', async () => {
    const asked: JudgeTask[] = [];
    const { told } = await play(
      {
        ...ASKED,
        'skills/helix/adr/SKILL.md': 'ZEBRA-SKILL\n',
        'phases.yaml': planOf([{ ...WRITE, quality_gate: APPROVAL }], workspace),
      },
      {
        repository,
        links: { 'approvals/tone/skills/adr': '../../../skills/helix/adr' },
        make: {
          write: (dir) => {
            writing({ 'letter.md': LETTER })(dir);
            if (!repository) writing({ 'skills/helix/adr/SKILL.md': 'ZEBRA-LATER\n' })(join(dir, '../..'));
          },
        },
        judge: (task) => {
          asked.push(task);
          return approving(task);
        },
      },
    );
    expect([asked.length, told.filter((line) => !line.includes(' pass: '))]).toEqual([1, []]);
    expect(asked[0]?.brief).toContain('ZEBRA-SKILL');
    expect(asked[0]?.brief).not.toContain('ZEBRA-LATER');
  });

  it('a specification that the author changed on the way is not what its work is judged by', async () => {
    const asked: JudgeTask[] = [];
    await play(
      { ...ASKED, 'phases.yaml': planOf([SPEC, { ...WRITE, quality_gate: APPROVAL }], workspace) },
      {
        repository,
        make: {
          specify: writing({ 'spec.yaml': 'goal: ZEBRA-SPEC\n' }),
          write: writing({ 'letter.md': LETTER, 'spec.yaml': 'goal: ZEBRA-FORGED\n' }),
        },
        judge: (task) => {
          asked.push(task);
          return approving(task);
        },
      },
    );
    expect(section(asked[0]?.brief ?? '', 'What was asked')).toContain('ZEBRA-SPEC');
    expect(asked[0]?.brief).not.toContain('ZEBRA-FORGED');
  });
});

it('after a rejection and a consultant the judge knows what became of the specification, and nothing of hints or findings', async () => {
  const asked: JudgeTask[] = [];
  const letters = ['You fool, read this.\n', 'You fool, read that.\n', LETTER];
  const gate = { ...APPROVAL, max_retries: 2 };
  await play(
    { ...ASKED, 'phases.yaml': planOf([SPEC, { ...WRITE, quality_gate: gate }]) },
    {
      make: {
        specify: writing({ 'spec.yaml': 'acceptance_criteria: [it is short]\n' }),
        write: (dir) => writing({ 'letter.md': letters.shift() ?? LETTER })(dir),
      },
      judge: (task) => {
        asked.push(task);
        return asked.length < 3 ? rejecting(task, 'ZEBRA-FINDING') : approving(task);
      },
      consult: () => ({
        analysis: { failure_summary: 'ZEBRA-SUMMARY', root_cause: 'ZEBRA-CAUSE' },
        decision: {
          action: 'retry_with_changes',
          additional_hints: ['ZEBRA-HINT'],
          spec_updates: { acceptance_criteria: ['it thanks ZEBRA-CHANGE'] },
        },
      }),
    },
  );
  expect(asked).toHaveLength(3);
  expect(asked.map(({ brief }) => brief.includes('ZEBRA-CHANGE'))).toEqual([false, false, true]);
  const last = asked.at(-1)?.brief ?? '';
  expect(section(last, 'What was asked')).toContain('with what was changed in this run');
  for (const word of ['FINDING', 'SUMMARY', 'CAUSE', 'HINT']) expect(last).not.toContain(`ZEBRA-${word}`);
});

it('a verifier is not asked what HELIX has found out itself', async () => {
  const asked: JudgeTask[] = [];
  const { events } = await play(
    {
      ...ASKED,
      'phases.yaml': planOf([{ ...WRITE, quality_gate: { type: 'files_exist_and_syntax' }, verify_agent: true }]),
    },
    {
      make: { write: writing({ 'letter.md': LETTER }) },
      judge: (task) => {
        asked.push(task);
        return approving(task);
      },
    },
  );
  expect(asked.map(({ subject }) => subject.checks)).toEqual([['gate-criteria']]);
  expect(section(asked[0]?.brief ?? '', 'What is settled')).toContain(
    '- all files that were to be delivered are there',
  );
  const results = events.flatMap((event) => (event.type === 'approval_finished' ? [event.data.result] : []));
  expect(results.map(({ result, checks }) => [result, checks.map(({ id, outcome, by }) => [id, outcome, by])])).toEqual(
    [
      [
        'approved',
        [
          ['gate-criteria', 'pass', undefined],
          ['expected-files', 'pass', 'helix'],
          ['syntax', 'pass', 'helix'],
        ],
      ],
    ],
  );
});

it('what helix brief shows is what is sent, but for the place of the copy', async () => {
  const asked: JudgeTask[] = [];
  const concept = '# Concept\n\n## Aim\n\nA letter.\n';
  const gate = { ...APPROVAL, files: ['letter.md'], concept: 'concept.md' };
  const { stage, world, state } = await play(
    { ...ASKED, 'concept.md': concept, 'phases.yaml': planOf([{ ...WRITE, quality_gate: gate, verify_agent: true }]) },
    {
      make: { write: writing({ 'letter.md': LETTER, 'other.md': 'x\n' }) },
      judge: (task) => {
        asked.push(task);
        return task.role === 'verifier' ? approving(task) : rejecting(task);
      },
    },
  );
  expect(stage.dir).toBe(world.project.dir);
  const { judgeBriefsNow } = await import('../../src/engine/judge-brief-now.ts');
  const { conventionsOf } = await import('../../src/engine/step/conventions.ts');
  const { GATES } = await import('../../src/gates/registry.ts');
  const workspace = await world.workspace({
    ...{ run: state.run, marker: 'm', settings: state.plan.workspace, simulated: true },
  });
  const ports = {
    ...world,
    ...{ workspace, gates: GATES, secrets: world.secrets([]) },
    conventions: conventionsOf({ ...world, state, workspace }),
  };
  const [phase] = state.plan.phases;
  if (phase === undefined) throw new Error('there is a phase');
  for (const role of ['reviewer', 'verifier'] as const) {
    const shown = await judgeBriefsNow(phase, role, { ports, state });
    const sent = asked.filter((task) => task.role === role).at(-1);
    const dir = sent?.readable[0] ?? '';
    expect(shown).toMatchObject([
      { brief: sent?.brief.replaceAll(dir, '<a read-only copy of the work>'), instructions: sent?.instructions },
    ]);
  }
});

it.each([
  ['its input', { input: ['letter.md', 'concept.md'], concept: 'concept.md' }, 'input/concept.md'],
  ['the project', { input: ['letter.md'], concept: 'concept.md' }, 'project/concept.md'],
])('the concept of an approval phase is consulted from %s and never judged', async (_, about, place) => {
  const asked: JudgeTask[] = [];
  const texts: string[] = [];
  const { state } = await play(
    {
      ...ASKED,
      'concept.md': '# Concept\n\nZEBRA-CONCEPT is thanked.\n',
      'phases.yaml': planOf([WRITE, { id: 'ok', ...APPROVAL, ...about }]),
    },
    {
      make: { write: writing({ 'letter.md': LETTER }) },
      judge: (task) => {
        asked.push(task);
        texts.push(judgedText(task, place));
        return approving(task);
      },
    },
  );
  expect(state.ended?.status).toBe('passed');
  expect(asked.map(({ subject }) => subject.inputs)).toEqual([['input/letter.md']]);
  const brief = asked[0]?.brief ?? '';
  expect(section(brief, 'What you may consult')).toContain(`- \`${place}\`: the concept the work was made from`);
  expect(section(brief, 'What to judge')).not.toContain('concept.md');
  expect(texts).toEqual([expect.stringContaining('ZEBRA-CONCEPT')]);
});

describe.each(MODES)('an ADR in %s', (workspace) => {
  const adr = (path: string) =>
    [
      ...['---', 'adr_id: "007"', 'title: Sort letters', 'status: Proposed', 'date: 2026-01-31', 'change_scope: minor'],
      ...['files:', `  modify: [${path}]`, '---', '', '# ADR-007: Sort letters', '', '## Context', ''],
      ...['Letters lie in no order, and nobody finds the one that was sent last week.', '', '## Decision', ''],
      ...['Letters are sorted by the day they were sent, the newest one first.', ''],
    ].join('\n');
  const gates = [{ type: 'approval', approval_type: 'adr', max_retries: 1, on_failure: 'abort' }];
  const write = { id: 'write', type: 'consultant', output: ['adr.md'], quality_gate: gates };

  it.each([
    ['src/letters.ts', 1],
    ['src/numbers.ts', 0],
  ])('that changes %s asks %i judges: HELIX looks for the file itself, and the judge sees it', async (path, judges) => {
    const seen: boolean[] = [];
    const { told } = await play(
      {
        ...ASKED,
        'src/letters.ts': 'export const letters = [];\n',
        'docs/adr/001.md': '# Old\n\n## Context\n\nx\n\n## Decision\n\ny\n',
        'config/adr-completeness-rules.yaml':
          'base_rules: { required_sections: [Context, Decision], min_acceptance_criteria: 0, min_section_length: 10 }\n',
        'phases.yaml': planOf([write], workspace),
      },
      {
        repository: workspace === 'repo',
        make: { write: writing({ 'adr.md': adr(path) }) },
        judge: (task) => {
          const place = workspace === 'repo' ? 'src/letters.ts' : 'project/src/letters.ts';
          seen.push(judgedText(task, place).includes('letters'));
          return approving(task);
        },
      },
    );
    expect(seen).toEqual(Array.from({ length: judges }, () => true));
    expect(told.some((line) => line.includes(`${path} is to be modified, and it does not exist`))).toBe(judges === 0);
  });
});

it('an ADR that waives part of its concept is put before a human, who is told which part and why', async () => {
  const text = [
    ...['---', 'adr_id: "007"', 'title: Sort letters', 'status: Proposed', 'date: 2026-01-31', 'change_scope: minor'],
    ...['concept_waivers: [{section: Rollback, reason: ZEBRA-REASON}]', '---', '', '# ADR-007: Sort letters', ''],
    ...['## Context', '', 'Letters lie in no order, and nobody finds the one that was sent last week.', ''],
    ...['## Decision', '', 'Letters are sorted by the day they were sent, the newest one first.', ''],
  ].join('\n');
  const rules =
    'base_rules: { required_sections: [Context, Decision], min_acceptance_criteria: 0, min_section_length: 10 }\n';
  const phase = { id: 'write', type: 'consultant', output: ['adr.md'], quality_gate: { type: 'adr_valid' } };
  const { told, state } = await play(
    { ...ASKED, 'config/adr-completeness-rules.yaml': rules, 'phases.yaml': planOf([phase]) },
    { make: { write: writing({ 'adr.md': text }) } },
  );
  expect(told.at(-1)).toMatch(
    /^write asks protected: Phase write passed its gates, but it made the rules .* milder in 1 file\./,
  );
  expect(told.at(-1)).toContain('it waives "Rollback" of its concept: "ZEBRA-REASON"');
  const [request] = state.requests.values();
  expect(request?.options.map(({ decision }) => decision.action)).toEqual(['retry', 'proceed', 'abort']);
});

describe.each(MODES)('a rejection in %s', (workspace) => {
  it('is written to the declared result file, too', async () => {
    const phases = [WRITE, { id: 'ok', ...APPROVAL, input: ['letter.md'], output: ['approval-result.json'] }];
    const { stage, state } = await play(
      { ...ASKED, 'phases.yaml': planOf(phases, workspace) },
      {
        repository: workspace === 'repo',
        make: { write: writing({ 'letter.md': LETTER }) },
        judge: (task) => rejecting(task, 'ZEBRA-FINDING'),
      },
    );
    expect(state.ended?.status).toBe('failed');
    const places = [`.helix/runs/${state.run}/phases/ok/approval-result.json`];
    if (workspace === 'phase-dirs') places.push('phases/ok/approval-result.json');
    for (const place of places) {
      const result = JSON.parse(readFileSync(join(stage.dir, place), 'utf8'));
      expect(result).toMatchObject({ result: 'rejected', findings: [{ message: 'ZEBRA-FINDING' }] });
    }
  });
});
