import { HelixError } from '../../../domain/helix-error.ts';
import { commitOf } from '../git/commit-of.ts';
import type { UserRepository } from './user-repository.ts';

/** The commit at which the work since a revision began; throws HelixError `usage` for a revision there is none of. */
export async function findBase(user: UserRepository, revision: string): Promise<string> {
  const unknown = (why: string, cause?: unknown) =>
    new HelixError('usage', `--diff ${JSON.stringify(revision)}: ${why}`, {
      hint: 'Name a commit, branch or tag that this repository has; a shallow clone may have to fetch it first.',
      cause,
    });
  if (!/^[^-\p{Cc}][^\p{Cc}]{0,999}$/u.test(revision)) throw unknown('this is not the name of a revision');
  const place = { gitDir: user.gitDir, answers: [1, 128] };
  const commit = await commitOf(user.git, revision, place);
  if (commit === undefined) throw unknown('there is no such revision');
  const common = await user.git.run(['merge-base', commit, 'HEAD'], place);
  // Histories that have nothing in common are compared as they are.
  return common.code === 0 ? common.out.toString('utf8').trim() : commit;
}
