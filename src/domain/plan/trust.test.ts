import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import type { Gate } from './gate.ts';
import type { AgentSettings, HelixFile } from './helix-file.ts';
import { DEFAULT_BUDGET, type Plan } from './plan.ts';
import { harms, isProtection, lostBeside, lostProtections, priceHarms } from './trust.ts';

const NO_WORKSPACE = samplePlan([]).workspace;

function gate(settings: Gate['settings']): Gate {
  return { type: 'custom', settings, onFailure: 'retry', maxRetries: 3 };
}

function withGate(settings: Gate['settings']): Partial<Plan> {
  return { phases: [samplePhase('a', { gates: [gate(settings)] })] };
}

function lines(
  plan: Partial<Plan>,
  agents: Readonly<Record<string, AgentSettings>> = {},
  settings: HelixFile = {},
): string[] {
  return harms(samplePlan([samplePhase('a')], { budget: DEFAULT_BUDGET, ...plan }), agents, settings);
}

it('a plan without commands, worked on by the scripted agent, can do no harm', () => {
  expect(lines({}, { default: { driver: 'scripted', command: 'rm -rf /' } })).toEqual([]);
  expect(lines({}, {}, { sandbox: 'auto', network: { gate: false }, budget: { usd: 1 } })).toEqual([]);
});

it('an agent that can search the web is a harm where a phase is to find things out', () => {
  const phases = [samplePhase('a', { type: 'research' }), samplePhase('b')];
  expect(lines({ phases }, { default: { driver: 'codex' } })).toEqual([
    'agent default: codex',
    'web search for the agent of a',
  ]);
  expect(lines({ phases }, { default: { driver: 'scripted' } })).toEqual([]);
});

it.each<[line: string, plan: Partial<Plan>]>([
  ["works in the repository's top directory", { workspace: { ...NO_WORKSPACE, root: '.' } }],
  ["works in the repository's directory packages/app", { workspace: { ...NO_WORKSPACE, root: 'packages/app' } }],
  ['set-up command: ["npm","ci"]', { workspace: { ...NO_WORKSPACE, setup: [['npm', 'ci']] } }],
  ['copies into workspaces: .env.test', { workspace: { ...NO_WORKSPACE, copy: ['.env.test'] } }],
  ['shares among workspaces: node_modules', { workspace: { ...NO_WORKSPACE, cache: ['node_modules'] } }],
  ["keeps off the run's branch: src/guard.js", { workspace: { ...NO_WORKSPACE, keepOut: ['src/guard.js'] } }],
  ['gate command of a: ["npm","test"]', withGate({ command: ['npm', 'test'] })],
  ['gate command of a: shell: npm test | tee log', withGate({ command: 'npm test | tee log' })],
  ['network for a gate of a: true', withGate({ network: true })],
  ['waits for your approval: a', { phases: [samplePhase('a', { requiresApproval: true })] }],
  ['network for a gate of a: example.org', withGate({ network: 'example.org' })],
  ['rollback command of a: ["git","reset"]', { phases: [samplePhase('a', { rollback: ['git', 'reset'] })] }],
  ['budget: 11 US dollars', { budget: { usd: 11 } }],
  ['budget: US dollars without a limit', { budget: { attempts: 3 } }],
  ['budget: 121 minutes', { budget: { usd: 1, minutes: 121 } }],
  ['protects: kept/**', { protected: ['helix.yaml', 'kept/**'] }],
  ['rollback command of a: shell: make undo', { phases: [samplePhase('a', { rollback: 'make undo' })] }],
])('%s is named', (line, plan) => {
  expect(lines(plan)).toEqual([line]);
});

it.each<[line: string, agent: Omit<AgentSettings, 'driver'>]>([
  ['agent x: command (["my-agent","--go"])', { command: ['my-agent', '--go'] }],
  ['agent x: command (shell: my-agent)', { command: 'my-agent' }],
  ['environment for agent x: OPENAI_API_KEY', { env: ['OPENAI_API_KEY'] }],
  ['MCP server for agent x: {"name":"docs","url":"http://x"}', { mcp: [{ name: 'docs', url: 'http://x' }] }],
])('%s is named', (line, agent) => {
  expect(lines({}, { x: { driver: 'command', ...agent } })).toContain(line);
});

it.each<[line: string, settings: HelixFile]>([
  ['network for agents: example.org', { network: { creator: ['example.org'] } }],
  ['network for gates: true', { network: { gate: true } }],
  ['sandbox: none', { sandbox: 'none' }],
  ['sandbox: basic', { sandbox: 'basic' }],
  ['sandbox: strict', { sandbox: 'strict' }],
  ['notification program: ["mail","-s"]', { notify: [{ command: ['mail', '-s'] }] }],
  ['notification address: https://example.org/hook', { notify: [{ webhook: 'https://example.org/hook' }] }],
  ['notification address: $HOOK (signed with HOOK_KEY)', { notify: [{ webhook: '$HOOK', secret_env: 'HOOK_KEY' }] }],
  ['size of a change: asks above 13 files', { do: { max_files: 13, max_lines: 400 } }],
  ['size of a change: asks above 10000000 lines', { do: { max_files: 1, max_lines: 10_000_000 } }],
  ['notification: terminal bell', { notify: [{ bell: true }] }],
  [
    'notification on GitHub: acme/shop#7, where octocat, hubot may decide',
    { notify: [{ github: { repo: 'acme/shop', issue: 7, users: ['octocat', 'hubot'] } }] },
  ],
])('%s is named', (line, settings) => {
  expect(lines({}, {}, settings)).toEqual([line]);
});

