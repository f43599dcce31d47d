import { join, relative } from 'node:path';
import { publishedOf } from '../../domain/facts/accepted-state.ts';
import { lastTree } from '../../domain/facts/last-tree.ts';
import type { RunEvent, RunEventType } from '../../domain/facts/run-event.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Journal } from '../../ports/journal.ts';
import type { OwnCopy } from '../../ports/manual-changes.ts';
import type { Project } from '../../ports/project.ts';
import type { RunCommits, Workspace } from '../../ports/workspace.ts';
import { manualPath } from '../../report/words/run-paths.ts';
import { wordsOf } from '../step/failure.ts';
import { resolveInputs } from '../step/inputs.ts';

type Around = {
  readonly workspace: Workspace;
  readonly project: Project;
  readonly journal: Journal;
  readonly onNotice?: ((text: string) => void) | undefined;
};

/** Facts after which a question may be open or closed that offers to take a human's own change. */
const CONCERN_QUESTIONS: ReadonlySet<RunEventType> = new Set([
  'human_asked',
  'decision_taken',
  'attempt_finished',
  'attempt_started',
  'phase_accepted',
  'phase_sent_back',
  'plan_reverted',
  'run_replanned',
  'plan_grown',
  'cancel_requested',
  'run_finished',
]);

/**
 * Does what facts ask of the workspace: after a revert the run's branch goes back, and while a human may make their own change,
 * it lies there for them. Done again after a crash, it comes out the same; what cannot be done is only told.
 */
export async function followUp(events: readonly RunEvent[], state: RunState, around: Around): Promise<void> {
  const { workspace, journal } = around;
  const { tip } = state;
  if (tip !== undefined && events.some(({ type }) => type === 'plan_reverted'))
    await orTold(around, () => workspace.goBack(tip, commitsOf(state, journal)));
  if (!events.some(({ type }) => CONCERN_QUESTIONS.has(type))) return;
  for (const request of offering(state)) {
    const phase = state.plan.phases.find(({ id }) => id === request.phase);
    const unless = phase !== undefined && isWanted(request, state) ? request.id : undefined;
    await orTold(around, () => withdraw({ phase, unless, dir: placeOf(request.phase, { state, ...around }) }, around));
    if (phase === undefined || unless === undefined) continue;
    const copy = await ownCopy(phase, request.id, { state, ...around });
    await orTold(around, () => workspace.manual.offer(phase, copy));
  }
}

type Withdrawn = { readonly phase: Phase | undefined; readonly unless: string | undefined; readonly dir: string };

/** What a human made and nobody took is theirs: they are told where it is. */
async function withdraw({ phase, unless, dir }: Withdrawn, { workspace, project, onNotice }: Around): Promise<void> {
  const kept = await workspace.manual.withdraw(dir, { phase, ...present({ unless }) });
  if (kept !== undefined) onNotice?.(`your change was not taken; it is kept in ${relative(project.dir, kept)}`);
}

/** The last question of each phase that offers to take a human's own change. */
function offering({ requests }: RunState): Iterable<RequestState> {
  const last = new Map<string, RequestState>();
  for (const request of requests.values()) {
    if (request.options.some(({ decision }) => decision.action === 'take')) last.set(request.phase, request);
  }
  return last.values();
}

function isWanted({ id, phase, answer, withdrawn }: RequestState, state: RunState): boolean {
  if (state.ended !== undefined || state.cancelRequested || state.aborting !== undefined) return false;
  return (answer === undefined && withdrawn !== true) || state.phases.get(phase)?.rung.taking?.request === id;
}

type Sources = Pick<Around, 'workspace' | 'project'> & { readonly state: RunState };

/** What a human is given for their own change: the newest work of a phase, or what its first attempt would start from. */
export async function ownCopy(phase: Phase, request: string, sources: Sources): Promise<OwnCopy> {
  const { state } = sources;
  const at = state.phases.get(phase.id);
  const last = at && lastTree(at);
  const start = last?.tree ?? at?.baseTree ?? state.tip?.tree;
  const inputs = at?.current?.inputs ?? (await resolveInputs(phase, sources, start)).inputs;
  return { dir: placeOf(phase.id, sources), request, start, base: at?.base ?? state.tip?.commit, inputs };
}

function placeOf(phase: string, { state, project }: Sources): string {
  return join(project.dir, manualPath(state.run, phase));
}

/** Every commit that was on the run's branch, and the one it started from. */
export function commitsOf({ run, base }: RunState, journal: Journal): RunCommits {
  return async () => {
    const accepted = (await journal.read(run)).flatMap((event) =>
      event.type === 'phase_accepted' ? (publishedOf(event.data).commit ?? []) : [],
    );
    const start = base === undefined ? undefined : publishedOf(base).commit;
    return new Set(start === undefined ? accepted : [start, ...accepted]);
  };
}

/** None of this is needed for the run to go on. */
async function orTold({ onNotice }: Around, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    onNotice?.(wordsOf(error));
  }
}
