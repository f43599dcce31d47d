import { HelixError } from '../../../domain/helix-error.ts';
import type { OwnRepository } from './own-repository.ts';

type Commit = {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly message: string;
  /** Sign as the user has it; what is only for HELIX's own use is not signed. */
  readonly sign: boolean;
};

/** Makes a commit; where the user signs commits and that fails, it is made without and says so. */
export async function commitTree(repository: OwnRepository, commit: Commit): Promise<{ id: string; note?: string }> {
  const settings = await repository.user.settings();
  const wanted = commit.sign && settings.get('commit.gpgsign') === 'true';
  if (!wanted) return { id: await make(repository, commit, '--no-gpg-sign') };
  try {
    return { id: await make(repository, commit, '-S') };
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'io') throw error;
    const id = await make(repository, commit, '--no-gpg-sign');
    return { id, note: `the commit is not signed: ${error.message}` };
  }
}

function make({ git, dir }: OwnRepository, { tree, parent, message }: Commit, signing: string): Promise<string> {
  const parents = parent === undefined ? [] : ['-p', parent];
  const place = { gitDir: dir, input: message, asks: signing === '-S' };
  return git.text(['commit-tree', signing, ...parents, '-F', '-', tree], place);
}
