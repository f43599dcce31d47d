import { z } from 'zod';
import type { AgentSettings, McpServer } from '../../../domain/helix-file.ts';
import type { AgentTask, CreatorTask, JudgeTask } from '../../../ports.ts';
import { CREATOR_WORDS } from '../creator-words.ts';
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
export function claudeArguments(task: AgentTask, settings: AgentSettings): string[] {
  return [
    ...BASE,
    ...(task.model === undefined ? [] : ['--model', task.model]),
    ...(task.spendUsd === undefined ? [] : ['--max-budget-usd', String(Math.max(task.spendUsd, 0.01))]),
    ...(task.role === 'creator' ? creator(task, settings) : judge(task)),
  ];
}

/** The tools a creator has: fewer where its phase names some of them. */
export function creatorTools({ phase }: Pick<CreatorTask, 'phase'>): string[] {
  const named = CREATOR_TOOLS.filter((tool) => phase.config.tools?.includes(tool));
  return named.length === 0 ? CREATOR_TOOLS : named;
}

function creator(task: CreatorTask, { mcp = [] }: AgentSettings): string[] {
  const strict = task.sandbox.level === 'strict';
  const tools = creatorTools(task);
  const servers = mcp.map(({ name }) => `mcp__${name}`);
  const allowed = ['Read', 'Grep', 'Glob', 'Edit(/**)', 'Bash', ...servers];
  return [
    ...['--tools', tools.join(',')],
    ...['--allowedTools', ...allowed],
    ...(strict ? ['--settings', JSON.stringify({ sandbox: shellWalls(task) })] : []),
    ...(mcp.length === 0 ? [] : ['--mcp-config', JSON.stringify({ mcpServers: serversOf(mcp) })]),
    ...['--max-turns', String(task.phase.config.max_iterations ?? MAX_TURNS)],
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
