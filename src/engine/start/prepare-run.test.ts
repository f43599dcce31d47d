import { describe, expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { DEFAULT_ESCALATION } from '../../domain/plan/escalation-settings.ts';
import type { AgentSettings, HelixFile } from '../../domain/plan/helix-file.ts';
import { DEFAULT_BUDGET, type Plan } from '../../domain/plan/plan.ts';
import { GATES } from '../../gates/registry.ts';
import type { LoadedPlan } from '../../plan/load-plan.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { withoutConsultant } from './choose-consultant.ts';
import { agentsFor } from './choose-judges.ts';
import { harmsOf, prepareRun, type RunOptions, runStarted } from './prepare-run.ts';
import { refuseSecrets } from './refuse-secrets.ts';

/** A project without files. */
const EMPTY = {
  match: async () => [],
  read: async () => undefined,
  links: async () => [],
  target: async () => undefined,
  fromTop: async () => ({ problem: 'leads nowhere' }),
};
const SCRIPTED: AgentSettings = { driver: 'scripted' };
const WORKSPACE = samplePlan([]).workspace;

function loaded(
  plan: Partial<Plan> = {},
  settings: HelixFile = { allow_simulated: true },
  agents: Readonly<Record<string, AgentSettings>> = { default: SCRIPTED },
): LoadedPlan {
  return {
    plan: samplePlan([samplePhase('a'), samplePhase('b')], { budget: DEFAULT_BUDGET, ...plan }),
    phases: [],
    project: 'p',
    findings: [],
    source: { path: 'phases.yaml', sha256: 'f'.repeat(64), origin: 'project' },
    sources: new Map(),
    settings,
    agents,
    escalation: DEFAULT_ESCALATION,
    ownModels: true,
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

  it('a review is done by the reviewer, unless its plan or the user names somebody', () => {
    const review = samplePhase('b', { type: 'review' });
    const plan = { phases: [samplePhase('a'), review, { ...review, id: 'c', agent: 'real' }] };
    const role = { allow_simulated: true, roles: { reviewer: 'other' } };
    const doneBy = (options: RunOptions) =>
      prepare(loaded(plan, role, agents), options).plan.phases.map(({ agent }) => agent);
    expect(doneBy({})).toEqual([undefined, 'other', 'real']);
    expect(doneBy({ agent: 'default' })).toEqual([undefined, undefined, undefined]);
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
    [
      'phase a: generates_phases in a review',
      { phases: [samplePhase('a', { type: 'review', generatesPhases: true })] },
    ],
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
    const plan = { phases: [withGate('unheard_of'), samplePhase('b', { type: 'review', generatesPhases: true })] };
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

it('only agents that work count as a harm', async () => {
  const agents: Record<string, AgentSettings> = { default: SCRIPTED, idle: { driver: 'command', command: 'x' } };
  const plan = samplePlan([samplePhase('a')], { budget: DEFAULT_BUDGET });
  const escalation = DEFAULT_ESCALATION;
  expect(await harmsOf({ plan, agents, creator: 'default', settings: {}, escalation }, EMPTY)).toEqual([]);
  expect(await harmsOf({ plan, agents, creator: 'idle', settings: {}, escalation }, EMPTY)).toEqual([
    'agent idle: command (shell: x)',
  ]);
});

describe('who is asked when attempts fail', () => {
  const REAL: AgentSettings = { driver: 'claude-code' };
  const COMMAND: AgentSettings = { driver: 'command', command: ['x'] };
  type Agents = Readonly<Record<string, AgentSettings>>;

  it.each<[who: string, agents: Agents, settings: HelixFile, options: RunOptions, consultant: string | undefined]>([
    ['the creator', { default: REAL }, {}, {}, 'default'],
    ['who has the role', { default: REAL, wise: REAL }, { roles: { consultant: 'wise' } }, {}, 'wise'],
    ['the creator before the default one', { default: REAL, mine: REAL }, { roles: { creator: 'mine' } }, {}, 'mine'],
    ['the one for everything', { default: REAL }, { roles: { consultant: 'default' } }, { agent: 'codex' }, 'codex'],
    ['nobody, when the one for everything cannot', { default: REAL }, {}, { agent: 'replay' }, undefined],
    ['nobody, when only commands work', { default: COMMAND }, {}, {}, undefined],
    [
      'the default one that is written down, when the creator cannot',
      { default: REAL, mine: COMMAND },
      { roles: { creator: 'mine' }, agents: { default: REAL } },
      {},
      'default',
    ],
    [
      'nobody, when the creator cannot and nobody has written down another',
      { default: REAL, mine: COMMAND },
      { roles: { creator: 'mine' } },
      {},
      undefined,
    ],
  ])('%s', (_who, agents, settings, options, consultant) => {
    const { judges, escalation } = prepare(loaded({}, settings, agents), options);
    expect(escalation.consultant.attempts === 0 ? undefined : judges.consultant).toBe(consultant);
  });

  it('somebody who works in a phase, when the default agent is not wanted anywhere', async () => {
    const plan = { phases: [samplePhase('a', { agent: 'worker' }), samplePhase('b', { agent: 'helper' })] };
    const agents = { default: REAL, worker: COMMAND, helper: REAL };
    const prepared = prepare(loaded(plan, {}, agents));
    expect(prepared.judges.consultant).toBe('helper');
    expect(await harmsOf(prepared, EMPTY)).toEqual(['agent helper: claude-code', 'agent worker: command (["x"])']);
  });

  it('an agent whose program has to be trusted, as do those it may let take over', async () => {
    const agents = { default: REAL, wise: REAL, other: COMMAND, idle: COMMAND };
    const settings = { roles: { consultant: 'wise' } };
    const consultant = { ...DEFAULT_ESCALATION.consultant, models: ['opus', 'other'] };
    const plan = { ...loaded({}, settings, agents), escalation: { ...DEFAULT_ESCALATION, consultant } };
    const all = ['agent default: claude-code', 'agent other: command (["x"])', 'agent wise: claude-code'];
    expect(await harmsOf(prepare(plan), EMPTY)).toEqual(all);
    const { plan: phases = samplePlan([]), escalation } = plan;
    expect(await harmsOf({ plan: phases, agents, settings, escalation, creator: 'default' }, EMPTY)).toEqual(all);
  });

  it.each<[names: readonly string[], driver: AgentSettings, ownModels: boolean]>([
    [['opus', 'wise'], REAL, false],
    [['wise'], { driver: 'codex' }, false],
    [['opus', 'wise'], { driver: 'codex' }, true],
    [['wise'], { driver: 'acp', command: ['x'] }, true],
  ])('somebody who may switch to %j where the work is done by %j', (names, driver, ownModels) => {
    const consultant = { ...DEFAULT_ESCALATION.consultant, models: ['opus', 'wise'] };
    const plan = loaded({}, { roles: { consultant: 'wise' } }, { default: driver, wise: REAL });
    const prepared = prepare({ ...plan, ownModels, escalation: { ...DEFAULT_ESCALATION, consultant } });
    expect(prepared.escalation.consultant.models).toEqual(names);
  });

  it('nobody where nothing can lead there', () => {
    const gate = { type: 'files_exist', settings: {}, onFailure: 'abort', maxRetries: 3 } as const;
    const plan = { phases: [samplePhase('a', { gates: [gate] })] };
    const settings = { roles: { consultant: 'wise' } };
    const prepared = prepare(loaded(plan, settings, { default: REAL, wise: REAL }));
    expect([...agentsFor(prepared.plan.phases, prepared)]).toEqual(['default']);
    const none = {
      ...prepared,
      plan: samplePlan([samplePhase('a')]),
      escalation: withoutConsultant(DEFAULT_ESCALATION),
    };
    expect([...agentsFor(none.plan.phases, none)]).toEqual(['default']);
    expect([...agentsFor(none.plan.phases, prepared)]).toEqual(['default', 'wise']);
  });
});

it.each<[where: string, change: Partial<LoadedPlan>]>([
  ['phases.yaml or helix.yaml', { agents: { default: { driver: 'scripted', model: 'tk9fK2mQ7xW4pR8sV1cY' } } }],
  ['helix.yaml', { settings: { notify: [{ webhook: 'https://chat.example/tk9fK2mQ7xW4pR8sV1cY' }] } }],
  [
    'config/escalation.yaml',
    { escalation: { ...DEFAULT_ESCALATION, errorPatterns: [{ pattern: 'tk9fK2mQ7xW4pR8sV1cY', level: 'retry' }] } },
  ],
])('a secret in %s is refused, since what a run goes by is written down', (where, change) => {
  const secrets = createRedactor([{ name: 'TOKEN', value: 'tk9fK2mQ7xW4pR8sV1cY' }]);
  const prepared = prepare({ ...loaded(), ...change }, { agent: 'default' });
  expect(refusal(() => refuseSecrets(prepared, secrets))).toMatchObject({
    code: 'config',
    message: `${where} has a secret in it: TOKEN`,
  });
  expect(() => refuseSecrets(prepare(loaded()), secrets)).not.toThrow();
});

it('the first fact says all a run is bound to', () => {
  const prepared = prepare({ ...loaded(), notify: [{ bell: true }] }, { phase: 'a', model: 'm' });
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
  expect(data).toMatchObject({ escalation: DEFAULT_ESCALATION, notify: [{ bell: true }] });
  const { data: bare } = runStarted(prepare(loaded()), { run: 'r', marker: 'm', helix: '1', owner });
  for (const name of ['only', 'model', 'request']) expect(bare).not.toHaveProperty(name);
});
