import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Cast, type Played, play, writes } from '../../../test/approval.fixture.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { CreatorTask, JudgeTask } from '../../ports/agent.ts';

const PLAN = `project: { name: consulted }
workspace: phase-dirs
phases:
  - { id: first, type: planning, output: [output/plan.md] }
  - { id: hard, type: development, description: Make it go., output: [output/never.txt], config: { model: fast },
      input: { from_phase: first, files: [output/plan.md] }, quality_gate: { type: files_exist, max_retries: 2 } }
`;

const FILES = {
  'phases.yaml': PLAN,
  'config/escalation.yaml': `escalation:
  levels:
    stufe_1:
      max_attempts: 2
      actions: [{ type: model_switch, models: [fast, strong, second] }, { type: plan_revert }, { type: hints }, { type: spec_updates }, { type: skills }]
`,
  'helix.yaml': 'agents: { default: { driver: scripted }, second: { driver: scripted } }\nallow_simulated: true\n',
  'skills/pandas/SKILL.md': 'PANDAS: use to_csv.\n',
};

const ANALYSIS = { failure_summary: 'it never writes never.txt', root_cause: 'nobody told it' };
const decision = (more: object, rest: object = {}) => ({
  analysis: ANALYSIS,
  decision: { action: 'retry_with_changes', ...more },
  ...rest,
});

/** Plays the plan: what consultants were asked, what they could read, and what creators were. */
async function consulted(answers: readonly unknown[], more: Partial<Cast> & { files?: Record<string, string> } = {}) {
  const asked: JudgeTask[] = [];
  const tried: CreatorTask[] = [];
  const read: string[] = [];
  const played = await play(
    { ...FILES, ...more.files },
    {
      ...more,
      make: {
        first: (dir, task) => {
          tried.push(task);
          writes({ 'output/plan.md': `plan ${tried.length}\n` })(dir);
        },
        hard: (dir, task) => {
          tried.push(task);
          task.onLine(JSON.stringify({ type: 'text', text: `I gave up in attempt ${task.attempt}` }));
          writes({ 'output/other.txt': `${task.attempt}\n` })(dir);
        },
        ...more.make,
      },
      consult: (task) => {
        asked.push(task);
        read.push(readFileSync(join(task.readable[0] ?? '', 'output/other.txt'), 'utf8'));
        return answers[Math.min(asked.length, answers.length) - 1];
      },
    },
  );
  return { ...played, asked, tried, read };
}

const factsOf = <T extends RunEvent['type']>({ events }: Pick<Played, 'events'>, type: T) =>
  events.flatMap((event) => (event.type === type ? [event.data as Extract<RunEvent, { type: T }>['data']] : []));

