import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import type { Cache } from '../ports.ts';
import { writeAtomic } from './atomic-file.ts';
import { cacheDirectory } from './cache-directory.ts';
import { ioError } from './io-error.ts';
import { stateDirectory } from './trust-store.ts';

const MAX_ENTRY = 1024 * 1024;
const KEY_BYTES = 32;
const SEAL = 64;
const KEY = /^[0-9a-f]{16,128}$/;
const OTHERS = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

/** What this user's HELIX remembers: one file per key, sealed so that nothing else can pass for it. */
class ApprovalCache implements Cache {
  readonly #dir: string;
  readonly #keyFile: string;
  #key: Buffer | undefined;

  constructor(dir: string, keyFile: string) {
    this.#dir = dir;
    this.#keyFile = keyFile;
  }

  async get(key: string): Promise<string | undefined> {
    const found = KEY.test(key) ? readOwn(join(this.#dir, key), MAX_ENTRY) : undefined;
    const secret = found === undefined ? undefined : this.#secret();
    if (found === undefined || secret === undefined) return undefined;
    const [seal, text] = [found.subarray(0, SEAL), found.subarray(SEAL)];
    const expected = Buffer.from(sealOf(secret, key, text));
    return seal.length === SEAL && timingSafeEqual(seal, expected) ? text.toString('utf8') : undefined;
  }

  async put(key: string, text: string): Promise<void> {
    if (!KEY.test(key)) throw new TypeError('a key of the cache is hexadecimal');
    const content = Buffer.from(text);
    if (content.length + SEAL > MAX_ENTRY) return;
    ensurePrivate(this.#dir);
    const secret = this.#secret() ?? this.#makeSecret();
    writeAtomic(join(this.#dir, key), sealOf(secret, key, content) + text);
  }

  /** Undefined where there is none, or one that others can read or write, which proves nothing. */
  #secret(): Buffer | undefined {
    if (this.#key !== undefined) return this.#key;
    const key = readOwn(this.#keyFile, KEY_BYTES);
    this.#key = key?.length === KEY_BYTES ? key : undefined;
    return this.#key;
  }

  /** Written whole under another name first, so that of several processes the first one wins and nobody reads half a key. */
  #makeSecret(): Buffer {
    const temporary = `${this.#keyFile}.${randomBytes(6).toString('hex')}`;
    try {
      mkdirSync(dirname(this.#keyFile), { recursive: true, mode: 0o700 });
      writeFileSync(temporary, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' });
      this.#place(temporary);
    } catch (error) {
      throw ioError(error, this.#keyFile);
    } finally {
      rmSync(temporary, { force: true });
    }
    const made = this.#secret();
    if (made === undefined) throw new HelixError('io', `${this.#keyFile} cannot be used`);
    return made;
  }

  /** A key that proves nothing gives way; all that was sealed with it is forgotten by that. */
  #place(temporary: string): void {
    try {
      linkSync(temporary, this.#keyFile);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (this.#secret() === undefined) renameSync(temporary, this.#keyFile);
    }
  }
}

function sealOf(secret: Buffer, key: string, content: Buffer): string {
  return createHmac('sha256', secret).update(`helix.cache/1\0${key}\0`).update(content).digest('hex');
}

/** The content of a plain file that is this user's alone; undefined for anything else. */
function readOwn(path: string, limit: number): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || !isOwn(stat) || (stat.mode & OTHERS) !== 0 || stat.size > limit) return undefined;
    const content = Buffer.alloc(stat.size);
    return readSync(fd, content, 0, content.length, 0) === content.length ? content : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
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

function isOwn({ uid }: { readonly uid: number }): boolean {
  return uid === (process.getuid?.() ?? uid);
}

/** What this user's HELIX remembers of approvals and agents. */
export function openApprovalCache(env: Environment, home: string): Cache {
  return new ApprovalCache(join(cacheDirectory(env, home), 'approvals'), join(stateDirectory(env, home), 'cache-key'));
}
