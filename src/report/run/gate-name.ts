import type { Gate } from '../../domain/plan/gate.ts';
import { oneLine } from '../../text/sanitise.ts';

const MAX_COMMAND = 100;

/** The command of a gate that is nothing but a command: several have the same name. */
export function ownCommand(gate: Gate | undefined): string | undefined {
  const command = gate?.type === 'custom' ? gate.settings.command : undefined;
  if (command === undefined) return undefined;
  return Array.isArray(command) ? command.join(' ') : String(command);
}

/** What a gate is called where there may be others of its type. */
export function gateName(gate: string, command: string | undefined): string {
  return `${oneLine(gate, 40)}${command === undefined ? '' : ` (${oneLine(command, MAX_COMMAND)})`}`;
}
