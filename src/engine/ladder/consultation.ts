import { ConsultantAnswer } from '../../domain/facts/consultation.ts';
import type { Cost, NewEvent } from '../../domain/facts/run-event.ts';
import { checkConsultant } from '../../domain/ladder/check-consultant.ts';
import { present } from '../../domain/present.ts';
import type { Step } from '../../domain/run/decide.ts';
import { CONSULTANT } from '../../domain/run/evolve-escalation.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { AgentEnd, JudgeTask } from '../../ports/agent.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { consultationPath } from '../../report/words/run-paths.ts';
import { oneLine } from '../../text/sanitise.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import type { StepContext } from '../step/engine-ports.ts';
import { type ChosenJudge, inNeutralDirectory, openJudge, reserve, withSnapshot } from '../step/fresh-judge.ts';
import { keptAnswer, readAnswer } from '../step/read-answer.ts';
import { caseBrief, caseIn, type GatheredCase, gatherCase } from './consultant-case.ts';

type ConsultStep = Extract<Step, { do: 'consult' }>;

const TIMEOUT_MS = 30 * 60_000;
const MAX_REASON = 500;
const MAX_MESSAGE = 2000;

/** An answer that is none is an answer that cannot be used; all else that goes wrong is an interruption. */
const NO_ANSWER: ReadonlySet<FailureClass> = new Set(['schema', 'protocol']);

/** Asks a consultant how a phase should go on; what it answers is a fact before anything follows from it. */
export async function performConsultation(step: ConsultStep, context: StepContext): Promise<void> {
  await new Consultation(step, context).perform();
}

type Limits = Pick<JudgeTask, 'wallMs' | 'spendUsd' | 'turn'>;
type Cut = { failure: FailureClass; message: string; cost?: Cost | undefined; until?: string | undefined };

/** One asking: from the case to the fact. */
class Consultation {
  readonly #step: ConsultStep;
  readonly #context: StepContext;
  readonly #id: string;
  /** When it was asked: what is gathered for it before is not its time. */
  #began: number | undefined;

  constructor(step: ConsultStep, context: StepContext) {
    this.#step = step;
    this.#context = context;
    this.#id = context.ports.newApprovalId();
  }

  async perform(): Promise<void> {
    await withSnapshot(
      () => this.#snapshot(),
      (snapshot) => this.#consult(snapshot?.dir),
      (cut) => this.#interrupted(cut),
    );
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
    const chosen = await openJudge(recorder.state.judges.consultant, this.#context);
    const gathered = await gatherCase(this.#step, { ports, state: recorder.state });
    const told = caseBrief(this.#step, gathered, { state: recorder.state, dir });
    const brief = ports.secrets.redact(told.brief);
    await ports.files.write(`${this.#path}/brief.md`, brief);
    const limits = await this.#reserve(chosen);
    if (limits === undefined)
      return this.#interrupted({ failure: 'budget', message: 'no budget is left for a consultant' });
    const given = { ...told, brief, readable: dir === undefined ? [] : [dir], ...limits };
    await this.#conclude(await this.#ask(given, chosen), chosen, gathered);
  }

  get #path(): string {
    return consultationPath(this.#step.phase.id, this.#id);
  }

  async #reserve({ name, model }: ChosenJudge): Promise<Limits | undefined> {
    const { phase, purpose, because } = this.#step;
    let turn = 0;
    const judging = { role: 'consultant', phase, agent: name, timeoutMs: TIMEOUT_MS } as const;
    const kept = await reserve(judging, this.#context, (reserved, now) => {
      turn = now.asked[CONSULTANT] ?? 0;
      const about = { ...this.#about(), purpose, because, agent: name, ...present({ model }) };
      return { type: 'consultation_started', data: { ...about, ...reserved } };
    });
    return kept && { turn, wallMs: TIMEOUT_MS, ...kept };
  }

  async #ask(
    told: Limits & Pick<JudgeTask, 'brief' | 'instructions' | 'readable'>,
    { agent, model }: ChosenJudge,
  ): Promise<AgentEnd> {
    const { ports, recorder, signal, watchers } = this.#context;
    const { phase } = this.#step;
    const path = `${this.#path}/transcript.jsonl`;
    const [seen = ''] = told.readable;
    this.#began = ports.clock.monotonic();
    const onText = (text: string) => watchers.onText?.(phase.id, withoutDirectory(text, seen));
    return inNeutralDirectory(ports, { path, onText }, (around) =>
      agent.perform({
        role: 'consultant',
        subject: { type: CONSULTANT, checks: [], inputs: [] },
        answer: ConsultantAnswer,
        ...told,
        ...around,
        ...present({ model }),
        marker: `${recorder.state.marker}:${phase.id}:consultation:${this.#id}`,
        sandbox: ports.sandbox,
        signal,
        onSpent: (usd) => watchers.onSpent?.(phase.id, usd),
      }),
    );
  }

  async #conclude(end: AgentEnd, { agent }: ChosenJudge, gathered: GatheredCase): Promise<void> {
    const { ports, recorder } = this.#context;
    const { purpose } = this.#step;
    const { model, version } = end;
    const worker = { ...present({ model, version }) };
    const about = { ...this.#about(), purpose, ...worker, durationMs: this.#elapsed() };
    if (end.kind === 'interrupted' && !NO_ANSWER.has(end.failure)) return this.#interrupted(end);
    const read =
      end.kind === 'interrupted'
        ? { refused: [end.message] }
        : readAnswer(end.answer, ConsultantAnswer, (text) => ports.secrets.redact(text));
    // What it may do is told by the state it is done in.
    await recorder.inThatState((now): NewEvent => {
      const checked =
        'refused' in read ? read : { ...read, ...checkConsultant(read.answer, caseIn(now, this.#step, gathered)) };
      const { cost } = end;
      if ('refused' in checked) {
        const reasons = checked.refused.map((reason) => this.#clean(reason, MAX_REASON));
        const answer = keptAnswer(end.kind === 'done' ? end.answer : end.refusedAnswer, (text) =>
          ports.secrets.redact(text),
        );
        return { type: 'consultation_refused', data: { ...about, reasons, ...present({ answer, cost }) } };
      }
      const data = { ...about, ...checked, cost: cost ?? { basis: 'unknown' as const }, simulated: agent.simulated };
      return { type: 'consultation_finished', data };
    });
  }

  #about(): { phase: string; attempt: number; consultation: string } {
    return { phase: this.#step.phase.id, attempt: this.#step.attempt, consultation: this.#id };
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
      type: 'consultation_interrupted',
      data: {
        ...this.#about(),
        ...{ failure, message: this.#clean(message, MAX_MESSAGE), durationMs: this.#elapsed() },
        ...present({ cost, until }),
      },
    });
  }
}
