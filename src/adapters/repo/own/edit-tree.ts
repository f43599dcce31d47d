import { rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { makePrivateDirectory } from '../../disk/private-directory.ts';
import type { OwnRepository } from './own-repository.ts';

/** Puts files into a tree or, where there is no content, takes them out; gives the id of what it becomes. */
export async function editTree(
  { git, dir, user, hashLength }: OwnRepository,
  tree: string,
  changes: ReadonlyMap<string, string | Buffer | undefined>,
): Promise<string> {
  const scratch = makePrivateDirectory('index', dir);
  try {
    const place = { gitDir: dir, index: join(scratch, 'index') };
    await git.run(['read-tree', tree], place);
    const lines: string[] = [];
    for (const [path, content] of changes) {
      const object =
        content === undefined
          ? undefined
          : await git.text(['hash-object', '-w', '--stdin'], { gitDir: dir, input: content });
      const entry = object === undefined ? `0 ${'0'.repeat(hashLength)}` : `100644 ${object}`;
      lines.push(`${entry}\t${posix.join(user.prefix, path)}\0`);
    }
    await git.run(['update-index', '-z', '--index-info'], { ...place, input: lines.join('') });
    return await git.text(['write-tree'], place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
