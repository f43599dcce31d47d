import type { RunEvent } from '../src/domain/facts/run-event.ts';
import { wantsMeeting, writesSpec } from '../src/domain/ladder/meeting.ts';
import type { Phase } from '../src/domain/plan/plan.ts';
import type { Simulation } from '../src/domain/run/simulation.fixture.ts';

/** What a test can tell to have happened. */
export const MEETING_FACTS = [
  ...['experts_chosen', 'meeting_answered', 'meeting_refused', 'meeting_interrupted'],
  ...['expert_left_out', 'answer_assumed', 'plan_grown'],
];

type Books = {
  /** Who is to be heard, and who has been or is left out. */
  experts?: readonly string[];
  readonly done: Set<string>;
  /** How many questions there are, and those with an answer. */
  questions?: number;
  readonly answered: Set<number>;
  /** The trees into which somebody else has written criteria. */
  readonly judgedBy: Set<string>;
};

/** Keeps its own books of the meetings of a run, and throws where one breaks a promise. */
export class MeetingLedger {
  readonly #simulation: Simulation;
  readonly #books = new Map<string, Books>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  book(event: RunEvent): void {
    const { type, data } = event;
    if (type === 'experts_chosen') this.#of(data.phase).experts = data.experts.map(({ id }) => id);
    else if (type === 'expert_left_out') this.#of(data.phase).done.add(data.expert);
    else if (type === 'meeting_asked') this.#asked(data.phase, data);
    else if (type === 'meeting_answered') this.#said(data.phase, data.said);
    else if (type === 'answer_assumed') this.#assumed(data);
    else if (type === 'decision_taken') this.#decided(data.request);
    else if (type === 'attempt_started' && data.manual !== true) this.#started(data.phase);
    else if (type === 'phase_accepted') this.#accepted(data);
  }

  #of(phase: string): Books {
    const known = this.#books.get(phase) ?? { done: new Set(), answered: new Set(), judgedBy: new Set() };
    this.#books.set(phase, known);
    return known;
  }

  #phase(id: string): Phase | undefined {
    return this.#simulation.state.plan.phases.find((phase) => phase.id === id);
  }

  /** Whoever has said something is not asked again, whatever became of the work. */
  #asked(phase: string, { part, expert = '' }: { part: string; expert?: string | undefined }): void {
    const { done, questions } = this.#of(phase);
    if (part === 'expert' && done.has(expert)) throw new Error(`${expert} was heard twice in ${phase}`);
    if (part === 'questions' && questions !== undefined) throw new Error(`${phase} asked for questions twice`);
  }

  #said(phase: string, said: Extract<RunEvent, { type: 'meeting_answered' }>['data']['said']): void {
    const books = this.#of(phase);
    if (said.part === 'expert') books.done.add(said.expert);
    else if (said.part === 'questions') books.questions = said.questions.length;
    else books.judgedBy.add(said.tree);
  }

  #assumed({ phase, question }: { phase: string; question: number }): void {
    const { plan, attended } = this.#simulation.state;
    if (plan.unattended !== 'assume' || attended === true)
      throw new Error(`${phase} assumed what somebody could answer`);
    this.#answer(phase, question);
  }

  #decided(id: string): void {
    const request = this.#simulation.state.requests.get(id);
    if (request?.meeting !== undefined) this.#of(request.phase).answered.add(request.meeting);
  }

  #answer(phase: string, question: number): void {
    const { answered } = this.#of(phase);
    if (answered.has(question)) throw new Error(`question ${question} of ${phase} was answered twice`);
    answered.add(question);
  }

  #started(id: string): void {
    const phase = this.#phase(id);
    if (phase === undefined || !wantsMeeting(phase)) return;
    const { experts, done, questions, answered } = this.#of(id);
    const wanted = (phase.config.experts ?? []).length > 0;
    if (wanted && experts === undefined) throw new Error(`${id} began before it was known who is heard`);
    const silent = experts?.find((expert) => !done.has(expert));
    if (silent !== undefined) throw new Error(`${id} began before ${silent} was heard`);
    if (questions === undefined || answered.size < questions) throw new Error(`${id} began with open questions`);
  }

  /** Nobody judges by criteria that its own author wrote. */
  #accepted({ phase: id, tree, override }: Extract<RunEvent, { type: 'phase_accepted' }>['data']): void {
    const phase = this.#phase(id);
    const { manual, joined } = this.#simulation.state.phases.get(id)?.current ?? {};
    if (phase === undefined || !wantsMeeting(phase) || !writesSpec(phase)) return;
    if (manual === true || joined !== undefined || override !== undefined) return;
    if (!this.#of(id).judgedBy.has(tree)) throw new Error(`${id} was accepted without criteria of somebody else`);
  }
}
