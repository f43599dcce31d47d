import { tmpdir } from 'node:os';
import { claudeLogin } from '../adapters/agents/claude-code/claude-login.ts';
import { codexLogin } from '../adapters/agents/codex/codex-login.ts';
import { openProject } from '../adapters/project-directory.ts';
import { openWorld } from '../adapters/world.ts';
import type { DoctorDocument } from '../domain/documents.ts';
import { DRIVERS, type Driver } from '../domain/driver.ts';
import type { AgentSettings } from '../domain/helix-file.ts';
import { loadSettings } from '../plan/load-settings.ts';
import type { World } from '../ports.ts';
import { renderCost } from '../report/cost.ts';
import { renderJson } from '../report/json.ts';
import { renderSandbox } from '../report/status-text.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import { callLive, chooseLive } from './live-call.ts';
import type { Terminal } from './terminal.ts';

const VERSION_MS = 5000;
const OLDEST_NODE = 24;

type AgentRow = DoctorDocument['agents'][number];
type Agents = Readonly<Record<string, AgentSettings>>;

/** The programs that drivers start; the other drivers need none. */
const PROGRAMS: Partial<Record<Driver, string>> = { 'claude-code': 'claude', codex: 'codex' };

/** `helix doctor`: looks only, and starts nothing but `--version`, unless it is asked for a live call. */
export const doctor: Command = {
  usage: 'doctor [--live [--agent A]] [--json]',
  about: `Shows what HELIX finds on this machine: Node, git, the sandbox, and every kind of agent with its version and login.
It calls no model and costs nothing, but for --live: that makes one tiny call to the agent of this project (else to Claude
Code), with a minute and 0.05 USD to spend. Exits 0 when HELIX itself can work, with or without agents; a live call that
fails exits 1.`,
  positionals: { min: 0, max: 0 },
  options: {
    live: { type: 'boolean', help: 'make one tiny real call, to see that login and model work' },
    agent: { type: 'string', value: 'A', help: 'whom to call: an agent of helix.yaml, claude-code or codex' },
    json: JSON_OPTION,
  },
  examples: ['helix doctor', 'helix doctor --live', 'helix doctor --json | jq .agents'],
  run: async ({ flag, text, terminal }) => {
    const world = openWorld(openProject('.'));
    const chosen = flag('live') ? await chooseLive(world, text('agent'), terminal) : undefined;
    const live = chosen === undefined ? undefined : await callLive(world, chosen);
    const found = { ...(await examine(world)), ...(live !== undefined && { live }) };
    if (flag('json')) terminal.out(renderJson(found));
    else show(found, world, terminal);
    if (Number.parseInt(found.node, 10) >= OLDEST_NODE) return live?.works === false ? EXIT.failed : EXIT.passed;
    terminal.err(`HELIX needs Node ${OLDEST_NODE} or newer; in a checkout, npm run setup brings one\n`);
    return EXIT.failed;
  },
};

async function examine(world: World): Promise<DoctorDocument> {
  const { agents: named = {} } = (await loadSettings(world.project)).settings;
  const [git, ...agents] = await Promise.all([
    versionOf('git', world),
    ...DRIVERS.map((driver) => examineDriver(driver, named, world)),
  ]);
  return {
    schema: 'helix.doctor/1',
    agents,
    sandbox: await world.sandbox('auto'),
    git: git.version ?? (git.found ? 'unknown' : null),
    node: process.versions.node,
  };
}

async function examineDriver(driver: Driver, agents: Agents, world: World): Promise<AgentRow> {
  const names = Object.keys(agents).filter((name) => agents[name]?.driver === driver);
  const named = names.length === 0 ? {} : { named: names };
  const program = PROGRAMS[driver];
  if (program === undefined) return { driver, found: true, ...named };
  const { path, ...there } = await versionOf(program, world);
  return { driver, ...there, ...(path !== undefined && { login: await loginOf(driver, path, world) }), ...named };
}

/** How the driver's program would be let in; false where nothing says that it would. */
async function loginOf(driver: Driver, path: string, world: World): Promise<string | false> {
  if (driver === 'claude-code') return claudeLogin(process.env) ?? false;
  const login = await codexLogin([path], await world.processes());
  return login === undefined ? false : login === 'key' ? 'API key' : 'ChatGPT';
}

type Found = { readonly found: boolean; readonly version?: string; readonly path?: string };

async function versionOf(program: string, world: World): Promise<Found> {
  const path = await world.findProgram(program);
  if (path === undefined) return { found: false };
  const end = await (await world.processes()).run({
    argv: [path, '--version'],
    cwd: tmpdir(),
    env: world.env,
    marker: world.newMarker(),
    wallMs: VERSION_MS,
    outputBytes: 64 * 1024,
  });
  const version = end.exitCode === 0 ? /\d+\.\d+[\w.+-]*/.exec(end.tail)?.[0] : undefined;
  return { found: true, path, ...(version !== undefined && { version: oneLine(version, 60) }) };
}

function show(found: DoctorDocument, world: World, { out, paintOut }: Terminal): void {
  const line = (good: boolean, name: string, text: string) =>
    out(`${good ? paintOut('good', '✓') : paintOut('warn', '–')} ${name.padEnd(14)}${text}\n`);
  line(true, 'helix', world.version);
  line(true, 'node', found.node);
  line(found.git !== null, 'git', found.git ?? 'not found; plans with workspace: phase-dirs work without it');
  line(found.sandbox.level === 'strict', 'sandbox', renderSandbox(found.sandbox));
  out('\nAgents\n');
  for (const agent of found.agents) line(agent.found && agent.login !== false, agent.driver, describe(agent));
  if (found.live !== undefined) {
    out('\nLive call\n');
    line(found.live.works, found.live.agent, describeCall(found.live));
  }
  out('\nWithout any agent a plan can be tried at no cost: helix run --agent scripted\n');
}

const OWN: Partial<Record<Driver, string>> = {
  command: 'any program that helix.yaml names',
  acp: 'any program that helix.yaml names and that speaks the Agent Client Protocol',
};

function describe({ driver, found, version, login, named }: AgentRow): string {
  const program = PROGRAMS[driver];
  const there =
    program === undefined ? (OWN[driver] ?? 'part of HELIX') : `${program} ${version ?? 'of unknown version'}`;
  return [
    found ? there : `there is no ${program} in PATH`,
    ...(login === undefined ? [] : [login === false ? 'not logged in' : login]),
    ...(named === undefined ? [] : [`helix.yaml: ${oneLine(named.join(', '), 200)}`]),
  ].join('; ');
}

function describeCall({ works, model, version, seconds, cost, failure, message }: NonNullable<DoctorDocument['live']>) {
  const who = [model ?? 'model not told', version ?? 'version not told', `${seconds.toFixed(1)} s`].join(', ');
  if (works) return `${oneLine(who, 200)}, ${renderCost(cost)}`;
  return `${failure}: ${sanitise(message ?? '')} (${oneLine(who, 200)})`;
}
