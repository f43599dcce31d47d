import { HelixError } from '../../domain/helix-error.ts';
import type { OwnRepository } from './own-repository.ts';

type Publication = {
  readonly branch: string;
  readonly commit: string;
  /** What the branch is known to have been, undefined where it was not there. */
  readonly from: string | undefined;
};

/** Hands a commit to the user's repository and moves the run's branch to it; nothing else there changes. */
export async function publishBranch(repository: OwnRepository, { branch, commit, from }: Publication): Promise<void> {
  const { user } = repository;
  const { commit: now, place } = await user.branch(branch);
  if (now === commit) return;
  if (now !== undefined && now !== from && !(await isUnfinished(repository, { branch, commit: now, from })))
    throw moved(branch, now);
  if (place !== undefined) throw inUse(branch, place);
  await handOver(repository, commit, now ?? (await user.head()).commit);
  await user.pointRef(branch, commit, now);
}

/** A commit that was published, but whose acceptance HELIX did not live to record. */
async function isUnfinished({ git, user }: OwnRepository, { branch, commit, from }: Publication): Promise<boolean> {
  const format = '%P%x00%(trailers:key=Helix-Run,valueonly)';
  const text = await git.text(['log', '-1', `--format=${format}`, commit], { gitDir: user.gitDir });
  const [parents = '', run = ''] = text.split('\0');
  return parents === (from ?? '') && run.trim() === branch.replace(/^refs\/heads\/helix\//, '');
}

/** Copies what the user's repository lacks of a commit, whose history up to `there` it has. */
async function handOver({ git, dir, user }: OwnRepository, commit: string, there: string | undefined): Promise<void> {
  if (commit === there) return;
  const wanted = `${commit}\n${there === undefined ? '' : `^${there}\n`}`;
  const args = ['pack-objects', '--revs', '--stdout', '--quiet', '--delta-base-offset'];
  const pack = await git.run(args, { gitDir: dir, input: wanted });
  await git.run(['unpack-objects', '-q'], {
    gitDir: dir,
    input: pack.out,
    env: { GIT_OBJECT_DIRECTORY: user.objects },
  });
}

function moved(branch: string, now: string): HelixError {
  return new HelixError('io', `somebody moved the run's branch ${short(branch)} to ${now.slice(0, 12)}`, {
    hint: `Keep what is there under another name: git branch -m ${short(branch)} mine`,
  });
}

function inUse(branch: string, place: string): HelixError {
  return new HelixError('io', `the run's branch ${short(branch)} is checked out in ${place}`, {
    hint: 'Switch to another branch there until the run has ended: git switch -',
  });
}

function short(branch: string): string {
  return branch.replace(/^refs\/heads\//, '');
}
