import { posix } from 'node:path';
import type { Span } from '../../domain/facts/spans.ts';
import { inQuotes } from '../../domain/in-quotes.ts';
import { present } from '../../domain/present.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { PatchedFile } from '../../report/run/patch.ts';
import { isBinary } from '../../text/is-binary.ts';
import { allFiles } from './all-files.ts';

const FILE_LIMIT = 1024 * 1024;
const MAX_TARGET = 500;
/** What is printed of a difference at most; what lies beyond is only named. */
const TOTAL_LIMIT = 64 * 1024 * 1024;

/** A file that differs, with its patch or why there is none. */
export type ChangedFile = {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'changed';
  readonly added: number;
  readonly removed: number;
  readonly patch?: Buffer;
  /** Why it is only named. */
  readonly only?: 'binary' | 'large' | 'link';
  /** Of a link or submodule, also one that was a file or became one, where it leads and where it led. */
  readonly note?: string;
};

/** All files that differ, one after another; `top` is where the project lies in its repository, as git wants it in a patch. */
export async function* changedFiles(
  spans: readonly Span[],
  { workspace, top }: { workspace: Workspace; top: string },
): AsyncGenerator<ChangedFile> {
  let room = TOTAL_LIMIT;
  const patches = await import('../../report/run/patch.ts');
  for (const { from, to, below } of spans) {
    const before = from === undefined ? undefined : await workspace.tree(from);
    const after = await workspace.tree(to);
    for (const pair of pairsOf(before, after)) {
      const file = await compared(pair, { before, after, below, top, room, patches });
      room -= file.patch?.length ?? 0;
      yield file;
    }
    if (from === undefined) continue;
    const told = await workspace.changed(from, to);
    // Directories of phases tell nothing: there the trees themselves say which links differ.
    yield* unseen(told.length > 0 ? told : await changedLinks(before, after), { before, after, below });
  }
}

type Pair = { readonly path: string; readonly before: TreeFile | undefined; readonly after: TreeFile | undefined };
type Patches = typeof import('../../report/run/patch.ts');
type Trees = { readonly before: Tree | undefined; readonly after: Tree; readonly below: string };

function pairsOf(before: Tree | undefined, after: Tree): Pair[] {
  const old = new Map(filesOf(before).map((file) => [file.path, file]));
  const now = new Map(filesOf(after).map((file) => [file.path, file]));
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter(({ before: one, after: other }) => one?.digest !== other?.digest || one?.executable !== other?.executable)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function filesOf(tree: Tree | undefined): TreeFile[] {
  if (tree === undefined) return [];
  // Where a link counts as the file it leads to, it is a link all the same.
  const links = new Set(tree.links?.map(({ path }) => path));
  return links.size === 0 ? allFiles(tree) : allFiles(tree).filter(({ path }) => !links.has(path));
}

type Around = Trees & { readonly top: string; readonly room: number; readonly patches: Patches };

async function compared(pair: Pair, around: Around): Promise<ChangedFile> {
  const { before, after, below, top, room, patches } = around;
  const note = await replacement(pair, around);
  const gone = pair.before === undefined ? 'added' : pair.after === undefined ? 'removed' : 'changed';
  const status = note === undefined ? gone : 'changed';
  const named = { path: below + pair.path, status, added: 0, removed: 0, ...present({ note }) } as const;
  if (Math.max(pair.before?.size ?? 0, pair.after?.size ?? 0) > FILE_LIMIT || room <= 0)
    return { ...named, only: 'large' };
  const sides: PatchedFile = {
    path: posix.normalize(top + named.path),
    before: await sideOf(pair, pair.before, before),
    after: await sideOf(pair, pair.after, after),
  };
  if ([sides.before, sides.after].some((side) => side !== undefined && isBinary(side.content)))
    return { ...named, only: 'binary' };
  return { ...named, ...patches.renderPatch(sides) };
}

/** Where a file took the place of a link or submodule, or one of them that of a file: which one. */
async function replacement({ path, ...pair }: Pair, { before, after }: Trees): Promise<string | undefined> {
  const now = pair.after === undefined ? await leadsTo(after, path) : undefined;
  if (now !== undefined) return `${now}, before: a file`;
  const old = pair.before === undefined ? await leadsTo(before, path) : undefined;
  return old === undefined ? undefined : `a file, before: ${old}`;
}

async function sideOf(
  { path }: Pair,
  file: TreeFile | undefined,
  tree: Tree | undefined,
): Promise<PatchedFile['before']> {
  if (tree === undefined) return undefined;
  if (file === undefined) {
    const commit = commitAt(tree, path);
    if (commit !== undefined)
      return { content: Buffer.from(`Subproject commit ${commit}\n`), executable: false, as: 'submodule' };
    const target = await tree.target?.(path);
    return target === undefined ? undefined : { content: Buffer.from(target), executable: false, as: 'link' };
  }
  const content = (await tree.read(file.path, FILE_LIMIT)) ?? Buffer.alloc(0);
  return { content, executable: file.executable };
}

async function changedLinks(before: Tree | undefined, after: Tree): Promise<string[]> {
  const paths = new Set([...(before?.links ?? []), ...(after.links ?? [])].map(({ path }) => path));
  const changed: string[] = [];
  for (const path of [...paths].sort())
    if ((await before?.target?.(path)) !== (await after.target?.(path))) changed.push(path);
  return changed;
}

/** Links and submodules: changed, but no file of a tree. */
async function* unseen(paths: readonly string[], { before, after, below }: Trees): AsyncGenerator<ChangedFile> {
  const files = new Set([...filesOf(before), ...filesOf(after)].map(({ path }) => path));
  for (const path of paths) {
    if (files.has(path)) continue;
    const [old, now] = await Promise.all([leadsTo(before, path), leadsTo(after, path)]);
    const status =
      old === undefined && now !== undefined ? 'added' : old !== undefined && now === undefined ? 'removed' : 'changed';
    const note = [now ?? 'gone', ...(old === undefined ? [] : [`before: ${old}`])].join(', ');
    yield { path: below + path, status, added: 0, removed: 0, only: 'link', ...(note !== 'gone' && { note }) };
  }
}

function commitAt(tree: Tree | undefined, path: string): string | undefined {
  return tree?.submodules?.find((each) => each.path === path)?.commit;
}

/** What a link or submodule stands for, in words without brackets, so that none can end them. */
async function leadsTo(tree: Tree | undefined, path: string): Promise<string | undefined> {
  const commit = commitAt(tree, path);
  if (commit !== undefined) return `submodule at commit ${commit}`;
  const target = await tree?.target?.(path);
  return target === undefined ? undefined : `link to ${inQuotes(target.slice(0, MAX_TARGET)).replaceAll(/[()]/g, '?')}`;
}
