import { tmpdir } from 'node:os';
import { claudeLogin } from '../../adapters/agents/claude-code/claude-login.ts';
import { CLAUDE } from '../../adapters/agents/claude-code/claude-program.ts';
import { codexLogin } from '../../adapters/agents/codex/codex-login.ts';
import { CODEX } from '../../adapters/agents/codex/codex-program.ts';
import { findAgentProgram, type KnownProgram, locateCommand } from '../../adapters/agents/find-agent-program.ts';
import type { DoctorDocument } from '../../domain/documents/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Driver } from '../../domain/plan/driver.ts';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { agentHarms } from '../../domain/plan/trust.ts';
import { present } from '../../domain/present.ts';
import type { World } from '../../ports/world.ts';
import { oneLine } from '../../text/sanitise.ts';

const VERSION_MS = 5000;

/** What is known of a driver on this machine. */
export type AgentRow = DoctorDocument['agents'][number];
type Own = NonNullable<AgentRow['programs']>[number];
type Agents = Readonly<Record<string, AgentSettings>>;

/** The programs that drivers start; the other drivers need none. */
export const PROGRAMS: Partial<Record<Driver, KnownProgram>> = { 'claude-code': CLAUDE, codex: CODEX };

/** Looks at a driver's program in PATH and at those that helix.yaml names for its agents. */
export async function examineDriver(driver: Driver, agents: Agents, world: World): Promise<AgentRow> {
  const mine = Object.entries(agents).filter(([, settings]) => settings.driver === driver);
  const named = mine.length === 0 ? {} : { named: mine.map(([name]) => name) };
  const program = PROGRAMS[driver];
  if (program === undefined) return { driver, found: true, ...named };
  const path = await world.findProgram(program.name);
  const version = path === undefined ? undefined : await programVersion([path], world);
  const problem = path === undefined ? undefined : await problemOf([path], { program, version, world });
  const own = await Promise.all(mine.map(([name, settings]) => examineOwn(name, settings, world)));
  const programs = own.flatMap((each) => each?.told ?? []);
  const argv = path === undefined ? own.find((each) => each?.argv !== undefined)?.argv : [path];
  return {
    driver,
    found: path !== undefined,
    ...present({ version, problem }),
    ...(argv !== undefined && { login: await loginOf(driver, argv, world) }),
    ...named,
    ...(programs.length > 0 && { programs }),
  };
}

type Examined = { readonly told: Own; readonly argv?: readonly string[] };

/** A project that is not trusted may name any program: that one is not even started to be asked for its version. */
async function examineOwn(agent: string, settings: AgentSettings, world: World): Promise<Examined | undefined> {
  if (settings.command === undefined) return undefined;
  const command = [settings.command].flat();
  const lines = await (await world.trust()).trusted(world.project.dir);
  const trusted = agentHarms(agent, settings).every((line) => lines?.includes(line));
  if (!trusted) return { told: { agent, command, trusted } };
  try {
    const argv = await locateCommand(command, world, '');
    const version = await programVersion(argv, world);
    const program = PROGRAMS[settings.driver];
    const problem = program === undefined ? undefined : await problemOf(argv, { program, version, world });
    return { told: { agent, command: argv, trusted, ...present({ version, problem }) }, argv };
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return { told: { agent, command, trusted, problem: error.message } };
  }
}

type Program = { readonly program: KnownProgram; readonly version: string | undefined; readonly world: World };

/** Why a run would refuse a program: its version, or flags it does not have. */
async function problemOf(argv: readonly string[], { program, version, world }: Program): Promise<string | undefined> {
  if (version === undefined) return `${program.name} does not tell its version`;
  try {
    const around = { project: world.project, processes: await world.processes(), cache: world.cache };
    await findAgentProgram(program, { command: [...argv] }, around);
    return undefined;
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return [error.message, ...(error.hint === undefined ? [] : [error.hint])].join('. ');
  }
}

/** How the driver's program would be let in; false where nothing says that it would. */
async function loginOf(driver: Driver, argv: readonly string[], world: World): Promise<string | false> {
  if (driver === 'claude-code') return claudeLogin(process.env) ?? false;
  const login = await codexLogin(argv, await world.processes());
  return login === undefined ? false : login === 'key' ? 'API key' : 'ChatGPT';
}

/** The version a program tells, if it tells one. */
export async function programVersion(argv: readonly string[], world: World): Promise<string | undefined> {
  const end = await (await world.processes()).run({
    argv: [...argv, '--version'],
    cwd: tmpdir(),
    env: world.env,
    marker: world.newMarker(),
    wallMs: VERSION_MS,
    outputBytes: 64 * 1024,
  });
  const version = end.exitCode === 0 ? /\d+\.\d+[\w.+-]*/.exec(end.tail)?.[0] : undefined;
  return version === undefined ? undefined : oneLine(version, 60);
}
