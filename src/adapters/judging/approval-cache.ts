import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Cache } from '../../ports/cache.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { cacheDirectory } from '../disk/cache-directory.ts';
import { ioError } from '../disk/io-error.ts';
import { isOwn, openUserSeal, readOwn, type UserSeal } from '../secrets/user-seal.ts';

const MAX_ENTRY = 1024 * 1024;
const SEAL = 64;
const KEY = /^[0-9a-f]{16,128}$/;
const OTHERS = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

/** What this user's HELIX remembers: one file per key, sealed so that nothing else can pass for it. */
class ApprovalCache implements Cache {
  readonly #dir: string;
  readonly #seal: UserSeal;

  constructor(dir: string, seal: UserSeal) {
    this.#dir = dir;
    this.#seal = seal;
  }

  async get(key: string, before?: Date): Promise<string | undefined> {
    const found = KEY.test(key) ? readOwn(join(this.#dir, key), MAX_ENTRY, before) : undefined;
    if (found === undefined) return undefined;
    const text = found.subarray(SEAL);
    return this.#seal.holds(found.subarray(0, SEAL), aboutOf(key), text) ? text.toString('utf8') : undefined;
  }

  async put(key: string, text: string): Promise<void> {
    if (!KEY.test(key)) throw new TypeError('a key of the cache is hexadecimal');
    const content = Buffer.from(text);
    if (content.length + SEAL > MAX_ENTRY) return;
    ensurePrivate(this.#dir);
    writeAtomic(join(this.#dir, key), this.#seal.of(aboutOf(key), content) + text);
  }

  async remove(key: string): Promise<void> {
    if (!KEY.test(key)) throw new TypeError('a key of the cache is hexadecimal');
    const file = join(this.#dir, key);
    try {
      // A directory in its place is no entry, and nothing of HELIX's.
      if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(file, { force: true });
    } catch (error) {
      throw ioError(error, file);
    }
  }
}

function aboutOf(key: string): string {
  return `helix.cache/1\0${key}`;
}

/** Makes a directory that only this user can enter; refuses one that is somebody else's or a link. */
function ensurePrivate(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const stat = lstatSync(dir);
    if (!stat.isDirectory() || !isOwn(stat)) {
      throw new HelixError('config', `${dir} is not a directory of yours`, { hint: 'Remove it.' });
    }
    if ((stat.mode & OTHERS) !== 0) chmodSync(dir, 0o700);
  } catch (error) {
    throw ioError(error, dir);
  }
}

/** What this user's HELIX remembers of approvals and agents. */
export function openApprovalCache(env: Environment, home: string): Cache {
  return new ApprovalCache(join(cacheDirectory(env, home), 'approvals'), openUserSeal(env, home));
}
