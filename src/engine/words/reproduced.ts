import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Plan } from '../../domain/plan/plan.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import { commandKey } from '../step/command-key.ts';

/** Of each plan the phases that may show a bug, looked up once: every attempt and judgement asks. */
const SHOWING = new WeakMap<Plan, readonly string[]>();

/** The files with which accepted phases other than this one showed a bug; undefined where none did. */
export function reproducedBefore(
  phase: string,
  { plan, phases }: Pick<RunState, 'plan' | 'phases'>,
): readonly string[] | undefined {
  const verdicts = showingIn(plan).flatMap((id) => (id === phase ? [] : (phases.get(id)?.lastVerdicts ?? [])));
  const files = verdicts.flatMap(({ reproduced }) => reproduced?.files ?? []);
  return files.length === 0 ? undefined : [...new Set(files)].sort();
}

/** The tree of the last accepted phase other than this one that showed a bug. */
export function shownIn(phase: string, { plan, phases }: Pick<RunState, 'plan' | 'phases'>): string | undefined {
  const showing = showingIn(plan).filter((id) => id !== phase && reproduces(phases.get(id)));
  return phases.get(showing.at(-1) ?? '')?.accepted?.tree;
}

function reproduces(phase: PhaseState | undefined): boolean {
  return phase?.lastVerdicts.some(({ reproduced }) => reproduced !== undefined) === true;
}

/** The names of tests that failed when a gate's command was run earlier: on the untouched tree, and where it showed a bug. */
export function failedEarlier(
  gate: Gate,
  { phase, gates }: { readonly phase: string; readonly gates: Parameters<typeof commandKey>[1] },
  { plan, phases, tried }: Pick<RunState, 'plan' | 'phases' | 'tried'>,
): GateContext['failedEarlier'] {
  const command = commandKey(gate, gates);
  if (command === undefined) return undefined;
  const isShowing = (each: Gate) => each.settings.expect === 'red' && commandKey(each, gates) === command;
  const showing = plan.phases.filter((each) => each.id !== phase && each.gates.some(isShowing));
  const verdicts = showing.flatMap(({ id }) => phases.get(id)?.lastVerdicts ?? []);
  const shown = verdicts.flatMap(({ reproduced }) => reproduced?.tests ?? []);
  const before = tried.filter((each) => each.command === command).flatMap(({ tests }) => tests?.failed ?? []);
  return shown.length + before.length === 0 ? undefined : { shown, before };
}

function showingIn(plan: Plan): readonly string[] {
  const known = SHOWING.get(plan);
  if (known !== undefined) return known;
  const found = plan.phases.filter(({ gates }) => gates.some(({ settings }) => settings.expect === 'red'));
  const ids = found.map(({ id }) => id);
  SHOWING.set(plan, ids);
  return ids;
}
