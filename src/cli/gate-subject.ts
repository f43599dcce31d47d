import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import { type LastTree, lastTree } from '../domain/last-tree.ts';
import type { Phase, Plan } from '../domain/plan.ts';
import type { RunState } from '../domain/run-state.ts';
import { scopeOf } from '../engine/run.ts';
import type { Tree, Workspace, World } from '../ports.ts';
import { pickRun, readRun } from './find-run.ts';
import { openVisit } from './open-visit.ts';

type Checkout = Awaited<ReturnType<Workspace['checkout']>>;

/** What `helix gate` judges, and in which place. */
export type Subject = {
  /** The run it comes from, where there is one. */
  readonly state?: RunState;
  readonly about: string;
  readonly attempt: number;
  readonly tree: Tree;
  readonly base: Tree;
  readonly marker: string;
  readonly checkout: () => Promise<Checkout>;
  /** Clears away what was needed for it. */
  readonly leave: () => Promise<void>;
};

type Wanted = { readonly world: World; readonly plan: Plan; readonly phase: Phase };

/** The newest tree of a phase, in the run that is named or in the newest that has one; else what the project holds. */
export async function findSubject(wanted: Wanted, named: string | undefined): Promise<Subject> {
  const found = await findTree(wanted, named);
  if (found !== undefined) return fromRun(wanted, found);
  return wanted.plan.workspace.mode === 'repo' ? fromHead(wanted) : fromDirectory(wanted);
}

type Found = { readonly state: RunState; readonly last: LastTree };

async function findTree({ world, plan, phase }: Wanted, named: string | undefined): Promise<Found | undefined> {
  const ids = named === undefined ? await allRuns(world) : [await pickRun(world, named)];
  for (const id of ids) {
    const { state } = await readRun(world, id);
    const at = state.phases.get(phase.id);
    const last = at && lastTree(at);
    if (last !== undefined && state.plan.workspace.mode === plan.workspace.mode) return { state, last };
    if (named !== undefined) throw nothingIn(state, phase, last !== undefined);
  }
  return undefined;
}

async function allRuns(world: World): Promise<string[]> {
  const rows = world.hasJournal() ? await (await world.journal()).list() : [];
  return rows.map(({ run }) => run);
}

function nothingIn({ run, plan }: RunState, phase: Phase, other: boolean): HelixError {
  const what = other
    ? `worked in another kind of workspace (${plan.workspace.mode})`
    : `has no tree of ${phase.id} yet`;
  return new HelixError('not_found', `run ${run} ${what}`, {
    hint: `See how far it has come: helix status ${run}. Without --run the newest run that has one is taken.`,
  });
}

async function fromRun({ world, plan, phase }: Wanted, { state, last }: Found): Promise<Subject> {
  const { name, marker, workspace } = await openVisit(world, 'gate', { ...scopeOf(state), settings: plan.workspace });
  const { tree: id, attempt, inputs } = last;
  const tree = await workspace.tree(id);
  const base = state.phases.get(phase.id)?.baseTree;
  return {
    state,
    about: `attempt ${attempt} of ${phase.id} in run ${state.run}`,
    ...{ attempt, tree, marker },
    base: base === undefined ? tree : await workspace.tree(base),
    ...(await placeFor(plan, workspace, (apart) => workspace.checkout(apart(phase, name), id, inputs))),
  };
}

async function fromHead({ world, plan, phase }: Wanted): Promise<Subject> {
  const scope = { run: 'none', settings: plan.workspace, simulated: false };
  const { name, marker, workspace } = await openVisit(world, 'gate', scope);
  const place = await placeFor(plan, workspace, (apart) => workspace.checkout(apart(phase, name), tree.id, []));
  const { base } = await workspace.begin(false);
  if (base === undefined) throw new TypeError('a repository always has a base');
  const tree = await workspace.tree(base.tree);
  const where =
    base.commit === undefined ? 'a repository without a commit' : `your last commit ${base.commit.slice(0, 12)}`;
  return {
    about: `${where}, because no run has a tree of ${phase.id} yet`,
    attempt: 0,
    tree,
    base: tree,
    marker,
    ...place,
  };
}

async function fromDirectory({ world, plan, phase }: Wanted): Promise<Subject> {
  const scope = { run: 'none', settings: plan.workspace, simulated: false };
  const { name, marker, workspace } = await openVisit(world, 'gate', scope);
  const below = `phases/${phase.id}/`;
  const pinned = await workspace.pin(await world.project.match(`${below}**`));
  const tree = seenFrom(pinned, below);
  const place = await placeFor(plan, workspace, async (apart) => {
    const { dir, dispose } = await workspace.checkout(apart(phase, name), pinned.id, []);
    mkdirSync(join(dir, below), { recursive: true });
    return { dir: join(dir, below), dispose };
  });
  const about = `what lies in ${below}, because no run has a tree of ${phase.id} yet`;
  return { about, attempt: 0, tree, base: tree, marker, ...place };
}

/** A tree as a directory in it sees it. */
function seenFrom(tree: Tree, below: string): Tree {
  return {
    id: tree.id,
    files: tree.files.map((file) => ({ ...file, path: file.path.slice(below.length) })),
    problems: tree.problems,
    read: (path, limit) => tree.read(below + path, limit),
  };
}

type Apart = (phase: Phase, name: string) => Phase;

/** In a repository a visit has a place of its own; where phases have directories, its copies need names of their own. */
async function placeFor(
  { workspace: { mode } }: Plan,
  workspace: Workspace,
  checkout: (apart: Apart) => Promise<Checkout>,
): Promise<Pick<Subject, 'checkout' | 'leave'>> {
  if (mode === 'repo') return { checkout: () => checkout((phase) => phase), leave: await workspace.take() };
  const apart: Apart = (phase, name) => ({ ...phase, id: `${phase.id}${name.slice(name.lastIndexOf('.'))}` });
  return { checkout: async () => watched(await checkout(apart)), leave: async () => undefined };
}

/** A run that starts here clears such copies away: what commands said in one that is gone is worth nothing. */
function watched({ dir, dispose }: Checkout): Checkout {
  return {
    dir,
    dispose: async () => {
      const there = existsSync(dir);
      await dispose();
      if (!there) throw new HelixError('io', 'a run started here and cleared the copy away while it was being judged');
    },
  };
}
