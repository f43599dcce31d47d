import { createHash } from 'node:crypto';
import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import type { InputFile } from '../domain/run-event.ts';
import { type Listing, listDirectory, readPieces } from './directory-tree.ts';
import type { StoredFile, StoredTree, TreeStore } from './tree-store.ts';

type Wanted = ReadonlyMap<string, { sha256: string; executable: boolean; source: StoredFile }>;

/** Makes a directory hold the tree and the inputs and nothing else; no link in it is ever followed. */
export async function layOut(
  dir: string,
  store: TreeStore,
  content: { tree: StoredTree; inputs: readonly InputFile[]; omit?: readonly string[] },
): Promise<void> {
  const wanted = await wantedFiles(store, content);
  const links = new Map(content.tree.links.map((link) => [link.path, link.target]));
  const known = new Set(content.tree.problems.flatMap(({ location }) => location?.file ?? []));
  const kept = await clear(dir, await listDirectory(dir), { wanted, links, known });
  for (const [path, file] of wanted) if (!kept.has(path)) writeFile(dir, path, { file, store });
  for (const [path, target] of links) {
    if (kept.has(path) || wanted.has(path)) continue;
    ensureParents(dir, path);
    symlinkSync(target, join(dir, path));
  }
}

async function wantedFiles(
  store: TreeStore,
  { tree, inputs, omit = [] }: { tree: StoredTree; inputs: readonly InputFile[]; omit?: readonly string[] },
): Promise<Wanted> {
  const kept = tree.stored.filter((file) => !omit.includes(file.path));
  const wanted = new Map(kept.map((file) => [file.path, { ...file, source: file }]));
  const trees = new Map<string, StoredTree>();
  for (const input of inputs) {
    const from = trees.get(input.from.tree) ?? (await store.open(input.from.tree));
    trees.set(input.from.tree, from);
    const source = from.find(input.from.path);
    if (source === undefined) throw new HelixError('journal', `the input ${input.path} is gone from its tree`);
    wanted.set(input.path, { ...source, source });
  }
  return wanted;
}

/** Removes what is not wanted, except what the tree could not keep but had, and returns what is already there as wanted. */
async function clear(
  dir: string,
  { entries, problems }: Listing,
  target: { wanted: Wanted; links: ReadonlyMap<string, string>; known: ReadonlySet<string> },
): Promise<Set<string>> {
  const kept = new Set<string>();
  for (const entry of entries) {
    const want = target.wanted.get(entry.path);
    const right =
      entry.link === undefined
        ? want !== undefined &&
          want.executable === entry.executable &&
          want.sha256 === (await digest(join(dir, entry.path)))
        : want === undefined && target.links.get(entry.path) === entry.link;
    if (right) kept.add(entry.path);
    else rmSync(join(dir, entry.path), { force: true });
  }
  for (const { location } of problems) {
    if (location?.file !== undefined && !target.known.has(location.file))
      rmSync(join(dir, location.file), { recursive: true, force: true });
  }
  return kept;
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
  ensureParents(dir, path);
  const full = join(dir, path);
  const fd = openSync(full, 'wx', 0o644);
  try {
    store.pieces(file.source, (piece) => {
      for (let done = 0; done < piece.length; ) done += writeSync(fd, piece, done);
    });
  } finally {
    closeSync(fd);
  }
  if (file.executable) chmodSync(full, 0o755);
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

/** Makes sure a path is a directory of its own and not a link to somewhere else. */
export function ensureDirectory(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) mkdirSync(path, { recursive: true });
  else if (stat.isSymbolicLink()) {
    throw new HelixError('io', `${path} is a symbolic link`, {
      hint: 'HELIX works only in directories of the project itself; remove the link.',
    });
  } else if (!stat.isDirectory()) {
    throw new HelixError('io', `${path} is not a directory`, { hint: 'Move the file away.' });
  }
}
