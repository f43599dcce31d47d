import { ConsultantAnswer } from '../../domain/facts/consultation.ts';
import type { Cost, NewEvent } from '../../domain/facts/run-event.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { judgeReservation, type Reservation } from '../../domain/ladder/budget.ts';
import { checkConsultant } from '../../domain/ladder/check-consultant.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { CONSULTANT } from '../../domain/run/evolve-escalation.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { Agent, AgentEnd, JudgeTask } from '../../ports/agent.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { consultationPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { EnginePorts, Watchers } from '../step/engine-ports.ts';
import { failureOf, wordsOf } from '../step/failure.ts';
import type { Recorder } from '../step/recorder.ts';
import { caseBrief, caseIn, type GatheredCase, gatherCase } from './consultant-case.ts';
import { readConsultantAnswer } from './read-consultant-answer.ts';

type ConsultStep = Extract<Step, { do: 'consult' }>;
type Context = { ports: EnginePorts; recorder: Recorder; signal: AbortSignal; watchers: Watchers };

const TIMEOUT_MS = 30 * 60_000;
/** How often it is looked whether others have left enough of the budget. */
const POLL_MS = 250;
const MAX_REASON = 500;
const MAX_MESSAGE = 2000;

/** An answer that is none is an answer that cannot be used; all else that goes wrong is an interruption. */
const NO_ANSWER: ReadonlySet<FailureClass> = new Set(['schema', 'protocol']);

/** Asks a consultant how a phase should go on; what it answers is a fact before anything follows from it. */
export async function performConsultation(step: ConsultStep, context: Context): Promise<void> {
  await new Consultation(step, context).perform();
}

type Chosen = { readonly name: string; readonly agent: Agent; readonly model: string | undefined };
type Limits = Pick<JudgeTask, 'wallMs' | 'spendUsd' | 'turn'>;
type Cut = { failure: FailureClass; message: string; cost?: Cost | undefined; until?: string | undefined };

/** One asking: from the case to the fact. */
class Consultation {
  readonly #step: ConsultStep;
  readonly #context: Context;
  readonly #id: string;
  readonly #began: number;

  constructor(step: ConsultStep, context: Context) {
    this.#step = step;
    this.#context = context;
    this.#id = context.ports.newApprovalId();
    this.#began = context.ports.clock.monotonic();
  }

  async perform(): Promise<void> {
    let snapshot: Snapshot | undefined;
    try {
      snapshot = await this.#snapshot();
      await this.#consult(snapshot?.dir);
    } catch (error) {
      const failure = error instanceof HelixError && error.code === 'config' ? 'setup' : failureOf(error);
      if (failure === undefined) throw error;
      await this.#interrupted({ failure, message: wordsOf(error) });
    } finally {
      await snapshot?.dispose();
    }
  }

