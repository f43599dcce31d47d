import { posix } from 'node:path';
import type { Location } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import type { Place } from '../test-output/report/test-report.ts';

/** Finds places of test output among the files of the judged tree. */
export type Locate = (places: readonly Place[]) => Location | undefined;

const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor\/bundle)\//;

/**
 * A runner may write paths relative, absolute inside the scratch directory, or only their end. The first place that
 * means one file of the tree is taken; a file that is not in the tree is nothing an agent could mend.
 */
export function locator(directory: string, paths: readonly string[]): Locate {
  const known = new Set(paths);
  const byName = Map.groupBy(paths, (path) => posix.basename(path));

  function find(written: string): string | undefined {
    const path = posix.normalize(withoutDirectory(written, directory));
    if (known.has(path)) return path;
    if (path.startsWith('/') || path.startsWith('../') || FOREIGN.test(path)) return undefined;
    const candidates = byName.get(posix.basename(path)) ?? [];
    const ending = candidates.filter((candidate) => candidate.endsWith(`/${path}`));
    if (ending.length === 1) return ending[0];
    return candidates.find((candidate) => candidate.includes('/') && path.endsWith(`/${candidate}`));
  }

  return (places) => {
    for (const { file: written, line, column } of places) {
      const file = find(written);
      if (file !== undefined) return { file, line, ...present({ column }) };
    }
    return undefined;
  };
}
