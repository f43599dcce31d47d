import { EXIT } from './exit-code.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Does work that can be stopped: the first signal asks it to end, the second one ends it at once. */
export async function stoppable<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (signal: string) => {
    if (stop.signal.aborted) process.exit(EXIT.interrupted);
    stop.abort(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  try {
    return await work(stop.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
