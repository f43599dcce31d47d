import { channelsOf } from '../domain/notify-settings.ts';
import type { RunState } from '../domain/run-state.ts';
import type { HeardAnswer } from '../ports.ts';
import { Channel, type MessengerParts } from './channel.ts';

/** Tells people of a run's open questions until each channel has taken each of them, and hears their answers. */
export class Messenger {
  readonly #parts: MessengerParts;
  readonly #channels = new Map<string, Channel>();
  readonly #stop = new AbortController();

  constructor(parts: MessengerParts) {
    this.#parts = parts;
  }

  /** Looks at the run's state, starts what is to be done in the background and resolves to what was heard since last time. */
  async look(state: RunState): Promise<readonly HeardAnswer[]> {
    const heard: HeardAnswer[] = [];
    for (const named of channelsOf(state.notify)) {
      const channel = this.#channels.get(named.name) ?? new Channel(named, this.#parts, this.#stop.signal);
      this.#channels.set(named.name, channel);
      heard.push(...channel.look(state));
    }
    return heard;
  }

  /** Gives what is under way `patienceMs` to succeed, ends the rest and resolves to what was heard meanwhile. */
  async close(patienceMs: number): Promise<readonly HeardAnswer[]> {
    const channels = [...this.#channels.values()];
    const idle = Promise.all(channels.map((channel) => channel.idle()));
    const over = new AbortController();
    await Promise.race([idle, this.#parts.clock.sleep(patienceMs, over.signal).catch(() => undefined)]);
    over.abort();
    this.#stop.abort(new Error('HELIX has no more time for it'));
    await idle;
    return channels.flatMap((channel) => channel.heard());
  }
}
