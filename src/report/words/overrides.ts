import type { Override } from '../../domain/documents/documents.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { oneLine } from '../../text/sanitise.ts';

/** The phases whose work stands because a human accepted it, although a gate rejects it. */
export function overridesOf(state: RunState): Override[] {
  return [...state.phases.values()].flatMap(({ id, accepted }) => {
    if (accepted?.override === undefined) return [];
    const { request, actor, reason } = accepted.override;
    const at = state.requests.get(request)?.answer?.at ?? state.updatedAt;
    return [{ phase: id, request, actor, at, reason }];
  });
}

/** How an override is told, so that nobody takes it for a passed gate. */
export function overrideText({ actor, reason }: Pick<Override, 'actor' | 'reason'>): string {
  return `accepted by override (${oneLine(actor, 80)}: ${oneLine(reason) || 'no reason given'})`;
}
