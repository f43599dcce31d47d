import { setImmediate as breathe } from 'node:timers/promises';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { PROJECT_FOLDER, type Snapshot } from '../../ports/tree.ts';
import { freePath } from '../../text/free-path.ts';
import type { StoredFile } from './pack-writer.ts';
import { type CopyWriter, isCopied, PinnedCopy } from './pinned-copy.ts';
import type { ProjectAround } from './project-around.ts';
import type { TreeStore } from './tree-store.ts';

type Wanted = {
  readonly tree: string;
  readonly inputs: readonly InputFile[];
  /** What lies around the work. */
  readonly around: ProjectAround;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Pins a stored tree with its inputs in an empty, private directory, and the project around it in a folder there; where tree and
 * inputs have the same path, it is what was made that is judged.
 */
export async function pinStoredTree(place: string, store: TreeStore, wanted: Wanted): Promise<Snapshot> {
  const { tree, inputs, around, signal } = wanted;
  let project = PROJECT_FOLDER;
  let leftOut = 0;
  const pinned = await PinnedCopy.make(place, async (copy) => {
    const made = await store.open(tree);
    for (const { path } of made.files.filter((file) => isCopied(file.path))) {
      await put(copy, path, { store, file: made.find(path), signal });
    }
    for (const { path, from } of inputs.filter((input) => isCopied(input.path) && copy.isFree(input.path))) {
      await put(copy, path, { store, file: (await store.open(from.tree)).find(from.path), signal });
    }
    project = freePath(PROJECT_FOLDER, [...copy.pinned.keys()]);
    leftOut = await around.into(copy, project, signal);
  });
  return {
    ...{ dir: pinned.dir, files: pinned.files, project, ...(leftOut > 0 && { leftOut }) },
    read: (path, limit) => pinned.read(path, limit),
    changed: async () => {
      const changed = await pinned.changed();
      // Its files have the same bytes as those of other judges.
      if (changed.length > 0) await around.forget();
      return changed;
    },
    dispose: () => pinned.dispose(),
  };
}

type Source = { store: TreeStore; file: StoredFile | undefined; signal: AbortSignal | undefined };

async function put(copy: CopyWriter, path: string, { store, file, signal }: Source): Promise<void> {
  if (file === undefined) throw new HelixError('journal', `${path} is gone from its tree`);
  const open = copy.open(path);
  try {
    store.pieces(file, open.write);
  } finally {
    open.end();
  }
  if (copy.pinned.size % 64 === 0) await breathe();
  if (signal?.aborted) throw new HelixError('stopped', 'stopped while files were copied');
}
