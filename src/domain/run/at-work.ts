import type { RunEvent } from '../facts/run-event.ts';
import type { RunState } from '../facts/run-state.ts';
import { STAMP_LAG_MS } from '../stamp-lag.ts';
import { evolve } from './evolve.ts';

/**
 * The phase of a run for which a program that HELIX does not trust ran when a file got this stamp, without walls: an agent, a judge,
 * a consultant or a gate's command. What was begun and has not ended counts as running.
 */
export function workerAt(events: readonly RunEvent[], stamp: number): string | undefined {
  let state: RunState | undefined;
  for (const [index, event] of events.entries()) {
    state = evolve(state, event);
    const next = events[index + 1];
    const bounds = [Date.parse(event.at), next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.at)];
    // A clock that was set back meanwhile makes a stretch longer, never shorter.
    const touches = Math.min(...bounds) <= stamp + STAMP_LAG_MS && stamp <= Math.max(...bounds);
    const worker = touches ? workerIn(state) : undefined;
    if (worker !== undefined) return worker;
  }
  return undefined;
}

function workerIn({ phases, sandbox, ended, interrupted }: RunState): string | undefined {
  if (sandbox?.level === 'strict' || ended !== undefined) return undefined;
  return [...phases.values()].find(({ current, asking, status }) => {
    if (asking.length > 0) return true;
    // Gates have no facts of their own: they run from the end of an attempt to its judgement.
    if (current?.stage === 'finished') return status === 'running' && !interrupted;
    return current?.stage === 'open' && current.manual !== true;
  })?.id;
}
