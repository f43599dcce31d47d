import type { AgentSettings, McpServer } from '../../../domain/plan/helix-file.ts';
import { wantsWeb } from '../../../domain/plan/web-search.ts';
import type { AgentTask } from '../../../ports/agent.ts';
import { CREATOR_WORDS } from '../agent-texts.ts';

/** Flags every role has: nothing kept, and neither the user's settings nor anybody's rules; the login stays. */
const BASE = [
  ...['exec', '--json', '--color', 'never', '--skip-git-repo-check'],
  ...['--ephemeral', '--ignore-user-config', '--ignore-rules'],
];

/** What would let a repository or a server speak to the agent, call home, or go on for ever. */
const SETTINGS = [
  'project_doc_max_bytes=0',
  'skills.include_instructions=false',
  'skills.bundled.enabled=false',
  'features.hooks=false',
  'features.plugins=false',
  'features.apps=false',
  'features.goals=false',
  'features.multi_agent=false',
  'features.tool_suggest=false',
  'features.unbounded_connection_retries=false',
  'analytics.enabled=false',
];

/** Variables that no shell of the agent's is to see, beside those meant for servers. */
const HIDDEN = ['*KEY*', '*TOKEN*', '*SECRET*', '*PASSWORD*'];

type Place = {
  /** The file that holds what a judge's answer must look like. */
  readonly schema?: string;
  /** Where its model is, if not where it always is. */
  readonly baseUrl?: string | undefined;
  /** The servers a creator may use. */
  readonly mcp?: AgentSettings['mcp'];
};

/** The arguments for a task; the brief goes to stdin. */
export function codexArguments(task: AgentTask, { schema, baseUrl, mcp = [] }: Place = {}): string[] {
  const servers = task.role === 'creator' ? mcp : [];
  const hidden = [...HIDDEN, ...servers.flatMap((server) => ('env' in server ? (server.env ?? []) : []))];
  const words = task.role === 'creator' ? CREATOR_WORDS : task.instructions;
  const settings = [
    ...SETTINGS,
    `web_search=${quoted(task.role === 'creator' && wantsWeb(task.phase) ? 'live' : 'disabled')}`,
    `shell_environment_policy.exclude=${listed(hidden)}`,
    ...servers.map((server) => `mcp_servers.${server.name}=${tableOf(server)}`),
    `projects={${quoted(task.dir)}={trust_level="untrusted"}}`,
    `developer_instructions=${quoted(words)}`,
    ...(baseUrl === undefined ? [] : [`openai_base_url=${quoted(baseUrl)}`]),
  ];
  return [
    ...BASE,
    ...['--sandbox', sandboxOf(task)],
    ...(task.model === undefined ? [] : ['--model', task.model]),
    ...(schema === undefined ? [] : ['--output-schema', schema]),
    ...settings.flatMap((setting) => ['-c', setting]),
    '-',
  ];
}

/** The walls of its own shell; it has no network in any of them. Without a sandbox there are none, but a judge never writes. */
function sandboxOf({ role, sandbox }: AgentTask): string {
  if (role !== 'creator') return 'read-only';
  return sandbox.level === 'none' ? 'danger-full-access' : 'workspace-write';
}

/** A server as its settings name it; without leave given beforehand its tools would be refused. */
function tableOf(server: McpServer): string {
  const approved = 'default_tools_approval_mode="approve"';
  if ('url' in server) return `{url=${quoted(server.url)}, ${approved}}`;
  const [program = '', ...args] = server.command;
  const env = listed(server.env ?? []);
  return `{command=${quoted(program)}, args=${listed(args)}, env_vars=${env}, ${approved}}`;
}

function listed(texts: readonly string[]): string {
  return `[${texts.map(quoted).join(', ')}]`;
}

/** A text as TOML writes it; its escapes are those of JSON but for one character. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}
