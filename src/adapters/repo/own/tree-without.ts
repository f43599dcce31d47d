import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeptOut } from '../../../ports/workspace.ts';
import { makePrivateDirectory } from '../../disk/private-directory.ts';
import { nulSeparated } from '../git/git.ts';
import { seenFrom } from '../git/seen-from.ts';
import type { OwnRepository } from './own-repository.ts';

/**
 * A tree in which some files are as in the one it came from. Made from that one by the other changes: what is published wins
 * where it takes the place of a folder with such files.
 */
export async function treeWithout(
  { git, dir, user }: OwnRepository,
  tree: string,
  { origin, files }: KeptOut,
): Promise<string> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-renames', origin, tree];
  const changes = nulSeparated((await git.run(args, { gitDir: dir })).out);
  const kept = new Set(files.map(({ path }) => path));
  const entries: Buffer[] = [];
  for (let at = 0; at + 1 < changes.length; at += 2) {
    const [change = Buffer.alloc(0), path = Buffer.alloc(0)] = changes.slice(at, at + 2);
    if (kept.has(seenFrom(user.prefix, path.toString('utf8')))) continue;
    const [, mode = '', , object = ''] = change.toString('latin1').split(' ');
    entries.push(Buffer.from(`${mode} ${object}\t`), path, Buffer.from('\0'));
  }
  const scratch = makePrivateDirectory('index', dir);
  try {
    const place = { gitDir: dir, index: join(scratch, 'index') };
    await git.run(['read-tree', origin], place);
    await git.run(['update-index', '-z', '--index-info'], { ...place, input: Buffer.concat(entries) });
    return await git.text(['write-tree'], place);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
