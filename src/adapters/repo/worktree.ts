import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { removeTree } from '../make-accessible.ts';
import { Changes } from './changes.ts';
import type { GitTree } from './git-tree.ts';
import type { OwnRepository } from './own-repository.ts';
import { writePlayground } from './playground.ts';
import type { Refs } from './user-repository.ts';

/** Longer than what file systems tell apart in time. */
const TICK_MS = 12;

/** Where a worktree stands in the run's history, for those who ask git in it. */
export type Standing = { readonly commit?: string; readonly branch: string; readonly refs: Refs };

/** What of a worktree is not the phase's work. */
export type NotTheirs = {
  /** Folders that set-up fills, relative to the project. */
  readonly cache: readonly string[];
  /** Files that were put there, by path relative to the project, with their blob. */
  readonly given: ReadonlyMap<string, string>;
};

/**
 * A directory with the files of one tree. HELIX reads it with its own repository and its own index, both elsewhere; the
 * `.git` inside is for whoever works there, and nothing they do to it matters.
 */
export class Worktree {
  readonly root: string;
  readonly #repository: OwnRepository;
  readonly #index: string;

  constructor(repository: OwnRepository, { root, index }: { root: string; index: string }) {
    this.#repository = repository;
    this.root = root;
    this.#index = index;
  }

  /** The project's directory in it. */
  get dir(): string {
    return join(this.root, this.#repository.user.prefix);
  }

  /** Makes the directory anew with the files of a tree; resolves to what could not be laid out. */
  async layOut(tree: GitTree, standing: Standing): Promise<Finding[]> {
    await this.remove();
    mkdirSync(this.root, { recursive: true, mode: 0o700 });
    await this.#git(['read-tree', '-u', '--reset', tree.id]);
    mkdirSync(this.dir, { recursive: true });
    const missing = await this.#layOutSubmodules(tree);
    await writePlayground(this.root, { repository: this.#repository, index: this.#index, ...standing });
    await this.#age();
    return missing;
  }

  /** Freezes what lies there now. */
  async capture(
    theirs: NotTheirs & { readonly declared: readonly string[] },
  ): Promise<{ tree: string; notices: Finding[] }> {
    this.#requireDirectory();
    const changes = await Changes.find({
      root: this.root,
      index: this.#index,
      repository: this.#repository,
      ...theirs,
    });
    await this.#git(['update-index', '-z', '--index-info'], changes.removals);
    await this.#git(['update-index', '-z', '--add', '--remove', '--replace', '--stdin'], changes.additions);
    const tree = (await this.#git(['write-tree'])).out.toString().trim();
    return { tree, notices: changes.notices };
  }

  async remove(): Promise<void> {
    rmSync(this.#index, { force: true });
    rmSync(`${this.#index}.lock`, { force: true });
    mkdirSync(dirname(this.#index), { recursive: true, mode: 0o700 });
    await removeDirectory(this.root);
  }

  /**
   * Git reads files again that are as young as the index, and then takes those for changed that its attributes would
   * write differently. An index that is older than whatever is written next, and younger than what was laid out, is believed.
   */
  async #age(): Promise<void> {
    await pause(TICK_MS);
    const now = new Date();
    utimesSync(this.#index, now, now);
    await pause(1);
  }

  #git(args: readonly string[], input?: Buffer) {
    if (input?.length === 0) return Promise.resolve({ code: 0, out: Buffer.alloc(0) });
    const { git, dir } = this.#repository;
    const place = { gitDir: dir, workTree: this.root, index: this.#index };
    return git.run(args, input === undefined ? place : { ...place, input });
  }

  /** An agent may have put a link in the directory's place. */
  #requireDirectory(): void {
    if (lstatSync(this.root, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new HelixError('io', `the worktree ${this.root} is gone`, { hint: 'It is made anew for the next attempt.' });
  }

  /** Fills submodules from what the user has of them; nothing is ever fetched. */
  async #layOutSubmodules(tree: GitTree): Promise<Finding[]> {
    const { git, dir } = this.#repository;
    const missing: Finding[] = [];
    for (const [path, commit] of tree.submodules) {
      const index = `${this.#index}.submodule`;
      const workTree = posix.join(this.dir, path);
      rmSync(index, { force: true });
      const known = await git.run(['cat-file', '-e', `${commit}^{tree}`], { gitDir: dir, answers: [1, 128] });
      if (known.code === 0) {
        mkdirSync(workTree, { recursive: true });
        await git.run(['read-tree', '-u', '--reset', commit], { gitDir: dir, workTree, index });
        rmSync(index, { force: true });
      } else missing.push(absent(path));
    }
    return missing;
  }
}

function absent(path: string): Finding {
  return {
    severity: 'warning',
    check: 'submodule',
    message: `the submodule ${path} is empty: its commit is not in your checkout, and HELIX fetches nothing`,
    hint: `Get it with: git submodule update --init -- ${path}`,
    location: { file: path },
  };
}

/** Removes a directory with all below it; `rm` is several times as fast as going through it ourselves. */
async function removeDirectory(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  const child = spawn('rm', ['-rf', '--', path], { stdio: 'ignore' });
  const [code] = (await once(child, 'close').catch(() => [1])) as [number | null];
  if (code !== 0) removeTree(path);
}
