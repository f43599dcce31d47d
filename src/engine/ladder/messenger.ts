import type { RunState } from '../../domain/facts/run-state.ts';
import { channelsOf } from '../../domain/plan/notify-settings.ts';
import type { HeardAnswer } from '../../ports/notifier.ts';
import { Channel, type MessengerParts } from './channel.ts';

/** Tells people of a run's open questions until each channel has taken each of them, and hears their answers. */
export class Messenger {
  readonly #parts: MessengerParts;
  /** Also those that the run has no more. */
  readonly #all = new Set<Channel>();
  #channels = new Map<string, Channel>();
  #notify: RunState['notify'] | undefined;
  readonly #stop = new AbortController();

  constructor(parts: MessengerParts) {
    this.#parts = parts;
  }

  /** Looks at the run's state, starts what is to be done in the background and resolves to what was heard since last time. */
  async look(state: RunState): Promise<readonly HeardAnswer[]> {
    if (state.notify !== this.#notify) this.#arrange(state);
    return [...this.#channels.values()].flatMap((channel) => channel.look(state));
  }

  /** Gives what is under way `patienceMs` to succeed, ends the rest and resolves to what was heard meanwhile. */
  async close(patienceMs: number): Promise<readonly HeardAnswer[]> {
    const channels = [...this.#all];
    const idle = Promise.all(channels.map((channel) => channel.idle()));
    const over = new AbortController();
    await Promise.race([idle, this.#parts.clock.sleep(patienceMs, over.signal).catch(() => undefined)]);
    over.abort();
    this.#stop.abort(new Error('HELIX has no more time for it'));
    await idle;
    return channels.flatMap((channel) => channel.heard());
  }

  /** The channels of a run change with its plan; one that is as it was goes on with what it does. */
  #arrange({ notify }: RunState): void {
    const former = this.#channels;
    this.#notify = notify;
    this.#channels = new Map(
      channelsOf(notify).map((named) => {
        const key = JSON.stringify(named);
        return [key, former.get(key) ?? new Channel(named, this.#parts, this.#stop.signal)];
      }),
    );
    for (const channel of this.#channels.values()) this.#all.add(channel);
    for (const [key, channel] of former) if (!this.#channels.has(key)) channel.rest();
  }
}
