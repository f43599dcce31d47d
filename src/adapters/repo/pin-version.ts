import { setImmediate as breathe } from 'node:timers/promises';
import { HelixError } from '../../domain/helix-error.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { makePrivateDirectory } from '../disk/private-directory.ts';
import { PinnedCopy } from '../trees/pinned-copy.ts';

/** What judges are measured by, which no judge may see. */
const DEFECTS = /^approvals\/[^/]+\/defects\.yaml$/;

type Version = { readonly path: string; readonly text: string };

/** Pins a version of what is pinned already, in which one file may say something else; nothing about the copy tells that it does. */
export function pinVersion(
  base: Snapshot,
  version: Version,
  { project, signal }: { readonly project: string; readonly signal: AbortSignal },
): Promise<Snapshot> {
  return PinnedCopy.make(makePrivateDirectory('pinned', project), async (copy) => {
    for (const { path } of base.files) {
      if (DEFECTS.test(path)) continue;
      const content =
        path === version.path ? Buffer.from(version.text) : await base.read(path, Number.MAX_SAFE_INTEGER);
      if (content === undefined) throw new HelixError('io', `${path} is gone from the pinned copy`);
      copy.put(path, content);
      if (copy.pinned.size % 64 === 0) await breathe();
      if (signal.aborted) throw new HelixError('stopped', 'stopped while files were copied');
    }
  });
}
