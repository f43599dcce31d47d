import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { GcDocument } from '../../domain/documents.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { removeTree } from '../make-accessible.ts';

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
    try {
      if (!this.dryRun) await work();
    } catch (error) {
      if (!isTrouble(error)) throw error;
      this.keep({ kind, name }, error.message);
      return false;
    }
    this.removed.push({ kind, name, bytes });
    return true;
  }

  /** Clears a file or a directory away. */
  removePath({ kind, name, path }: Item & { readonly path: string }): Promise<boolean> {
    return this.remove({ kind, name, bytes: sizeOf(path) }, () => removeTree(path));
  }

  keep({ kind, name }: Item, why: string): void {
    this.kept.push({ kind, name, why });
  }
}

/** What the system or HELIX itself says, as opposed to a defect of this program. */
function isTrouble(error: unknown): error is Error {
  return error instanceof HelixError || typeof (error as { code?: unknown }).code === 'string';
}

/** The bytes of all files below a path; links are not followed, and what cannot be looked at counts nothing. */
export function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return listed(path).reduce((total, name) => total + sizeOf(join(path, name)), 0);
}

/** The names in a directory; none where there is no such directory, or it may not be read. */
export function listed(dir: string): string[] {
  try {
    return lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(dir).sort() : [];
  } catch (error) {
    if (isTrouble(error)) return [];
    throw error;
  }
}

/** How long a path has not been written to; undefined where there is none. */
export function ageOf(path: string): number | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs;
}
