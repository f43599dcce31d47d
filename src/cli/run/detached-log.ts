import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { ensureDirectory } from '../../adapters/disk/ensure-directory.ts';
import { ioError } from '../../adapters/disk/io-error.ts';

/** The file a background process writes its words to. */
export type DetachedLog = {
  readonly handle: number;
  /** What was written since it was last asked. */
  news(): string;
  /** Gives the file its place beside the run, and returns that. */
  keep(run: string): string;
  /** Removes it again, unless it is that of a run. */
  drop(): void;
  close(): void;
};

/** Opens the log of a run, or one that waits for its run to have a name. */
export function openDetachedLog(project: string, run: string | undefined): DetachedLog {
  const own = join(project, '.helix');
  const placeOf = (id: string) => join(own, 'runs', id, 'detached.log');
  const path = run === undefined ? join(own, `detached-${randomBytes(4).toString('hex')}.log`) : placeOf(run);
  try {
    for (const dir of [own, join(own, 'runs'), dirname(path)]) ensureDirectory(dir);
    const handle = openSync(path, 'a+', 0o600);
    return {
      handle,
      news: reader(handle),
      keep: (id) => {
        const place = placeOf(id);
        if (place === path) return place;
        ensureDirectory(dirname(place));
        renameSync(path, place);
        return place;
      },
      drop: () => run === undefined && rmSync(path, { force: true }),
      close: () => closeSync(handle),
    };
  } catch (error) {
    throw ioError(error, path);
  }
}

function reader(handle: number): () => string {
  const decoder = new StringDecoder('utf8');
  let at = fstatSync(handle).size;
  return () => {
    const piece = Buffer.alloc(Math.max(0, fstatSync(handle).size - at));
    const read = readSync(handle, piece, 0, piece.length, at);
    at += read;
    return decoder.write(piece.subarray(0, read));
  };
}
