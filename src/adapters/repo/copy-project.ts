import { realpathSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { HelixError } from '../../domain/helix-error.ts';
import type { Before } from '../../ports/pinned-project.ts';
import type { Project } from '../../ports/project.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { isGlob } from '../../text/glob.ts';
import { readStable } from '../disk/read-stable.ts';
import { isCopied, PinnedCopy } from '../trees/pinned-copy.ts';

type Copying = {
  /** Where the bytes of each path lie below the directory. */
  readonly sources: ReadonlyMap<string, string>;
  readonly limit: number;
  readonly signal: AbortSignal | undefined;
  readonly onFile?: (path: string, file: { readonly content: Buffer; readonly executable: boolean }) => void;
};

/** Copies files of a directory, each as it was at one moment; what has gone meanwhile is left out. */
export function copyFiles(
  place: string,
  dir: string,
  { sources, limit, signal, onFile }: Copying,
): Promise<PinnedCopy> {
  return PinnedCopy.make(place, async (copy) => {
    for (const [path, source] of sources) {
      if (!isCopied(path) || !copy.isFree(path)) continue;
      const file = readStable(join(dir, source), limit);
      if (file === undefined) continue;
      copy.put(path, file.content);
      onFile?.(path, file);
      if (copy.pinned.size % 64 === 0) await breathe();
      if (signal?.aborted) throw stopped();
    }
  });
}

/** What is to be judged must be in the copy; a file may have gone since it was looked for. */
export function requirePinned(paths: readonly string[], { files }: Snapshot): string[] {
  const pinned = new Set(files.map(({ path }) => path));
  const missing = paths.find((path) => !pinned.has(path));
  if (missing === undefined) return paths.toSorted();
  throw new HelixError('usage', `${missing} has gone while it was copied`, { hint: 'Ask for the approval again.' });
}

/** The files of a project that lie there and are not to be judged: nobody vouches for anything older. */
export function besides(project: Project, inputs: ReadonlySet<string>): Before {
  const isInput = (path: string): boolean => {
    const full = join(project.dir, path);
    return inputs.has(posix.normalize(path)) || inputs.has(relative(project.dir, realOf(full)));
  };
  return {
    read: async (path, limit) => (isInput(path) ? undefined : project.read(path, limit)),
    list: async (folder) => {
      if (isAll(folder) || isGlob(folder)) return [];
      return (await project.match(posix.join(folder, '**'))).filter((path) => !isInput(path));
    },
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
  };
}

/** Tells whether a folder is the project itself. */
export function isAll(folder: string): boolean {
  return posix.normalize(`${folder}/`) === './' || folder === '';
}

function realOf(full: string): string {
  try {
    return realpathSync(full);
  } catch {
    return full;
  }
}

/** Said by whoever nobody waits for any more. */
export function stopped(): HelixError {
  return new HelixError('stopped', 'stopped while files were copied');
}
