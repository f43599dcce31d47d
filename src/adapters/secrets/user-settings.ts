import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fieldsOf, textOf } from '../../text/agent-words/fields.ts';

/** Settings by which a user's own configuration says how to log in. */
const HELPERS = ['apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport', 'gcpAuthRefresh'];

type Environment = Readonly<Record<string, string | undefined>>;

/** What of the user's own settings is a matter of login: programs that fetch a key, and variables. */
export type UserSettings = {
  readonly settings: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Reads how the user logs in from their own settings, which the program is told to ignore along with all others. A file that
 * cannot be read says nothing: then the program itself says that it is not logged in.
 */
export function userSettings(env: Environment): UserSettings {
  const own = fieldsOf(
    settingsOf(join(env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude'), 'settings.json')),
  );
  return { settings: texts(own, HELPERS), env: texts(fieldsOf(own.env), Object.keys(fieldsOf(own.env))) };
}

function settingsOf(file: string): unknown {
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function texts(fields: Record<string, unknown>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = Object.hasOwn(fields, name) ? textOf(fields[name]) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
