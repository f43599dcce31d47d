import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { TASK_SOURCE } from '../../domain/plan/plan.ts';
import { isTask } from '../../engine/start/require-task.ts';
import type { World } from '../../ports/world.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import { drainKeyboard, hasKeyboard, type Keyboard, openKeyboard } from '../call/keyboard.ts';
import type { Progress } from './progress.ts';
import { tellRun, toldWords } from './tell.ts';

const KEY = 't';
const MOST_SHOWN = 2000;
const HINT = `${KEY} and Enter: say something to the agents`;

/** Takes what somebody at the terminal says to the agents of a run under way; while a question is open the keyboard is for its answer. */
export class Teller {
  readonly #world: World;
  readonly #progress: Progress;
  #listening: { readonly abort: AbortController; readonly end: Promise<void> } | undefined;
  #isHinted = false;
  /** The prompt for words stands there. */
  #isAsking = false;
  #state: RunState | undefined;
  #isClosed = false;

  constructor({ world, progress }: { world: World; progress: Progress }) {
    this.#world = world;
    this.#progress = progress;
  }

  /** Looks at a new state: listens while agents work, and leaves the keyboard to whoever asks something. */
  look(state: RunState): void {
    this.#state = state;
    const works = [...state.phases.values()].some(({ current }) => current?.stage === 'open');
    if (openRequests(state).length > 0 || state.ended !== undefined) this.#listening?.abort.abort();
    else if (works && this.#listening === undefined && !this.#isClosed && hasKeyboard()) this.#begin(state.run);
  }

  /** Listens no more, and resolves once the keyboard is free. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listening?.abort.abort();
    await this.idle();
  }

  /** Resolves once the keyboard is free, after it was to listen no more. */
  async idle(): Promise<void> {
    await this.#listening?.end;
  }

  #begin(run: string): void {
    const abort = new AbortController();
    const end = this.#listen(run, abort.signal).finally(() => {
      this.#listening = undefined;
    });
    this.#listening = { abort, end };
  }

  async #listen(run: string, signal: AbortSignal): Promise<void> {
    const keyboard = await openKeyboard(signal);
    try {
      if (!this.#isHinted && !signal.aborted) this.#progress.say(HINT);
      this.#isHinted = true;
      for (let key = await keyboard.line(); key !== undefined; key = await keyboard.line()) {
        if (key.trim().toLowerCase() === KEY) await this.#take(run, keyboard);
        else if (key.trim() !== '') this.#progress.say(HINT);
      }
    } finally {
      keyboard.close();
      this.#keep(await drainKeyboard());
    }
  }

  /** Half a sentence is no word to the agents, and none to the shell that gets the keyboard next: whoever typed it has it back. */
  #keep(typed: string): void {
    const words = oneLine(sanitise(typed).trim(), MOST_SHOWN);
    const wasAsked = this.#isAsking;
    this.#isAsking = false;
    if (!isTask(words)) return;
    const { run = '', ended, source } = this.#state ?? {};
    const way =
      ended === undefined
        ? `helix tell ${run} "…"`
        : ended.status === 'passed' && source?.path === TASK_SOURCE
          ? 'helix do --again "…"'
          : undefined;
    const how = way === undefined ? '' : ` Say it with: ${way}`;
    this.#progress.say(
      `${wasAsked ? 'this came too late for the agents' : 'typed, and told to nobody'}: ${words}.${how}`,
    );
  }

  async #take(run: string, keyboard: Keyboard): Promise<void> {
    this.#isAsking = true;
    this.#progress.hold('to the agents > ');
    const typed = await keyboard.line();
    this.#progress.release();
    if (typed === undefined) return;
    this.#isAsking = false;
    if (!isTask(sanitise(typed))) return this.#progress.say('nothing was said');
    try {
      this.#progress.say(toldWords(await tellRun(this.#world, run, { words: typed })));
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      this.#progress.say(`${sanitise(error.message)}${error.hint === undefined ? '' : `. ${error.hint}`}`);
    }
  }
}
