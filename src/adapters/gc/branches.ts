import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { Git } from '../repo/git/git.ts';
import { UserRepository } from '../repo/user/user-repository.ts';
import { clearReservation, deadReservations } from '../repo/work/reserved-branch.ts';
import { type Sweep, textOf } from './sweep.ts';

const PREFIX = 'refs/heads/';
const OWN = 'refs/heads/helix/';

/** Tells whether a branch is HELIX's to clear away; one the user chose the name of is not. */
export function isOwnBranch(ref: string): boolean {
  return ref.startsWith(OWN);
}

/** The branch of a run: what it is called, where the run left it, and whether the user's word is needed to lose it. */
export type RunBranch = { readonly ref: string; readonly commit: string | undefined; readonly old: boolean };

/** Looks after the branches that runs leave in the user's repository. */
export class Branches {
  readonly #user: UserRepository | undefined;
  readonly #notes: string;
  readonly #sweep: Sweep;
  readonly #willing: boolean;

  private constructor(user: UserRepository | undefined, notes: string, { sweep, willing }: Means) {
    this.#user = user;
    this.#notes = notes;
    this.#sweep = sweep;
    this.#willing = willing;
  }

  /** Opens the repository of a project; without one there are no branches. */
  static async open(place: { projectDir: string; marker: string }, means: Means): Promise<Branches> {
    const helixDir = join(place.projectDir, '.helix');
    const notes = join(helixDir, 'repo', 'branches.json');
    if (!existsSync(join(helixDir, 'repo'))) return new Branches(undefined, notes, means);
    try {
      const user = await UserRepository.open(new Git(process.env, `${place.marker}-gc`), place.projectDir);
      return new Branches(user, notes, means);
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      means.sweep.keep({ kind: 'branch', name: OWN.slice(PREFIX.length) }, error.message);
      return new Branches(undefined, notes, means);
    }
  }

  /** The branches that were kept when their runs were removed. */
  get left(): RunBranch[] {
    return [...this.#noted()].map(([ref, commit]) => ({ ref, commit, old: true }));
  }

  /** Deletes a branch that nobody needs; false when it stays. */
  async removed({ ref, commit, old }: RunBranch): Promise<boolean> {
    const user = this.#user;
    const name = ref.slice(PREFIX.length);
    const { commit: now, place } = (await user?.branch(ref)) ?? {};
    if (user === undefined || now === undefined || !ref.startsWith(OWN)) return true;
    const why = await this.#reason({ ref, now, place, commit, old });
    if (why === undefined) {
      const args = ['update-ref', '--no-deref', '-m', 'helix gc', '-d', ref, now];
      return this.#sweep.remove({ kind: 'branch', name, bytes: 0 }, () => user.git.run(args, { gitDir: user.gitDir }));
    }
    this.#sweep.keep({ kind: 'branch', name }, why);
    return false;
  }

  /** Takes away the names that were held for tasks which were killed before their run began; `theirs` are the branches of runs. */
  async clearReserved(cacheDir: string, theirs: ReadonlySet<string>): Promise<void> {
    const user = this.#user;
    for (const dead of user === undefined ? [] : deadReservations(cacheDir)) {
      const item = { kind: 'branch', name: dead.ref.slice(PREFIX.length), bytes: 0 } as const;
      const isOfRun = theirs.has(dead.ref);
      const clear = () => user && clearReservation(user, dead, isOfRun);
      if (isOfRun || (await user?.branch(dead.ref))?.commit !== dead.commit) {
        if (!this.#sweep.dryRun) await clear();
      } else await this.#sweep.remove(item, clear);
    }
  }

  /** Remembers a branch whose run is about to be forgotten, so that it can be deleted once it is merged. */
  remember({ ref, commit }: RunBranch): void {
    if (this.#user === undefined || commit === undefined || this.#sweep.dryRun) return;
    this.#write(new Map([...this.#noted(), [ref, commit]]));
  }

  /** Forgets what was remembered. */
  forget(ref: string): void {
    const noted = this.#noted();
    if (!this.#sweep.dryRun && noted.delete(ref)) this.#write(noted);
  }

  /** Why a branch must stay; undefined when nothing is lost by its end, or the user wants it. */
  async #reason(branch: RunBranch & { now: string; place: string | undefined }): Promise<string | undefined> {
    const { ref, now, place, commit, old } = branch;
    if (place !== undefined) return `checked out in ${place}`;
    if (await this.#isMerged(ref, now)) return undefined;
    if (!old) return 'not merged yet';
    if (!this.#willing) return 'not merged; delete one with git branch -D, or all of old runs with --branches';
    return now === commit ? undefined : 'holds commits that are not of the run';
  }

  /** Merged into a branch that is none of HELIX's own, or into what the user has checked out. */
  async #isMerged(ref: string, commit: string): Promise<boolean> {
    const user = this.#user;
    if (user === undefined) return false;
    const place = { gitDir: user.gitDir, answers: [1, 128, 129] };
    const { out } = await user.git.run(['for-each-ref', `--contains=${commit}`, '--format=%(refname)', PREFIX], place);
    const holders = out.toString('utf8').split('\n').filter(Boolean);
    if (holders.some((holder) => holder !== ref && !holder.startsWith(OWN))) return true;
    return (await user.git.run(['merge-base', '--is-ancestor', commit, 'HEAD'], place)).code === 0;
  }

  #noted(): Map<string, string> {
    try {
      const noted = JSON.parse(textOf(this.#notes) ?? '{}') as Record<string, unknown>;
      return new Map(Object.entries(noted).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    } catch (error) {
      if (error instanceof SyntaxError) return new Map();
      throw error;
    }
  }

  #write(noted: ReadonlyMap<string, string>): void {
    writeAtomic(this.#notes, JSON.stringify(Object.fromEntries(noted)));
  }
}

type Means = {
  readonly sweep: Sweep;
  /** The user wants branches of old runs gone although they are not merged. */
  readonly willing: boolean;
};
