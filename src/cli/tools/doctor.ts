import type { DoctorDocument } from '../../domain/documents/documents.ts';
import { DRIVERS, type Driver } from '../../domain/plan/driver.ts';
import type { HelixFile, Isolation } from '../../domain/plan/helix-file.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { present } from '../../domain/present.ts';
import { loadSettings } from '../../plan/read/load-settings.ts';
import type { World } from '../../ports/world.ts';
import { renderLimits, renderSandbox } from '../../report/run/status-text.ts';
import { renderCost } from '../../report/words/cost.ts';
import { renderJson } from '../../report/words/json.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import { type Command, JSON_OPTION } from '../call/command.ts';
import { EXIT } from '../call/exit-code.ts';
import { openWorldOf } from '../call/open-project.ts';
import type { Terminal } from '../call/terminal.ts';
import { type AgentRow, examineDriver, PROGRAMS, programVersion } from './examine-driver.ts';
import { callLive, chooseLive } from './live-call.ts';

/** `helix doctor`: looks only, and starts nothing but `--version`, unless it is asked for a live call. */
export const doctor: Command = {
  usage: 'doctor [--live [--agent A]] [--json]',
  about: `Shows what HELIX finds on this machine: Node, git, the sandbox, and every kind of agent with its version and login.
It calls no model and costs nothing, but for --live: that makes one tiny call to the agent of this project (else to Claude
Code), with a minute and 0.05 USD to spend. Exits 0 when HELIX itself can work, with or without agents, and 1 where a run of
this project would be refused, such as by a program that is too old, or where a live call fails.`,
  positionals: { min: 0, max: 0 },
  options: {
    live: { type: 'boolean', help: 'make one tiny real call, to see that login and model work' },
    agent: { type: 'string', value: 'A', help: 'whom to call: an agent of helix.yaml, claude-code or codex' },
    json: JSON_OPTION,
  },
  examples: ['helix doctor', 'helix doctor --live', 'helix doctor --json | jq .agents'],
  run: async (call) => {
    const { flag, text, terminal } = call;
    const world = openWorldOf(call);
    const chosen = flag('live') ? await chooseLive(world, text('agent'), terminal) : undefined;
    const live = chosen === undefined ? undefined : await callLive(world, chosen);
    const found = { ...(await examine(world, text('agent'))), ...present({ live }) };
    if (flag('json')) terminal.out(renderJson(found));
    else show(found, world, terminal);
    for (const why of found.refused ?? []) terminal.err(`${terminal.paint('bad', 'a run here is refused:')} ${why}\n`);
    return live?.works === false || found.refused !== undefined ? EXIT.failed : EXIT.passed;
  },
};

async function examine(world: World, asked: string | undefined): Promise<DoctorDocument> {
  const { settings } = await loadSettings(world.project);
  const { agents: named = {}, ...isolation } = settings;
  const [git, ...agents] = await Promise.all([
    gitVersion(world),
    ...DRIVERS.map((driver) => examineDriver(driver, named, world)),
  ]);
  const sandbox = await sandboxFor(isolation, world);
  const hasPlan = (await world.project.match('phases.yaml')).length > 0;
  const refused = [
    ...refusedAgents(agents, { settings, hasPlan, creator: asked ?? settings.roles?.creator ?? 'default' }),
    ...(isolation.sandbox === 'strict' && sandbox.level !== 'strict' ? [oneLine(sandbox.why, 300)] : []),
  ];
  return {
    schema: 'helix.doctor/1',
    agents,
    ...{ sandbox, git, node: process.versions.node },
    ...(refused.length > 0 && { refused }),
  };
}

type Here = { readonly settings: HelixFile; readonly hasPlan: boolean; readonly creator: string };

