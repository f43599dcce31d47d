import { posix } from 'node:path';
import type { MeetingMatter } from '../../brief/meeting-briefs.ts';
import { baselineLines, leftLine, placeLines } from '../../domain/ladder/circumstances.ts';
import { specChangeLines } from '../../domain/ladder/spec-changes.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { EnginePorts, RunContext, StepContext } from '../step/engine-ports.ts';
import { resolveInputs } from '../step/inputs.ts';
import { readSpec } from '../step/read-spec.ts';
import { gateRules } from '../words/gate-notes.ts';

/** What everybody in a meeting may read: what the phase begins with, and nothing that its own agent has written. */
export async function meetingSnapshot(phase: Phase, { ports, recorder, signal }: StepContext): Promise<Snapshot> {
  const { state } = recorder;
  const at = state.phases.get(phase.id);
  const { inputs } = await resolveInputs(phase, { state, workspace: ports.workspace, project: ports.project });
  const tree = at?.baseTree ?? state.tip?.tree ?? (await ports.workspace.pin([])).id;
  return ports.workspace.snapshot(phase, tree, inputs, signal);
}

type Around = RunContext<'workspace' | 'project' | 'conventions' | 'gates' | 'shippedConfig' | 'shippedApproval'> & {
  readonly snapshot: Pick<Snapshot, 'dir' | 'files'>;
};

const MOST_INPUTS = 100;

/** What everybody who is heard in a meeting is told of the matter. */
export async function meetingMatter(phase: Phase, { ports, state, snapshot }: Around): Promise<MeetingMatter> {
  const at = state.phases.get(phase.id);
  const { texts, more } = await ports.conventions([]);
  const others = more.filter(({ file = '' }) => posix.basename(file) !== 'SKILL.md');
  const spec = await readSpec(phase, { ports, state });
  const { inputs } = await resolveInputs(phase, { state, workspace: ports.workspace, project: ports.project });
  return {
    ...{ plan: state.plan, phase, request: state.request, language: state.language, dir: snapshot.dir },
    rules: await gateRules(phase, { ports, state }),
    place: placeLines(phase, state),
    left: leftLine(state),
    baseline: baselineLines(state.tried),
    conventions: [...texts, ...others].map(({ path }) => path),
    inputs: inputs.slice(0, MOST_INPUTS).map(({ path }) => path),
    specChanges: specChangeLines(spec.changes),
    guidance: at?.history.guidance ?? [],
    returns: at?.returns ?? [],
    verdicts: at?.lastVerdicts ?? [],
    hints: at?.history.changes.hints ?? [],
    ...present({ spec: spec.text, rejection: at?.feedback, learned: state.learned }),
  };
}

/** The skills of an expert, in full. */
export async function skillsOf(
  names: readonly string[],
  { conventions }: Pick<EnginePorts, 'conventions'>,
): Promise<{ path: string; text: string }[]> {
  if (names.length === 0) return [];
  const { texts } = await conventions(names);
  return texts
    .filter(({ file = '' }) => posix.basename(file) === 'SKILL.md')
    .map(({ file = '', path, text }) => ({ path: file === '' ? path : file, text }));
}
