import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { nulSeparated } from '../git/git.ts';
import { seenFrom } from '../git/seen-from.ts';
import { refreshIndex, trackedChanges } from '../git/tracked-changes.ts';
import type { GitTree } from '../own/git-tree.ts';
import { type OwnRepository, quoted } from '../own/own-repository.ts';

const MAX_DEPTH = 8;

/** A submodule in a worktree; one without an index is empty, because the user does not have its commit. */
type LaidOut = { readonly path: string; readonly index?: string };

/** The submodules of a worktree: filled from what the user has of them, read-only for a phase, and never fetched. */
export class Submodules {
  readonly #repository: OwnRepository;
  readonly #root: string;
  readonly #index: string;
  #laidOut: LaidOut[] = [];

  constructor(repository: OwnRepository, { root, index }: { root: string; index: string }) {
    this.#repository = repository;
    this.#root = root;
    this.#index = index;
  }

  /** Fills those of a tree and, in turn, theirs; says which stay empty. */
  async layOut(tree: GitTree): Promise<Finding[]> {
    this.forget();
    const { prefix } = this.#repository.user;
    const queue =
      prefix === '' ? tree.submodules.map((one) => ({ ...one, depth: 1 })) : await this.#list(tree.id, '', 1);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { path, commit, depth } = next;
      const env = this.#objectsOf(path);
      const { git, dir } = this.#repository;
      const known = await git.run(['cat-file', '-e', `${commit}^{tree}`], { gitDir: dir, env, answers: [1, 128] });
      if (known.code !== 0 || depth > MAX_DEPTH) {
        this.#laidOut.push({ path });
        continue;
      }
      const index = `${this.#index}.submodule-${this.#laidOut.length}`;
      const workTree = join(this.#root, path);
      mkdirSync(workTree, { recursive: true });
      await git.run(['read-tree', '-u', '--reset', commit], { gitDir: dir, workTree, index, env });
      this.#laidOut.push({ path, index });
      queue.push(...(await this.#list(commit, path, depth + 1, env)));
    }
    return this.#laidOut.filter(({ index }) => index === undefined).map(({ path }) => this.#absent(path));
  }

  /** What a phase did in them, none of which is kept. */
  async changed(): Promise<Finding[]> {
    const found: Finding[] = [];
    for (const { path, index } of this.#laidOut) {
      const what = await this.#changeIn(path, index);
      if (what !== undefined) found.push(this.#notKept(path, what));
    }
    return found;
  }

  forget(): void {
    for (const { index } of this.#laidOut) if (index !== undefined) rmSync(index, { force: true });
    this.#laidOut = [];
  }

  async #changeIn(path: string, index: string | undefined): Promise<'changed' | 'new' | undefined> {
    const workTree = join(this.#root, path);
    if (!lstatSync(workTree, { throwIfNoEntry: false })?.isDirectory()) return 'changed';
    if (index === undefined) return readdirSync(workTree).length > 0 ? 'new' : undefined;
    const { git, dir } = this.#repository;
    const place = { gitDir: dir, workTree, index };
    await refreshIndex(git, place);
    if ((await trackedChanges(git, place)).changed.length > 0) return 'changed';
    const { out } = await git.run(['ls-files', '-z', '--others', '--exclude-standard'], place);
    return out.length > 0 ? 'new' : undefined;
  }

  async #list(tree: string, below: string, depth: number, env: Readonly<Record<string, string>> = {}) {
    const { git, dir } = this.#repository;
    const { out } = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree], { gitDir: dir, env });
    return nulSeparated(out).flatMap((line) => {
      const [, commit, path] = /^160000 commit ([0-9a-f]+)\t(.+)$/s.exec(line.toString('utf8')) ?? [];
      return commit === undefined || path === undefined ? [] : [{ path: posix.join(below, path), commit, depth }];
    });
  }

  /** A submodule that was cloned in place has its objects there, not in the user's repository. */
  #objectsOf(path: string): Record<string, string> {
    const objects = join(this.#repository.user.top, path, '.git', 'objects');
    return existsSync(objects) ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(objects) } : {};
  }

  #inProject(path: string): string {
    return seenFrom(this.#repository.user.prefix, path);
  }

  #absent(path: string): Finding {
    return {
      severity: 'warning',
      check: 'submodule',
      message: `the submodule ${this.#inProject(path)} is empty: its commit is not in your checkout, and HELIX fetches nothing`,
      hint: 'Get it with: git submodule update --init --recursive',
      location: { file: this.#inProject(path) },
    };
  }

  #notKept(path: string, what: 'changed' | 'new'): Finding {
    const name = this.#inProject(path);
    const changed = what === 'changed';
    return {
      severity: changed ? 'error' : 'warning',
      check: 'submodule',
      message: `${changed ? 'what was changed' : 'what was added'} in the submodule ${name} was not kept`,
      hint: 'A submodule is a repository of its own; leave it as it is and work outside it.',
      location: { file: name },
    };
  }
}