/** Why the agent that does the work here could not; where there is no plan nobody misses one that is not installed. */
function refusedAgents(rows: readonly AgentRow[], { settings: { agents = {} }, hasPlan, creator }: Here): string[] {
  const { driver, command } = agents[creator] ?? { driver: DRIVERS.find((name) => name === creator) ?? 'claude-code' };
  const row = rows.find((each) => each.driver === driver);
  const program = PROGRAMS[driver]?.name;
  if (row === undefined || program === undefined) return [];
  if (command === undefined && !row.found) return hasPlan ? [`there is no ${program} in PATH`] : [];
  const own = row.programs?.find(({ agent }) => agent === creator);
  const problem = command === undefined ? row.problem : own?.problem;
  return problem === undefined ? [] : [problem];
}

/** The level runs of this project have; where they would be refused, the best there is and why that is not enough. */
async function sandboxFor({ sandbox: wanted, limits }: Isolation, world: World): Promise<Sandbox> {
  const best = await world.sandbox('auto', limits);
  if (wanted === undefined || wanted === 'auto' || wanted === best.level) return best;
  if (wanted !== 'strict') return world.sandbox(wanted);
  return { ...best, why: `${best.why}; helix.yaml asks for strict, so that runs are refused` };
}

async function gitVersion(world: World): Promise<string | null> {
  const path = await world.findProgram('git');
  return path === undefined ? null : ((await programVersion([path], world)) ?? 'unknown');
}

function show(found: DoctorDocument, world: World, { out, paintOut }: Terminal): void {
  const line = (good: boolean, name: string, text: string) =>
    out(`${good ? paintOut('good', '✓') : paintOut('warn', '–')} ${name.padEnd(14)}${text}\n`);
  line(true, 'helix', world.version);
  line(true, 'node', found.node);
  line(found.git !== null, 'git', found.git ?? 'not found; plans with workspace: phase-dirs work without it');
  line(found.sandbox.level === 'strict', 'sandbox', renderSandbox(found.sandbox));
  if (found.sandbox.limits !== undefined)
    line(!Object.values(found.sandbox.limits).includes('unlimited'), 'limits', renderLimits(found.sandbox.limits));
  out('\nAgents\n');
  for (const agent of found.agents) line(isReady(agent), agent.driver, describe(agent));
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

type Own = NonNullable<AgentRow['programs']>[number];

/** Every agent may have a program of its own; only the others need the one in PATH. */
function isReady({ found, login, programs = [], ...row }: AgentRow): boolean {
  const usable = found && row.problem === undefined;
  return (usable || !usesPath({ programs, ...row })) && programs.every(isUsable) && login !== false;
}

function isUsable({ trusted, problem }: Own): boolean {
  return trusted && problem === undefined;
}

function usesPath({ named = [], programs = [] }: Pick<AgentRow, 'named' | 'programs'>): boolean {
  return programs.length === 0 || named.length > programs.length;
}

function describe({ driver, found, version, problem, login, named, programs = [] }: AgentRow): string {
  const program = PROGRAMS[driver]?.name;
  const there =
    program === undefined ? (OWN[driver] ?? 'part of HELIX') : `${program} ${version ?? 'of unknown version'}`;
  return [
    ...(usesPath({ named, programs }) ? [found ? (problem ?? there) : `there is no ${program} in PATH`] : []),
    ...(login === undefined ? [] : [login === false ? 'not logged in' : login]),
    ...(named === undefined ? [] : [`helix.yaml: ${oneLine(named.join(', '), 200)}`]),
    ...programs.map(describeOwn),
  ].join('; ');
}

function describeOwn({ agent, command, trusted, version, problem }: Own): string {
  const who = `${oneLine(agent, 60)} is ${oneLine(command.join(' '), 200)}`;
  if (!trusted) return `${who}, not looked at: you have not trusted it yet (helix trust)`;
  return problem === undefined ? `${who} ${version ?? 'of unknown version'}` : `${who}: ${oneLine(problem, 300)}`;
}

function describeCall({ works, model, version, seconds, cost, failure, message }: NonNullable<DoctorDocument['live']>) {
  const who = [model ?? 'model not told', version ?? 'version not told', `${seconds.toFixed(1)} s`].join(', ');
  if (works) return `${oneLine(who, 200)}, ${renderCost(cost)}`;
  return `${failure}: ${sanitise(message ?? '')} (${oneLine(who, 200)})`;
}