  /** The newest work of the phase, for the consultant to read. */
  async #snapshot(): Promise<Snapshot | undefined> {
    const { ports, recorder, signal } = this.#context;
    const { phase } = this.#step;
    const { current, judgedTree } = recorder.state.phases.get(phase.id) ?? {};
    const tree = current?.tree ?? judgedTree;
    return tree === undefined ? undefined : ports.workspace.snapshot(phase, tree, current?.inputs ?? [], signal);
  }

  async #consult(dir: string | undefined): Promise<void> {
    const { ports, recorder } = this.#context;
    const chosen = await this.#choose();
    const gathered = await gatherCase(this.#step, { ports, state: recorder.state });
    const told = caseBrief(this.#step, gathered, { state: recorder.state, dir });
    const brief = ports.secrets.redact(told.brief);
    await ports.files.write(`${this.#path}/brief.md`, brief);
    const neutral = await ports.neutralDirectory();
    try {
      const limits = await this.#reserve(chosen);
      if (limits === undefined)
        return await this.#interrupted({ failure: 'budget', message: 'no budget is left for a consultant' });
      const given = { ...told, brief, dir: neutral.dir, readable: dir === undefined ? [] : [dir] };
      await this.#conclude(await this.#ask({ ...given, ...limits }, chosen), chosen, gathered);
    } finally {
      await neutral.dispose();
    }
  }

  get #path(): string {
    return consultationPath(this.#step.phase.id, this.#id);
  }

  async #choose(): Promise<Chosen> {
    const { ports, recorder } = this.#context;
    const { judges, agents } = recorder.state;
    const name = judges.consultant;
    const wanted = agents[name]?.model;
    const agent = await ports.agent(name);
    return { agent, name, model: wanted === undefined ? undefined : await ports.modelId(wanted) };
  }

  /** Reserves what the consultant may spend and records that it starts; waits while others hold what is left. */
  async #reserve({ name, model }: Chosen): Promise<Limits | undefined> {
    const { ports, recorder, signal } = this.#context;
    const { phase, purpose, because } = this.#step;
    for (;;) {
      const found: { kept: Reservation | 'wait' | 'spent'; turn: number } = { kept: 'wait', turn: 0 };
      await recorder.inThatState((now) => {
        found.kept = judgeReservation({ phase, agent: name, timeoutMs: TIMEOUT_MS }, now);
        found.turn = now.asked[CONSULTANT] ?? 0;
        if (typeof found.kept === 'string') return undefined;
        const about = { ...this.#about(), purpose, because, agent: name, ...present({ model }) };
        return { type: 'consultation_started', data: { ...about, ...found.kept } };
      });
      const { kept, turn } = found;
      if (kept === 'spent') return undefined;
      if (kept !== 'wait') {
        const { reserved, reservedMs = TIMEOUT_MS } = kept;
        return { turn, wallMs: reservedMs, ...present({ spendUsd: reserved }) };
      }
      await waited(ports.clock.sleep(POLL_MS, signal));
    }
  }

  async #ask(
    told: Limits & Pick<JudgeTask, 'brief' | 'instructions' | 'dir' | 'readable'>,
    { agent, model }: Chosen,
  ): Promise<AgentEnd> {
    const { ports, recorder, signal, watchers } = this.#context;
    const { phase } = this.#step;
    const { state } = recorder;
    const transcript = await ports.files.lines(`${this.#path}/transcript.jsonl`);
    try {
      return await agent.perform({
        role: 'consultant',
        subject: { type: CONSULTANT, checks: [], inputs: [] },
        answer: ConsultantAnswer,
        ...told,
        ...present({ model }),
        marker: `${state.marker}:${phase.id}:consultation:${this.#id}`,
        sandbox: ports.sandbox,
        signal,
        onLine: (raw, text) => {
          transcript.line(ports.secrets.redact(raw));
          if (text !== undefined) watchers.onText?.(phase.id, text);
        },
        onSpent: (usd) => watchers.onSpent?.(phase.id, usd),
      });
    } finally {
      await transcript.close();
    }
  }

  async #conclude(end: AgentEnd, { agent }: Chosen, gathered: GatheredCase): Promise<void> {
    const { ports, recorder } = this.#context;
    const { purpose } = this.#step;
    const { model, version } = end;
    const worker = { ...present({ model, version }) };
    const about = { ...this.#about(), purpose, ...worker, durationMs: this.#elapsed() };
    if (end.kind === 'interrupted' && !NO_ANSWER.has(end.failure)) return this.#interrupted(end);
    const read =
      end.kind === 'interrupted'
        ? { refused: [end.message] }
        : readConsultantAnswer(end.answer, (text) => ports.secrets.redact(text));
    // What it may do is told by the state it is done in.
    await recorder.inThatState((now): NewEvent => {
      const checked =
        'refused' in read ? read : { ...read, ...checkConsultant(read.answer, caseIn(now, this.#step, gathered)) };
      const { cost } = end;
      if ('refused' in checked) {
        const reasons = checked.refused.map((reason) => this.#clean(reason, MAX_REASON));
        return { type: 'consultation_refused', data: { ...about, reasons, ...present({ cost }) } };
      }
      const data = { ...about, ...checked, cost: cost ?? { basis: 'unknown' as const }, simulated: agent.simulated };
      return { type: 'consultation_finished', data };
    });
  }

  #about(): { phase: string; attempt: number; consultation: string } {
    return { phase: this.#step.phase.id, attempt: this.#step.attempt, consultation: this.#id };
  }

  #elapsed(): number {
    return Math.max(0, Math.round(this.#context.ports.clock.monotonic() - this.#began));
  }

  #clean(text: string, max: number): string {
    return oneLine(this.#context.ports.secrets.redact(text), max);
  }

  async #interrupted({ failure, message, cost, until }: Cut): Promise<void> {
    await this.#context.recorder.happened({
      type: 'consultation_interrupted',
      data: {
        ...this.#about(),
        ...{ failure, message: this.#clean(message, MAX_MESSAGE), durationMs: this.#elapsed() },
        ...present({ cost, until }),
      },
    });
  }
}

/** Who is stopped while he waits has no answer. */
async function waited(sleep: Promise<void>): Promise<void> {
  try {
    await sleep;
  } catch (cause) {
    throw new HelixError('stopped', 'stopped before the consultant was asked', { cause });
  }
}
