import type { Tried } from '../../domain/facts/run-event.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import { oneLine } from '../../text/sanitise.ts';

const SHOWN = 5;

/** What a user should know, before money is spent, of a command that fails on the untouched tree; `gates` are those that run it. */
export function failingBefore({ outcome, tests }: Tried, gates: readonly Gate[], isTask = false): string | undefined {
  if (outcome !== 'pass' && gates.every(({ type }) => type === 'custom')) {
    return `${commandOf(gates)} fails before anybody worked; it has to pass with the work`;
  }
  const testing = gates.filter(({ type }) => type === 'tests_pass');
  const counts = testing.some(({ settings }) => settings.baseline !== true);
  if (tests === undefined) {
    if (testing[0]?.settings.command === undefined || outcome === 'pass') return undefined;
    return `${commandOf(testing)} fails before anybody worked, and which tests fail could not be read; that will count`;
  }
  const { failed, total } = tests;
  if (failed.length === 0) return undefined;
  const names = failed.slice(0, SHOWN).map((name) => oneLine(name, 120));
  const more = failed.length > SHOWN ? ` and ${failed.length - SHOWN} more` : '';
  const one = failed.length === 1;
  const fail = `${total === 1 ? 'the only test' : `${failed.length} of ${total} tests`} ${one ? 'fails' : 'fail'}`;
  const they = one ? 'it does' : 'they do';
  const effect = isTask
    ? counts
      ? 'that will count'
      : `${they} not count against the work`
    : counts
      ? `${one ? 'it' : 'they'} will count, \`baseline: true\` leaves ${one ? 'it' : 'them'} out`
      : `${they} not count, because of \`baseline: true\``;
  return `${fail} before anybody worked: ${names.join(', ')}${more}; ${effect}`;
}

function commandOf([gate]: readonly Gate[]): string {
  const command = gate?.settings.command;
  return oneLine(Array.isArray(command) ? command.join(' ') : String(command), 200);
}
