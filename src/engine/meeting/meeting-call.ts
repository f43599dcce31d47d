import type { ZodType } from 'zod';
import type { MeetingExpert } from '../../domain/facts/meeting.ts';
import type { Cost, NewEvent } from '../../domain/facts/run-event.ts';
import { remaining } from '../../domain/ladder/budget.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { AgentEnd } from '../../ports/agent.ts';
import { meetingPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import { setupOf } from '../step/changed-phase.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { type ChosenJudge, inNeutralDirectory, openJudge, reserve } from '../step/fresh-judge.ts';
import { keptAnswer, readAnswer } from '../step/read-answer.ts';

const TIMEOUT_MS = 30 * 60_000;
const LEAST_MS = 60_000;
const MAX_REASON = 500;
const MAX_MESSAGE = 2000;

/** An answer that is none is an answer that cannot be used; all else that goes wrong is an interruption. */
const NO_ANSWER: ReadonlySet<FailureClass> = new Set(['schema', 'protocol']);

type Said = Extract<NewEvent, { type: 'meeting_answered' }>['data']['said'];

/** What somebody is asked in a meeting. */
export type MeetingCall<T> = {
  readonly phase: Phase;
  readonly attempt: number;
  readonly part: Said['part'];
  readonly expert?: MeetingExpert;
  /** How many were asked the like before: the move of a scripted one. */
  readonly turn: number;
  /** How many are asked side by side, so that what is left has to do for all of them. */
  readonly among?: number;
  readonly told: { readonly brief: string; readonly instructions: string };
  /** Where it may read. */
  readonly dir: string | undefined;
  readonly answer: ZodType<T>;
  /** What of the answer is recorded, or why it cannot be used. */
  readonly conclude: (answer: T) => Promise<Said | { readonly refused: readonly string[] }>;
};

type Cut = { failure: FailureClass; message: string; cost?: Cost | undefined; until?: string | undefined };

/** Asks somebody in a meeting: a fresh process that can read and answer; what comes of it is a fact before anything follows from it. */
export async function askInMeeting<T>(call: MeetingCall<T>, context: StepContext): Promise<void> {
  await (await beginInMeeting(call, context))();
}

/** Begins to ask somebody: from then on it is recorded that they are asked. The result lets them answer. */
export async function beginInMeeting<T>(call: MeetingCall<T>, context: StepContext): Promise<() => Promise<void>> {
  return new Asking(call, context).begin();
}

/** A part of a meeting that could not even be asked. */
export async function interruptMeeting(
  { phase, attempt, part }: Pick<MeetingCall<unknown>, 'phase' | 'attempt' | 'part'>,
  { failure, message }: Pick<Cut, 'failure' | 'message'>,
  { ports, recorder }: StepContext,
): Promise<void> {
  const about = { phase: phase.id, attempt, part, call: ports.newApprovalId() };
  const data = { ...about, failure, message: oneLine(ports.secrets.redact(message), MAX_MESSAGE), durationMs: 0 };
  await recorder.happened({ type: 'meeting_interrupted', data });
}

/** One asking: from what is told to the fact. */
class Asking<T> {
  readonly #call: MeetingCall<T>;
  readonly #context: StepContext;
  readonly #id: string;
  /** When it was asked: what is made ready for it before is not its time. */
  #began: number | undefined;

  constructor(call: MeetingCall<T>, context: StepContext) {
    this.#call = call;
    this.#context = context;
    this.#id = context.ports.newApprovalId();
  }

  async begin(): Promise<() => Promise<void>> {
    const { ports, recorder } = this.#context;
    const { agent: name, model } = setupOf(this.#call.phase, recorder.state);
    const chosen = await openJudge(name, this.#context, model);
    const brief = ports.secrets.redact(this.#call.told.brief);
    await ports.files.write(`${this.#path}/brief.md`, brief);
    const limits = await this.#reserve(chosen);
    if (limits === undefined)
      return () => this.#interrupted({ failure: 'budget', message: 'no budget is left for a meeting' });
    return async () => this.#conclude(await this.#ask({ brief, ...limits }, chosen), chosen);
  }

  get #path(): string {
    return meetingPath(this.#call.phase.id, this.#id);
  }

  async #reserve({ name, model }: ChosenJudge): Promise<{ wallMs: number; spendUsd?: number } | undefined> {
    const { phase } = this.#call;
    const { usd, timeoutMs } = this.#share();
    const judging = { role: 'consultant', phase, agent: name, timeoutMs, ...present({ usd }) } as const;
    const kept = await reserve(judging, this.#context, (reserved) => ({
      type: 'meeting_asked',
      data: { ...this.#about(), agent: name, ...present({ model }), ...reserved },
    }));
    return kept && { wallMs: timeoutMs, ...kept };
  }

  /** One share is left over for whoever makes something of what was said. */
  #share(): { usd: number | undefined; timeoutMs: number } {
    const { among = 1 } = this.#call;
    if (among === 1) return { usd: undefined, timeoutMs: TIMEOUT_MS };
    const { usd, minutes } = remaining(this.#context.recorder.state);
    const ms = minutes === undefined ? TIMEOUT_MS : Math.max(LEAST_MS, Math.floor((minutes * 60_000) / (among + 1)));
    return { usd: usd === undefined ? undefined : usd / (among + 1), timeoutMs: Math.min(TIMEOUT_MS, ms) };
  }

  async #ask(
    told: { brief: string; wallMs: number; spendUsd?: number },
    { agent, model }: ChosenJudge,
  ): Promise<AgentEnd> {
    const { ports, recorder, signal, watchers } = this.#context;
    const { phase, part, expert, turn, dir, answer, told: words } = this.#call;
    const path = `${this.#path}/transcript.jsonl`;
    this.#began = ports.clock.monotonic();
    const onText = (text: string) => watchers.onText?.(phase.id, withoutDirectory(text, dir ?? ''));
    return inNeutralDirectory(ports, { path, onText }, (around) =>
      agent.perform({
        role: 'consultant',
        subject: { type: part, checks: expert === undefined ? [] : [expert.id], inputs: [] },
        ...{ answer, turn, instructions: words.instructions, readable: dir === undefined ? [] : [dir] },
        ...told,
        ...around,
        ...present({ model }),
        marker: `${recorder.state.marker}:${phase.id}:meeting:${this.#id}`,
        sandbox: ports.sandbox,
        signal,
        onSpent: (usd) => watchers.onSpent?.(phase.id, usd),
      }),
    );
  }

  async #conclude(end: AgentEnd, { agent }: ChosenJudge): Promise<void> {
    const { ports, recorder } = this.#context;
    const { model, version, cost } = end;
    const worker = { ...present({ model, version }) };
    const durationMs = this.#elapsed();
    if (end.kind === 'interrupted' && !NO_ANSWER.has(end.failure)) return this.#interrupted(end);
    const redact = (text: string) => ports.secrets.redact(text);
    const read =
      end.kind === 'interrupted' ? { refused: [end.message] } : readAnswer(end.answer, this.#call.answer, redact);
    const said = 'refused' in read ? read : await this.#call.conclude(read.answer);
    if ('refused' in said) {
      const reasons = said.refused.map((reason) => this.#clean(reason, MAX_REASON));
      const answer = keptAnswer(end.kind === 'done' ? end.answer : end.refusedAnswer, redact);
      const data = { ...this.#about(), ...worker, reasons, durationMs, ...present({ answer, cost }) };
      return recorder.happened({ type: 'meeting_refused', data });
    }
    const { phase, attempt, call } = this.#about();
    const paid = cost ?? { basis: 'unknown' as const };
    const data = { phase, attempt, call, ...worker, said, cost: paid, durationMs, simulated: agent.simulated };
    await recorder.happened({ type: 'meeting_answered', data });
  }

  #about() {
    const { phase, attempt, part, expert } = this.#call;
    return { phase: phase.id, attempt, call: this.#id, part, ...present({ expert: expert?.id }) };
  }

  #elapsed(): number {
    if (this.#began === undefined) return 0;
    return Math.max(0, Math.round(this.#context.ports.clock.monotonic() - this.#began));
  }

  #clean(text: string, max: number): string {
    return oneLine(this.#context.ports.secrets.redact(text), max);
  }

  async #interrupted({ failure, message, cost, until }: Cut): Promise<void> {
    await this.#context.recorder.happened({
      type: 'meeting_interrupted',
      data: {
        ...this.#about(),
        ...{ failure, message: this.#clean(message, MAX_MESSAGE), durationMs: this.#elapsed() },
        ...present({ cost, until }),
      },
    });
  }
}
