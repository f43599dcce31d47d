import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '../repo/git/git.ts';
import { removeForeign } from '../repo/own/own-entries.ts';
import { isOld } from './own-files.ts';
import type { Survey } from './survey.ts';
import { listed, type Sweep, sizeOf } from './sweep.ts';

const FOLDER = /^[0-9a-f]{2}$/;

type Means = {
  readonly helixDir: string;
  readonly marker: string;
  readonly around: Survey;
  readonly gone: ReadonlySet<string>;
};

/** Removes objects of HELIX's own repository that no run needs any more. */
export async function removeObjects(sweep: Sweep, { helixDir, marker, around, gone }: Means): Promise<void> {
  const dir = join(helixDir, 'repo');
  const objects = join(dir, 'objects');
  const loose = looseObjects(objects);
  if (loose.size === 0) return;
  const item = { kind: 'object', name: 'objects' } as const;
  if (around.someoneWorks) return sweep.keep(item, 'a run is being worked on');
  removeForeign(dir);
  const left = around.runs.filter(({ row }) => !gone.has(row.run));
  if (left.some(({ state }) => state === undefined)) return sweep.keep(item, 'the journal of a run cannot be read');
  const git = new Git(process.env, `${marker}-gc`);
  const own = (id: string) => loose.has(id);
  // The user's own commits are not kept here; what is reachable from them needs no second look.
  const theirs = left.flatMap(({ state }) => state?.base?.commit ?? []).filter((id) => !own(id));
  const named = new Set(left.flatMap(({ names }) => [...names]).filter(own));
  const needed = await reachable(git, dir, { named: [...named], theirs: await known(git, dir, theirs) });
  const unneeded = [...loose].filter(([id, path]) => !needed.has(id) && isOld(path));
  if (unneeded.length === 0) return;
  const bytes = unneeded.reduce((total, [, path]) => total + sizeOf(path), 0);
  await sweep.remove({ kind: 'object', name: `${unneeded.length} objects`, bytes }, () => {
    for (const [, path] of unneeded) rmSync(path, { force: true });
  });
}

function looseObjects(objects: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const folder of listed(objects).filter((name) => FOLDER.test(name))) {
    for (const name of listed(join(objects, folder))) found.set(folder + name, join(objects, folder, name));
  }
  return found;
}

async function known(git: Git, gitDir: string, ids: readonly string[]): Promise<string[]> {
  const input = ids.map((id) => `${id}\n`).join('');
  const { out } = await git.run(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { gitDir, input });
  return out
    .toString()
    .split('\n')
    .filter((line) => line.endsWith(' commit'))
    .map((line) => line.slice(0, line.indexOf(' ')));
}

/** Everything the named objects lead to. */
async function reachable(
  git: Git,
  gitDir: string,
  { named, theirs }: { named: readonly string[]; theirs: readonly string[] },
): Promise<Set<string>> {
  const input = [...named, ...theirs.map((id) => `^${id}`)].map((line) => `${line}\n`).join('');
  const args = ['rev-list', '--objects', '--no-object-names', '--missing=allow-any', '--stdin'];
  if (named.length === 0) return new Set();
  const { out } = await git.run(args, { gitDir, input });
  return new Set(out.toString().split('\n').filter(Boolean));
}
