import { posix } from 'node:path';
import { type BriefPart, briefParts } from '../brief/brief-parts.ts';
import type { InputFile } from '../domain/facts/run-event.ts';
import type { RunState } from '../domain/facts/run-state.ts';
import { phasesBefore } from '../domain/ladder/plan-graph.ts';
import { isReview } from '../domain/plan/judging-phase.ts';
import type { Phase } from '../domain/plan/plan.ts';
import { present } from '../domain/present.ts';
import { replay } from '../domain/run/evolve.ts';
import { PROJECT_FOLDER } from '../ports/tree.ts';
import type { Workspace } from '../ports/workspace.ts';
import type { World } from '../ports/world.ts';
import { attemptSource, composeBrief } from './attempt/attempt-brief.ts';
import { givenSkills } from './attempt/given-skills.ts';
import { isAnswered } from './attempt/reading.ts';
import { reviewMaterial } from './attempt/review-material.ts';
import { pinGuidelines } from './start/guidelines.ts';
import { type PreparedRun, runStarted } from './start/prepare-run.ts';
import { readRequest } from './start/require-task.ts';
import { withAutoChosen } from './step/auto-choices.ts';
import { setupOf } from './step/changed-phase.ts';
import { conventionsOf } from './step/conventions.ts';
import type { RunContext } from './step/engine-ports.ts';
import { resolveInputs } from './step/inputs.ts';

/** Where a copy will lie that a judge reads; it is made when the judge is asked. */
export const READ_ONLY_COPY = '<a read-only copy of the work>';

/** The state of a run as it would begin now; nothing is recorded, tried or started. */
export async function stateOfNewRun(world: World, prepared: PreparedRun, workspace: Workspace): Promise<RunState> {
  const request = await readRequest(world.project);
  const { base } = await workspace.begin(false);
  const guidelines = await pinGuidelines(prepared.plan, { workspace, project: world.project });
  const owner = { host: '', pid: 0, start: '', boot: '' };
  const identity = { run: 'new', marker: '', helix: world.version, owner, ...present({ request }) };
  const first = runStarted(prepared, identity, present({ base, guidelines }));
  const state = replay([{ ...first, seq: 1, v: 1, at: world.clock.now(), hash: '0'.repeat(64) }]);
  if (state === undefined) throw new TypeError('a run has a first fact');
  return state;
}

/** What the creator of a phase would be told now, where each part comes from, and which of its inputs nobody has made yet. */
export type BriefNow = {
  readonly brief: string;
  readonly parts: readonly BriefPart[];
  readonly attempt: number;
  readonly missing: readonly string[];
};

type Now = RunContext<
  | ('workspace' | 'project' | 'gates' | 'shippedConfig' | 'shippedApproval' | 'shippedTemplate' | 'shippedSkills')
  | ('template' | 'secrets')
>;

/** The brief of a phase's next attempt. */
export async function creatorBriefNow(planned: Phase, { ports, state }: Now): Promise<BriefNow> {
  const { workspace } = ports;
  const conventionsIn = conventionsOf({ ...ports, state });
  const { phase, languages } = await withAutoChosen(planned, {
    ports: { ...ports, conventions: conventionsIn },
    state,
  });
  const at = state.phases.get(phase.id);
  const attempt = (at?.history.judged ?? 0) + 1;
  const { inputs, found, missing } = await inputsNow(phase, { ports, state });
  const { skills } = setupOf(phase, state);
  const { conventions } = await givenSkills(await conventionsIn(skills), { workspace, state });
  const base = at?.base ?? state.tip?.commit;
  const start = at?.judgedTree ?? state.tip?.tree ?? '';
  const reviewed = isReview(phase)
    ? await reviewMaterial({ phase, start, inputs: found }, { ports, state })
    : undefined;
  const reading = isAnswered(phase, state)
    ? { dir: READ_ONLY_COPY, ...(state.tip === undefined && { project: PROJECT_FOLDER }) }
    : undefined;
  const told = { state, phase, attempt, inputs, conventions, base, reviewed, reading, languages };
  const source = await attemptSource(told, ports);
  const { text, templates } = await composeBrief(source, ports.template, reviewed);
  const commit = state.base?.commit?.slice(0, 12);
  const parts = briefParts(source, {
    plan: state.source.path,
    conventions: commit === undefined ? 'the project, as it was when the run began' : `commit ${commit}`,
    templates,
  });
  return { brief: ports.secrets.redact(text), parts, attempt, missing };
}

type Inputs = RunContext<'workspace' | 'project'>;

/** What a phase would be given now: what was found, and what the phases before it will have made. */
export async function inputsNow(
  phase: Phase,
  { ports: { workspace, project }, state }: Inputs,
): Promise<{ inputs: InputFile[]; found: InputFile[]; missing: string[] }> {
  const start = state.phases.get(phase.id)?.judgedTree;
  const { inputs: found, missing } = await resolveInputs(phase, { state, workspace, project }, start);
  return { inputs: [...found, ...expectedInputs(phase, missing, state)], found, missing };
}

/** What a phase will be given once the phases before it are done, by the places where it will lie. */
function expectedInputs(phase: Phase, missing: readonly string[], { plan, phases, tip }: RunState): InputFile[] {
  const file = (path: string, from: { readonly phase?: string; readonly path: string }): InputFile => ({
    ...{ path: tip === undefined ? posix.join('input', path) : path, digest: '' },
    from: { tree: '', ...from },
  });
  const { fromPhase } = phase.input ?? {};
  if (phase.input !== undefined) {
    const named = missing.map((name) => (fromPhase === undefined ? name : name.replace(/ from \S+$/, '')));
    return named.map((path) => file(path, { path, ...present({ phase: fromPhase }) }));
  }
  if (tip !== undefined) return [];
  const before = phasesBefore(phase, plan).toReversed();
  const open = before.filter(({ id }) => phases.get(id)?.accepted === undefined);
  return open.flatMap(({ id, output }) => output.files.map((path) => file(posix.join(id, path), { phase: id, path })));
}
