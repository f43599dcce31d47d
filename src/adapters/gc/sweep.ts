import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { GcDocument } from '../../domain/documents/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { findTool } from '../disk/find-program.ts';
import { removeTree } from '../disk/make-accessible.ts';

const TEXT_LIMIT = 64 * 1024 * 1024;

type Kind = GcDocument['removed'][number]['kind'];
type Item = { readonly kind: Kind; readonly name: string };

/** What is cleared away and what is kept; where it is only asked for, nothing happens. */
export class Sweep {
  readonly removed: GcDocument['removed'] = [];
  readonly kept: GcDocument['kept'] = [];
  readonly dryRun: boolean;

  constructor(dryRun: boolean) {
    this.dryRun = dryRun;
  }

  /** Clears something away; what cannot be cleared away is kept, with the reason. */
  async remove({ kind, name, bytes }: Item & { readonly bytes: number }, work: () => unknown): Promise<boolean> {
    const done = await this.attempt({ kind, name }, work);
    if (done) this.removed.push({ kind, name, bytes });
    return done;
  }

  /** Does something that belongs to a removal; false where it fails, and then what it is about is kept. */
  async attempt(item: Item, work: () => unknown): Promise<boolean> {
    try {
      if (!this.dryRun) await work();
      return true;
    } catch (error) {
      if (!isTrouble(error)) throw error;
      this.keep(item, error.message);
      return false;
    }
  }

  /** Clears a file or a directory away. */
  removePath({ kind, name, path }: Item & { readonly path: string }): Promise<boolean> {
    return this.remove({ kind, name, bytes: sizeOf(path) }, () => removeWhole(path));
  }

  keep({ kind, name }: Item, why: string): void {
    this.kept.push({ kind, name, why });
  }
}

/** What the system or HELIX itself says, as opposed to a defect of this program. */
function isTrouble(error: unknown): error is Error {
  return error instanceof HelixError || typeof (error as { code?: unknown }).code === 'string';
}

/** Removes a path and all below it; `rm` also comes to what lies too deep to be named. */
export function removeWhole(path: string): void {
  spawnSync(findTool('rm') ?? '/bin/rm', ['-rf', '--', path], { stdio: 'ignore' });
  removeTree(path);
}

/** The bytes of all files below a path; links are not followed, and what cannot be looked at counts nothing. */
export function sizeOf(path: string): number {
  let bytes = 0;
  const queue = [path];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const here = at;
    bytes += statOf(here)?.isDirectory() ? 0 : (statOf(here)?.size ?? 0);
    queue.push(...listed(here).map((name) => join(here, name)));
  }
  return bytes;
}

/** The names in a directory; none where there is no such directory, or it may not be read. */
export function listed(dir: string): string[] {
  try {
    return statOf(dir)?.isDirectory() ? readdirSync(dir).sort() : [];
  } catch (error) {
    if (isTrouble(error)) return [];
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isTrouble(error)) return undefined;
    throw error;
  }
}

/** The text of a plain file of bearable size; undefined for anything else. */
export function textOf(path: string): string | undefined {
  const stat = statOf(path);
  return stat?.isFile() && stat.size <= TEXT_LIMIT ? readFileSync(path, 'utf8') : undefined;
}

/** How long a path has not been written to; undefined where there is none. */
export function ageOf(path: string): number | undefined {
  const stat = statOf(path);
  return stat && Date.now() - stat.mtimeMs;
}
