import type { InputFile, NewEvent } from '../../domain/facts/run-event.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import type { OwnChange } from '../../ports/manual-changes.ts';
import { sha256 } from '../../text/digest.ts';
import { countChanged } from '../difference/count-changed.ts';
import { ownCopy } from '../publish/follow-up.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { failureOf, wordsOf } from '../step/failure.ts';
import { withoutFeedback } from './feedback-file.ts';
import { changedProtected } from './protected.ts';

type TakeStep = Extract<Step, { do: 'take' }>;

/** Who made an attempt that no agent made. */
const HUMAN = 'human';

/** Takes what a human put into their copy of a phase's work as an attempt of its own; its gates judge it like any other. */
export async function takeManualChange({ phase, attempt }: TakeStep, { ports, recorder }: StepContext): Promise<void> {
  const { state } = recorder;
  const { rung, history } = state.phases.get(phase.id) ?? {};
  if (rung?.taking === undefined) return;
  const { taking } = rung;
  try {
    const copy = await ownCopy(phase, taking.request, { state, ...ports });
    const files = new Map(Object.entries(taking.files ?? {}));
    const change = await ports.workspace.manual.take(phase, { ...copy, files });
    const { tree, notices } = await withoutFeedback(change, phase, { ports, state });
    const trespassed = await changedProtected({ phase, tree: tree.id, start: change.start }, { ports, recorder });
    const about = { phase: phase.id, attempt };
    // Recorded together: nobody worked on it in between.
    await recorder.happened(started(about, change, { inputs: copy.inputs, turn: history?.turns ?? 0 }), {
      type: 'attempt_finished',
      data: {
        ...{ ...about, tree: tree.id, files: tree.files.length },
        changed: countChanged(await ports.workspace.tree(change.start), tree),
        ...{ cost: { usd: 0, basis: 'reported' }, simulated: false, durationMs: 0 },
        ...(notices.length > 0 && { notices: [...notices] }),
        ...trespassed,
      },
    });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    const data = { phase: phase.id, attempt, failure, message: wordsOf(error), durationMs: 0 };
    await recorder.happened({ type: 'attempt_interrupted', data });
  }
}

function started(
  about: { readonly phase: string; readonly attempt: number },
  { start, base }: OwnChange,
  { inputs, turn }: { readonly inputs: readonly InputFile[]; readonly turn: number },
): NewEvent {
  return {
    type: 'attempt_started',
    data: {
      ...{ ...about, turn, start, inputs: [...inputs], brief: sha256(''), agent: HUMAN, manual: true },
      ...present({ base }),
    },
  };
}
