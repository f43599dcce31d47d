import type { Secret } from '../../domain/plan/secret.ts';
import { SHORTEST_SECRET } from './redact-forms.ts';

/** A name ends in one of these, or has one of the stronger words before some addition such as a number. */
const SECRET_NAME =
  /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:^|_)(?:PASS|PWD|AUTH|AUTHORIZATION))$|(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|API_?KEY|(?:^|_)O?AUTH)_/i;
/** What only describes a secret: where it is kept, how long it lasts, the half of a pair that everybody may know. */
const HARMLESS_NAME =
  /PUBLIC_?KEY$|_(?:FILE|PATH|DIR|URL|URI|HOST|PORT|TYPE|METHOD|MODE|NAME|USER|EMAIL|PROVIDER|DOMAIN|REALM|ISSUER|REGION|COUNT|LIMIT|LENGTH|TTL|EXPIRY|EXPIRES|ENABLED|DISABLED|SOCK|HELPER)$/i;
/** Such values are set in the name of a secret and mean nothing. */
const WORDS = new Set(
  'anonymous automatic changeme database default1 development disabled dummytoken enabled external guestguest interactive internal keychain localhost minioadmin notsecret optional password password1 postgres postgresql production required rootroot secretsecret testtest undefined username'.split(
    ' ',
  ),
);
/** Directories at the root of a file system, by which a path is known however it goes on. */
const ROOT =
  /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:home|Users|etc|var|run|usr|tmp|root|opt|private|mnt|media|srv|dev|proc|nix|snap|workspaces?|Library|Volumes)(?:[\\/]|$)/;
const VARIED = 4;
const NESTED = 8;

/** The secrets among named values, such as an environment: by name, or as a part of an address. */
export function secretsAmong(values: Readonly<Record<string, unknown>>, depth = 0): Secret[] {
  return Object.entries(values).flatMap(([name, value]): Secret[] => {
    if (typeof value === 'object' && value !== null) {
      return depth < NESTED ? secretsAmong(value as Record<string, unknown>, depth + 1) : [];
    }
    if (typeof value !== 'string') return [];
    const parts = secretPart(name, value).map((part) => ({ name, value: part }));
    const inside = depth < NESTED ? documentOf(value) : undefined;
    return inside === undefined ? parts : [...parts, ...secretsAmong(inside, depth + 1)];
  });
}

/** The secrets among the `NAME=value` lines of a file such as `.env`. */
export function secretsInLines(text: string): Secret[] {
  const values = text.split('\n').flatMap((line) => {
    const found = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*?)\s*$/.exec(line);
    return found === null ? [] : [[found[1] ?? '', unquoted(found[2] ?? '')] as const];
  });
  return values.flatMap(([name, value]) => secretsAmong({ [name]: value }));
}

/** The values that somebody hands to an agent by name and that look like secrets whatever their name. */
export function secretsHanded(values: Readonly<Record<string, string | undefined>>): Secret[] {
  return Object.entries(values).flatMap(([name, value = '']) => {
    if (ADDRESS.test(value)) return addressSecrets(value, true).map((part) => ({ name, value: part }));
    const random = value.length >= 16 && /^[\x21-\x7e]+$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
    return random && isSecretValue(value) ? [{ name, value }] : [];
  });
}

function secretPart(name: string, value: string): string[] {
  if (ADDRESS.test(value)) {
    const parts = addressSecrets(value, holdsTellingAddress(name));
    if (parts.length > 0) return parts;
  }
  return SECRET_NAME.test(name) && !HARMLESS_NAME.test(name) && isSecretValue(value) ? [value] : [];
}

function addressSecrets(address: string, telling: boolean): string[] {
  const { certain, random } = addressParts(address);
  return [...certain, ...(telling ? random : [])].filter(isSecretValue);
}

function isSecretValue(value: string): boolean {
  const text = value.trim();
  if (text.length < SHORTEST_SECRET || WORDS.has(text.toLowerCase()) || /^\d{1,11}$/.test(text)) return false;
  return new Set(text).size >= VARIED && !isPath(text);
}

/** A path only says where a secret is; one that is a secret itself by accident has parts nobody would name a file. */
function isPath(text: string): boolean {
  if (ROOT.test(text)) return true;
  if (!/^(?:~|\.{1,2})?\//.test(text) || /[+=]/.test(text)) return false;
  return !text
    .split('/')
    .some((part) => part.length >= 8 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part));
}

function documentOf(value: string): Record<string, unknown> | undefined {
  if (!value.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(value) as Record<string, unknown>;
  } catch {
    // It only looks like JSON.
    return undefined;
  }
}

function unquoted(value: string): string {
  const quoted = /^(["'])(.*?)\1/.exec(value);
  if (quoted === null) return value.replace(/\s+#.*$/, '');
  return quoted[1] === '"' ? (quoted[2] ?? '').replaceAll('\\n', '\n') : (quoted[2] ?? '');
}

/** Tells an address from other texts. */
const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;

const PARTS = /^[^:]+:\/\/(?:([^/?#@\s:]*)(?::([^/?#\s]*))?@)?[^/?#\s]*([^?#\s]*)(?:\?([^#\s]*))?/;
/** Names of variables whose addresses often let in whoever knows them. */
const TELLING_NAME = /WEBHOOK|(?:^|_)HOOK|(?:URL|URI|DSN|ENDPOINT)$/i;
const SHORTEST_RANDOM = 16;
/** In a random text every second or third character is of another kind than the one before it; in names far fewer are. */
const KIND_CHANGES = 1 / 4;

/** The parts of an address that are secrets by their place; those of its path and query only look like one. */
type AddressParts = { readonly certain: readonly string[]; readonly random: readonly string[] };

/** Splits an address: its password and a token in place of a user are secrets, and whatever looks random may be one. */
function addressParts(address: string): AddressParts {
  const [, user = '', password = '', path = '', query = ''] = PARTS.exec(address) ?? [];
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return {
    certain: [password, ...(isToken(user) ? [user] : [])].flatMap(spellings),
    random: [...path.split(/[/;,@]/), ...values].filter(looksRandom).flatMap(spellings),
  };
}

/** Tells whether addresses in a variable of that name are looked through for secrets. */
function holdsTellingAddress(name: string): boolean {
  return TELLING_NAME.test(name);
}

/** Nobody is called like that. */
function isToken(user: string): boolean {
  return user.length >= SHORTEST_RANDOM && /\d/.test(user) && /[A-Za-z]/.test(user);
}

/** Long, and made of letters and digits that change as no words do. */
function looksRandom(text: string): boolean {
  const changes = text.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return text.length >= SHORTEST_RANDOM && changes >= text.length * KIND_CHANGES;
}

/** A part as it is written there and as it is meant. */
function spellings(part: string): string[] {
  if (part === '') return [];
  try {
    return [...new Set([part, decodeURIComponent(part)])];
  } catch {
    // Not meant to be decoded, then.
    return [part];
  }
}
