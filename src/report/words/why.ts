import type { RunState } from '../../domain/facts/run-state.ts';
import { renderTime } from './time.ts';

/** Why a run ended or does not go on and, where that is known, until when. */
export function whyOf({ ended, parked }: RunState): string | undefined {
  if (ended !== undefined || parked?.until === undefined) return ended?.reason ?? parked?.message;
  return `${parked.message}; worth another try at ${renderTime(parked.until)}`;
}
