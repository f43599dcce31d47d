import { delimiter } from 'node:path';
import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import { present } from '../../domain/present.ts';
import type { AgentTask, CreatorTask } from '../../ports/agent.ts';
import type { AgentWorld } from './agent-world.ts';

/** Who an agent is to git, so that what it commits can be told from what the user commits. */
export const AGENT_IDENTITY = { name: 'HELIX agent', email: 'agent@helix.invalid' } as const;

/** The environment by which git takes an agent for that, and never asks it anything. */
export const AGENT_GIT_ENV: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: AGENT_IDENTITY.name,
  GIT_AUTHOR_EMAIL: AGENT_IDENTITY.email,
  GIT_COMMITTER_NAME: AGENT_IDENTITY.name,
  GIT_COMMITTER_EMAIL: AGENT_IDENTITY.email,
  GIT_TERMINAL_PROMPT: '0',
};

/** How a user's proxy and certificates reach any program. */
export const NETWORK_VARIABLES: readonly string[] = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** What the MCP servers of an agent's settings may see of the user's environment; judges have no servers. */
export function serverVariables({ mcp = [] }: AgentSettings, { role }: Pick<AgentTask, 'role'>): string[] {
  return role === 'creator' ? mcp.flatMap((server) => ('env' in server ? (server.env ?? []) : [])) : [];
}

/** An environment in which programs that set-up installed for a creator come first. */
export function withBinaries<E extends Readonly<Record<string, string>>>(env: E, task: AgentTask): E {
  const binaries = task.role === 'creator' ? (task.binaries ?? []) : [];
  return binaries.length === 0 ? env : { ...env, PATH: [...binaries, env.PATH ?? ''].join(delimiter) };
}

/** What every program that does a phase's work finds in its environment. */
export function taskVariables(task: CreatorTask, { project }: Pick<AgentWorld, 'project'>): Record<string, string> {
  return {
    ...AGENT_GIT_ENV,
    HELIX_PROJECT_DIR: project.dir,
    HELIX_PHASE: task.phase.id,
    HELIX_ATTEMPT: String(task.attempt),
    HELIX_TURN: String(task.turn),
    HELIX_ROLE: task.role,
    ...present({ HELIX_MODEL: task.model }),
  };
}
