import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Redactor, Secret } from '../domain/secret.ts';
import { createRedactor } from '../text/redact.ts';
import { secretsAmong } from '../text/secret-names.ts';

const LOGIN_LIMIT = 256 * 1024;

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
  };
}

let own: KnownSecrets | undefined;

/** The secrets this process knows of: one for all that it writes. */
export function knownSecrets(): KnownSecrets {
  own ??= createKnownSecrets(process.env, homedir());
  return own;
}

/** What agents keep to be logged in; a file that is not there, or not for this user, has nothing that could get out. */
function loginSecrets(env: Environment, home: string): Secret[] {
  const files = [
    join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), '.credentials.json'),
    join(env.CODEX_HOME || join(home, '.codex'), 'auth.json'),
  ];
  return files.flatMap((path) => {
    try {
      if (statSync(path).size > LOGIN_LIMIT) return [];
      return secretsAmong({ login: JSON.parse(readFileSync(path, 'utf8')) });
    } catch {
      return [];
    }
  });
}
