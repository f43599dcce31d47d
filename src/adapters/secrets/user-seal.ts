import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { ioError } from '../disk/io-error.ts';
import { isOlderThan } from '../disk/older-than.ts';
import { stateDirectory } from './trust-store.ts';

const KEY_BYTES = 32;
const OTHERS = 0o077;

type Environment = Readonly<Record<string, string | undefined>>;

/** Seals what this user's HELIX has written, so that nothing else can pass for it. */
export class UserSeal {
  readonly #keyFile: string;
  #key: Buffer | undefined;

  constructor(keyFile: string) {
    this.#keyFile = keyFile;
  }

  /** The seal of a content, 64 hexadecimal digits; `about` says what it is, and of whom. Throws HelixError `io`. */
  of(about: string, content: Buffer): string {
    return sealOf(this.#secret() ?? this.#makeSecret(), about, content);
  }

  /** Tells whether a seal was made here for just this. */
  holds(seal: Buffer, about: string, content: Buffer): boolean {
    const secret = this.#secret();
    if (secret === undefined) return false;
    const expected = Buffer.from(sealOf(secret, about, content));
    return seal.length === expected.length && timingSafeEqual(seal, expected);
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

function sealOf(secret: Buffer, about: string, content: Buffer): string {
  return createHmac('sha256', secret).update(`${about}\0`).update(content).digest('hex');
}

/** The content of a plain file that is this user's alone; undefined for anything else. */
export function readOwn(path: string, limit: number, before?: Date): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || !isOwn(stat) || (stat.mode & OTHERS) !== 0 || stat.size > limit) return undefined;
    // Not the time of its content, which whoever writes a file can set as they like.
    if (before !== undefined && !isOlderThan(stat.ctimeMs, before.getTime())) return undefined;
    const content = Buffer.alloc(stat.size);
    return readSync(fd, content, 0, content.length, 0) === content.length ? content : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Tells whether a file belongs to this user. */
export function isOwn({ uid }: { readonly uid: number }): boolean {
  return uid === (process.getuid?.() ?? uid);
}

/** The seal of this user. */
export function openUserSeal(env: Environment, home: string): UserSeal {
  return new UserSeal(join(stateDirectory(env, home), 'cache-key'));
}
