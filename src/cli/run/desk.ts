import { openRequests, type RequestState, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { decisionOf } from '../../domain/ladder/answer.ts';
import { askedAbout } from '../../domain/ladder/direction.ts';
import { present } from '../../domain/present.ts';
import { addFact } from '../../engine/ladder/add-fact.ts';
import type { World } from '../../ports/world.ts';
import { sanitise } from '../../text/sanitise.ts';
import { readRun } from '../call/find-run.ts';
import { hasKeyboard } from '../call/keyboard.ts';
import { projectOption } from '../call/open-project.ts';
import type { Terminal } from '../call/terminal.ts';
import { ask } from '../human/answer.ts';
import { expectedOf } from '../human/like-phases.ts';
import { attemptDifferences } from './attempt-differences.ts';
import type { Progress } from './progress.ts';
import { lookingAt, renderCard } from './request-text.ts';

type Asked = { readonly id: string; readonly abort: AbortController };

type Around = {
  readonly terminal: Terminal;
  readonly world: World;
  readonly progress: Progress;
  /** Resolves once nobody else listens to the keyboard. */
  readonly free: () => Promise<void>;
};

/** Asks the open questions of a run on the terminal while the run goes on; an answer given elsewhere ends the asking. */
export class Desk {
  readonly #terminal: Terminal;
  readonly #world: World;
  readonly #progress: Progress;
  readonly #free: () => Promise<void>;
  readonly #left = new Set<string>();
  #state: RunState | undefined;
  #asked: Asked | undefined;
  #asking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor({ terminal, world, progress, free }: Around) {
    this.#terminal = terminal;
    this.#free = free;
    this.#world = world;
    this.#progress = progress;
  }

  /** Looks at a new state: ends what is settled, asks what is open. */
  look(state: RunState): void {
    this.#state = state;
    const open = openRequests(state);
    if (this.#asked !== undefined) {
      if (!open.some(({ id }) => id === this.#asked?.id)) this.#asked.abort.abort();
      return;
    }
    const next = open.find(({ id }) => !this.#left.has(id));
    if (next === undefined || this.#closed || !hasKeyboard()) return;
    const asked = { id: next.id, abort: new AbortController() };
    this.#asked = asked;
    this.#asking = this.#settle(next, state, asked.abort.signal).finally(() => {
      this.#asked = undefined;
      if (this.#state !== undefined) this.look(this.#state);
    });
  }

  /** Asks nothing more, and resolves once the keyboard is free. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#asked?.abort.abort();
    await this.#asking;
  }

  async #settle(request: RequestState, state: RunState, signal: AbortSignal): Promise<void> {
    const { say, print, hold, release } = this.#progress;
    const sheet = { say: print, prompt: hold, columns: () => Math.max(20, this.#terminal.columns() - 1) };
    const open = await readRun(this.#world, state.run);
    const expect = await expectedOf(request, state, this.#world);
    const subject = { request, state, events: open.events, ...present({ expect }) };
    const at = projectOption(this.#world.project.dir);
    const view = { now: this.#world.clock.now(), at, width: sheet.columns(), paint: this.#terminal.paint };
    for (const line of ['', ...renderCard({ ...subject, now: view.now }, view), '']) print(line);
    const more = lookingAt(subject, () => attemptDifferences(this.#world, open, askedAbout(request, state)), view);
    await this.#free();
    const answer = await ask({ request, state, more }, sheet, signal);
    release();
    if (signal.aborted) return;
    // Asked once: whoever leaves a question open wants to look at something first, and answers later.
    this.#left.add(request.id);
    if (answer === undefined) return say(`left open; answer it from another terminal: helix decide ${request.id}${at}`);
    try {
      const given = { ...answer, request: request.id };
      await addFact(this.#world, state.run, (before) => decisionOf(before, given, this.#world.actor));
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      say(`${sanitise(error.message)}${error.hint === undefined ? '' : `. ${error.hint}`}`);
    }
  }
}
