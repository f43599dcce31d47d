import type { AttemptState } from '../../domain/facts/run-state.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Step } from '../../domain/run/decide.ts';
import { sha256 } from '../../text/digest.ts';
import { setupOf } from './changed-phase.ts';
import type { StepContext } from './engine-ports.ts';
import { resolveInputs } from './inputs.ts';

type AttemptStep = Extract<Step, { do: 'attempt' }>;

/** Work that came back as it was is not put before its review again: the attempt ends with what was said of it. */
export async function standsAsReviewed(
  step: AttemptStep,
  { ports, recorder }: Omit<StepContext, 'watchers'>,
): Promise<boolean> {
  const { phase, attempt } = step;
  const { state } = recorder;
  const rejected = state.phases.get(phase.id)?.rejected;
  if (!isReview(phase) || rejected?.tree === undefined) return false;
  if ((rejected.specChanges ?? 0) !== state.specChanges.length) return false;
  const from = step.start ?? state.tip?.tree;
  const { inputs, missing } = await resolveInputs(phase, { state, ...ports }, step.start);
  const isSame = missing.length === 0 && (from ?? rejected.start) === rejected.start;
  if (!isSame || contentOf(inputs) !== contentOf(rejected.inputs)) return false;
  const { agent } = setupOf(phase, state);
  const { simulated } = await ports.agent(agent);
  const tree = await ports.workspace.tree(rejected.tree);
  const at = { phase: phase.id, attempt };
  const turn = state.phases.get(phase.id)?.history.turns ?? 0;
  const base = state.tip?.commit;
  await recorder.happened({
    type: 'attempt_started',
    data: {
      ...{ ...at, turn, start: rejected.start, inputs, brief: sha256(''), agent },
      ...(base !== undefined && { base }),
    },
  });
  await recorder.happened({
    type: 'attempt_finished',
    data: {
      ...{ ...at, tree: tree.id, files: tree.files.length, changed: 0, simulated, standing: true },
      cost: { usd: 0, basis: simulated ? 'simulated' : 'reported' },
      durationMs: 0,
    },
  });
  return true;
}

function contentOf(inputs: AttemptState['inputs']): string {
  return JSON.stringify(inputs.map(({ path, digest }) => [path, digest]).sort());
}