it('walls, limits and protected paths that are there no more are missed, and another limit is asked about, too', () => {
  const [strict, few] = [
    lines({}, {}, { sandbox: 'strict', limits: { processes: 100 } }),
    lines({ protected: ['a/**'] }),
  ];
  expect(lostProtections([...strict, ...few], [])).toEqual([
    'limit of processes: 100',
    'sandbox: strict',
    'protects: a/**',
  ]);
  expect([...strict, ...few].filter(isProtection)).toEqual(['sandbox: strict', 'protects: a/**']);
});

it('a phase that waits for its user no more is missed, and so is what was kept off, but not by a task beside the plan', () => {
  const phases = [samplePhase('a', { requiresApproval: true })];
  const before = lines({ phases, workspace: { ...NO_WORKSPACE, keepOut: ['private/**'] } });
  const all = ["keeps off the run's branch: private/**", 'waits for your approval: a'];
  expect(lostProtections(before, lines({}))).toEqual(all);
  expect(before.filter(isProtection)).toEqual(['waits for your approval: a']);
  expect(lostBeside(before, lines({}))).toEqual([]);
});

it('models and prices that a budget is counted with are named, and missed while an agent works that needs them', () => {
  const models = { claude: { id: 'x', cost_per_1m_input: 0, cost_per_1m_output: 0 } };
  const prices = priceHarms({ aliases: { gpt: 'free' }, providers: { p: { models }, q: { models: ['y'] } } });
  expect(prices).toEqual([
    'price of gpt: as of free',
    `price of p:claude: ${JSON.stringify(models.claude)}`,
    'price of q:0: "y"',
  ]);
  const codex: AgentSettings = { driver: 'codex', model: 'gpt-5' };
  const phases = [samplePhase('a', { config: { model: 'gpt-6' } })];
  const before = [...lines({ phases }, { default: codex }), ...prices];
  expect(before).toContain('model of a: gpt-6');
  const lost = ['model of a: gpt-6', 'model of agent default: gpt-5', ...prices];
  expect(lostProtections(before, lines({}, { default: { driver: 'codex' } }))).toEqual(lost);
  expect(lostProtections(before, lines({}))).toEqual([]);
  expect(lostBeside(before, lines({}, { default: { driver: 'codex' } }))).toEqual(lost.slice(1));
});

it('network for one gate of a phase is not network for another', () => {
  const gates = [gate({ command: ['a'], network: true }), gate({ command: ['b'], network: true })];
  expect(lines({ phases: [samplePhase('a', { gates })] })).toEqual(
    expect.arrayContaining(['network for a gate of a (["a"]): true', 'network for a gate of a (["b"]): true']),
  );
});

it('an agent without a command is named by its driver alone', () => {
  expect(lines({}, { default: { driver: 'claude-code' } })).toEqual(['agent default: claude-code']);
});

it('each line stands once and in an order that does not depend on the plan', () => {
  const gates = [gate({ command: ['b'] }), gate({ command: ['a'] }), gate({ command: ['b'] })];
  const forth = lines({ phases: [samplePhase('a', { gates }), samplePhase('b', { gates })] });
  const back = lines({ phases: [samplePhase('b', { gates: gates.toReversed() }), samplePhase('a', { gates })] });
  expect(forth).toEqual(back);
  expect(forth).toHaveLength(4);
});

const BIDI = '\u202e';
const HIDING = ['rm -rf ~\n  trusted: yes', 'a\rb', 'a\x1b[2Kb', `a${BIDI}b`, 'a\u2028b', 'a\x9bb', 'a\u200bb'];

it.each(HIDING)('what would not show on a screen is written out: %j', (text) => {
  const all = [
    ...lines(withGate({ command: text })),
    ...lines(withGate({ command: ['sh', '-c', text], network: text })),
    ...lines({ workspace: { ...NO_WORKSPACE, copy: [text] } }),
    ...lines(
      {},
      { [text]: { driver: 'command', env: [text], mcp: [{ name: 'x', url: text }] } },
      { network: { creator: [text] } },
    ),
  ];
  expect(all.length).toBeGreaterThan(6);
  for (const line of all) expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
});

it('two different commands never have the same line', () => {
  const texts = [
    ...HIDING,
    'a\\rb',
    '"a\\rb"',
    '"a\\\\rb"',
    'a\\u{202e}b',
    '"a\\u{202e}b"',
    '\\u{202e}',
    BIDI,
    '"',
    '""',
    '',
  ];
  const all = texts.flatMap((text) => [...lines(withGate({ command: text })), ...lines(withGate({ command: [text] }))]);
  expect(new Set(all).size).toBe(2 * texts.length);
});