describe('a consultant', () => {
  it('is told what was asked and of every attempt, and can read the newest work', async () => {
    const { asked, read, stage, state, events } = await consulted([decision({}), decision({ action: 'ask_human' })]);
    const [task] = asked;
    expect(read).toEqual(['2\n', '4\n']);
    expect(asked.map(({ role, turn }) => `${role} ${turn}`)).toEqual(['consultant 0', 'consultant 1']);
    for (const text of [
      'Make it go.',
      'output/never.txt',
      '### Attempt 1',
      '### Attempt 2',
      '+2',
      'I gave up in attempt 2',
      'This is attempt 2 of at most 2.',
      'Models that are allowed and were not tried in this phase:\n\n```text\nstrong\n```',
      'Agents that are allowed and were not tried in this phase:\n\n```text\nsecond\n```',
      '1: first',
      'pandas',
      'its gate files_exist failed 2 times',
    ])
      expect(task?.brief).toContain(text);
    const kept = factsOf({ events }, 'consultation_started');
    const dir = join(stage.dir, `.helix/runs/${state.run}/phases/hard/escalation/stufe-1/consultations`);
    expect(readFileSync(join(dir, kept[0]?.consultation ?? '', 'brief.md'), 'utf8')).toContain('### Attempt 2');
  });

  it('changes what the next attempts really run with', async () => {
    const wanted = decision({
      model_switch: { to: 'strong' },
      additional_hints: ['write it at last\n## Rules'],
      additional_skills: ['pandas'],
      spec_updates: { 'criteria.files': ['never.txt is there'] },
    });
    const { tried, state } = await consulted([wanted, decision({ action: 'ask_human' })]);
    const hard = tried.filter(({ phase }) => phase.id === 'hard');
    expect(hard.map(({ model }) => model)).toEqual(['fast', 'fast', 'strong', 'strong']);
    const [before, after] = [hard[1]?.brief ?? '', hard[2]?.brief ?? ''];
    for (const text of ['## Hints\n\nA consultant', '- write it at last ## Rules\n', 'PANDAS: use to_csv.'])
      expect([before.includes(text), after.includes(text)]).toEqual([false, true]);
    expect(after).toMatch(
      /## The specification as it stands now\n[^#]*with what was changed in this run[^#]*- never\.txt is there/,
    );
    expect(hard[3]?.brief).toContain('This is attempt 4 of at most 4.');
    expect(state.phases.get('hard')?.history.changes).toMatchObject({ model: 'strong', skills: ['pandas'] });
  });

  it('lets another agent take over, without the model of the first', async () => {
    const { tried, events } = await consulted([decision({ model_switch: { to: 'second' } }), decision({})]);
    expect(tried.at(-1)?.model).toBeUndefined();
    expect(factsOf({ events }, 'attempt_started').map(({ agent }) => agent)).toEqual([
      'default',
      'default',
      'default',
      'second',
      'second',
    ]);
  });

  it('has no model to switch to where the agent cannot be told which to use', async () => {
    const helix = FILES['helix.yaml'].replace('driver: scripted', 'driver: acp, command: [none]');
    const plan = PLAN.replace(', config: { model: fast }', '');
    const files = { 'helix.yaml': `${helix}roles: { consultant: second }\n`, 'phases.yaml': plan };
    const { asked } = await consulted([decision({ action: 'ask_human' })], { files });
    expect(asked[0]?.brief).toContain(
      'Models that are allowed and were not tried in this phase:\n\n```text\nnone\n```',
    );
    expect(asked[0]?.brief).toContain('\nsecond\n');
  });

  it('sends the run back to an earlier phase', async () => {
    const { events, tried } = await consulted([
      decision({ action: 'revert', plan_revert: { enabled: true, revert_to_task: 1 } }),
      decision({ action: 'ask_human' }),
    ]);
    expect(factsOf({ events }, 'consultation_finished')[0]).toMatchObject({ outcome: 'revert', target: 'first' });
    expect(tried.map(({ phase, attempt }) => `${phase.id} ${attempt}`)).toEqual([
      ...['first 1', 'hard 1', 'hard 2'],
      ...['first 2', 'hard 3', 'hard 4'],
    ]);
  });

  it('that answers nonsense is asked once more with the reasons, and then a human is', async () => {
    const { events, asked, state } = await consulted([
      decision({ model_switch: { to: 'unheard-of' } }),
      { kind: 'interrupted', failure: 'schema', message: 'no answer', cost: { usd: 0, basis: 'simulated' } },
    ]);
    expect(factsOf({ events }, 'consultation_refused').map(({ reasons }) => reasons.join())).toEqual([
      expect.stringContaining('"unheard-of" is not in the list'),
      'no answer',
    ]);
    expect(asked[0]?.brief).not.toContain('could not be used');
    expect(asked[1]?.brief).toContain('"unheard-of" is not in the list');
    expect([...state.requests.values()].map(({ reason }) => reason)).toEqual(['exhausted']);
  });

  it('hears of a refusal only as long as nothing of it could be used', async () => {
    const { asked } = await consulted([decision({ additional_skills: ['magic'] }), decision({}), decision({})]);
    expect(asked.map(({ brief }) => brief.includes('could not be used'))).toEqual([false, true, false]);
  });

  it.each<[string, unknown, RegExp]>([
    ['10 MB of hints', decision({ additional_hints: ['x'.repeat(10_000_000)] }), /larger than 256 KB/],
    ['no object', 'approve', /the answer: /],
    ['a field nobody knows', { ...decision({}), run: 'rm -rf' }, /the answer: /],
    ['endless nesting', decision({ spec_updates: { a: nested(5000) } }), /is no place/],
    ['escape sequences', decision({ model_switch: { to: '\u001b[31mstrong\u202e' } }), /"strong\\\\u\{202e\}"/],
  ])('is refused where it says: %s', async (_, answer, reason) => {
    const { events } = await consulted([answer]);
    expect(factsOf({ events }, 'consultation_refused')[0]?.reasons.join('\n')).toMatch(reason);
  });

  it('that is interrupted is asked again, and that is no answer', async () => {
    const dies = { kind: 'interrupted', failure: 'crash', message: 'gone' };
    const { events, state } = await consulted([dies, decision({ additional_hints: ['h'] }), decision({})]);
    expect(factsOf({ events }, 'consultation_interrupted')).toMatchObject([{ failure: 'crash', message: 'gone' }]);
    expect(state.phases.get('hard')).toMatchObject({
      climbed: { consulted: true },
      rung: { refusals: 0 },
      history: { interventions: 1, judged: 4 },
    });
  });

  it('whose login is gone leads to the human at once', async () => {
    const { asked, state } = await consulted([{ kind: 'interrupted', failure: 'auth', message: 'log in' }]);
    expect(asked).toHaveLength(1);
    expect([...state.requests.values()].map(({ reason }) => reason)).toEqual(['blocked']);
  });

  it('is not asked where no budget is left for it, and the run waits for more', async () => {
    const helix = `${FILES['helix.yaml'].replace('second:', 'paid: { driver: claude-code }, second:')}roles: { consultant: paid }
budget: { usd: 0 }
`;
    const { asked, events, state } = await consulted([decision({})], { files: { 'helix.yaml': helix } });
    expect(asked).toEqual([]);
    expect(factsOf({ events }, 'consultation_interrupted')).toMatchObject([{ failure: 'budget' }]);
    expect(state.parked).toMatchObject({ reason: 'budget', message: 'no budget is left for a consultant' });
  });

  it('is told the end of what an agent said, however much that was', async () => {
    const { asked } = await consulted([decision({ action: 'ask_human' })], {
      make: {
        hard: (dir: string, task: CreatorTask) => {
          for (let n = 0; n < 30; n += 1) task.onLine(JSON.stringify({ type: 'text', text: 'x'.repeat(100_000) }));
          task.onLine(JSON.stringify({ type: 'text', text: 'y'.repeat(2_000_000) }));
          task.onLine(JSON.stringify({ type: 'text', text: `I gave up in attempt ${task.attempt}` }));
          writes({ 'output/other.txt': `${task.attempt}\n` })(dir);
        },
      },
    });
    const brief = asked[0]?.brief ?? '';
    expect(Buffer.byteLength(brief)).toBeLessThan(200 * 1024);
    expect(brief).toContain('[a line too long to be shown]\nI gave up in attempt 2');
  });

  it('asks a human where the specification would be weakened', async () => {
    const { state } = await consulted([decision({ spec_updates: { criteria: [] } })], {
      files: { 'spec.yaml': 'criteria: [it is fast]\n' },
    });
    const [request] = state.requests.values();
    expect(request).toMatchObject({ reason: 'proposal', question: expect.stringContaining('criteria: take away') });
    expect(request?.options.slice(0, 2).map(({ decision: chosen }) => chosen)).toEqual([
      {
        action: 'retry',
        changes: { override: { criteria: [] } },
      },
      { action: 'retry' },
    ]);
  });
});

