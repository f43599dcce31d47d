import { json, plain } from '../plain-line.ts';
import { CAPABILITIES } from './driver.ts';
import { type AgentSettings, type HelixFile, MOST_IN_ONE_CHANGE } from './helix-file.ts';
import type { LlmProviders } from './llm-providers.ts';
import type { NotifySettings } from './notify-settings.ts';
import { type Budget, DEFAULT_BUDGET, type Phase, type Plan } from './plan.ts';
import { PROTECTED } from './protected.ts';
import { isGuard, isJudging, isMissed } from './trust-guards.ts';
import { wantsWeb } from './web-search.ts';

/** Lists everything in a plan and its settings that could do harm, one line each, in a stable order. */
export function harms(plan: Plan, agents: Readonly<Record<string, AgentSettings>>, settings: HelixFile): string[] {
  const lines = [
    ...rootHarm(plan.workspace),
    ...plan.workspace.setup.map((argv) => `set-up command: ${command(argv)}`),
    ...plan.workspace.copy.map((path) => `copies into workspaces: ${plain(path)}`),
    ...plan.workspace.cache.map((path) => `shares among workspaces: ${plain(path)}`),
    ...(plan.workspace.keepOut ?? []).map((pattern) => KEEPS_OFF + plain(pattern)),
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
    ...plan.phases.filter(({ requiresApproval }) => requiresApproval).map(({ id }) => WAITS + id),
    ...modelHarms(plan, agents),
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
const WAITS = 'waits for your approval: ';
const KEEPS_OFF = "keeps off the run's branch: ";
const LIMITS = 'limit of ';
/** What turns used tokens into money; without them the budget of those that still work binds less. */
const MODELS = 'model of ';
const PRICES = 'price of ';
/** The line of walls that a run does not do without. */
const WALLED = 'sandbox: strict';

/** Tells whether a line is no harm itself, but one where it is missing: what was protected is so no more. */
export function isProtection(line: string): boolean {
  return line.startsWith(PROTECTS) || line.startsWith(WAITS) || line === WALLED || isGuard(line);
}

/** Harms that are just as much one where they are gone: without a limit there may be more to lose. */
const BOTH_WAYS = [LIMITS, KEEPS_OFF];

/** The trusted lines that protected and are among these no more. */
export function lostProtections(trusted: readonly string[], lines: readonly string[]): string[] {
  const isWorking = (who: string) => lines.some((line) => line.startsWith(who));
  const protects = (line: string) => {
    if (line.startsWith(PRICES)) return isWorking('agent ');
    // Where everybody plays a script nothing is worth looking at.
    if (isJudging(line)) return isWorking('agent ') && isMissed(line, lines);
    if (line.startsWith(MODELS)) return isWorking(/^model of (agent [^:]+:)/.exec(line)?.[1] ?? 'agent ');
    return isProtection(line) || BOTH_WAYS.some((begin) => line.startsWith(begin));
  };
  return trusted.filter((line) => protects(line) && !lines.includes(line));
}

/** The same for what is not the plan the project was trusted with, such as a task: what only that plan says is not missing. */
export function lostBeside(trusted: readonly string[], lines: readonly string[]): string[] {
  const isOfPlan = (line: string) =>
    isJudging(line) ||
    line.startsWith(WAITS) ||
    line.startsWith(KEEPS_OFF) ||
    (line.startsWith(MODELS) && !line.startsWith(`${MODELS}agent `));
  return lostProtections(trusted, lines).filter((line) => !isOfPlan(line));
}

/** The models whose prices turn tokens into money, where an agent tells no more of its costs. */
function modelHarms({ phases }: Plan, agents: Readonly<Record<string, AgentSettings>>): string[] {
  const counting = Object.entries(agents).filter(([, { driver }]) => CAPABILITIES[driver].cost === 'tokens');
  if (counting.length === 0) return [];
  return [
    ...counting.flatMap(([name, { model }]) => modelHarm(`agent ${plain(name)}`, model)),
    ...phases.flatMap(({ id, config }) => modelHarm(id, config.model)),
  ];
}

function modelHarm(whose: string, model: string | undefined): string[] {
  return model === undefined ? [] : [`${MODELS}${whose}: ${plain(model)}`];
}

/** The lines of prices and other names of models that a project sets itself: its budget is counted with them. */
export function priceHarms({ aliases = {}, providers = {} }: LlmProviders): string[] {
  return [
    ...Object.entries(aliases).map(([name, meant]) => `${PRICES}${plain(name)}: as of ${plain(meant)}`),
    ...Object.entries(providers).flatMap(([provider, { models = {} }]) =>
      Object.entries(models).map(([name, entry]) => `${PRICES}${plain(`${provider}:${name}`)}: ${json(entry)}`),
    ),
  ];
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
      ...(settings.network
        ? [
            `network for a gate of ${id}${settings.command === undefined ? '' : ` (${command(settings.command)})`}: ${plain(String(settings.network))}`,
          ]
        : []),
    ]),
    ...(rollback === undefined ? [] : [`rollback command of ${id}: ${command(rollback)}`]),
  ];
}

/** What a line says of one phase; `model of agent` is about no phase. */
const OF_PHASE =
  /^((?:detected )?gate command of|rollback command of|network for a gate of|web search for the agent of|model of(?! agent )) [a-zA-Z0-9][a-zA-Z0-9_-]*/;

/** A line without the name of its phase: what one phase of a run may, a phase that its plan has grown by may, too. */
export function ofAnyPhase(line: string): string {
  return line.replace(OF_PHASE, '$1 any phase');
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
  return `${DETECTED}${phase}: none yet, whatever the work makes it find`;
}

/** Tells whether a line is about the command that a gate of a phase finds. */
export function isDetected(line: string, phase: string): boolean {
  return line.startsWith(`${DETECTED}${phase}: `);
}

const DETECTED = 'detected gate command of ';

/** The line of a command that a gate finds in the project, with the texts of what it runs there. */
export function detectedHarm(phase: string, argv: readonly string[], scripts: readonly string[]): string {
  const runs = scripts.length === 0 ? '' : `, which runs ${scripts.map(json).join(' and ')}`;
  return `${DETECTED}${phase}: ${json(argv)}${runs}`;
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
