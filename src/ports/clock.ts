/** Time. Wall time is for people; limits count active time, in which a suspended machine does not age. */
export interface Clock {
  /** The wall clock as ISO 8601 in UTC. */
  now(): string;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Lets timers, signals and what others have to say have their turn. */
  breathe(): Promise<void>;
  /** Resolves after `ms` of active time; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
