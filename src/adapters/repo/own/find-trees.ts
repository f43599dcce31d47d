import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDirectory } from '../../disk/ensure-directory.ts';
import { commitOf } from '../git/commit-of.ts';
import { nulSeparated } from '../git/git.ts';
import { seenFrom } from '../git/seen-from.ts';
import type { OwnRepository } from './own-repository.ts';

/** The tree with just some of the user's files as they lie there; `run` names its index. */
export async function treeOfFiles(
  { git, dir, user }: OwnRepository,
  { run, paths }: { readonly run: string; readonly paths: readonly string[] },
): Promise<string> {
  const index = join(dir, 'indexes', `${run}.pin`);
  ensureDirectory(join(dir, 'indexes'));
  rmSync(index, { force: true });
  const place = { gitDir: dir, workTree: user.top, index };
  const input = paths.map((path) => `${join(user.prefix, path)}\0`).join('');
  await git.run(['update-index', '-z', '--add', '--stdin'], { ...place, input });
  const id = await git.text(['write-tree'], place);
  rmSync(index, { force: true });
  return id;
}

/** The tree where the history of a revision and that of `head` part; undefined when there is no such revision. */
export async function treeOfRevision(
  { git, user }: OwnRepository,
  { name, head }: { readonly name: string; readonly head: string },
): Promise<string | undefined> {
  const place = { gitDir: user.gitDir, answers: [1, 128] };
  const id = await commitOf(git, name, place);
  if (id === undefined) return undefined;
  const parted = await git.run(['merge-base', id, head], place);
  const from = parted.code === 0 ? parted.out.toString().trim() : id;
  return git.text(['rev-parse', `${from}^{tree}`], { gitDir: user.gitDir });
}

/** The paths that differ between two trees, relative to the project. */
export async function changedPaths({ git, dir, user }: OwnRepository, from: string, to: string): Promise<string[]> {
  const { out } = await git.run(['diff-tree', '-r', '-z', '--name-only', '--no-renames', from, to], { gitDir: dir });
  return nulSeparated(out).map((path) => seenFrom(user.prefix, path.toString('utf8')));
}
