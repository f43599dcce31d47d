import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../test/sample-start.ts';
import { DEFAULT_ESCALATION } from '../domain/escalation-settings.ts';
import { HelixError } from '../domain/helix-error.ts';
import type { AgentSettings, HelixFile } from '../domain/helix-file.ts';
import type { Plan } from '../domain/plan.ts';
import { GATES } from '../gates/registry.ts';
import type { LoadedPlan } from '../plan/load-plan.ts';
import { harmsOf, prepareRun, type RunOptions, runStarted } from './prepare-run.ts';

const SCRIPTED: AgentSettings = { driver: 'scripted' };
const WORKSPACE = samplePlan([]).workspace;

function loaded(
  plan: Partial<Plan> = {},
  settings: HelixFile = { allow_simulated: true },
  agents: Readonly<Record<string, AgentSettings>> = { default: SCRIPTED },
): LoadedPlan {
  return {
    plan: samplePlan([samplePhase('a'), samplePhase('b')], plan),
    phases: [],
    project: 'p',
    findings: [],
    source: { path: 'phases.yaml', sha256: 'f'.repeat(64), origin: 'project' },
    sources: new Map(),
    settings,
    agents,
    escalation: DEFAULT_ESCALATION,
    notify: [],
  };
}

function prepare(plan: LoadedPlan, options: RunOptions = {}) {
  return prepareRun(plan, options, GATES);
}

function refusal(work: () => unknown): HelixError {
  try {
    work();
  } catch (error) {
    if (error instanceof HelixError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('who works', () => {
  const agents: Record<string, AgentSettings> = { default: SCRIPTED, other: SCRIPTED, real: { driver: 'claude-code' } };

  it('the agent called default, unless a role or the user names another', () => {
    expect(prepare(loaded({}, undefined, agents)).creator).toBe('default');
    const role = { allow_simulated: true, roles: { creator: 'other' } };
    expect(prepare(loaded({}, role, agents)).creator).toBe('other');
    expect(prepare(loaded({}, role, agents), { agent: 'default' }).creator).toBe('default');
  });

  it('the agent the user names also works in phases that have their own', () => {
    const plan = { phases: [samplePhase('a', { agent: 'real' })] };
    expect(prepare(loaded(plan, undefined, agents), { agent: 'other' }).plan.phases[0]).not.toHaveProperty('agent');
    expect(prepare(loaded(plan, undefined, agents)).plan.phases[0]).toHaveProperty('agent', 'real');
  });

  it('the scripted one even where helix.yaml does not name it', () => {
    const prepared = prepare(loaded({}, {}, {}), { agent: 'scripted' });
    expect(prepared).toMatchObject({ creator: 'scripted', simulated: true, agents: { scripted: SCRIPTED } });
  });

  it('nobody of whom nothing is known', () => {
    expect(refusal(() => prepare(loaded(), { agent: 'ghost' }))).toMatchObject({
      code: 'usage',
      message: 'there is no agent called ghost',
      hint: expect.stringContaining('default, scripted'),
    });
    const ghostly = { phases: [samplePhase('a', { agent: 'ghost' })] };
    expect(refusal(() => prepare(loaded(ghostly))).message).toContain('ghost, which helix.yaml does not name');
  });

  it('nobody simulated without the user having said so', () => {
    expect(refusal(() => prepare(loaded({}, {})))).toMatchObject({
      code: 'config',
      hint: expect.stringContaining('allow_simulated: true'),
    });
    expect(prepare(loaded({}, {}), { agent: 'default' }).simulated).toBe(true);
  });
});

describe('what cannot be done', () => {
  it.each<[says: string, plan: Partial<Plan>, settings?: HelixFile]>([
    ['phase a: the gate unheard_of', { phases: [withGate('unheard_of')] }],
    ['phase a: generates_phases', { phases: [samplePhase('a', { generatesPhases: true })] }],
    ['phase a: rollback', { phases: [samplePhase('a', { rollback: ['git', 'reset'] })] }],
    ['set-up, copy and cache outside a repository', { workspace: { ...WORKSPACE, setup: [['npm', 'ci']] } }],
    ['set-up, copy and cache outside a repository', { workspace: { ...WORKSPACE, copy: ['.env'] } }],
    ['another database', {}, { database: 'postgres://x' }],
  ])('%s is refused before anything starts', (says, plan, settings) => {
    const error = refusal(() => prepare(loaded(plan, { allow_simulated: true, ...settings })));
    expect(error).toMatchObject({ code: 'not_built', hint: expect.stringContaining('helix plan') });
    expect(error.message).toContain(says);
  });

  function withGate(type: string) {
    return samplePhase('a', { gates: [{ type, settings: {}, onFailure: 'retry', maxRetries: 3 }] });
  }

  it('all of it at once', () => {
    const plan = { phases: [withGate('unheard_of'), samplePhase('b', { generatesPhases: true })] };
    expect(refusal(() => prepare(loaded(plan))).message.split('\n')).toHaveLength(3);
  });

  it('only where it is needed: a run of a single phase is not bothered by the others', () => {
    const plan = { phases: [withGate('unheard_of'), samplePhase('b'), samplePhase('c', { agent: 'ghost' })] };
    expect(prepare(loaded(plan), { phase: 'b' }).options.phase).toBe('b');
    expect(refusal(() => prepare(loaded(plan), { phase: 'nope' }))).toMatchObject({
      code: 'usage',
      hint: 'It has: a, b, c',
    });
  });

  it('a model for an agent that cannot be told of one', () => {
    const agents: Record<string, AgentSettings> = { default: SCRIPTED, other: { driver: 'acp', command: ['x'] } };
    expect(refusal(() => prepare(loaded({}, undefined, agents), { agent: 'other', model: 'opus' }))).toMatchObject({
      code: 'usage',
      message: 'the agent other (acp) cannot be told which model to use',
    });
    expect(prepare(loaded({}, undefined, agents), { model: 'opus' }).options.model).toBe('opus');
  });

  it('a plan with errors is refused', () => {
    expect(refusal(() => prepare({ ...loaded(), plan: undefined })).code).toBe('plan');
  });
});

it('a limit the user gives takes the place of the same one of the plan, and the others stay', () => {
  const plan = loaded({ budget: { usd: 10, minutes: 120 } });
  expect(prepare(plan, { budget: { usd: 1 } }).budget).toEqual({ usd: 1, minutes: 120 });
});

it('only agents that work count as a harm', () => {
  const agents: Record<string, AgentSettings> = { default: SCRIPTED, idle: { driver: 'command', command: 'x' } };
  const plan = samplePlan([samplePhase('a')]);
  const escalation = DEFAULT_ESCALATION;
  expect(harmsOf({ plan, agents, creator: 'default', settings: {}, escalation })).toEqual([]);
  expect(harmsOf({ plan, agents, creator: 'idle', settings: {}, escalation })).toEqual([
    'agent idle: command (shell: x)',
  ]);
});

it('the first fact says all a run is bound to', () => {
  const prepared = prepare(loaded(), { phase: 'a', model: 'm' });
  const owner = { host: 'h', pid: 1, start: 's', boot: 'b' };
  const { data } = runStarted(prepared, { run: 'r', marker: 'm', helix: '1', owner, request: 'please' });
  expect(data).toMatchObject({
    run: 'r',
    only: 'a',
    model: 'm',
    request: 'please',
    creator: 'default',
    simulated: true,
  });
  const { data: bare } = runStarted(prepare(loaded()), { run: 'r', marker: 'm', helix: '1', owner });
  for (const name of ['only', 'model', 'request']) expect(bare).not.toHaveProperty(name);
});
