import { CAPABILITIES } from './driver.ts';
import { type AgentSettings, type HelixFile, MOST_IN_ONE_CHANGE } from './helix-file.ts';
import type { NotifySettings } from './notify-settings.ts';
import { type Budget, DEFAULT_BUDGET, type Phase, type Plan } from './plan.ts';
import { PROTECTED } from './protected.ts';
import { wantsWeb } from './web-search.ts';

/** Lists everything in a plan and its settings that could do harm, one line each, in a stable order. */
export function harms(plan: Plan, agents: Readonly<Record<string, AgentSettings>>, settings: HelixFile): string[] {
  const lines = [
    ...rootHarm(plan.workspace),
    ...plan.workspace.setup.map((argv) => `set-up command: ${command(argv)}`),
    ...plan.workspace.copy.map((path) => `copies into workspaces: ${plain(path)}`),
    ...plan.workspace.cache.map((path) => `shares among workspaces: ${plain(path)}`),
    ...(plan.workspace.keepOut ?? []).map((pattern) => `keeps off the run's branch: ${plain(pattern)}`),
    ...plan.phases.flatMap(phaseHarms),
    ...webHarms(plan, agents),
    ...Object.entries(agents).flatMap(([name, agent]) => agentHarms(name, agent)),
    ...(settings.network?.creator ?? []).map((domain) => `network for agents: ${plain(domain)}`),
    ...(settings.network?.gate ? [`network for gates: ${plain(String(settings.network.gate))}`] : []),
    ...sandboxHarms(settings),
    ...Object.entries(settings.limits ?? {}).map(([name, limit]) => `${LIMITS}${name}: ${limit}`),
    ...(settings.notify ?? []).map(notifyHarm),
    ...budgetHarms(plan.budget),
    ...sizeHarms(settings.do),
    ...plan.protected.filter((pattern) => !PROTECTED.includes(pattern)).map((pattern) => PROTECTS + plain(pattern)),
  ];
  return [...new Set(lines)].sort();
}

/** The same command does something else in another directory, so where commands run is part of what is trusted. */
function rootHarm({ root }: Plan['workspace']): string[] {
  if (root === undefined) return [];
  return [`works in the repository's ${root === '.' ? 'top directory' : `directory ${plain(root)}`}`];
}

const PROTECTS = 'protects: ';
const LIMITS = 'limit of ';
/** The line of walls that a run does not do without. */
const WALLED = 'sandbox: strict';

/** Tells whether a line is no harm itself, but one where it is missing: what was protected is so no more. */
export function isProtection(line: string): boolean {
  return line.startsWith(PROTECTS) || line === WALLED;
}

/** The trusted lines that protected and are among these no more; another limit may be more than there is without one. */
export function lostProtections(trusted: readonly string[], lines: readonly string[]): string[] {
  return trusted.filter((line) => (isProtection(line) || line.startsWith(LIMITS)) && !lines.includes(line));
}

/** The line of how programs are walled in, where that is not what the machine can do best. */
export function sandboxHarms({ sandbox }: Pick<HelixFile, 'sandbox'>): string[] {
  return sandbox === undefined || sandbox === 'auto' ? [] : [`sandbox: ${sandbox}`];
}

/** The line of agents that only play what somebody wrote down, where what they do and say counts like that of real ones. */
export function simulatedHarm(names: readonly string[]): string {
  const who = names.length === 0 ? '' : `: ${names.map(plain).join(', ')}`;
  return `agents that only play a script count beside real ones${who}`;
}

/** What an agent searches for leaves the machine. */
function webHarms({ phases }: Plan, agents: Readonly<Record<string, AgentSettings>>): string[] {
  if (!Object.values(agents).some(({ driver }) => CAPABILITIES[driver].web)) return [];
  return phases.filter(wantsWeb).map(({ id }) => `web search for the agent of ${id}`);
}

