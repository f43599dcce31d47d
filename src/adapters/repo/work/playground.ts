import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alternates, copyShallow, type OwnRepository, renderConfig } from '../own/own-repository.ts';
import type { Refs } from '../user/user-repository.ts';

type Play = {
  readonly repository: OwnRepository;
  readonly index: string;
  readonly commit?: string;
  readonly branch: string;
  /** The user's refs, to be looked at. */
  readonly refs: Refs;
};

/**
 * Gives a worktree a `.git` of its own, so that git works there as in a clone: history, tags and branches can be looked
 * at, commits can be made, and nothing of it reaches the user's repository. It knows no remote.
 */
export async function writePlayground(root: string, { repository, index, commit, branch, refs }: Play): Promise<void> {
  const dir = join(root, '.git');
  const { user } = repository;
  for (const path of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    mkdirSync(join(dir, path), { recursive: true });
  }
  const settings = new Map(await user.settings());
  settings.set('commit.gpgsign', 'false');
  writeFileSync(join(dir, 'config'), renderConfig(settings, user));
  writeFileSync(join(dir, 'objects/info/alternates'), alternates(repository.objectStores));
  writeFileSync(join(dir, 'HEAD'), `ref: ${branch}\n`);
  const shown = new Map(
    [...refs].filter(([name, to]) => /^refs\/(heads|tags|remotes)\//.test(name) && !to.startsWith('ref: ')),
  );
  if (commit !== undefined) shown.set(branch, commit);
  writeFileSync(join(dir, 'packed-refs'), [...shown].map(([name, object]) => `${object} ${name}\n`).join(''));
  copyShallow(user.commonDir, dir);
  copyFileSync(index, join(dir, 'index'));
}
