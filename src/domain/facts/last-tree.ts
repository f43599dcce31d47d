import type { InputFile } from './run-event.ts';
import type { PhaseState } from './run-state.ts';

/** What a phase has come to: the newest tree that was captured of it. */
export type LastTree = { readonly tree: string; readonly attempt: number; readonly inputs: readonly InputFile[] };

/** The newest tree of a phase, undefined as long as none of its attempts has come to an end. */
export function lastTree({ current, judgedTree, history, accepted }: PhaseState): LastTree | undefined {
  if (current?.tree !== undefined) return { tree: current.tree, attempt: current.attempt, inputs: current.inputs };
  if (judgedTree !== undefined) return { tree: judgedTree, attempt: history.judged, inputs: current?.inputs ?? [] };
  return accepted;
}
