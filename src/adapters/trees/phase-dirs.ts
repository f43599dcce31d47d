import { lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { ManualChanges, OwnChange, OwnCopy } from '../../ports/manual-changes.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { AttemptContent, Bounds, Checkout, VariantContent, Workspace } from '../../ports/workspace.ts';
import { sha256 } from '../../text/digest.ts';
import { ensureDirectory } from '../disk/ensure-directory.ts';
import { ioError } from '../disk/io-error.ts';
import { isDenied, makeAccessible, removeTree } from '../disk/make-accessible.ts';
import { makePrivateDirectory } from '../disk/private-directory.ts';
import { lockRun } from '../disk/run-lock.ts';
import { sqliteError } from '../disk/sqlite-error.ts';
import { watchFiles } from '../disk/touched-files.ts';
import { listDirectory, listFiles } from './directory-tree.ts';
import { layOut } from './lay-out.ts';
import { type Left, LeftNotes, UNDER_WAY } from './left-notes.ts';
import {
  type CopyNote,
  changeFiles,
  isReserved,
  makeCopy,
  noteOf,
  noteTaken,
  putFiles,
  withdrawCopy,
} from './own-copy.ts';
import { pinStoredTree } from './pin-stored-tree.ts';
import { ProjectAround } from './project-around.ts';
import { type StoredTree, TreeStore } from './tree-store.ts';

type Result = { readonly tree: string; readonly inputs: readonly InputFile[] };

/** The seeds' layout: each phase works in `phases/<id>/`, and every tree a gate judges is kept below `.helix`. */
export class PhaseDirs implements Workspace {
  readonly #dir: string;
  readonly #store: TreeStore;
  readonly #notes: LeftNotes;
  readonly #around: ProjectAround;
  readonly #inputs = new Map<string, readonly InputFile[]>();
  /** What was just captured is judged next: a large tree is not read back for that. */
  #latest: StoredTree | undefined;

  /** `list` names the files of the project that a judge may consult. */
  constructor(projectDir: string, list: () => Promise<readonly string[]> = async () => []) {
    this.#dir = projectDir;
    this.#around = new ProjectAround(projectDir, list);
    this.#store = new TreeStore(join(projectDir, '.helix', 'trees'));
    this.#notes = new LeftNotes(join(projectDir, '.helix', 'left'));
  }

  async prepare(phase: Phase, { start, inputs, omit }: AttemptContent) {
    return this.#in(phase, async (dir) => {
      const ours = this.#notes.of(phase.id);
      const tree = start === undefined ? await this.#base(phase, dir) : await this.#store.open(start);
      this.#notes.add(phase.id, [...inputs.map(({ path, digest }) => [path, digest] as const), [UNDER_WAY, tree.id]]);
      await layOut(dir, this.#store, { tree, inputs, omit, aside: { dir: this.#aside(phase), ours } });
      this.#inputs.set(phase.id, inputs);
      return { dir, start: tree.id };
    });
  }

  async begin() {
    return { notices: [] };
  }

  async capture(phase: Phase, start: string): Promise<{ tree: StoredTree; notices: [] }> {
    return this.#in(phase, async (dir) => {
      const given = new Map(this.#inputs.get(phase.id)?.map((input) => [input.path, input.digest]));
      const from = await this.#store.open(start);
      const skip = (path: string, content: string) => given.get(path) === content;
      const tree = await this.#store.capture(dir, await listDirectory(dir), { from, skip });
      this.#notes.add(phase.id, [...this.#made(phase, from, tree), [UNDER_WAY, '']]);
      this.#latest = tree;
      return { tree, notices: [] };
    });
  }

  /** Captured all the same, so that a later run does not take what is left of it for the user's own. */
  async abandon(phase: Phase, start: string) {
    return (await this.capture(phase, start)).notices;
  }

  /** A gate's command may name programs of the project, which lies around the phase's directory. */
  bounds(dir: string): Bounds {
    return { writable: [dir], readable: [this.#dir], protect: [this.#dir] };
  }

  async watch() {
    return async () => [];
  }

  /** A phase's directory holds nothing of the project. */
  async changed() {
    return [];
  }

  join(): never {
    throw new TypeError('phases with directories of their own are never joined');
  }

  async pin(paths: readonly string[]): Promise<StoredTree> {
    try {
      return await this.#store.capture(this.#dir, listFiles(this.#dir, paths));
    } catch (error) {
      throw ioError(error, this.#dir);
    }
  }

  async tree(id: string): Promise<StoredTree> {
    return this.#latest?.id === id ? this.#latest : this.#store.open(id);
  }

  checkout(phase: Phase, tree: string, inputs: readonly InputFile[]) {
    return this.#copyOf(`.${phase.id}.judged`, { tree, inputs, changes: new Map() });
  }

  variant(phase: Phase, content: VariantContent) {
    return this.#copyOf(`.${phase.id}.variant.judged`, content);
  }

  async #copyOf(name: string, { tree, inputs, changes }: VariantContent): Promise<Checkout> {
    const dir = join(this.#dir, 'phases', name);
    try {
      ensureDirectory(dirname(dir));
      removeTree(dir);
      mkdirSync(dir);
      await this.#layOutResult(dir, { tree, inputs });
      changeFiles(dir, changes);
    } catch (error) {
      throw ioError(error, dir);
    }
    const paths = (await this.tree(tree)).files.map(({ path }) => path);
    return { dir, touched: watchFiles(dir, paths), dispose: async () => discard(dir) };
  }

  snapshot(_phase: Phase, tree: string, inputs: readonly InputFile[], signal?: AbortSignal): Promise<Snapshot> {
    const wanted = { tree, inputs, around: this.#around, signal };
    return pinStoredTree(makePrivateDirectory('pinned', this.#dir), this.#store, wanted);
  }

  edit(tree: string, changes: ReadonlyMap<string, string | Buffer | undefined>): Promise<string> {
    return this.#store.edit(tree, changes);
  }

  /** There is no branch from which something could be kept. */
  async without(tree: string): Promise<string> {
    return tree;
  }

  /** Directories of phases have no history. */
  async revision(): Promise<undefined> {
    return undefined;
  }

  async accept(phase: Phase, result: Result) {
    return this.#in(phase, async (dir) => {
      await this.#layOutResult(dir, result, { dir: this.#aside(phase), ours: this.#notes.of(phase.id) });
      return {};
    });
  }

  async leave(phase: Phase, files: ReadonlyMap<string, string>): Promise<void> {
    await this.#in(phase, async (dir) => {
      this.#notes.add(
        phase.id,
        [...files].map(([path, text]) => [path, sha256(text)] as const),
      );
      putFiles(dir, files);
    });
  }

  /** No branch shows what was accepted. */
  async goBack() {}

  readonly manual: ManualChanges = {
    offer: async (phase, copy) => void (await this.#at(copy.dir, () => this.#offered(phase, copy))),
    take: (phase, copy) => this.#takeOffered(phase, copy),
    withdraw: (dir, { unless }) => this.#withdraw(dir, unless),
  };

  async #takeOffered(
    phase: Phase,
    copy: OwnCopy & { readonly files: ReadonlyMap<string, string> },
  ): Promise<OwnChange> {
    const { dir, inputs, files } = copy;
    const { start, tree, notices } = await this.#at(dir, async () => {
      const note = await this.#offered(phase, copy);
      const refused = putFiles(dir, files);
      const from = await this.#store.open(note.start);
      const taken = await this.#captureOffered(dir, note, from);
      noteTaken(dir, note, taken.id);
      return { start: from, tree: taken, notices: refused };
    });
    await this.#in(phase, async (own) => {
      const ours = this.#notes.of(phase.id);
      this.#notes.add(phase.id, this.#made(phase, start, tree));
      await this.#layOutResult(own, { tree: tree.id, inputs }, { dir: this.#aside(phase), ours });
    });
    return { start: start.id, tree, notices };
  }

  async #withdraw(dir: string, unless: string | undefined): Promise<string | undefined> {
    const isKnown = async (note: CopyNote) => {
      const from = await this.#store.open(note.start);
      const found = await this.#captureOffered(dir, note, from);
      return found.id === note.taken || hasSameFiles(found, from);
    };
    return this.#at(dir, () => withdrawCopy(dir, { unless, isKnown }));
  }

  async #captureOffered(dir: string, { given }: CopyNote, from: StoredTree): Promise<StoredTree> {
    const skip = (path: string, content: string) => isReserved(path) || given[path] === content;
    return this.#store.capture(dir, await listDirectory(dir), { from, skip });
  }

  /** The copy for a human, made where it is not there yet. */
  async #offered(phase: Phase, { dir, request, start, inputs }: OwnCopy): Promise<CopyNote> {
    const known = noteOf(dir, request);
    if (known !== undefined) return known;
    const tree = start ?? (await this.#in(phase, (own) => this.#base(phase, own))).id;
    return makeCopy(dir, async (place) => {
      mkdirSync(place);
      await this.#layOutResult(place, { tree, inputs });
      return { request, start: tree, given: Object.fromEntries(inputs.map(({ path, digest }) => [path, digest])) };
    });
  }

  async #at<T>(dir: string, work: () => Promise<T>): Promise<T> {
    try {
      return await withAccess(dir, work);
    } catch (error) {
      throw ioError(error, dir);
    }
  }

  /** An input that the agent changed is part of what it made. */
  async #layOutResult(
    dir: string,
    result: Result,
    aside?: { readonly dir: string; readonly ours: Left },
  ): Promise<void> {
    const tree = await this.tree(result.tree);
    const inputs = result.inputs.filter(({ path }) => tree.find(path) === undefined);
    await layOut(dir, this.#store, { tree, inputs, ...present({ aside }) });
  }

  /** Where what is not the phase's goes; the user finds it there. */
  #aside(phase: Phase): string {
    return join(this.#dir, '.helix', 'aside', phase.id, new Date().toISOString().replaceAll(':', '-'));
  }

  async take(): Promise<() => Promise<void>> {
    const path = join(this.#dir, '.helix', 'workspace.lock');
    const release = lockIn(path);
    if (release === undefined) {
      throw new HelixError('run_owned', `another run is working in ${join(this.#dir, 'phases')}`, {
        hint: 'Wait until it has ended, or leave the helix shell that is open there. See the runs with: helix list',
      });
    }
    this.#clearScratch();
    this.#notes.compact();
    return async () => {
      release();
      await this.#around.forget();
    };
  }

  #clearScratch(): void {
    const phases = join(this.#dir, 'phases');
    if (!lstatSync(phases, { throwIfNoEntry: false })?.isDirectory()) return;
    for (const name of readdirSync(phases)) {
      if (/^\..+\.judged$/.test(name)) discard(join(phases, name));
    }
  }

  async #in<T>(phase: Phase, work: (dir: string) => Promise<T>): Promise<T> {
    const dir = join(this.#dir, 'phases', phase.id);
    try {
      for (const path of [dirname(dir), dir]) ensureDirectory(path);
      return await withAccess(dir, () => work(dir));
    } catch (error) {
      throw ioError(error, dir);
    }
  }

  /**
   * What the user keeps in the phase's directory: neither what an earlier run left there unchanged, nor what lies there
   * since an attempt that nobody saw the end of.
   */
  async #base(phase: Phase, dir: string): Promise<StoredTree> {
    const left = this.#notes.of(phase.id);
    const before = left.get(UNDER_WAY);
    const start = before && this.#store.has(before) ? await this.#store.open(before) : undefined;
    const skip = (path: string, content: string) =>
      left.get(path) === content || (start !== undefined && start.contents.get(path) !== content);
    return this.#store.capture(dir, await listDirectory(dir), { skip });
  }

  /** What an attempt has made: a file of the user's that it changed is still the user's. */
  #made(phase: Phase, start: StoredTree, tree: StoredTree): [path: string, content: string][] {
    const left = this.#notes.of(phase.id);
    const isOwn = (path: string) => start.contents.has(path) && start.contents.get(path) !== left.get(path);
    return [...tree.contents].filter(([path, content]) => start.contents.get(path) !== content && !isOwn(path));
  }
}

/** What could not be kept of a tree is not laid out either, so that it makes no difference. */
function hasSameFiles(one: StoredTree, other: StoredTree): boolean {
  const files = ({ contents, stored }: StoredTree) =>
    JSON.stringify([[...contents].sort(), stored.flatMap(({ path, executable }) => (executable ? [path] : [])).sort()]);
  return files(one) === files(other);
}

/** An agent may leave what cannot be read or removed; the work is done again once it can. */
async function withAccess<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isDenied(error)) throw error;
    makeAccessible(dir);
    return work();
  }
}

function lockIn(path: string): (() => void) | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return lockRun(path, 0);
  } catch (error) {
    throw ioError(sqliteError(error, path), path);
  }
}

/** What belongs to somebody else stays; whoever needs the place next says so. */
function discard(dir: string): void {
  try {
    removeTree(dir);
  } catch (error) {
    if (!isDenied(error)) throw ioError(error, dir);
  }
}
