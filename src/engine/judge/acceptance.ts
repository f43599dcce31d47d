import { posix } from 'node:path';
import type { Rulings, RunState } from '../../domain/facts/run-state.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { renderJson } from '../../report/words/json.ts';
import { commitsOf } from '../publish/follow-up.ts';
import type { EnginePorts, StepContext } from '../step/engine-ports.ts';
import { failureOf, wordsOf } from '../step/failure.ts';
import { keptOut } from './kept-out.ts';

type Context = Pick<StepContext, 'ports' | 'recorder'>;
type Taken = Extract<Step, { do: 'accept' | 'join' }>;

/** Makes a judged tree the phase's result. */
export async function performAcceptance(step: Taken, context: Context): Promise<void> {
  const { phase, attempt } = step;
  const { ports, recorder } = context;
  const { state } = recorder;
  const { head, tip, phases } = state;
  const at = phases.get(phase.id);
  const inputs = at?.current?.inputs ?? [];
  const override = at?.rulings.override?.attempt === attempt ? overridden(at.rulings.override, ports) : undefined;
  await orInterrupted(step, context, async () => {
    const tree = await withResult(step, context);
    const result = {
      ...{ tree, inputs, head, commits: commitsOf(state, ports.journal) },
      ...present({ tip, override, keptOut: await keptOut(phase, tree, { state, workspace: ports.workspace }) }),
    };
    const { commit, published, note } = await ports.workspace.accept(phase, result);
    await recorder.happened({
      type: 'phase_accepted',
      data: {
        ...{ phase: phase.id, attempt, tree },
        ...present({ commit, note, published, override }),
      },
    });
  });
}

type Override = NonNullable<Rulings['override']>;

/** What is kept of a human's word: who said it, where, and why. */
function overridden({ request, actor, reason }: Override, { secrets }: EnginePorts) {
  return { request, actor, reason: secrets.redact(reason) };
}

/** Where an approval phase declares an output, a copy of its result lies there. */
async function withResult({ phase, tree }: Taken, { ports, recorder }: Context): Promise<string> {
  const files = resultFiles(phase, recorder.state);
  return files.size === 0 ? tree : ports.workspace.edit(tree, files);
}

function resultFiles(phase: Phase, { approvals }: RunState): ReadonlyMap<string, string> {
  const given = approvals.findLast((approval) => approval.phase === phase.id);
  if (phase.type !== 'approval' || given === undefined) return new Map();
  const text = renderJson(given.result);
  return new Map(phase.output.files.map((path) => [path, text]));
}

type Judged = { readonly ports: Pick<EnginePorts, 'workspace' | 'files'>; readonly state: RunState };

/** Lays a copy of a result that approves nothing where people look for it: beside the logs of the phase, and in its directory if it has one. */
export async function leaveResult(phase: Phase, { ports, state }: Judged): Promise<void> {
  const files = resultFiles(phase, state);
  if (files.size === 0) return;
  for (const [path, text] of files) await ports.files.write(`phases/${phase.id}/${posix.normalize(path)}`, text);
  await ports.workspace.leave(phase, files);
}

/** Merges a judged tree with what was accepted since its phase began. */
export async function performJoin(step: Taken, context: Context): Promise<void> {
  const { phase, attempt, tree } = step;
  const { ports, recorder } = context;
  const { tip, phases, order, base: origin } = recorder.state;
  const base = phases.get(phase.id)?.base ?? origin?.commit;
  if (tip?.commit === undefined) throw new TypeError('there is nothing to join with');
  const since = order.slice(order.findLastIndex((id) => phases.get(id)?.accepted?.commit === base) + 1);
  const commit = tip.commit;
  await orInterrupted(step, context, async () => {
    const joined = await ports.workspace.join({ tree, base, tip: commit });
    await recorder.happened({
      type: 'attempt_joined',
      data: {
        ...{ phase: phase.id, attempt, tree: joined.tree, base: commit },
        with: since.filter((id) => id !== phase.id),
        conflicts: [...joined.conflicts],
      },
    });
  });
}

/** A repository that cannot be written to is the user's to mend; the judgement stands. */
async function orInterrupted(
  { phase, attempt }: Taken,
  { recorder }: Context,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined) throw error;
    await recorder.happened({
      type: 'judging_interrupted',
      data: { phase: phase.id, attempt, gate: 'workspace', failure, message: wordsOf(error) },
    });
  }
}
