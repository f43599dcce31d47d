import { join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { lockRun } from '../disk/run-lock.ts';
import { LeftNotes } from '../trees/left-notes.ts';
import { TreeStore } from '../trees/tree-store.ts';
import { visitLives } from '../visit.ts';
import { isOld } from './own-files.ts';
import type { Survey } from './survey.ts';
import { listed, type Sweep } from './sweep.ts';

const COPY = /^\..+\.judged$/;
const TREE = /^[0-9a-f]{64}$/;

type Means = { readonly projectDir: string; readonly around: Survey; readonly gone: ReadonlySet<string> };

/** Clears up where phases have directories of their own: scratch copies, and trees that no run names any more. */
export async function removeCopiesAndTrees(sweep: Sweep, means: Means): Promise<void> {
  const helixDir = join(means.projectDir, '.helix');
  const copies = listed(join(means.projectDir, 'phases')).filter((name) => COPY.test(name));
  const trees = listed(join(helixDir, 'trees')).filter((name) => TREE.test(name));
  if (copies.length + trees.length === 0 || listed(helixDir).length === 0) return;
  const release =
    sweep.dryRun && !means.around.someoneWorks ? () => undefined : lockRun(join(helixDir, 'workspace.lock'), 0);
  if (release === undefined) return sweep.keep({ kind: 'tree', name: 'trees' }, 'a run is being worked on');
  try {
    for (const name of copies.filter((each) => visitLives(each) !== true))
      await sweep.removePath({ kind: 'copy', name: `phases/${name}`, path: join(means.projectDir, 'phases', name) });
    await removeTrees(sweep, means, trees);
  } finally {
    release();
  }
}

async function removeTrees(sweep: Sweep, { projectDir, around, gone }: Means, trees: readonly string[]): Promise<void> {
  const dir = join(projectDir, '.helix', 'trees');
  const needed = await neededPacks({ projectDir, around, gone }, new Set(trees));
  if (needed === undefined) return sweep.keep({ kind: 'tree', name: 'trees' }, 'the journal of a run cannot be read');
  for (const id of trees.filter((each) => !needed.has(each) && isOld(join(dir, each))))
    await sweep.removePath({ kind: 'tree', name: id.slice(0, 12), path: join(dir, id) });
}

/** The packs of all trees that are named, and those that hold bytes of them; undefined where nobody can tell. */
async function neededPacks(
  { projectDir, around, gone }: Means,
  there: ReadonlySet<string>,
): Promise<Set<string> | undefined> {
  const left = around.runs.filter(({ row }) => !gone.has(row.run));
  if (left.some(({ state }) => state === undefined)) return undefined;
  const store = new TreeStore(join(projectDir, '.helix', 'trees'));
  const noted = new LeftNotes(join(projectDir, '.helix', 'left')).underWay();
  const needed = new Set<string>();
  for (const id of [...left.flatMap(({ names }) => [...names]), ...noted].filter((id) => there.has(id))) {
    try {
      for (const { pack } of (await store.open(id)).stored) needed.add(pack);
    } catch (error) {
      if (error instanceof HelixError) return undefined;
      throw error;
    }
    needed.add(id);
  }
  return needed;
}
