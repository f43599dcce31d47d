import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Redactor, Secret } from '../../domain/plan/secret.ts';
import type { Project } from '../../ports/project.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { secretsAmong, secretsHanded, secretsInLines } from '../../text/secrets/secret-names.ts';
import { userSettings } from './user-settings.ts';

const LIMIT = 256 * 1024;

type Environment = Readonly<Record<string, string | undefined>>;

/** A redactor that can be told of more secrets. */
export type KnownSecrets = Redactor & { learn(secrets: readonly Secret[]): void };

/** Knows the secrets of an environment and of the logins of agents in it; looks for them when it is first needed. */
export function createKnownSecrets(env: Environment, home: string): KnownSecrets {
  const known = new Map<string, Secret>();
  let redactor: Redactor | undefined;
  let looked = false;
  const learn = (secrets: readonly Secret[]): void => {
    const news = secrets.filter(({ value }) => !known.has(value));
    for (const secret of news) known.set(secret.value, secret);
    if (news.length > 0) redactor = undefined;
  };
  const look = (): Redactor => {
    if (!looked) learn([...secretsAmong(env), ...loginSecrets(env, home)]);
    looked = true;
    redactor ??= createRedactor([...known.values()]);
    return redactor;
  };
  return {
    learn,
    redact: (text, cut) => (redactor ?? look()).redact(text, cut),
    redactBytes: (bytes) => (redactor ?? look()).redactBytes(bytes),
    find: (bytes) => (redactor ?? look()).find(bytes),
    knowsAny: () => (redactor ?? look()).knowsAny(),
  };
}

const known = new WeakMap<Environment, KnownSecrets>();

/** The secrets this process knows of in its environment: one for all that it writes. */
export function knownSecrets(): KnownSecrets {
  const own = known.get(process.env) ?? createKnownSecrets(process.env, homedir());
  known.set(process.env, own);
  return own;
}

/** What agents keep to be logged in. */
function loginSecrets(env: Environment, home: string): Secret[] {
  const files = [
    join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), '.credentials.json'),
    join(env.CODEX_HOME || join(home, '.codex'), 'auth.json'),
  ];
  const settings = userSettings({ ...env, HOME: home });
  return [
    ...files.flatMap((path) => secretsAmong({ login: readSmall(path) ?? '' })),
    ...secretsHanded(settings.env),
    ...headerSecrets({ ...settings.env, ...env }),
  ];
}

/** What gateways are shown: headers of the model's requests, a line each. */
function headerSecrets({ ANTHROPIC_CUSTOM_HEADERS: headers = '' }: Environment): Secret[] {
  const values = headers.split('\n').map((line) => line.slice(line.indexOf(':') + 1).trim());
  return values.filter((value) => value !== '').map((value) => ({ name: 'ANTHROPIC_CUSTOM_HEADERS', value }));
}

/** A file that is not there, or not for this user, has nothing that could get out; what is no plain file may have no end. */
function readSmall(path: string): string | undefined {
  try {
    const stat = statSync(path);
    return !stat.isFile() || stat.size > LIMIT ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** What of the environment agents are handed by name that looks like a secret. */
export function handedSecrets(agents: readonly { readonly env?: readonly string[] | undefined }[]): Secret[] {
  const names = agents.flatMap(({ env = [] }) => env);
  return secretsHanded(Object.fromEntries(names.map((name) => [name, process.env[name]])));
}

function isOwn(file: string, project: string): boolean {
  try {
    return realpathSync(file).startsWith(`${realpathSync(project)}${sep}`);
  } catch {
    return false;
  }
}

/** What looks like a secret in the environment and is named in a project's helix.yaml, by which agents are handed it. */
export function namedSecrets(project: string): Secret[] {
  const file = join(project, 'helix.yaml');
  // A link that leads out of the project is refused when the settings are loaded; what it leads to may have no end.
  const text = isOwn(file, project) ? (readSmall(file) ?? '') : '';
  return handedSecrets([{ env: text.match(/[A-Za-z_]\w*/g) ?? [] }]);
}

/** The secrets in files such as `.env.test` that are copied to where agents work. */
export async function copiedSecrets(project: Project, patterns: readonly string[]): Promise<Secret[]> {
  const secrets: Secret[] = [];
  for (const pattern of patterns) {
    try {
      for (const path of await project.match(pattern))
        secrets.push(...secretsInLines((await project.read(path, LIMIT)) ?? ''));
    } catch (error) {
      // A large or binary file has no such lines; what cannot be copied is reported when it is.
      if (!(error instanceof HelixError)) throw error;
    }
  }
  return secrets;
}
