import type { RunState } from '../../domain/facts/run-state.ts';
import { isJudge } from '../../domain/plan/judging-phase.ts';
import type { Workspace } from '../../ports/workspace.ts';

const FILE_LIMIT = 16 * 1024 * 1024;

type Around = { readonly ports: { readonly workspace: Pick<Workspace, 'tree' | 'edit'> }; readonly state: RunState };

/**
 * A tree as whoever judges sees it: without the files that judges of the run have left there, whose findings would take the place of an
 * opinion. Of a file that an author has put under such a name since, a judge must know.
 */
export async function withoutVerdicts(id: string, around: Around): Promise<string> {
  const paths = await verdictFiles(id, around);
  if (paths.size === 0) return id;
  const { ports, state } = around;
  const base = state.base && (await ports.workspace.tree(state.base.tree));
  const before = new Map<string, Buffer | undefined>();
  for (const path of paths) before.set(path, await base?.read(path, FILE_LIMIT));
  return ports.workspace.edit(id, before);
}

/** The files of a tree that are as an accepted judge of the run left them; where phases have directories of their own there are none. */
export async function verdictFiles(id: string, { ports: { workspace }, state }: Around): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const spans = judgedSpans(state);
  if (spans.length === 0) return found;
  const digests = new Map((await workspace.tree(id)).files.map(({ path, digest }) => [path, digest]));
  for (const { from, to } of spans) {
    const before = new Map((await workspace.tree(from)).files.map(({ path, digest }) => [path, digest]));
    for (const { path, digest } of (await workspace.tree(to)).files)
      if (digests.get(path) === digest && before.get(path) !== digest) found.add(path);
  }
  return found;
}

/** What each judge added to the run's branch, also where that has become void since. */
function judgedSpans({ plan, phases, line, base, tip }: RunState): { from: string; to: string }[] {
  if (base === undefined || tip === undefined) return [];
  const judges = new Set(plan.phases.filter(isJudge).map(({ id }) => id));
  const added = line.map(({ phase, tree }, at) => ({ phase, from: line[at - 1]?.tree ?? base.tree, to: tree }));
  const taken = [...phases.values()].flatMap(({ id: phase, baseTree, accepted }) =>
    baseTree === undefined || accepted === undefined ? [] : [{ phase, from: baseTree, to: accepted.tree }],
  );
  const adopted = taken.filter(({ to }) => line.every(({ tree }) => tree !== to));
  return [...adopted, ...added].filter(({ phase, from, to }) => judges.has(phase) && from !== to);
}
