import type { NewEvent } from '../../domain/facts/run-event.ts';
import { openRequests, type RequestState, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { decisionOf } from '../../domain/ladder/answer.ts';
import type { NamedChannel } from '../../domain/plan/notify-settings.ts';
import { present } from '../../domain/present.ts';
import type { Clock } from '../../ports/clock.ts';
import type { HeardAnswer, Notifier, ToldNotice } from '../../ports/notifier.ts';
import { oneLine } from '../../text/sanitise.ts';
import { noticeOf } from './notice.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** How often answers are looked for. */
const HEAR_MS = 30_000;
const LATE = 'it did not answer in time; the next command tries again';

/** What a messenger works with. */
export type MessengerParts = {
  readonly notifier: Notifier;
  readonly clock: Clock;
  /** Records the fact that follows from the state of that very moment, if one does. */
  readonly record: (think: (state: RunState) => NewEvent | undefined) => Promise<unknown>;
  readonly redact: (text: string) => string;
  readonly onNotice?: ((text: string) => void) | undefined;
  /** False where nobody stays to try again. */
  readonly retry?: boolean;
};

/** One way to people: tells one question after the other, and goes on trying for as long as they are open. */
export class Channel {
  readonly #named: NamedChannel;
  readonly #parts: MessengerParts;
  readonly #signal: AbortSignal;
  /** How often each question was told or tried to. */
  readonly #tries = new Map<string, number>();
  /** Told by this process; what is not yet recorded is not told again for that. */
  readonly #told = new Set<string>();
  readonly #recorded = new Set<string>();
  /** Nobody hears of these that way from this process; another one may have more luck. */
  readonly #unheard = new Set<string>();
  readonly #said = new Set<string>();
  #state: RunState | undefined;
  #open: readonly RequestState[] = [];
  #telling: Promise<void> | undefined;
  #hearing: Promise<void> | undefined;
  #hearAt = 0;
  #answers: HeardAnswer[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(named: NamedChannel, parts: MessengerParts, signal: AbortSignal) {
    this.#named = named;
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Starts what a state asks for and returns what was heard since last time; throws what broke in the background. */
  look(state: RunState): HeardAnswer[] {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (state !== this.#state) this.#open = openRequests(state);
    this.#state = state;
    if (this.#signal.aborted || this.#open.length === 0) return this.heard();
    if (this.#telling === undefined && this.#next() !== undefined) {
      this.#telling = this.#guarded(() => this.#tellAll()).finally(() => {
        this.#telling = undefined;
      });
    }
    if (this.#hearing === undefined && this.#isToHear()) {
      this.#hearing = this.#guarded(() => this.#hear(state)).finally(() => {
        this.#hearing = undefined;
      });
    }
    return this.heard();
  }

  /** Begins nothing more. */
  rest(): void {
    this.#open = [];
  }

  /** Resolves once nothing is under way. */
  async idle(): Promise<void> {
    await Promise.all([this.#telling, this.#hearing]);
  }

  /** The answers that came since last time. */
  heard(): HeardAnswer[] {
    const heard = this.#answers.filter(({ request }) => this.#open.some(({ id }) => id === request));
    this.#answers = [];
    return heard;
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#failure = { error };
    }
  }

  /** The question that was tried least often, so that one nobody takes does not hold up the others. */
  #next(): RequestState | undefined {
    const { name } = this.#named;
    const isDone = (id: string) => this.#recorded.has(id) || this.#unheard.has(id);
    const waiting = this.#open.filter(({ id, told }) => !told.includes(name) && !isDone(id));
    const tries = ({ id }: RequestState) => this.#tries.get(id) ?? 0;
    return waiting.toSorted((a, b) => tries(a) - tries(b))[0];
  }

  async #tellAll(): Promise<void> {
    let delay = FIRST_MS;
    for (let next = this.#next(); next !== undefined && !this.#signal.aborted; next = this.#next()) {
      try {
        await this.#tell(next);
        delay = FIRST_MS;
      } catch (error) {
        if (!(error instanceof HelixError)) throw error;
        if (this.#signal.aborted) return this.#sayLate(next);
        this.#sayOnce('tell', `${this.#named.name} could not be told of ${next.id} yet: ${withHint(error)}`);
        if (this.#parts.retry === false) return;
        await this.#parts.clock.sleep(delay, this.#signal).catch(() => undefined);
        delay = Math.min(LONGEST_MS, 2 * delay);
      }
    }
  }

  async #tell(request: RequestState): Promise<void> {
    const { notifier, record, redact } = this.#parts;
    const { name: channel, settings } = this.#named;
    const { id } = request;
    if (this.#state === undefined) return;
    if (!this.#told.has(id)) {
      this.#tries.set(id, (this.#tries.get(id) ?? 0) + 1);
      const isHeard = await notifier.tell(settings, noticeOf(this.#state, request, redact), this.#signal);
      (isHeard ? this.#told : this.#unheard).add(id);
      if (!isHeard) return;
    }
    const tries = this.#tries.get(id) ?? 1;
    await record((state) => {
      const isKnown = state.requests.get(id)?.told.includes(channel) !== false;
      if (isKnown || state.ended !== undefined) return undefined;
      return { type: 'notification_sent', data: { request: id, channel, tries } };
    });
    this.#recorded.add(id);
  }

  #isToHear(): boolean {
    const isAsked = this.#open.some((request) => this.#knowsOf(request));
    return 'github' in this.#named.settings && isAsked && this.#parts.clock.monotonic() >= this.#hearAt;
  }

  #knowsOf({ id, told }: RequestState): boolean {
    return told.includes(this.#named.name) || this.#recorded.has(id);
  }

  async #hear(state: RunState): Promise<void> {
    const { notifier, redact, clock } = this.#parts;
    const told = [...state.requests.values()]
      .filter((request) => this.#knowsOf(request))
      .map(
        (request): ToldNotice => ({
          ...noticeOf(state, request, redact),
          ...settled(request),
          refusal: (answer) => refusalOf(state, answer),
        }),
      );
    try {
      const { answers, ignored } = await notifier.hear(this.#named.settings, told, this.#signal);
      this.#answers.push(...answers);
      for (const reason of ignored) this.#sayOnce(reason, reason);
    } catch (error) {
      if (!(error instanceof HelixError)) throw error;
      const { aborted } = this.#signal;
      // Who stays has asked before, and who has the answer by now does not need to know.
      if (aborted && this.#parts.retry !== false) return;
      const reason = aborted ? LATE : withHint(error);
      this.#sayOnce('hear', `${this.#named.name} could not be asked for answers: ${reason}`);
    } finally {
      this.#hearAt = clock.monotonic() + HEAR_MS;
    }
  }

  #sayLate({ id }: RequestState): void {
    if (!this.#open.some((request) => request.id === id)) return;
    this.#sayOnce('late', `${this.#named.name} could not be told of ${id}: ${LATE}`);
  }

  #sayOnce(what: string, text: string): void {
    if (this.#said.has(what)) return;
    this.#said.add(what);
    this.#parts.onNotice?.(oneLine(this.#parts.redact(text)));
  }
}

function settled({ answer, withdrawn }: RequestState): Pick<ToldNotice, 'settled'> {
  if (answer === undefined) return withdrawn === true ? { settled: {} } : {};
  const { at, option, comment, actor } = answer;
  return { settled: { at, by: { option, actor, ...present({ comment }) } } };
}

function refusalOf(state: RunState, { actor, ...answer }: HeardAnswer): string | undefined {
  try {
    decisionOf(state, answer, actor);
    return undefined;
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    return error.message;
  }
}

function withHint({ message, hint }: HelixError): string {
  return hint === undefined ? message : `${message}; ${hint}`;
}
