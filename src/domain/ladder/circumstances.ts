import type { Tried } from '../facts/run-event.ts';
import type { RunState } from '../facts/run-state.ts';
import type { Phase } from '../plan/plan.ts';
import { remaining } from './budget.ts';

const NAMED_TESTS = 20;

/** Where a phase stands in its plan: what came before it, and what comes after it and needs what. */
export function placeLines({ id, dependsOn }: Phase, { plan, phases }: RunState): string[] {
  const index = plan.phases.findIndex((phase) => phase.id === id);
  const title = ({ id: each, name }: Phase) => (name === each ? each : `${each} (${name})`);
  return plan.phases.map((phase, at) => {
    const status = phases.get(phase.id)?.status ?? 'pending';
    if (at === index) return `${at + 1}. ${title(phase)}: this one, phase ${at + 1} of ${plan.phases.length}`;
    if (dependsOn.includes(phase.id)) return `${at + 1}. ${title(phase)}: ${status}; this phase builds on it`;
    return `${at + 1}. ${title(phase)}: ${status}${needs(phase, id)}`;
  });
}

function needs({ dependsOn, input }: Phase, id: string): string {
  if (!dependsOn.includes(id)) return '';
  const files = input !== undefined && (input.fromPhase ?? id) === id ? input.files : [];
  return files.length === 0 ? '; it builds on this phase' : `; it needs ${files.join(', ')} of this phase`;
}

/** What is left of money and time, in words. */
export function leftLine(state: RunState): string {
  const { usd, minutes, attempts } = remaining(state);
  const parts = [
    ...(usd === undefined ? [] : [`${usd.toFixed(2)} USD`]),
    ...(minutes === undefined ? [] : [`${minutes.toFixed(1)} minutes of agent time`]),
    ...(attempts === undefined ? [] : [`${attempts} attempts`]),
  ];
  return parts.length === 0
    ? 'The run has no limit of money or time.'
    : `Of the run’s budget ${parts.join(', ')} are left.`;
}

/** What failed on the untouched tree, before anybody worked. */
export function baselineLines(tried: readonly Tried[]): string[] {
  return tried.flatMap(({ command, outcome, tests }) => {
    if (outcome === 'pass') return [];
    const failed = tests?.failed ?? [];
    const named = failed.slice(0, NAMED_TESTS).join('; ');
    const more = failed.length > NAMED_TESTS ? `; and ${failed.length - NAMED_TESTS} more` : '';
    const which =
      failed.length === 0 || tests === undefined ? '' : `, ${failed.length} of ${tests.total} tests: ${named}${more}`;
    return [`${commandWords(command)} failed${which}`];
  });
}

/** A command as it was tried: the gate’s type and what it runs. */
function commandWords(key: string): string {
  try {
    const [type, command] = JSON.parse(key) as [unknown, unknown];
    const words = Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : '';
    return words === '' ? String(type) : `${String(type)}: ${words}`;
  } catch {
    return key;
  }
}
