import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import type { AgentTask } from '../../../ports/agent.ts';
import { allowedEnv } from '../../programs/environment.ts';
import { AGENT_GIT_ENV, NETWORK_VARIABLES, serverVariables } from '../agent-environment.ts';

/** How the user's own login, provider, proxy and certificates reach the program. */
const PASSED = [
  ...NETWORK_VARIABLES,
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
  'OPENAI_ORGANIZATION',
  'OPENAI_PROJECT',
  'CODEX_CA_CERTIFICATE',
];

type Environment = Readonly<Record<string, string | undefined>>;

/** Where the program keeps its login: always said outright, so that nothing else can say it. */
function codexHome(source: Environment): string {
  return source.CODEX_HOME || join(source.HOME || homedir(), '.codex');
}

/** The environment of the program: an allow-list. */
export function codexEnvironment(
  source: Environment,
  settings: AgentSettings,
  task: Pick<AgentTask, 'role'>,
): Record<string, string> {
  const home = codexHome(source);
  const key = source.CODEX_API_KEY || (existsSync(join(home, 'auth.json')) ? undefined : source.OPENAI_API_KEY);
  return {
    ...allowedEnv(source, [...PASSED, ...(settings.env ?? []), ...serverVariables(settings, task)]),
    // One that does not exist is refused where it is named, and made where it is not.
    ...(existsSync(home) && { CODEX_HOME: home }),
    // The program takes its key from this variable alone, which also comes before a login.
    ...(key && { CODEX_API_KEY: key }),
    ...(task.role === 'creator' && AGENT_GIT_ENV),
  };
}
