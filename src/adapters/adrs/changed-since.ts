import { existsSync, realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { commitOf } from '../repo/git/commit-of.ts';
import { Git, nulSeparated } from '../repo/git/git.ts';

/** Tells which files differ from a git reference, or from where the work on it began; throws `usage` where git cannot tell. */
export async function changedSince(ref: string, cwd: string): Promise<(file: string) => boolean> {
  const git = new Git(process.env, 'helix-adr');
  const ask = async (args: readonly string[], place: string, hint: string): Promise<Buffer> => {
    try {
      return (await git.run(args, { cwd: place })).out;
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      throw new HelixError('usage', `--diff ${ref}: ${error.message}`, { hint, cause: error });
    }
  };
  const text = async (...given: Parameters<typeof ask>) => (await ask(...given)).toString('utf8').replace(/\n$/, '');
  const root = await text(['rev-parse', '--show-toplevel'], cwd, 'It works inside of a git repository.');
  const known = 'Name a commit, branch or tag that this repository has; a shallow clone may have to fetch it first.';
  const asGit = ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`];
  const commit = (await commitOf(git, ref, { cwd: root })) ?? (await text(asGit, root, known));
  const base = await commonAncestor(git, commit, root);
  const differ = await ask(['diff', ...QUIETLY, base, '--'], root, known);
  const untracked = await ask(['ls-files', '-z', '--others', '--exclude-standard'], root, known);
  const changed = new Set(
    [differ, untracked].flatMap(nulSeparated).map((name) => resolve(root, name.toString('utf8'))),
  );
  return (file) => {
    const real = existsSync(file) ? realpathSync(file) : file;
    return changed.has(real) || changed.has(file) || !real.startsWith(root + sep);
  };
}

const QUIETLY = ['--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules'];

/** Histories that have nothing in common are compared as they are. */
async function commonAncestor(git: Git, commit: string, root: string): Promise<string> {
  const { code, out } = await git.run(['merge-base', commit, 'HEAD'], { cwd: root, answers: [1, 128] });
  return code === 0 ? out.toString('utf8').trim() : commit;
}
