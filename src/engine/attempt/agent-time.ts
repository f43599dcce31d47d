import type { Clock } from '../../ports/clock.ts';

/** Tells an agent's own time from what HELIX needed to get its directory ready. */
export class AgentTime {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #began: number;
  #started: number | undefined;
  #stopped: number | undefined;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#began = clock.monotonic();
  }

  /** How long it has taken to get ready so far. */
  get preparedMs(): number {
    return Math.round((this.#started ?? this.#clock.monotonic()) - this.#began);
  }

  /** How long the agent has worked; 0 before it was started. */
  get workedMs(): number {
    if (this.#started === undefined) return 0;
    return Math.round((this.#stopped ?? this.#clock.monotonic()) - this.#started);
  }

  /** Counts as the agent's time what this takes. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#started = this.#clock.monotonic();
    try {
      return await work();
    } finally {
      this.#stopped = this.#clock.monotonic();
    }
  }
}
