import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { userSettings } from '../../secrets/user-settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** How Claude Code would be let in, in its own order, by the variable that says so. */
const BY_VARIABLE: readonly (readonly [name: string, words: string])[] = [
  ['CLAUDE_CODE_USE_BEDROCK', 'Amazon Bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'Google Vertex AI'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'Microsoft Foundry'],
  ['ANTHROPIC_AUTH_TOKEN', 'token in ANTHROPIC_AUTH_TOKEN'],
  ['ANTHROPIC_API_KEY', 'key in ANTHROPIC_API_KEY'],
  ['CLAUDE_CODE_OAUTH_TOKEN', 'token in CLAUDE_CODE_OAUTH_TOKEN'],
];

/** How Claude Code would be let in, as far as that can be known without asking anybody; undefined where nothing says so. */
export function claudeLogin(source: Environment): string | undefined {
  const { env, settings } = userSettings(source);
  const [, words] = BY_VARIABLE.find(([name]) => source[name] || env[name]) ?? [];
  if (words !== undefined) return words;
  if (settings.apiKeyHelper !== undefined) return 'apiKeyHelper of your settings';
  const config = source.CLAUDE_CONFIG_DIR || join(source.HOME || homedir(), '.claude');
  return existsSync(join(config, '.credentials.json')) ? 'logged in' : undefined;
}
