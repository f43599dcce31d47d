import type { RunState } from '../../domain/facts/run-state.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tests } from '../../domain/verdict.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import { commandKey } from './command-key.ts';

/** What the same command counted when it last passed or, before that, on the untouched tree. */
export function testsBefore(
  gate: Gate,
  state: Pick<RunState, 'order' | 'plan' | 'phases' | 'tried'>,
  gates: ReadonlyMap<string, GateDefinition>,
): Tests | undefined {
  const command = commandKey(gate, gates);
  if (command === undefined) return undefined;
  for (const id of state.order.toReversed()) {
    const phase = state.plan.phases.find((each) => each.id === id);
    const index = phase?.gates.findIndex((each) => commandKey(each, gates) === command) ?? -1;
    const tests = state.phases.get(id)?.lastVerdicts[index]?.tests;
    if (tests !== undefined) return tests;
  }
  return state.tried.find((tried) => tried.command === command)?.tests;
}
