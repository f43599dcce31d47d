import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../text/digest.ts';
import { isOlderThan } from '../../disk/older-than.ts';
import { differing, stampsBelow } from './tree-stamps.ts';
import { discard } from './worktree.ts';

/** What was installed, where, and how it lay in the store when it was put there. */
type Record = { readonly dir: string; readonly folders: readonly string[]; readonly stamps: readonly string[] };

type Known = { readonly place: string; readonly record: string; readonly said: Record };

/** What set-up installed, as it is kept. */
export type KeptSetUp = Pick<Record, 'dir' | 'folders'> & {
  readonly key: string;
  readonly files: string;
  /** How many files and folders it has. */
  readonly size: number;
};

/**
 * What set-up installed, by the digest of what it was installed for. Other programs of the user can write there; so what this process
 * has not put there itself counts only if it was recorded before this process began, and every use is compared with that record.
 */
export class KeptSetUps {
  readonly #store: string;
  readonly #since = Date.now();
  /** Of every key the place that this process goes by, the digest of its record, and what that says: it has a line for every file. */
  readonly #known = new Map<string, Known>();

  constructor(store: string) {
    this.#store = store;
  }

  /** What is kept for a key and can be used, `changed` where it was but is not what it was; undefined where there is nothing to go by. */
  find(key: string): KeptSetUp | 'changed' | undefined {
    const known = this.#known.get(key);
    const record = this.#read(key);
    if (record === undefined) return known === undefined ? undefined : 'changed';
    const place = this.#placeOf(key);
    // Says when it was last of use, so that it is not cleared away as old.
    utimesSync(join(place, 'done'), new Date(), new Date());
    const { dir, folders, stamps } = record;
    return { key, files: join(place, 'files'), dir, folders, size: stamps.length };
  }

  /** What lies otherwise in it than when it was put there; to be asked when it has been copied. */
  async touched(key: string): Promise<string[]> {
    const record = this.#read(key);
    return record === undefined
      ? [RECORD]
      : differing(record.stamps, await stampsBelow(join(this.#placeOf(key), 'files')));
  }

  /** Leaves nothing behind that was changed, nor what only this process could go by. */
  async close(): Promise<void> {
    for (const [key, { place }] of this.#known) {
      if (place !== join(this.#store, key) || (await this.touched(key)).length > 0) this.drop(key);
    }
  }

  /** Takes away what cannot be used any more. */
  drop(key: string): void {
    const place = this.#placeOf(key);
    this.#known.delete(key);
    if (!existsSync(place)) return;
    const gone = `${place}.${randomBytes(4).toString('hex')}`;
    renameSync(place, gone);
    discard(gone);
  }

  /** Keeps what `copy` puts into a directory; what another process keeps under the same key stays as it is. */
  async keep(
    key: string,
    installed: Pick<Record, 'dir' | 'folders'>,
    copy: (files: string) => Promise<void>,
  ): Promise<void> {
    const temporary = join(this.#store, `${key}.${randomBytes(4).toString('hex')}`);
    mkdirSync(join(temporary, 'files'), { recursive: true, mode: 0o700 });
    await copy(join(temporary, 'files'));
    const said: Record = { ...installed, stamps: await stampsBelow(join(temporary, 'files')) };
    const record = JSON.stringify(said);
    writeFileSync(join(temporary, RECORD), record);
    writeFileSync(join(temporary, 'done'), '');
    if (readRecord(join(this.#store, key, RECORD)) === undefined) this.drop(key);
    const place = settle(temporary, join(this.#store, key));
    this.#known.set(key, { place, record: sha256(record), said });
  }

  #placeOf(key: string): string {
    return this.#known.get(key)?.place ?? join(this.#store, key);
  }

  #read(key: string): Record | undefined {
    const known = this.#known.get(key);
    const place = this.#placeOf(key);
    const found = readRecord(join(place, RECORD));
    if (found === undefined || !existsSync(join(place, 'done'))) return undefined;
    const record = sha256(found.text);
    if (known !== undefined) return known.record === record ? known.said : undefined;
    if (!isOlderThan(found.changedAt, this.#since)) return undefined;
    const said = JSON.parse(found.text) as Record;
    this.#known.set(key, { place, record, said });
    return said;
  }
}

/** Moves a complete directory to its place, or leaves it where it is when there is another. */
function settle(temporary: string, place: string): string {
  if (existsSync(place)) return temporary;
  try {
    renameSync(temporary, place);
    return place;
  } catch (error) {
    if (!existsSync(place)) throw error;
    return temporary;
  }
}

const RECORD = 'installed.json';

/** A record with the time it was last touched in any way, of one and the same file. */
function readRecord(path: string): { readonly text: string; readonly changedAt: number } | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const { ctimeMs } = fstatSync(file);
    return { text: readFileSync(file, 'utf8'), changedAt: ctimeMs };
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
