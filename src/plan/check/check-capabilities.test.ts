import { expect, it } from 'vitest';
import { loadText, shown } from '../memory-project.fixture.ts';

const ONE = 'phases: [{ id: a, type: development }]\n';
const AGENTS = `agents:
  other: { driver: acp, command: [npm] }
  mine: { driver: command, command: [npm] }
`;

async function found(helix: string, plan = ONE): Promise<string[]> {
  return shown((await loadText(plan, { 'helix.yaml': helix })).findings);
}

it.each([
  ['reviewer', 'mine', 'command'],
  ['verifier', 'mine', 'command'],
  ['consultant', 'other', 'acp'],
])('the role %s is refused to %s, whose driver %s only creates', async (role, name, driver) => {
  const [finding, ...more] = await found(`${AGENTS}roles: { ${role}: ${name} }\n`);
  expect(finding).toBe(
    `helix.yaml:4:${12 + role.length} error: the agent "${name}" cannot be a ${role}: its driver is ${driver} ` +
      `(name an agent for roles.${role} in helix.yaml with one of these drivers: claude-code, codex, scripted)`,
  );
  expect(more).toEqual([]);
});

it('every agent can be a creator, and those with judges of their own every other role', async () => {
  expect(await found(`${AGENTS}roles: { creator: other, reviewer: default, verifier: codex }\n`)).toEqual([]);
});

it('a model is refused where the driver cannot be told of one', async () => {
  const hint = '(remove it, and choose the model in the settings of the agent itself)';
  const message = `error: agents with the driver acp cannot be told which model to use ${hint}`;
  expect(await found('agents: { default: { driver: acp, command: [npm], model: opus } }\n')).toEqual([
    `helix.yaml:1:58 ${message}`,
  ]);
  const plan = 'phases: [{ id: a, type: development, agent: other, config: { model: opus } }]\n';
  expect(await found(AGENTS, plan)).toEqual([`1:69 ${message}`]);
  expect(await found(`${AGENTS}roles: { creator: other }\n`, plan.replace('agent: other, ', ''))).toEqual([
    `1:55 ${message}`,
  ]);
});

it('MCP servers are refused where the driver takes none', async () => {
  const server = '[{ name: search, url: "https://example.org/mcp" }]';
  expect(await found(`agents: { default: { driver: command, command: x, mcp: ${server} } }\n`)).toEqual([
    'helix.yaml:1:56 error: agents with the driver command take no MCP servers ' +
      '(remove mcp, or use a driver that takes them: claude-code, codex, acp, scripted, replay)',
  ]);
  expect(await found(`agents: { default: { driver: claude-code, mcp: ${server} } }\n`)).toEqual([]);
  expect(await found('agents: { default: { driver: command, command: x, mcp: [] } }\n')).toEqual([]);
});

it('two MCP servers cannot have one name', async () => {
  const servers = '[{ name: a, command: [npm] }, { name: b, command: [npm] }, { name: a, url: "https://example.org" }]';
  expect(await found(`agents: { default: { driver: claude-code, mcp: ${servers} } }\n`)).toEqual([
    expect.stringContaining('there are two MCP servers called "a"'),
  ]);
});

it.each([
  ['{ name: A b, command: [npm] }', 'cannot be "A b"'],
  ['{ name: a }', '"command" is missing'],
  ['{ name: a, command: npm }', 'must be a list'],
  ['{ command: [npm] }', '"name" is missing'],
])('the MCP server %s is refused: %s', async (server, says) => {
  const [finding = ''] = await found(`agents: { default: { driver: claude-code, mcp: [${server}] } }\n`);
  expect(finding).toContain(says);
});

it('verification is refused where nobody could verify', async () => {
  const plan = 'phases: [{ id: a, type: development, verify_agent: true }]\n';
  const agents = 'agents: { default: { driver: command, command: [npm] } }\n';
  expect(await found(agents, plan)).toEqual([
    expect.stringContaining('1:52 error: the agent that would verify it cannot be a verifier: its driver is command'),
  ]);
  expect(await found(`${agents}roles: { verifier: codex }\n`, plan)).toEqual([]);
});

it('a meeting that its agent cannot hold is said to be one attempt', async () => {
  const meeting = (config: string) => `phases: [{ id: a, type: meeting, agent: mine, config: ${config} }]\n`;
  expect(await found(AGENTS, meeting('{ max_iterations: 3 }'))).toEqual([
    '1:55 warning: the meeting of a is one attempt of its agent: no experts are heard and nothing is asked, because its driver is command ' +
      '(name an agent with one of these drivers for it: claude-code, codex, scripted)',
  ]);
  expect(await found(AGENTS, meeting('{ focus: x }'))).toEqual([]);
  expect(await found(AGENTS, meeting('{ max_iterations: 3 }').replace('mine', 'default'))).toEqual([]);
});
