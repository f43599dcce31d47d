import type { Cost } from '../../domain/facts/run-event.ts';
import type { Asked } from '../judge.ts';
import type { Trial } from './plan-trials.ts';
import { accusedBy, type Judged } from './tally-trials.ts';

/** Judges that are asked at the same time. */
const PLACES = 4;
/** So many interruptions one after the other do not end by themselves. */
const IN_VAIN = 5;
/** Less than this is nothing: sums of fractions are never quite exact. */
const LEAST_USD = 1e-6;

/** One question that is about to be asked. */
export type Asking = {
  readonly trial: Trial;
  /** Its place in the order of the trials. */
  readonly turn: number;
  /** What is reserved for it. */
  readonly spendUsd: number;
};

type Asker = {
  readonly ask: (asking: Asking) => Promise<Asked>;
  /** What all of it may cost. */
  readonly budgetUsd: number;
  readonly signal: AbortSignal;
  readonly onDone?: (asked: number) => void;
};

/** What became of the trials. */
export type TrialsRun = {
  readonly judged: readonly Judged[];
  readonly asked: number;
  readonly interrupted: number;
  readonly cost: { readonly usd: number; readonly unknown: number };
  /** Why not all of them were asked. */
  readonly stopped?: string;
};

/** Asks about all trials, several at a time, as far as the budget goes: money is reserved before it is spent. */
export async function runTrials(trials: readonly Trial[], asker: Asker): Promise<TrialsRun> {
  const session = new Session(trials, asker);
  await Promise.all(Array.from({ length: Math.min(PLACES, trials.length) }, () => session.work()));
  return session.result();
}

class Session {
  readonly #trials: readonly Trial[];
  readonly #asker: Asker;
  readonly #judged: { readonly turn: number; readonly judged: Judged }[] = [];
  #turn = 0;
  #interrupted = 0;
  #inVain = 0;
  #cost = { usd: 0, unknown: 0 };
  /** What was reserved for judges that ended at an unknown cost. */
  #kept = 0;
  #reserved = 0;
  #dearest = LEAST_USD;
  #idle: number;
  #stopped: string | undefined;

  constructor(trials: readonly Trial[], asker: Asker) {
    this.#trials = trials;
    this.#asker = asker;
    this.#idle = Math.min(PLACES, trials.length);
  }

  /** Asks one after the other until there is nothing to ask or nothing to ask with. */
  async work(): Promise<void> {
    for (;;) {
      const turn = this.#turn;
      const trial = this.#trials[turn];
      if (this.#asker.signal.aborted) this.#stopped ??= 'stopped before all trials were asked';
      if (trial === undefined || this.#stopped !== undefined) return;
      const spendUsd = this.#share();
      this.#idle -= 1;
      if (spendUsd < this.#dearest) return this.#giveUp();
      this.#turn += 1;
      this.#reserved += spendUsd;
      const asked = await this.#asker.ask({ trial, turn, spendUsd });
      this.#reserved -= spendUsd;
      this.#idle += 1;
      this.#settle(asked.cost, spendUsd);
      this.#count(asked, trial, turn);
    }
  }

  result(): TrialsRun {
    return {
      judged: this.#judged.toSorted((a, b) => a.turn - b.turn).map(({ judged }) => judged),
      asked: this.#turn,
      interrupted: this.#interrupted,
      cost: this.#cost,
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
    };
  }

  /** An equal share of what is left for each who could ask now. */
  #share(): number {
    return Math.max(0, this.#asker.budgetUsd - this.#cost.usd - this.#kept - this.#reserved) / this.#idle;
  }

  /** With less than one has cost already the next would likely be cut short; while others are at it, theirs may be left over for them. */
  #giveUp(): void {
    if (this.#reserved > 0 || this.#idle > 0) return;
    const all = `${this.#asker.budgetUsd.toFixed(2)} USD`;
    this.#stopped ??= `the budget of ${all} is enough for ${this.#turn} of ${this.#trials.length} trials`;
  }

  #settle(cost: Cost | undefined, reserved: number): void {
    const usd = cost?.usd;
    if (usd === undefined) this.#kept += reserved;
    this.#cost = { usd: this.#cost.usd + (usd ?? 0), unknown: this.#cost.unknown + (usd === undefined ? 1 : 0) };
    this.#dearest = Math.max(this.#dearest, usd ?? 0);
  }

  #count(asked: Asked, trial: Trial, turn: number): void {
    if (asked.kind === 'answered') {
      const { model, agent } = asked.result.agent_context;
      const judged = { trial, model: model ?? agent ?? 'unknown', accused: accusedBy(asked.result) };
      this.#judged.push({ turn, judged });
      this.#inVain = 0;
    } else {
      this.#interrupted += 1;
      this.#inVain += 1;
      if (this.#inVain >= IN_VAIN) {
        this.#stopped ??= `${IN_VAIN} judges in a row gave no answer, the last one because: ${asked.message}`;
      }
    }
    this.#asker.onDone?.(this.#judged.length + this.#interrupted);
  }
}
