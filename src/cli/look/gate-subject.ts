import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LastTree, lastTree } from '../../domain/facts/last-tree.ts';
import type { InputFile, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { isSamePlace, type Phase, type Plan, placeName } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { evolve } from '../../domain/run/evolve.ts';
import { filesAround, projectFiles } from '../../engine/judge/project-files.ts';
import type { CopyContent } from '../../engine/judge/published-tree.ts';
import { scopeOf } from '../../engine/run.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Checkout, VariantContent, WorkspaceScope } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import { pickRun, readRun } from '../call/find-run.ts';
import type { Visit } from '../call/with-visit.ts';

type Wanted = { readonly world: World; readonly plan: Plan; readonly phase: Phase };

/** A tree of a phase, and the run that made it. */
export type Found = {
  readonly state: RunState;
  readonly last: LastTree;
  /** What was judged of the phase before that tree, if anything. */
  readonly former?: string;
};

/** What `helix gate` judges, and in which place. */
export type Subject = {
  readonly about: string;
  readonly attempt: number;
  readonly tree: Tree;
  readonly base: Tree;
  /** What an earlier attempt was judged by. */
  readonly former?: Tree;
  /** The files of the project around it, before the work and since. */
  readonly projectFiles: NonNullable<GateContext['projectFiles']>;
  readonly programsIn: 'copy' | 'project';
  /** What the attempt was given. */
  readonly inputs: readonly InputFile[];
  readonly checkout: (signal: AbortSignal, of?: CopyContent) => Promise<Checkout>;
  /** A copy with other files in it; absent where nothing was changed that could be broken. */
  readonly variant?: (changes: VariantContent['changes'], of?: CopyContent) => Promise<Checkout>;
};

/** The newest tree of a phase, in the run that is named or in the newest one that has any. */
export async function findTree({ world, plan, phase }: Wanted, named: string | undefined): Promise<Found | undefined> {
  const ids = named === undefined ? await allRuns(world) : [await pickRun(world, named)];
  for (const id of ids) {
    const { state, events } = await readRun(world, id);
    const at = state.phases.get(phase.id);
    const last = at && lastTree(at);
    if (last !== undefined && isSamePlace(state.plan.workspace, plan.workspace)) {
      return { state, last, ...present({ former: judgedBefore(last.tree, phase, events) }) };
    }
    if (named !== undefined) throw nothingIn(state, phase, last !== undefined);
  }
  return undefined;
}

/** The tree of the judgement before, as the run knew it when it judged this one. */
function judgedBefore(tree: string, { id }: Phase, events: readonly RunEvent[]): string | undefined {
  let state: RunState | undefined;
  let former: string | undefined;
  for (const event of events) {
    state = evolve(state, event);
    const judged = state.phases.get(id)?.judgedTree;
    if (judged !== tree) former = judged;
  }
  return former;
}

async function allRuns(world: World): Promise<string[]> {
  const rows = world.hasJournal() ? await (await world.journal()).list() : [];
  return rows.map(({ run }) => run);
}

function nothingIn({ run, plan }: RunState, phase: Phase, other: boolean): HelixError {
  const what = other
    ? `worked in another kind of workspace (${placeName(plan.workspace)})`
    : `has no tree of ${phase.id} yet`;
  return new HelixError('not_found', `run ${run} ${what}`, {
    hint: `See how far it has come: helix status ${run}. Without --run the newest run that has one is taken.`,
  });
}

/** What the judging workspace is opened for: the run's trees, the set-up of the plan as it is now. */
export function judgingScope(found: Found | undefined, { workspace }: Plan): Omit<WorkspaceScope, 'marker'> {
  if (found === undefined) return { run: 'none', settings: workspace, simulated: false };
  return { ...scopeOf(found.state), settings: workspace };
}

/** What is judged: the tree that was found, else what the project holds. */
export function subjectOf(found: Found | undefined, visit: Visit, wanted: Wanted): Promise<Subject> {
  if (found !== undefined) return fromRun(found, visit, wanted);
  return wanted.plan.workspace.mode === 'repo' ? fromHead(visit, wanted) : fromDirectory(visit, wanted);
}

async function fromRun({ state, last, former }: Found, visit: Visit, { phase, world }: Wanted): Promise<Subject> {
  const { workspace } = visit;
  const { tree: id, attempt, inputs } = last;
  const tree = await workspace.tree(id);
  const base = state.phases.get(phase.id)?.baseTree;
  return {
    about: `attempt ${attempt} of ${phase.id} in run ${state.run}`,
    programsIn: state.tip === undefined ? 'project' : 'copy',
    ...{ attempt, tree, inputs },
    base: base === undefined ? tree : await workspace.tree(base),
    ...(former !== undefined && { former: await workspace.tree(former) }),
    projectFiles: () => projectFiles({ tree, inputs }, state, { workspace, project: world.project }),
    checkout: async (signal, of = { tree: id, inputs }) =>
      watched(await workspace.checkout(apart(phase, visit), of.tree, of.inputs, signal)),
    variant: async (changes, of = { tree: id, inputs }) =>
      watched(await workspace.variant(apart(phase, visit), { ...of, changes })),
  };
}

async function fromHead(visit: Visit, { phase, world }: Wanted): Promise<Subject> {
  const { workspace } = visit;
  const { base } = await workspace.begin(false);
  if (base === undefined) throw new TypeError('a repository always has a base');
  const tree = await workspace.tree(base.tree);
  const where =
    base.commit === undefined ? 'a repository without a commit' : `your last commit ${base.commit.slice(0, 12)}`;
  return {
    about: `${where}, because no run has a tree of ${phase.id} yet`,
    programsIn: 'copy',
    ...{ attempt: 0, tree, base: tree, inputs: [] },
    projectFiles: () => filesAround({ made: [tree], inputs: [], before: tree }, world.project),
    checkout: async (signal) => watched(await workspace.checkout(apart(phase, visit), tree.id, [], signal)),
  };
}

async function fromDirectory(visit: Visit, { world, phase }: Wanted): Promise<Subject> {
  const { workspace } = visit;
  const below = `phases/${phase.id}/`;
  const pinned = await workspace.pin(await world.project.match(`${below}**`));
  const tree = seenFrom(pinned, below);
  return {
    about: `what lies in ${below}, because no run has a tree of ${phase.id} yet`,
    programsIn: 'project',
    ...{ attempt: 0, tree, base: tree, inputs: [] },
    projectFiles: () => filesAround({ made: [tree], inputs: [] }, world.project),
    checkout: async (signal) => {
      const copy = watched(await workspace.checkout(apart(phase, visit), pinned.id, [], signal));
      const dir = join(copy.dir, below);
      mkdirSync(dir, { recursive: true });
      return { ...copy, dir };
    },
  };
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

/** Where phases have directories of their own, the copy needs another name than the one the run's own gates use. */
function apart(phase: Phase, { name }: Visit): Phase {
  return { ...phase, id: `${phase.id}${name.slice(name.lastIndexOf('.'))}` };
}

/** A run that starts here clears such copies away: what commands said in one that is gone is worth nothing. */
function watched({ dir, touched, dispose }: Checkout): Checkout {
  return {
    ...{ dir, touched },
    dispose: async () => {
      const there = existsSync(dir);
      await dispose();
      if (!there) throw new HelixError('io', 'a run started here and cleared the copy away while it was being judged');
    },
  };
}
