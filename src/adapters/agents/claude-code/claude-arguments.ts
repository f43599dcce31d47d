import { z } from 'zod';
import type { AgentSettings, McpServer } from '../../../domain/plan/helix-file.ts';
import { wantsWeb } from '../../../domain/plan/web-search.ts';
import type { AgentTask, CreatorTask, JudgeTask } from '../../../ports/agent.ts';
import type { UserSettings } from '../../secrets/user-settings.ts';
import { CREATOR_WORDS } from '../agent-texts.ts';
import { shellWalls } from './shell-walls.ts';

const MAX_TURNS = 200;
const JUDGE_TURNS = 60;

/** What a creator can do at most. */
const CREATOR_TOOLS = ['Read', 'Grep', 'Glob', 'Edit', 'Write', 'Bash'];
/** A judge reads, and that is all. */
export const JUDGE_TOOLS = ['Read', 'Grep', 'Glob'];

/** Flags every role has: no settings, hooks, memory, servers or skills but those HELIX names; nothing kept, nothing asked. */
const BASE = [
  ...['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
  ...['--restricted', '--strict-mcp-config', '--disable-slash-commands', '--no-session-persistence'],
  ...['--permission-mode', 'dontAsk', '--permission-prompts', 'none'],
];

/** The arguments for a task; the brief goes to stdin. */
export function claudeArguments(
  task: AgentTask,
  settings: AgentSettings,
  login: UserSettings['settings'] = {},
): string[] {
  const walled = task.role === 'creator' && task.sandbox.level === 'strict';
  const own = { ...login, ...(walled && { sandbox: shellWalls(task) }) };
  return [
    ...BASE,
    ...(Object.keys(own).length === 0 ? [] : ['--settings', JSON.stringify(own)]),
    ...(task.model === undefined ? [] : ['--model', task.model]),
    ...(task.spendUsd === undefined ? [] : ['--max-budget-usd', String(Math.max(task.spendUsd, 0.01))]),
    ...(task.role === 'creator' ? creator(task, settings) : judge(task)),
  ];
}

/**
 * The tools a creator has: only those its phase names, where it names any of them. Names of other tools are for the brief; a
 * list with nothing in it leaves what a judge has.
 */
export function creatorTools({ phase, network }: Pick<CreatorTask, 'phase' | 'network'>): string[] {
  const { tools = CREATOR_TOOLS } = phase.config;
  if (tools.length === 0) return JUDGE_TOOLS;
  const names = new Set(tools.map((tool) => tool.toLowerCase()));
  const named = CREATOR_TOOLS.filter((tool) => names.has(tool.toLowerCase()));
  return [...(named.length === 0 ? CREATOR_TOOLS : named), ...(wantsWeb(phase) ? webTools(network) : [])];
}

/** What its provider finds for it is searched elsewhere; pages it opens itself, as its shell may. */
function webTools(network: readonly string[]): string[] {
  return network.length === 0 ? ['WebSearch'] : ['WebSearch', 'WebFetch'];
}

function creator(task: CreatorTask, { mcp = [] }: AgentSettings): string[] {
  const tools = creatorTools(task);
  const servers = mcp.map(({ name }) => `mcp__${name}`);
  const web = wantsWeb(task.phase) ? ['WebSearch', ...task.network.map((domain) => `WebFetch(domain:${domain})`)] : [];
  const allowed = ['Read', 'Grep', 'Glob', 'Edit(/**)', 'Bash', ...web, ...servers];
  return [
    ...['--tools', tools.join(',')],
    ...['--allowedTools', ...allowed],
    ...(mcp.length === 0 ? [] : ['--mcp-config', JSON.stringify({ mcpServers: serversOf(mcp) })]),
    ...['--max-turns', String(MAX_TURNS)],
    ...['--append-system-prompt', CREATOR_WORDS],
  ];
}

function judge(task: JudgeTask): string[] {
  return [
    ...['--tools', JUDGE_TOOLS.join(',')],
    ...['--allowedTools', ...JUDGE_TOOLS],
    ...(task.readable.length === 0 ? [] : ['--add-dir', ...task.readable]),
    ...['--max-turns', String(JUDGE_TURNS)],
    ...['--json-schema', JSON.stringify(z.toJSONSchema(task.answer, { target: 'draft-7' }))],
    ...['--append-system-prompt', task.instructions],
  ];
}

function serversOf(servers: readonly McpServer[]): Record<string, object> {
  return Object.fromEntries(
    servers.map((server) => [
      server.name,
      'url' in server
        ? { type: 'http', url: server.url }
        : { command: server.command[0], args: server.command.slice(1), env: valuesOf(server.env ?? []) },
    ]),
  );
}

/** Values are named, and the program fills them in from its own environment. */
function valuesOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `\${${name}}`]));
}
