import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { evolve, replay } from '../../domain/run/evolve.ts';
import type { Journal, Ownership } from '../../ports/journal.ts';

/** Holds the state of an owned run and is the only one who writes its facts: journaled first, then believed. */
export class Recorder {
  readonly #journal: Journal;
  readonly #ownership: Ownership;
  readonly #onEvents: (events: readonly RunEvent[], state: RunState) => Promise<void>;
  #state: RunState;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    from: { journal: Journal; ownership: Ownership; state: RunState },
    onEvents: (events: readonly RunEvent[], state: RunState) => Promise<void>,
  ) {
    this.#journal = from.journal;
    this.#ownership = from.ownership;
    this.#state = from.state;
    this.#onEvents = onEvents;
  }

  get state(): RunState {
    return this.#state;
  }

  /** Records what happened; facts others added meanwhile are taken in first. */
  async happened(...events: NewEvent[]): Promise<void> {
    return this.#inTurn(async () => {
      while (!(await this.#append(events))) await this.#catchUp();
    });
  }

  /** Records what `make` makes of the state of that very moment; undefined when that is nothing. */
  async inThatState<T extends NewEvent>(make: (state: RunState) => T | undefined): Promise<T | undefined> {
    return this.#inTurn(async () => {
      for (;;) {
        const event = make(this.#state);
        if (event === undefined || (await this.#append([event]))) return event;
        await this.#catchUp();
      }
    });
  }

  /** Records what follows from the present state; false when that state has changed and must be thought over. */
  async follows(event: NewEvent): Promise<boolean> {
    return this.#inTurn(async () => {
      if (await this.#append([event])) return true;
      await this.#catchUp();
      return false;
    });
  }

  /** Takes in what others added; true when there was something. */
  async refresh(): Promise<boolean> {
    return this.#inTurn(async () => {
      if ((await this.#journal.headSeq(this.#state.run)) === this.#state.seq) return false;
      await this.#catchUp();
      return true;
    });
  }

  async #append(events: readonly NewEvent[]): Promise<boolean> {
    try {
      const at = { expectedSeq: this.#state.seq, fence: this.#ownership.fence };
      await this.#believe(await this.#journal.append(this.#state.run, at, events));
      return true;
    } catch (error) {
      if (error instanceof HelixError && error.code === 'conflict') return false;
      throw error;
    }
  }

  async #catchUp(): Promise<void> {
    await this.#believe(await this.#journal.read(this.#state.run, this.#state.seq));
  }

  async #believe(events: readonly RunEvent[]): Promise<void> {
    const [only] = events;
    const next = events.length === 1 && only !== undefined ? evolve(this.#state, only) : replay(events, this.#state);
    if (next !== undefined) this.#state = next;
    await this.#onEvents(events, this.#state);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }
}
