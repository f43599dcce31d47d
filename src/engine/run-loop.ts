import { openRequests, type RunState } from '../domain/facts/run-state.ts';
import { decide, type Step } from '../domain/run/decide.ts';
import type { Clock } from '../ports/clock.ts';
import { performAttempt } from './attempt/attempt.ts';
import { takeManualChange } from './attempt/manual-change.ts';
import { performAcceptance, performJoin } from './judge/acceptance.ts';
import { performJudgement } from './judge/judgement.ts';
import { performSendBack } from './judge/send-back.ts';
import { BackOff } from './ladder/back-off.ts';
import { performConsultation } from './ladder/consultation.ts';
import type { RunAttendant } from './ladder/run-attendant.ts';
import { performMeeting } from './meeting/perform-meeting.ts';
import type { EnginePorts, Watchers } from './step/engine-ports.ts';
import type { Recorder } from './step/recorder.ts';

const POLL_MS = 250;
const BREATH_MS = 20;

type Effect = Exclude<Step, { do: 'record' }>;
type Loop = {
  readonly ports: EnginePorts;
  readonly recorder: Recorder;
  readonly watchers: Watchers;
  /** Aborted with the name of the signal that asks HELIX to stop. */
  readonly stop: AbortSignal;
  /** Stay while a question to a human is open or the run is parked for a quota, and go on by itself. */
  readonly wait: boolean;
  /** Looks after what is asked. */
  readonly attendant: RunAttendant;
};

/** The one loop: decide what may happen, perform it, until nothing can happen any more. */
export async function runLoop(loop: Loop): Promise<RunState> {
  const { attendant, recorder } = loop;
  const work = new Work(loop);
  const backOff = new BackOff(loop);
  const breathe = regularly(loop.ports.clock);
  try {
    for (;;) {
      await work.throwFailure();
      if (loop.stop.aborted || loop.recorder.state.cancelRequested) work.abort();
      if (loop.stop.aborted && work.idle) return await interrupted(loop);
      if (!loop.stop.aborted && (await advance(loop, work))) continue;
      if (!loop.stop.aborted && (await backOff.goOn())) continue;
      if (work.idle && !mustWait(loop, backOff)) {
        if ((await attendant.look()) || (await attendant.close()) || (await recorder.refresh())) continue;
        return recorder.state;
      }
      if ((await work.next()) && !(await attendant.look())) await recorder.refresh();
      await breathe();
    }
  } finally {
    await work.end();
    await attendant.close(0);
  }
}

/** Breathes every few milliseconds, so that a run of quick steps still hears signals and can be cancelled. */
function regularly(clock: Clock): () => Promise<void> {
  let last = clock.monotonic();
  return async () => {
    if (clock.monotonic() - last < BREATH_MS) return;
    await clock.breathe();
    last = clock.monotonic();
  };
}

/** Starts or records what follows from the present state; true when the state is worth another look at once. */
async function advance({ recorder }: Loop, work: Work): Promise<boolean> {
  for (const step of decide(recorder.state, work.busy)) {
    if (step.do === 'record') {
      await recorder.follows(step.event);
      return true;
    }
    work.start(step);
  }
  return false;
}

function mustWait({ recorder, wait }: Loop, backOff: BackOff): boolean {
  const { state } = recorder;
  if (!wait || state.ended !== undefined) return false;
  return state.parked === undefined ? openRequests(state).length > 0 : backOff.waits;
}

async function interrupted({ recorder, stop }: Loop): Promise<RunState> {
  if (recorder.state.ended === undefined) {
    await recorder.happened({ type: 'run_interrupted', data: { signal: String(stop.reason) } });
  }
  return recorder.state;
}

/** The effects under way, one per phase at most. */
class Work {
  readonly busy = new Set<string>();
  readonly #loop: Loop;
  readonly #abort = new AbortController();
  readonly #over = new AbortController();
  readonly #under = new Set<Promise<void>>();
  #failure: { error: unknown } | undefined;
  #waiting: ((late: boolean) => void) | undefined;
  #ended = false;
  #ticking = false;

  constructor(loop: Loop) {
    this.#loop = loop;
    loop.stop.addEventListener('abort', () => this.#wake(false), { once: true, signal: this.#over.signal });
  }

  get idle(): boolean {
    return this.#under.size === 0;
  }

  /** Aborts what is under way and throws what broke, once everything has come to an end. */
  async throwFailure(): Promise<void> {
    if (this.#failure === undefined) return;
    await Promise.allSettled(this.#under);
    throw this.#failure.error;
  }

  abort(): void {
    this.#abort.abort('cancelled');
  }

  start(step: Effect): void {
    this.busy.add(step.phase.id);
    const effect = this.#perform(step)
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.abort();
      })
      .finally(() => {
        this.busy.delete(step.phase.id);
        this.#under.delete(effect);
        this.#wake(false);
      });
    this.#under.add(effect);
  }

  /** Resolves when an effect ended (false), or when it is time to look for what others recorded (true). */
  next(): Promise<boolean> {
    this.#tick();
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#ended) this.#wake(false);
    });
  }

  #wake(late: boolean): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#ended = waiting === undefined && (this.#ended || !late);
    waiting?.(late);
  }

  #tick(): void {
    if (this.#ticking) return;
    this.#ticking = true;
    const woken = (late: boolean) => {
      this.#ticking = false;
      if (late) this.#wake(true);
    };
    this.#loop.ports.clock.sleep(POLL_MS, this.#over.signal).then(
      () => woken(true),
      () => woken(false),
    );
  }

  /** Leaves nothing running, whatever happened. */
  async end(): Promise<void> {
    this.#over.abort();
    this.abort();
    await Promise.allSettled(this.#under);
  }

  async #perform(step: Effect): Promise<void> {
    const { ports, recorder, watchers } = this.#loop;
    const context = { ports, recorder, watchers, signal: this.#abort.signal };
    if (step.do === 'attempt') return performAttempt(step, context);
    if (step.do === 'judge') return performJudgement(step, context);
    if (step.do === 'join') return performJoin(step, context);
    if (step.do === 'send-back') return performSendBack(step, context);
    if (step.do === 'consult') return performConsultation(step, context);
    if (step.do === 'grow') return (await import('./growing/perform-growth.ts')).performGrowth(step, context);
    if (step.do === 'meet') return performMeeting(step, context);
    if (step.do === 'take') return takeManualChange(step, context);
    return performAcceptance(step, context);
  }
}
