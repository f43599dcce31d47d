import type { Gate } from '../../domain/plan/gate.ts';
import type { GateDefinition } from '../../gates/gate/define-gate.ts';

/** By this two gates are known to run the same command; undefined for a gate that runs none. */
export function commandKey(gate: Gate, gates: ReadonlyMap<string, GateDefinition>): string | undefined {
  const command = gates.get(gate.type)?.command(gate.settings);
  return command === undefined ? undefined : JSON.stringify([gate.type, command]);
}
