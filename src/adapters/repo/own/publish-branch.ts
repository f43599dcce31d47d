import { HelixError } from '../../../domain/helix-error.ts';
import type { RunCommits } from '../../../ports/workspace.ts';
import type { OwnRepository } from './own-repository.ts';

type Publication = {
  readonly run: string;
  readonly branch: string;
  readonly commit: string;
  /** What the branch is known to have been, undefined where it was not there. */
  readonly from: string | undefined;
  readonly commits: RunCommits;
};

/** Hands a commit to the user's repository and moves the run's branch to it, also off work the run went back over; nothing else there changes. */
export async function publishBranch(repository: OwnRepository, publication: Publication): Promise<void> {
  const { branch, commit, from } = publication;
  const { user } = repository;
  const { commit: now, place } = await user.branch(branch);
  if (now === commit) return;
  if (now !== undefined && now !== from && !(await isOfRun(repository, now, publication))) throw moved(branch, now);
  if (place !== undefined) throw inUse(branch, place);
  await handOver(repository, commit, now ?? (await user.commit()));
  await user.pointRef(branch, commit, now);
}

type Return = Pick<Publication, 'run' | 'branch' | 'commits'> & { readonly commit: string | undefined };

/** Moves the run's branch back to a commit it has held before, or takes it away where there was none. */
export async function takeBackBranch(
  repository: OwnRepository,
  { run, branch, commit, commits }: Return,
): Promise<void> {
  const { user } = repository;
  const { commit: now, place } = await user.branch(branch);
  if (now === undefined || now === commit) return;
  if (!(await isOfRun(repository, now, { run, from: commit, commits }))) throw moved(branch, now);
  if (place !== undefined) throw inUse(branch, place);
  if (commit === undefined) await user.dropRef(branch, now);
  else await user.pointRef(branch, commit, now);
}

type Known = Pick<Publication, 'run' | 'from' | 'commits'>;

/** A commit the run has accepted, or one that was published, but whose acceptance HELIX did not live to record. */
async function isOfRun({ git, user }: OwnRepository, commit: string, known: Known): Promise<boolean> {
  const commits = await known.commits();
  if (commits.has(commit)) return true;
  const format = '%P%x00%(trailers:key=Helix-Run,valueonly)%x00%at %an <%ae>%x00%ct %cn <%ce>';
  const text = await git.text(['log', '-1', `--format=${format}`, commit], { gitDir: user.gitDir });
  const [parents = '', run = '', made, written] = text.split('\0');
  if (run.trim() !== known.run) return false;
  // What somebody has amended or picked keeps the time it was first made at.
  return parents === (known.from ?? '') || ((commits.has(parents) || parents === '') && made === written);
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
