import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { HelixError } from '../../../domain/helix-error.ts';
import { findTool } from '../../disk/find-program.ts';
import { makeAccessible, removeTree } from '../../disk/make-accessible.ts';
import { seenFrom } from '../git/seen-from.ts';
import { refreshIndex } from '../git/tracked-changes.ts';
import type { GitTree } from '../own/git-tree.ts';
import type { OwnRepository } from '../own/own-repository.ts';
import type { Refs } from '../user/user-repository.ts';
import { Changes, untracked } from './changes.ts';
import { writePlayground } from './playground.ts';
import { Submodules } from './submodules.ts';
import { takeIn } from './take-in.ts';

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
  readonly #submodules: Submodules;

  constructor(repository: OwnRepository, { root, index }: { root: string; index: string }) {
    this.#repository = repository;
    this.root = root;
    this.#index = index;
    this.#submodules = new Submodules(repository, { root, index });
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
    this.#requireFolders();
    mkdirSync(this.dir, { recursive: true });
    const missing = await this.#submodules.layOut(tree);
    await writePlayground(this.root, { repository: this.#repository, index: this.#index, ...standing });
    return missing;
  }

  /** Takes up a directory that was laid out before from a tree, with the index of that time where there still is one. */
  async takeUp(tree: GitTree, index: string): Promise<void> {
    for (const path of [this.#index, `${this.#index}.lock`]) rmSync(path, { force: true });
    const before = lstatSync(index, { throwIfNoEntry: false });
    if (before?.isFile()) {
      copyFileSync(index, this.#index);
      // Git looks closer at files that are as young as their index: a copy must not seem younger.
      return utimesSync(this.#index, before.atime, Math.floor(before.mtimeMs / 1000));
    }
    const { git, dir } = this.#repository;
    await this.#git(['read-tree', tree.id]);
    await refreshIndex(git, { gitDir: dir, workTree: this.root, index: this.#index });
  }

  /** Undoes what set-up did to files of the tree: they are what is worked on and judged. */
  async restore(tree: GitTree): Promise<void> {
    await this.#git(['read-tree', '-u', '--reset', tree.id]);
  }

  /** What lies there that neither the tree has nor git ignores, relative to the project. */
  async added(cache: readonly string[]): Promise<string[]> {
    const look = { root: this.root, index: this.#index, repository: this.#repository, cache };
    const { paths } = await untracked(look);
    const { prefix } = this.#repository.user;
    return paths.map((path) => seenFrom(prefix, path.toString('utf8')));
  }

  /** Freezes what lies there now. */
  async capture(
    theirs: NotTheirs & { readonly declared: readonly string[] },
  ): Promise<{ tree: string; notices: Finding[] }> {
    this.#requireDirectory();
    const { git, dir } = this.#repository;
    const look = { root: this.root, index: this.#index, repository: this.#repository, ...theirs };
    let changes = await Changes.find(look);
    if (changes.isDenied) {
      makeAccessible(this.root);
      changes = await Changes.find(look);
    }
    const refused = await takeIn(git, { gitDir: dir, workTree: this.root, index: this.#index }, changes);
    const tree = (await this.#git(['write-tree'])).out.toString().trim();
    return { tree, notices: [...changes.notices, ...refused, ...(await this.#submodules.changed())] };
  }

  /** Begins to remove the directory; resolves when it is gone. */
  remove(): Promise<void> {
    this.#submodules.forget();
    rmSync(this.#index, { force: true });
    rmSync(`${this.#index}.lock`, { force: true });
    mkdirSync(dirname(this.#index), { recursive: true, mode: 0o700 });
    this.#clearLinkAbove();
    return removeDirectory(this.root);
  }

  #git(args: readonly string[]) {
    const { git, dir } = this.#repository;
    return git.run(args, { gitDir: dir, workTree: this.root, index: this.#index });
  }

  /** An agent may have put a link in the directory's place, or further up: then it leads to what is not HELIX's. */
  #requireDirectory(): void {
    const there = lstatSync(this.root, { throwIfNoEntry: false })?.isDirectory();
    if (!there || realpathSync(this.root) !== this.root) {
      throw new HelixError('io', `the worktree ${this.root} is gone`, {
        hint: 'It is made anew for the next attempt.',
      });
    }
    this.#requireFolders();
  }

  /** What is worked on is reached by folders: a link among them would lead whoever works and judges there elsewhere. */
  #requireFolders(): void {
    const names = this.#repository.user.prefix.split('/').filter((name) => name !== '');
    const folders = names.map((_, at) => names.slice(0, at + 1).join('/'));
    const other = folders.find((path) => {
      const stat = lstatSync(join(this.root, path), { throwIfNoEntry: false });
      return stat !== undefined && !stat.isDirectory();
    });
    if (other === undefined) return;
    throw new HelixError('io', `${other} is no directory any more, and what is worked on lies below it`, {
      hint: 'It must stay the directory it was when the run began.',
    });
  }

  #clearLinkAbove(): void {
    const parent = dirname(this.root);
    if (lstatSync(parent, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(parent);
    if (existsSync(parent) && realpathSync(parent) !== parent) {
      throw new HelixError('io', `${parent} has come to be behind a link, and HELIX removes nothing there`, {
        hint: 'Remove the link: it was not there when the run began.',
      });
    }
  }
}

/** Fewer entries than these are gone before a process has started that removes them. */
const FEW = 200;

/** Removes a directory with all below it; `rm` does so while HELIX does something else. */
export async function removeDirectory(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  if (hasFew(path)) return discard(path);
  const child = spawn(findTool('rm') ?? '/bin/rm', ['-rf', '--', path], { stdio: 'ignore' });
  const [code] = (await once(child, 'close').catch(() => [1])) as [number | null];
  if (code !== 0) discard(path);
}

function hasFew(dir: string): boolean {
  const waiting = [dir];
  let entries = 0;
  try {
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const item of readdirSync(at, { withFileTypes: true })) {
        entries += 1;
        if (entries === FEW) return false;
        if (item.isDirectory()) waiting.push(join(at, item.name));
      }
    }
  } catch {
    // What cannot be read is made readable before it is removed.
  }
  return true;
}

/** Removes what can be removed: a process that got away may still write there, and `helix gc` removes what it leaves. */
export function discard(dir: string): void {
  try {
    removeTree(dir);
  } catch (error) {
    if (!['ENOTEMPTY', 'EACCES', 'EPERM', 'EBUSY'].includes((error as { code?: string }).code ?? '')) throw error;
  }
}
