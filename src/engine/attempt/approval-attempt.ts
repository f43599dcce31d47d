import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { sha256 } from '../../text/digest.ts';
import { withMakers } from '../difference/makers.ts';
import type { EnginePorts, StepContext } from '../step/engine-ports.ts';
import { resolveInputs } from '../step/inputs.ts';
import { withoutVerdicts } from '../step/without-verdicts.ts';
import { earlierReviews } from './review-outputs.ts';

type AttemptStep = Extract<Step, { do: 'attempt' }>;

/** Lays out what an approval phase is to judge, which is all the work there is before its judge is asked; names what is missing. */
export async function prepareApproval(
  step: AttemptStep,
  context: Omit<StepContext, 'watchers'>,
): Promise<{ missing: readonly string[] }> {
  const { phase, attempt } = step;
  const { ports, recorder, signal } = context;
  const { state } = recorder;
  const { inputs, missing } = await inputsOf(step, ports, state);
  if (missing.length > 0) return { missing };
  const omit = state.tip === undefined ? await earlierReviews(phase, { ports, state }) : [];
  const content = { start: step.start, inputs, omit, onlyRead: true, signal, ...present({ tip: state.tip }) };
  const { start, base } = await ports.workspace.prepare(phase, content);
  const at = { phase: phase.id, attempt };
  await recorder.happened({
    type: 'attempt_started',
    data: {
      ...{ ...at, turn: state.phases.get(phase.id)?.history.turns ?? 0, start, inputs },
      ...present({ base }),
      brief: sha256(phase.approvalType ?? ''),
      agent: state.judges.reviewer,
    },
  });
  const { tree, notices } = await ports.workspace.capture(phase, start);
  const { simulated } = await ports.agent(state.judges.reviewer);
  await recorder.happened({
    type: 'attempt_finished',
    data: {
      ...{ ...at, tree: tree.id, files: tree.files.length, changed: 0, simulated },
      cost: { usd: 0, basis: simulated ? 'simulated' : 'reported' },
      // Nobody worked on it; what its judge takes is counted with the judge.
      durationMs: 0,
      ...(notices.length > 0 && { notices: [...notices] }),
    },
  });
  return { missing };
}

/** What the plan names; in a repository, where it names nothing, what the phases before it have changed. */
async function inputsOf(
  { phase, start }: AttemptStep,
  ports: EnginePorts,
  state: RunState,
): Promise<{ inputs: InputFile[]; missing: string[] }> {
  const named = await resolveInputs(phase, { state, workspace: ports.workspace, project: ports.project }, start);
  if (named.inputs.length > 0 || named.missing.length > 0 || state.tip === undefined)
    return orNothing({ ...named, inputs: await withMakers(phase, named.inputs, { ports, state }) });
  const { tip, base } = state;
  const tree = await ports.workspace.tree(await withoutVerdicts(tip.tree, { ports, state }));
  const changed = new Set(base === undefined ? [] : await ports.workspace.changed(base.tree, tree.id));
  const files = tree.files.filter(({ path }) => changed.has(path));
  const inputs = files.map(({ path, digest }) => ({ path, digest, from: { tree: tip.tree, path } }));
  return orNothing({ inputs, missing: [] });
}

/** An approval needs at least one input. */
function orNothing(found: { inputs: InputFile[]; missing: string[] }): { inputs: InputFile[]; missing: string[] } {
  if (found.inputs.length > 0 || found.missing.length > 0) return found;
  return { inputs: [], missing: ['anything to approve: no phase before it has made a file'] };
}

/** Tells whether a phase is judged and not worked on. */
export function isApproval({ type }: Phase): boolean {
  return type === 'approval';
}
