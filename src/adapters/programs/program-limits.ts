import type { ProcessEnd, ProcessSpec } from '../../ports/processes.ts';
import { startActiveTimer } from './active-timer.ts';

/** How a program came to its end, before its output is added. */
export type Ending = Pick<ProcessEnd, 'ended' | 'exitCode' | 'message'>;

/** The watch over a running program. */
export type Limits = { sawOutput(): void; release(): void };

/** Calls `stop` when the program has used up its time, has been silent for too long, or is no longer wanted. */
export function watchLimits(spec: ProcessSpec, stop: (ending: Ending) => void): Limits {
  const { signal, wallMs, idleMs = Number.POSITIVE_INFINITY } = spec;
  const abort = (): void => stop(cancelled(signal));
  const wall = startActiveTimer(wallMs, () =>
    stop({ ended: 'timeout_wall', message: `not finished after ${wallMs / 1000} s` }),
  );
  const idle = startActiveTimer(idleMs, () =>
    stop({ ended: 'timeout_idle', message: `no output for ${idleMs / 1000} s` }),
  );
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  return {
    sawOutput: () => idle.restart(),
    release() {
      wall.stop();
      idle.stop();
      signal?.removeEventListener('abort', abort);
    },
  };
}

/** The end of a program nobody wants any more. */
export function cancelled(signal: AbortSignal | undefined): Ending {
  const reason: unknown = signal?.reason;
  return { ended: 'aborted', message: reason instanceof Error ? reason.message : 'cancelled' };
}
