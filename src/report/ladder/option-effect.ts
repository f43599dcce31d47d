import type { Changes, Option } from '../../domain/facts/consultation.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { addresseesOf, type Retry, retryOf } from '../../domain/ladder/direction.ts';
import { revertReach } from '../../domain/ladder/revert.ts';
import { oneLine } from '../../text/sanitise.ts';
import { renderChanges } from '../words/changes-text.ts';

const TOLD = 160;
const NAMED = 4;

/** What choosing an option will do, in words. */
export function optionEffect({ decision }: Pick<Option, 'decision'>, request: RequestState, state: RunState): string {
  const { action, phase, guidance, changes } = decision;
  const to = oneLine(addresseesOf(decision, request, state).join(', '), 200);
  const told = guidance === undefined ? '' : `; ${to} is told: ${oneLine(guidance, TOLD)}`;
  const retried: Readonly<Record<Retry, string>> = {
    work: `${to} tries again${told}`,
    'goes-back': `goes back to ${to}${told}`,
    judging: `the same work is judged again; ${to} is told your comment only if it comes back`,
    'asks-judge': 'a judge is asked again about the same work; no agent is told your comment',
  };
  if (action === 'revert')
    return `goes back to ${oneLine(phase ?? '', 64)}${again(phase, state)}${told}${withChanges(changes)}`;
  if (action === 'retry') return retried[retryOf(decision, request, state)] + withChanges(changes);
  if (action === 'take') return `what you put there is judged like an attempt of ${to}`;
  if (action === 'accept') return 'recorded as an override; the gate’s verdict stays as it is';
  if (action === 'answer') return 'it becomes part of the specification, word for word';
  if (action === 'abort') return 'the run ends; what was accepted is kept';
  return 'the run goes on';
}

function again(target: string | undefined, state: RunState): string {
  const others = target === undefined ? [] : revertReach(target, state).filter((id) => id !== target);
  if (others.length === 0) return '';
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : '';
  return `; ${others.slice(0, NAMED).join(', ')}${more} ${others.length === 1 ? 'is' : 'are'} done again`;
}

function withChanges(changes: Changes | undefined): string {
  const words = changes === undefined ? '' : renderChanges({ changes });
  return words === '' ? '' : `; with ${words}`;
}
