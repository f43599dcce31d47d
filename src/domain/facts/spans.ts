import { publishedOf } from './accepted-state.ts';
import { lastTree } from './last-tree.ts';
import type { RunEvent } from './run-event.ts';
import type { PhaseState, RunState } from './run-state.ts';

/** A change of files: from one tree (nothing, where there is none) to another, below a folder of the project. */
export type Span = { readonly from: string | undefined; readonly to: string; readonly below: string };

/** What a run has accepted so far: in a repository one change, without what is kept off its branch; else one for each phase. */
export function acceptedSpans(state: RunState): Span[] {
  if (state.base !== undefined && state.tip !== undefined)
    return [{ from: publishedOf(state.base).tree, to: publishedOf(state.tip).tree, below: '' }];
  return state.plan.phases.flatMap(({ id }) => {
    const at = state.phases.get(id);
    return at?.accepted === undefined ? [] : [{ from: at.baseTree, to: at.accepted.tree, below: folderOf(id, state) }];
  });
}

/** What a phase has made of what it builds on; undefined as long as it has come to nothing. */
export function phaseSpan(at: PhaseState, state: RunState): Span | undefined {
  const last = lastTree(at);
  if (last === undefined) return undefined;
  return { from: committedTree(at.base, state) ?? at.baseTree, to: last.tree, below: folderOf(at.id, state) };
}

/** What a single attempt changed; undefined for one that was never finished. */
export function attemptSpan(
  { id }: PhaseState,
  attempt: number,
  { state, events }: { state: RunState; events: readonly RunEvent[] },
): Span | undefined {
  const own = events.filter(({ data }) => 'attempt' in data && data.phase === id && data.attempt === attempt);
  const finished = own.findLast((event) => event.type === 'attempt_finished');
  const started = own.findLast((event) => event.type === 'attempt_started' && event.seq < (finished?.seq ?? 0));
  if (finished?.type !== 'attempt_finished' || started?.type !== 'attempt_started') return undefined;
  return { from: started.data.start, to: finished.data.tree, below: folderOf(id, state) };
}

/** The tree of a commit of the run: where it started, or what one of its phases was accepted as. */
function committedTree(commit: string | undefined, { base, phases }: RunState): string | undefined {
  if (commit === undefined) return undefined;
  if (commit === base?.commit) return base.tree;
  return [...phases.values()].find(({ accepted }) => accepted?.commit === commit)?.accepted?.tree;
}

function folderOf(id: string, { base }: RunState): string {
  return base === undefined ? `phases/${id}/` : '';
}
