import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunBase } from '../../../domain/facts/result-branch.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import { present } from '../../../domain/present.ts';
import { oneLine } from '../../../text/sanitise.ts';
import { nulSeparated } from '../git/git.ts';
import { seenFrom } from '../git/seen-from.ts';
import { refreshIndex } from '../git/tracked-changes.ts';
import { commitTree } from '../own/commit.ts';
import type { OwnRepository } from '../own/own-repository.ts';
import { Changes } from './changes.ts';
import { takeIn } from './take-in.ts';

const SHOWN = 3;

type Start = { readonly run: string; readonly branch: string; readonly includeDirty: boolean };

/** Finds where a run starts: at the user's last commit or, if they want, with what they have not committed yet. */
export async function findStart(
  repository: OwnRepository,
  { run, branch, includeDirty }: Start,
): Promise<{ base: RunBase; notices: string[] }> {
  const head = await repository.user.head();
  const index = join(repository.dir, 'indexes', `${run}.start`);
  try {
    const tree = await treeOf(repository, head.commit);
    const { paths, found } = await dirty(repository, index, tree);
    const notices = head.commit === undefined ? ['the repository has no commit yet: the run starts from nothing'] : [];
    if (includeDirty && paths.length > 0) {
      const taken = await withUncommitted(repository, { index, found, parent: head.commit, run });
      await requireRoot(repository, taken.base.tree);
      notices.push(`${changes(paths)} ${paths.length === 1 ? 'is' : 'are'} taken along`, ...taken.notices);
      return { base: { ...taken.base, branch, dirty: true }, notices };
    }
    await requireRoot(repository, tree);
    const missed = paths.filter((path) => !isPlan(path, repository));
    if (missed.length > 0) notices.push(leftOut(missed, head.commit));
    return { base: { ...present({ commit: head.commit }), tree, branch }, notices };
  } finally {
    for (const name of sharedIndexes(dirname(index))) rmSync(join(dirname(index), name), { force: true });
    rmSync(index, { force: true });
  }
}

/** Work begins with what the root has in the commit; what only lies in the checkout is not there for anybody. */
async function requireRoot({ git, dir, user }: OwnRepository, tree: string): Promise<void> {
  const { prefix, home } = user;
  if (prefix === home || prefix === '') return;
  const { out } = await git.run(['ls-tree', '-d', '-z', '--full-tree', tree, '--', prefix], { gitDir: dir });
  if (out.toString('latin1').startsWith('040000 tree ')) return;
  throw new HelixError(
    'config',
    `workspace.root: ${oneLine(prefix, 200)} is no directory in the commit the run starts from`,
    {
      hint: 'Commit it, take it along with --include-dirty, or name another directory in phases.yaml.',
    },
  );
}

/** The parts of an index that was split. */
function sharedIndexes(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('sharedindex.')) : [];
}

/** HELIX reads the plan where it lies; that it is not committed leaves nothing out. */
function isPlan(path: string, { user }: OwnRepository): boolean {
  return /^(phases|helix|scripted)\.yaml$/.test(seenFrom(user.home, path));
}

type Uncommitted = {
  readonly index: string;
  readonly found: Changes;
  readonly parent: string | undefined;
  readonly run: string;
};

/** A commit of the user's present files on top of their last one; it is part of the run's branch. */
async function withUncommitted(repository: OwnRepository, { index, found, parent, run }: Uncommitted) {
  const { git, dir, user } = repository;
  const place = { gitDir: dir, workTree: user.top, index };
  await refuseConflicts(repository, index);
  const refused = await takeIn(git, place, found);
  const tree = await git.text(['write-tree'], place);
  const { id } = await commitTree(repository, { tree, parent, message: uncommitted(run), sign: false });
  const unkept = [...found.notices, ...refused].filter(({ severity }) => severity === 'error');
  return { base: { commit: id, tree }, notices: unkept.map((finding) => oneLine(finding.message)) };
}

function uncommitted(run: string): string {
  return `Uncommitted work when HELIX started\n\nHelix-Run: ${run}\n`;
}

/** The user's last commit below one that holds what they had not committed when a run began. */
export async function belowUncommitted({ git, dir }: OwnRepository, run: string, commit: string) {
  const text = await git.text(['log', '-1', '--format=%P%x00%B', commit], { gitDir: dir });
  const [parent, message = ''] = text.split('\0');
  return message.trimEnd() === uncommitted(run).trimEnd() ? parent : undefined;
}

/** Half a merge is nothing to build on: markers would pass for work. */
async function refuseConflicts({ git, dir, user }: OwnRepository, index: string): Promise<void> {
  const { out } = await git.run(['diff-files', '-z', '--name-only', '--diff-filter=U', '--ignore-submodules=all'], {
    gitDir: dir,
    workTree: user.top,
    index,
  });
  const names = [...new Set(nulSeparated(out).map((path) => oneLine(path.toString('utf8'), 100)))];
  if (names.length === 0) return;
  throw new HelixError('config', `there are conflicts you have not resolved: ${names.slice(0, SHOWN).join(', ')}`, {
    hint: 'Finish or abort the merge first, or start from your last commit: leave out --include-dirty.',
  });
}

async function treeOf({ git, dir }: OwnRepository, commit: string | undefined): Promise<string> {
  if (commit === undefined) return git.text(['mktree'], { gitDir: dir, input: '' });
  const args = ['rev-parse', '--verify', '--quiet', `${commit}^{tree}`];
  const { code, out } = await git.run(args, { gitDir: dir, answers: [1, 128] });
  if (code === 0) return out.toString().trim();
  throw new HelixError('config', `the commit ${commit.slice(0, 12)} that HEAD names is not there`, {
    hint: 'See what is missing with: git fsck',
  });
}

/** What the user has not committed, seen through a copy of their index. */
async function dirty(
  repository: OwnRepository,
  index: string,
  tree: string,
): Promise<{ paths: string[]; found: Changes }> {
  const { user, git, dir } = repository;
  mkdirSync(dirname(index), { recursive: true, mode: 0o700 });
  rmSync(index, { force: true });
  const theirs = join(user.gitDir, 'index');
  if (existsSync(theirs)) copyFileSync(theirs, index);
  for (const name of sharedIndexes(user.gitDir)) copyFileSync(join(user.gitDir, name), join(dirname(index), name));
  await refreshIndex(git, { gitDir: dir, workTree: user.top, index });
  const found = await Changes.find({ root: user.top, index, repository, declared: [], cache: [], given: new Map() });
  const args = ['diff-index', '--cached', '-z', '--name-only', '--no-renames', '--ignore-submodules=all', tree];
  const staged = nulSeparated((await git.run(args, { gitDir: dir, workTree: user.top, index })).out);
  return { paths: [...new Set([...found.paths, ...staged.map((path) => path.toString('utf8'))])].sort(), found };
}

function leftOut(paths: readonly string[], commit: string | undefined): string {
  const shown = paths.slice(0, SHOWN).map((path) => oneLine(path, 100));
  const names = shown.join(', ') + (paths.length > SHOWN ? ', …' : '');
  const from = commit === undefined ? 'from nothing' : `from your last commit ${commit.slice(0, 12)}`;
  return `the run starts ${from}, without ${changes(paths)} (${names}); --include-dirty takes them along`;
}

function changes({ length }: readonly string[]): string {
  return `${length} uncommitted change${length === 1 ? '' : 's'}`;
}
