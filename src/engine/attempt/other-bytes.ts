import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { allFiles } from '../step/all-files.ts';

/** The files a phase has made or changed of which users would get other bytes than those that are judged. */
export async function otherBytes({ tree, base }: { readonly tree: Tree; readonly base: Tree }): Promise<Finding[]> {
  const before = new Map(allFiles(base).map(({ path, digest }) => [path, digest]));
  const changed = allFiles(tree).flatMap(({ path, digest }) => (before.get(path) === digest ? [] : path));
  const encodings = (await tree.encodings?.(changed)) ?? new Map<string, string>();
  return [...encodings].map(([path, encoding]) => ({
    severity: 'error',
    check: 'other-bytes',
    message: `${oneLine(path, 200)} is judged as it is stored, but users get it in the encoding ${oneLine(encoding, 80)}`,
    hint: 'Take working-tree-encoding out of .gitattributes for it, or let a human change this file.',
    location: { file: path },
  }));
}
