import type { RunEvent } from '../../domain/facts/run-event.ts';
import { attemptSpan, type Span } from '../../domain/facts/spans.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { changedFiles } from '../../engine/difference/changed-files.ts';
import { countChanged } from '../../engine/difference/count-changed.ts';
import { scopeOf } from '../../engine/run.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';
import { renderFile } from '../../report/run/diff-text.ts';
import type { OpenRun } from '../call/find-run.ts';
import { withVisit } from '../call/with-visit.ts';

const ATTEMPTS = 12;
const LINES = 60;
const FILES = 20;

/** How the attempts of a phase differ: what each of them changed, and the difference between the last two. */
export type AttemptDifferences = {
  /** The phase whose attempts they are. */
  readonly of: string;
  /** The number of files by attempt. */
  readonly changed: ReadonlyMap<number, number>;
  readonly between?: {
    readonly from: number;
    readonly to: number;
    readonly patch: string;
    /** Lines and files that are left out. */
    readonly more: boolean;
  };
};

/** Looks into the trees the attempts of a phase left, as far as they are still there. */
export async function attemptDifferences(world: World, run: OpenRun, phase: string): Promise<AttemptDifferences> {
  const { state, events } = run;
  const finished = events.filter((event) => event.type === 'attempt_finished' && event.data.phase === phase);
  if (finished.length === 0) return { of: phase, changed: new Map() };
  try {
    return await withVisit(world, { kind: 'diff', scope: scopeOf(state) }, ({ workspace }) =>
      compared(run, finished.slice(-ATTEMPTS), { workspace, phase }),
    );
  } catch (error) {
    // The work of old attempts may have been cleared away; the question can be answered all the same.
    if (error instanceof HelixError) return { of: phase, changed: new Map() };
    throw error;
  }
}

type Place = { readonly workspace: Workspace; readonly phase: string };

async function compared(
  { state, events }: OpenRun,
  finished: readonly RunEvent[],
  { workspace, phase }: Place,
): Promise<AttemptDifferences> {
  const at = state.phases.get(phase);
  const changed = new Map<number, number>();
  const trees: { attempt: number; tree: string; below: string }[] = [];
  for (const event of finished) {
    if (event.type !== 'attempt_finished' || at === undefined) continue;
    const { attempt } = event.data;
    const span = attemptSpan(at, attempt, { state, events });
    if (span === undefined) continue;
    trees.push({ attempt, tree: span.to, below: span.below });
    changed.set(attempt, event.data.changed ?? (await changedIn(span, workspace)));
  }
  const [before, last] = trees.slice(-2);
  if (before === undefined || last === undefined) return { of: phase, changed };
  const span = { from: before.tree, to: last.tree, below: last.below };
  return {
    of: phase,
    changed,
    between: { from: before.attempt, to: last.attempt, ...(await boundedPatch(span, workspace)) },
  };
}

async function changedIn({ from, to }: Span, workspace: Workspace): Promise<number> {
  return countChanged(from === undefined ? undefined : await workspace.tree(from), await workspace.tree(to));
}

async function boundedPatch(span: Span, workspace: Workspace): Promise<{ patch: string; more: boolean }> {
  const lines: string[] = [];
  let files = 0;
  for await (const { patch, ...file } of changedFiles([span], { workspace, top: '' })) {
    if (files === FILES || lines.length > LINES) return { patch: lines.slice(0, LINES).join('\n'), more: true };
    lines.push(...renderFile(file, patch).toString('utf8').trimEnd().split('\n'));
    files += 1;
  }
  return { patch: lines.slice(0, LINES).join('\n'), more: lines.length > LINES };
}
