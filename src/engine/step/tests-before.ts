import type { RunState } from '../../domain/facts/run-state.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tests } from '../../domain/verdict.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';
import { commandKey } from './command-key.ts';

/** A gate, and the phase whose work it looks at. */
type Asked = { readonly gate: Gate; readonly phase: string };

/** What the same command counted when it last passed or, before that, on the untouched tree. */
export function testsBefore(
  { gate, phase: own }: Asked,
  state: Pick<RunState, 'order' | 'plan' | 'phases' | 'tried'>,
  gates: ReadonlyMap<string, GateDefinition>,
): Tests | undefined {
  const command = commandKey(gate, gates);
  if (command === undefined) return undefined;
  // Where each phase has a directory of its own, a command that is found there runs the tests of that phase and no others.
  const isOwn = state.plan.workspace.mode === 'phase-dirs' && gate.settings.command === undefined;
  for (const id of state.order.toReversed()) {
    if (isOwn && id !== own) continue;
    const phase = state.plan.phases.find((each) => each.id === id);
    const index = phase?.gates.findIndex((each) => commandKey(each, gates) === command) ?? -1;
    const tests = state.phases.get(id)?.lastVerdicts[index]?.tests;
    if (tests !== undefined) return tests;
  }
  return state.tried.find((tried) => tried.command === command)?.tests;
}
