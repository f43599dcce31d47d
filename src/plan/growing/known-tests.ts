import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Growing } from './growing.ts';

/**
 * The phases with the test command of the plan in those gates on tests that name none: what such a gate would find by itself nobody
 * has looked at. A plan with several commands, or with none, says nothing about which one is meant.
 */
export function withKnownTests(phases: readonly Phase[], { plan, fixed }: Pick<Growing, 'plan' | 'fixed'>): Phase[] {
  const stays = new Set(fixed.map(({ id }) => id));
  const testing = plan.phases.flatMap(({ gates }) => gates).filter(isTests);
  const commands = new Set(testing.map(({ settings }) => JSON.stringify(settings.command)));
  const [first] = testing;
  if (first?.settings.command === undefined || commands.size !== 1) return [...phases];
  const { expect: _red, ...settings } = first.settings;
  const named = (gate: Gate): Gate =>
    isTests(gate) && gate.settings.command === undefined
      ? { ...gate, settings: { ...settings, ...gate.settings } }
      : gate;
  return phases.map((phase) => (stays.has(phase.id) ? phase : { ...phase, gates: once(phase.gates.map(named)) }));
}

function isTests({ type }: Gate): boolean {
  return type === 'tests_pass';
}

/** The same tests need not be run twice. */
function once(gates: readonly Gate[]): Gate[] {
  const like = ({ type, settings }: Gate) => JSON.stringify([type, settings]);
  return gates.filter((gate, at) => !isTests(gate) || gates.findIndex((each) => like(each) === like(gate)) === at);
}