/** What a run may spend beyond what it may when nobody said anything. */
function budgetHarms({ usd, minutes }: Budget): string[] {
  return [
    ...(usd === undefined ? ['budget: US dollars without a limit'] : []),
    ...(usd !== undefined && usd > DEFAULT_BUDGET.usd ? [`budget: ${usd} US dollars`] : []),
    ...(minutes !== undefined && minutes > DEFAULT_BUDGET.minutes ? [`budget: ${minutes} minutes`] : []),
  ];
}

/** How large a change of `helix do` may be, beyond what is asked about when nobody said anything. */
function sizeHarms({ max_files = 0, max_lines = 0 }: NonNullable<HelixFile['do']> = {}): string[] {
  return [
    ...(max_files > MOST_IN_ONE_CHANGE.files ? [`size of a change: asks above ${max_files} files`] : []),
    ...(max_lines > MOST_IN_ONE_CHANGE.lines ? [`size of a change: asks above ${max_lines} lines`] : []),
  ];
}

function phaseHarms({ id, gates, rollback }: Phase): string[] {
  return [
    ...gates.flatMap(({ settings }) => [
      ...(settings.command === undefined ? [] : [`gate command of ${id}: ${command(settings.command)}`]),
      ...(settings.network ? [`network for a gate of ${id}: ${plain(String(settings.network))}`] : []),
    ]),
    ...(rollback === undefined ? [] : [`rollback command of ${id}: ${command(rollback)}`]),
  ];
}

/** The line of what agents are asked in the user's name by the plan alone. */
export function askedHarm(text: string): string {
  return `asks agents in your name: ${json(text)}`;
}

/** The line of an output that is guarded where no plan names it. */
export function guardedOutputHarm(phase: string, path: string): string {
  return `${phase} may write what decides how work is judged or directed: ${plain(path)}`;
}

/** The line of a gate that runs what it will find in the work itself. */
export function unseenHarm(phase: string): string {
  return `detected gate command of ${phase}: none yet, whatever the work makes it find`;
}

/** The line of a command that a gate finds in the project, with the texts of what it runs there. */
export function detectedHarm(phase: string, argv: readonly string[], scripts: readonly string[]): string {
  const runs = scripts.length === 0 ? '' : `, which runs ${scripts.map(json).join(' and ')}`;
  return `detected gate command of ${phase}: ${json(argv)}${runs}`;
}

/** The lines of these that are an agent's. */
export function agentHarms(named: string, agent: AgentSettings): string[] {
  const name = plain(named);
  if (agent.driver === 'scripted' || agent.driver === 'replay') return [];
  return [
    `agent ${name}: ${agent.driver}${agent.command === undefined ? '' : ` (${command(agent.command)})`}`,
    ...(agent.env ?? []).map((variable) => `environment for agent ${name}: ${plain(variable)}`),
    ...(agent.mcp ?? []).map((server) => `MCP server for agent ${name}: ${json(server)}`),
  ];
}

/** The line of one that is about telling people: the program it starts, or where it writes to and whom it listens to. */
export function notifyHarm(settings: NotifySettings): string {
  if ('command' in settings) return `notification program: ${command(settings.command)}`;
  if ('bell' in settings) return 'notification: terminal bell';
  if ('webhook' in settings) {
    const key = settings.secret_env === undefined ? '' : ` (signed with ${settings.secret_env})`;
    return `notification address: ${plain(settings.webhook)}${key}`;
  }
  const { repo, issue, users } = settings.github;
  return `notification on GitHub: ${repo}#${issue}, where ${users.join(', ')} may decide`;
}

function command(written: unknown): string {
  return typeof written === 'string' ? `shell: ${plain(written)}` : json(written);
}

const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text as it is or, where it could pass for another one on a screen, quoted: no two texts come out the same. */
export function plain(text: string): string {
  return text.startsWith('"') || text.search(UNSEEN) !== -1 ? json(text) : text;
}

function json(value: unknown): string {
  return JSON.stringify(value).replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