describe('the specification an answer is held against', () => {
  const SPEC = 'criteria: { speed: under a second }\n';
  const changing = decision({ spec_updates: { 'criteria.speed': 'under a minute' } });
  const plan = (mode: string, path: string) => `project: { name: specified }
workspace: ${mode}
phases:
  - { id: a, type: planning, output: [${path}, notes.md] }
  - { id: b, type: development, depends_on: [a], output: [never.txt], quality_gate: { type: files_exist, max_retries: 1 }${mode === 'repo' ? '' : ', input: { from_phase: a, files: [notes.md] }'} }
`;
  const outcomeOf = async (files: Record<string, string>, cast: Cast) =>
    factsOf(await play({ ...FILES, ...files }, { consult: () => changing, ...cast }), 'consultation_finished')[0];

  it.each([
    ['repo', 'spec.yaml'],
    ['repo', 'docs/spec.yaml'],
    ['phase-dirs', 'spec.yaml'],
    ['phase-dirs', 'output/spec.yaml'],
  ])('is the one an earlier phase wrote, also where it is no input: %s, %s', async (mode, path) => {
    const make = { a: writes({ [path]: SPEC, 'notes.md': 'n\n' }), b: writes({ 'other.txt': 'o\n' }) };
    const cast = { make, repository: mode === 'repo' };
    expect(await outcomeOf({ 'phases.yaml': plan(mode, path) }, cast)).toMatchObject({
      outcome: 'ask',
      advice: { question: expect.stringContaining('instead of "under a second"') },
    });
  });

  it('is the newest one, not that of the project', async () => {
    const make = { a: writes({ 'spec.yaml': 'criteria: {}\n', 'notes.md': 'n\n' }), b: writes({ 'other.txt': 'o\n' }) };
    const files = { 'phases.yaml': plan('repo', 'spec.yaml'), 'spec.yaml': SPEC };
    expect(await outcomeOf(files, { make, repository: true })).toMatchObject({ outcome: 'retry' });
  });

  it('is asked about where it cannot be read', async () => {
    const make = { a: writes({ 'spec.yaml': 'criteria: [\n', 'notes.md': 'n\n' }), b: writes({ 'other.txt': 'o\n' }) };
    expect(await outcomeOf({ 'phases.yaml': plan('repo', 'spec.yaml') }, { make, repository: true })).toMatchObject({
      outcome: 'ask',
    });
  });
});

function nested(depth: number): unknown {
  let value: unknown = 'x';
  for (let n = 0; n < depth; n += 1) value = { a: value };
  return value;
}

it('an error that matches a pattern is recorded with it, the first one that does', async () => {
  const patterns = [
    { pattern: 'nothing like it', level: 'stufe-1' },
    { pattern: 'NEVER\\.txt', level: 'stufe-1' },
    { pattern: 'never', level: 'stufe-2' },
  ];
  const { events, tried } = await consulted([decision({ action: 'ask_human' })], {
    files: { 'config/escalation.yaml': `error_patterns: ${JSON.stringify(patterns)}\n` },
  });
  expect(factsOf({ events }, 'attempt_judged').map(({ matched }) => matched?.pattern)).toEqual([
    undefined,
    'NEVER\\.txt',
  ]);
  expect(tried.filter(({ phase }) => phase.id === 'hard')).toHaveLength(1);
});
