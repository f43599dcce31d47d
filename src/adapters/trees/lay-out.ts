import { createHash } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { InputFile } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { type Entry, type Listing, listDirectory, NO_LIMITS, readPieces } from './directory-tree.ts';
import type { StoredFile } from './pack-writer.ts';
import type { StoredTree, TreeStore } from './tree-store.ts';

type Content = {
  readonly tree: StoredTree;
  readonly inputs: readonly InputFile[];
  readonly omit?: readonly string[];
  /** Where what must go is kept, unless it is what HELIX itself had put there, by content; without it, it is removed. */
  readonly aside?: { readonly dir: string; readonly ours: ReadonlyMap<string, string> };
};
type Files = ReadonlyMap<string, { digest: string; executable: boolean; source: StoredFile }>;
type Links = ReadonlyMap<string, string>;

/** Makes a directory hold the tree and the inputs and nothing else; no link in it is ever followed. */
export async function layOut(dir: string, store: TreeStore, content: Content): Promise<void> {
  const { files, links } = await wanted(store, content);
  const { problems } = content.tree;
  const known = new Set(problems.flatMap(({ location }) => location?.file ?? []));
  // Where a tree was too large to be kept whole, what lies beyond it cannot be told from what is not wanted.
  const isWhole = problems.every(({ location }) => location !== undefined);
  const listing = await listDirectory(dir, isWhole ? NO_LIMITS : undefined);
  const { kept, gone, ours } = await compare(dir, listing, { files, links, known, ours: content.aside?.ours });
  const needed = new Set([...files.keys(), ...links.keys(), ...known].flatMap(parentsOf));
  putAway(dir, gone, { needed, ours, aside: content.aside?.dir });
  for (const [path, file] of files) if (!kept.has(path)) writeFile(dir, path, { file, store });
  for (const [path, target] of links) {
    if (kept.has(path)) continue;
    makeRoom(dir, path);
    symlinkSync(target, join(dir, path));
  }
}

/** What a directory is to hold; where an input and the tree want the same place, it is the input's. */
async function wanted(store: TreeStore, { tree, inputs, omit = [] }: Content): Promise<{ files: Files; links: Links }> {
  const given = await inputFiles(store, inputs);
  const parents = new Set([...given.keys()].flatMap(parentsOf));
  const isFree = (path: string) =>
    !omit.includes(path) && !parents.has(path) && ![path, ...parentsOf(path)].some((each) => given.has(each));
  const own = tree.stored.filter(({ path }) => isFree(path));
  const links = tree.links.filter(({ path }) => isFree(path));
  return {
    files: new Map([...own.map((file) => [file.path, { ...file, source: file }] as const), ...given]),
    links: new Map(links.map(({ path, target }) => [path, target])),
  };
}

async function inputFiles(store: TreeStore, inputs: readonly InputFile[]): Promise<Files> {
  const trees = new Map<string, StoredTree>();
  const files = new Map<string, { digest: string; executable: boolean; source: StoredFile }>();
  for (const { path, from } of inputs) {
    const tree = trees.get(from.tree) ?? (await store.open(from.tree));
    trees.set(from.tree, tree);
    const source = tree.find(from.path);
    if (source === undefined) throw new HelixError('journal', `the input ${path} is gone from its tree`);
    files.set(path, { ...source, source });
  }
  return files;
}

/** The directories above a path, the nearest first. */
function parentsOf(path: string): string[] {
  const parents: string[] = [];
  for (let at = dirname(path); at !== '.'; at = dirname(at)) parents.push(at);
  return parents;
}

/** Tells what is already there as wanted from what must go; what the tree could not keep but had stays. */
async function compare(
  dir: string,
  { entries, problems }: Listing,
  target: { files: Files; links: Links; known: ReadonlySet<string>; ours: ReadonlyMap<string, string> | undefined },
): Promise<{ kept: Set<string>; gone: string[]; ours: Set<string> }> {
  const kept = new Set<string>();
  const gone: string[] = [];
  const ours = new Set<string>();
  for (const entry of entries) {
    const want = target.files.get(entry.path);
    const right =
      entry.link === undefined
        ? want !== undefined &&
          want.executable === entry.executable &&
          want.digest === (await digest(join(dir, entry.path)))
        : target.links.get(entry.path) === entry.link;
    if (right) kept.add(entry.path);
    else gone.push(entry.path);
    const left = right ? undefined : target.ours?.get(entry.path);
    if (left !== undefined && left === (await contentOf(dir, entry))) ours.add(entry.path);
  }
  gone.push(...problems.flatMap(({ location }) => location?.file ?? []).filter((path) => !target.known.has(path)));
  return { kept, gone, ours };
}

/** Nobody's work is lost: what HELIX did not put there itself is moved, never removed. */
function putAway(
  dir: string,
  gone: readonly string[],
  { needed, ours, aside }: { needed: ReadonlySet<string>; ours: ReadonlySet<string>; aside: string | undefined },
): void {
  const foreign = aside === undefined ? [] : gone.filter((path) => !ours.has(path));
  for (const path of new Set(foreign.map((each) => largestWithout(needed, each)))) {
    if (aside === undefined) continue;
    mkdirSync(dirname(join(aside, path)), { recursive: true, mode: 0o700 });
    renameSync(join(dir, path), join(aside, path));
  }
  for (const path of new Set(gone.map((each) => largestWithout(needed, each)))) {
    rmSync(join(dir, path), { recursive: true, force: true });
  }
}

/** The path itself or the outermost directory around it that nothing needs. */
function largestWithout(needed: ReadonlySet<string>, path: string): string {
  return parentsOf(path).findLast((parent) => !needed.has(parent)) ?? path;
}

/** What lies at a path, as trees tell it: the sha256 of a file, or where a link leads. */
async function contentOf(dir: string, { path, link }: Entry): Promise<string> {
  return link === undefined ? digest(join(dir, path)) : `-> ${link}`;
}

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await readPieces(path, (piece) => hash.update(piece));
  return hash.digest('hex');
}

function writeFile(
  dir: string,
  path: string,
  { file, store }: { file: { executable: boolean; source: StoredFile }; store: TreeStore },
): void {
  makeRoom(dir, path);
  const fd = openSync(join(dir, path), 'wx', 0o644);
  try {
    store.pieces(file.source, (piece) => {
      for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
    });
    if (file.executable) fchmodSync(fd, 0o755);
  } finally {
    closeSync(fd);
  }
}

/** Makes sure that a path is free and lies in a directory. */
function makeRoom(dir: string, path: string): void {
  ensureParents(dir, path);
  rmSync(join(dir, path), { recursive: true, force: true });
}

/** Makes the directories above a path, replacing whatever is not one, so that no link is followed. */
export function ensureParents(dir: string, path: string): void {
  let at = dir;
  for (const part of dirname(path).split('/')) {
    if (part === '.') continue;
    at = join(at, part);
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat?.isDirectory()) continue;
    if (stat !== undefined) rmSync(at, { force: true });
    mkdirSync(at);
  }
}
