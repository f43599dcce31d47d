import type { Tried } from '../../domain/facts/run-event.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import { needsConsent, type PlanGrowth } from '../../domain/plan-growth.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { oneLine } from '../../text/sanitise.ts';
import { tryGates } from '../start/trial.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { gateWalls } from '../step/walls.ts';

type GrowStep = Extract<Step, { do: 'grow' }>;

/** Takes what an accepted phase wrote into the plan, or records why it stays as it was. */
export async function performGrowth({ phase, tree }: GrowStep, context: StepContext): Promise<void> {
  const { ports, recorder } = context;
  const { state } = recorder;
  const { findings, plan, growth, source } = await ports.grownPlan({ phase, tree, state });
  const at = state.phases.get(phase.id);
  const kept = whyKept(findings, growth, at);
  if (plan === undefined || growth === undefined || kept !== undefined) {
    const data = { phase: phase.id, tree, added: [], changed: [], dropped: [], ...present({ kept, source }) };
    return recorder.happened({ type: 'plan_grown', data });
  }
  const { added, changed, dropped } = growth;
  const tried = await triedAnew(plan, state, context);
  await recorder.happened({
    type: 'plan_grown',
    data: {
      phase: phase.id,
      tree,
      plan,
      added,
      changed,
      dropped,
      ...present({ source }),
      ...(tried.length > 0 && { tried }),
    },
  });
}

/** Only what was shown to a human is covered by a human's word; whatever is unclear leaves the plan as it is. */
function whyKept(
  findings: readonly Finding[],
  growth: PlanGrowth | undefined,
  at: PhaseState | undefined,
): string | undefined {
  const error = findings.find(({ severity }) => severity === 'error');
  if (error !== undefined || hasError(findings))
    return `what it wrote cannot be used: ${oneLine(error?.message ?? '', 300)}`;
  const { answer, tree } = at?.rulings.plan ?? {};
  const ruled = tree === at?.accepted?.tree ? answer : undefined;
  if (ruled === 'keep' || ruled === 'back') return 'a human keeps it as it was';
  if (growth === undefined || !needsConsent(growth)) return undefined;
  if (ruled !== 'take') return 'what it wrote needs the word of a human, who was not asked';
  const shown = at?.lastVerdicts.find((verdict) => verdict.growth !== undefined)?.growth;
  const isSeen = (lines: readonly string[], seen: readonly string[] = []) => lines.every((line) => seen.includes(line));
  if (isSeen(growth.powers, shown?.powers) && isSeen(growth.lost, shown?.lost)) return undefined;
  return 'it would do more by now than what a human agreed to';
}

/** Commands that are new to the run are tried on the untouched tree, like those of its first plan. */
async function triedAnew(plan: Plan, state: RunState, { ports, watchers, signal }: StepContext): Promise<Tried[]> {
  const { base, marker, tried, isolation } = state;
  if (base === undefined) return [];
  const { gates, workspace, sandbox } = ports;
  const world = { ...ports, processes: async () => ports.processes };
  const walls = gateWalls({ sandbox, isolation, workspace });
  try {
    return await tryGates({
      ...{ world, workspace, base, marker, gates, signal, tried, plan, walls, watchers },
      task: false,
    });
  } catch (error) {
    // The gate itself says it again, of the work it is to judge.
    if (!(error instanceof HelixError)) throw error;
    watchers.onNotice?.(error.message);
    return [];
  }
}
