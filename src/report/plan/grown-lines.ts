import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { typeName } from '../../domain/kinds/phase-types-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { oneLine } from '../../text/sanitise.ts';

const LONGEST = 72;

/** What a run goes on to do once its plan has grown, a line for each phase with what it is judged by; nothing for any other fact. */
export function grownLines(event: RunEvent, { plan, phases }: Pick<RunState, 'plan' | 'phases'>): string[] {
  if (event.type !== 'plan_grown' || event.data.plan === undefined) return [];
  const open = plan.phases.filter(({ id }) => phases.get(id)?.status === 'pending');
  return open.flatMap((phase, at) => [
    `  ${at + 1} ${oneLine(phase.id, 64)} · ${typeName(phase)}${about(phase)}`,
    `      gates: ${phase.gates.map(gateName).join(', ')}`,
  ]);
}

function about({ id, name, description = '' }: Phase): string {
  const words = name === id ? description : name;
  return words.trim() === '' ? '' : `: ${oneLine(words, LONGEST)}`;
}

function gateName({ type, settings: { command, approval_type: judge } }: Phase['gates'][number]): string {
  const told = Array.isArray(command) ? command.join(' ') : (command ?? judge);
  return told === undefined ? oneLine(type, 40) : `${oneLine(type, 40)} (${oneLine(String(told), LONGEST)})`;
}
