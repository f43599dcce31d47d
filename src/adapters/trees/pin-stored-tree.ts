import { setImmediate as breathe } from 'node:timers/promises';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { type CopyWriter, isCopied, PinnedCopy } from './pinned-copy.ts';
import type { StoredFile, TreeStore } from './tree-store.ts';

type Wanted = {
  readonly tree: string;
  readonly inputs: readonly InputFile[];
  readonly signal?: AbortSignal | undefined;
};

/** Pins a stored tree with its inputs in an empty, private directory; where both have a path, it is what was made that is judged. */
export function pinStoredTree(place: string, store: TreeStore, { tree, inputs, signal }: Wanted): Promise<Snapshot> {
  return PinnedCopy.make(place, async (copy) => {
    const made = await store.open(tree);
    for (const { path } of made.files.filter((file) => isCopied(file.path))) {
      await put(copy, path, { store, file: made.find(path), signal });
    }
    for (const { path, from } of inputs.filter((input) => isCopied(input.path) && copy.isFree(input.path))) {
      await put(copy, path, { store, file: (await store.open(from.tree)).find(from.path), signal });
    }
  });
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
