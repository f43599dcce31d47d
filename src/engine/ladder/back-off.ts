import type { RunState } from '../../domain/facts/run-state.ts';
import type { EnginePorts, Watchers } from '../step/engine-ports.ts';
import type { Recorder } from '../step/recorder.ts';

const FIRST_MS = 60_000;
const LONGEST_MS = 15 * 60_000;
/** A quota is not renewed to the second, and clocks differ. */
const MARGIN_MS = 5000;
const SHORTEST_MS = 1000;
const DAY_MS = 24 * 60 * 60_000;
/** About a day: who waits longer than that for a quota has forgotten the run. */
const TRIES = 100;

type Parked = {
  readonly ports: Pick<EnginePorts, 'clock' | 'processes'>;
  readonly recorder: Recorder;
  readonly watchers: Watchers;
  readonly wait: boolean;
};

/** Takes a run that is parked for a quota up again: when it is said to be worth it, else later and later. */
export class BackOff {
  readonly #run: Parked;
  #due: number | undefined;
  #tries = 0;
  #judged = 0;

  constructor(run: Parked) {
    this.#run = run;
  }

  /** True while the run is parked for something that time may mend, and is worth staying for. */
  get waits(): boolean {
    const { wait, recorder } = this.#run;
    const { parked, ended, cancelRequested } = recorder.state;
    const hopeful = this.#due !== undefined || this.#tries < TRIES;
    return wait && hopeful && parked?.reason === 'quota' && ended === undefined && !cancelRequested;
  }

  /** Goes on with the run when it is time to; true when its state is worth another look. */
  async goOn(): Promise<boolean> {
    const { ports, recorder } = this.#run;
    if (!this.waits) this.#due = undefined;
    else this.#due ??= this.#park(recorder.state) + ports.clock.monotonic();
    if (this.#due === undefined || ports.clock.monotonic() < this.#due) return false;
    this.#due = undefined;
    await recorder.follows({ type: 'run_resumed', data: { owner: ports.processes.self() } });
    return true;
  }

  #park({ parked, spent }: RunState): number {
    if (spent.attempts > this.#judged) this.#tries = 0;
    this.#judged = spent.attempts;
    const delay = this.#untilTold(parked?.until) ?? Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#run.watchers.onParked?.(parked?.message ?? '', delay);
    return delay;
  }

  /** How long to wait for a moment somebody named; undefined when that has passed and was no help. */
  #untilTold(until: string | undefined): number | undefined {
    if (until === undefined) return undefined;
    const ms = Date.parse(until) + MARGIN_MS - Date.parse(this.#run.ports.clock.now());
    return ms > 0 ? Math.min(DAY_MS, Math.max(SHORTEST_MS, ms)) : undefined;
  }
}
