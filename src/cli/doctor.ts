import { tmpdir } from 'node:os';
import { openProject } from '../adapters/project-directory.ts';
import { openWorld } from '../adapters/world.ts';
import type { DoctorDocument } from '../domain/documents.ts';
import { DRIVERS } from '../domain/driver.ts';
import type { World } from '../ports.ts';
import { renderJson } from '../report/json.ts';
import { renderSandbox } from '../report/status-text.ts';
import { oneLine } from '../text/sanitise.ts';
import { type Command, JSON_OPTION } from './command.ts';
import { EXIT } from './exit-code.ts';
import type { Terminal } from './terminal.ts';

const VERSION_MS = 5000;
const OLDEST_NODE = 24;

type Driver = (typeof DRIVERS)[number];
type AgentRow = DoctorDocument['agents'][number];

/** The programs that drivers start; the other drivers need none. */
const PROGRAMS: Partial<Record<Driver, string>> = { 'claude-code': 'claude', codex: 'codex' };

/** `helix doctor`: looks only, starts nothing but `--version`. */
export const doctor: Command = {
  usage: 'doctor [--json]',
  about: `Shows what HELIX finds on this machine: Node, git, the sandbox and every kind of agent. It calls no model and costs
nothing. Exits 0 when HELIX itself can work, with or without agents.`,
  positionals: { min: 0, max: 0 },
  options: { json: JSON_OPTION },
  examples: ['helix doctor', 'helix doctor --json | jq .agents'],
  run: async ({ flag, terminal }) => {
    const world = openWorld(openProject('.'));
    const found = await examine(world);
    if (flag('json')) terminal.out(renderJson(found));
    else show(found, world, terminal);
    if (Number.parseInt(found.node, 10) >= OLDEST_NODE) return EXIT.passed;
    terminal.err(`HELIX needs Node ${OLDEST_NODE} or newer; in a checkout, npm run setup brings one\n`);
    return EXIT.failed;
  },
};

async function examine(world: World): Promise<DoctorDocument> {
  const [git, ...agents] = await Promise.all([
    versionOf('git', world),
    ...DRIVERS.map((driver) => examineDriver(driver, world)),
  ]);
  return {
    schema: 'helix.doctor/1',
    agents,
    sandbox: await world.sandbox('auto'),
    git: git.version ?? (git.found ? 'unknown' : null),
    node: process.versions.node,
  };
}

async function examineDriver(driver: Driver, world: World): Promise<AgentRow> {
  const program = PROGRAMS[driver];
  if (program === undefined) return { driver, found: world.drivers.has(driver) };
  return { driver, ...(await versionOf(program, world)) };
}

async function versionOf(program: string, world: World): Promise<{ found: boolean; version?: string }> {
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
  return { found: true, ...(version !== undefined && { version: oneLine(version, 60) }) };
}

function show(found: DoctorDocument, world: World, { out, paintOut }: Terminal): void {
  const line = (good: boolean, name: string, text: string) =>
    out(`${good ? paintOut('good', '✓') : paintOut('warn', '–')} ${name.padEnd(14)}${text}\n`);
  line(true, 'helix', world.version);
  line(true, 'node', found.node);
  line(found.git !== null, 'git', found.git ?? 'not found; plans with workspace: phase-dirs work without it');
  line(found.sandbox.level === 'strict', 'sandbox', renderSandbox(found.sandbox));
  out('\nAgents\n');
  for (const agent of found.agents)
    line(agent.found && world.drivers.has(agent.driver), agent.driver, describe(agent, world));
  out('\nWithout any agent a plan can be tried at no cost: helix run --agent scripted\n');
}

function describe({ driver, found, version }: AgentRow, world: World): string {
  const program = PROGRAMS[driver];
  const own = driver === 'command' ? 'any program that helix.yaml names' : 'part of HELIX';
  const there = program === undefined ? own : `${program} ${version ?? 'of unknown version'}`;
  const missing = program === undefined ? '' : `there is no ${program} in PATH`;
  const parts = [found ? there : missing, world.drivers.has(driver) ? '' : 'HELIX cannot use it yet'];
  return parts.filter((part) => part !== '').join('; ');
}
