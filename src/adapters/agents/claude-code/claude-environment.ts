import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import type { AgentTask } from '../../../ports/agent.ts';
import { allowedEnv } from '../../programs/environment.ts';
import { AGENT_GIT_ENV, NETWORK_VARIABLES, serverVariables } from '../agent-environment.ts';

const RETRIES = '3';
const REQUEST_MS = '300000';

/** How the user's own login, provider, proxy and certificates reach the program. */
const PASSED = [
  ...NETWORK_VARIABLES,
  'CLAUDE_CONFIG_DIR',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'ANTHROPIC_BEDROCK_BASE_URL',
  'ANTHROPIC_VERTEX_BASE_URL',
  'ANTHROPIC_VERTEX_PROJECT_ID',
  'ANTHROPIC_FOUNDRY_API_KEY',
  'ANTHROPIC_FOUNDRY_BASE_URL',
  'ANTHROPIC_FOUNDRY_RESOURCE',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'CLAUDE_CODE_SKIP_BEDROCK_AUTH',
  'CLAUDE_CODE_SKIP_VERTEX_AUTH',
  'XDG_CONFIG_HOME',
];

const BEDROCK = /^AWS_/;
const VERTEX = /^(GOOGLE_|GCLOUD_|CLOUDSDK_|CLOUD_ML_|VERTEX_REGION_)/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of the program: an allow-list, and what keeps it quiet and bounded. */
export function claudeEnvironment(
  source: Environment,
  settings: AgentSettings,
  task: Pick<AgentTask, 'role'>,
): Record<string, string> {
  const provider = Object.keys(source).filter(
    (name) =>
      (source.CLAUDE_CODE_USE_BEDROCK && BEDROCK.test(name)) || (source.CLAUDE_CODE_USE_VERTEX && VERTEX.test(name)),
  );
  // The program fills in what its servers may see from its own environment.
  const named = [...(settings.env ?? []), ...serverVariables(settings, task)].filter((name) => !HANDED_OVER.has(name));
  return {
    ...allowedEnv(source, [...PASSED, ...provider, ...named]),
    ...(task.role === 'creator' && AGENT_GIT_ENV),
    CLAUDE_CODE_MAX_RETRIES: RETRIES,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    API_TIMEOUT_MS: REQUEST_MS,
  };
}

const HANDED_OVER: ReadonlyMap<string, string> = new Map([
  ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR'],
  ['CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN_FILE_DESCRIPTOR'],
]);

/** The key of the user's login as it is handed over: by a pipe, so that no shell of the agent's inherits it. */
export function claudeSecret(source: Environment, descriptor: number) {
  for (const [name, by] of HANDED_OVER) {
    const secret = source[name];
    if (secret) return { secret, env: { [by]: String(descriptor) } };
  }
  return undefined;
}
