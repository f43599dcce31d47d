import { isDeepStrictEqual } from 'node:util';
import type { ConsultantAnswer, Decision } from '../src/domain/facts/consultation.ts';
import { type MeetingExpert, NO_MEETING } from '../src/domain/facts/meeting.ts';
import type { NewEvent } from '../src/domain/facts/run-event.ts';
import { openRequests, type RequestState } from '../src/domain/facts/run-state.ts';
import { fixedPhases } from '../src/domain/growing/growth-state.ts';
import { creatorsBefore, nearestCreator } from '../src/domain/ladder/authors.ts';
import { unheard } from '../src/domain/ladder/meeting.ts';
import { revertTargets } from '../src/domain/ladder/revert.ts';
import type { EscalationSettings } from '../src/domain/plan/escalation-settings.ts';
import type { Gate } from '../src/domain/plan/gate.ts';
import type { Phase, Plan } from '../src/domain/plan/plan.ts';
import { growsPlan, PLAN_GATE, type PlanGrowth } from '../src/domain/plan-growth.ts';
import { decide, type Step } from '../src/domain/run/decide.ts';
import { replay } from '../src/domain/run/evolve.ts';
import { calledIn } from '../src/domain/run/evolve-meeting.ts';
import { Simulation } from '../src/domain/run/simulation.fixture.ts';
import { FailureClass } from '../src/domain/verdict.ts';
import { LadderLedger } from './ladder-ledger.ts';
import { randomNumbers } from './random-numbers.ts';
import { samplePhase, samplePlan } from './sample-start.ts';

type Effect = Exclude<Step, { do: 'record' }>;
const OWNER = { host: '', pid: 1, start: '', boot: '' };
const MOST_STEPS = 4000;

/** One random run: gates fail, agents and HELIX are cut short, consultants and humans decide, twice if they like. */

class LadderSchedule {
  readonly simulation: Simulation;
  readonly ledger: LadderLedger;
  readonly #random: () => number;
  readonly #busy = new Map<string, Effect>();

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    const plan = this.#plan();
    const inRepository = this.#chance(0.5);
    const escalation = this.#settings();
    this.simulation = new Simulation(plan, {
      escalation,
      ...(this.#chance(0.3) && { attended: true, showsPlans: this.#chance(0.5) }),
      ...(inRepository && { base: { commit: 'c0', tree: 't0', branch: 'refs/heads/helix/sim' } }),
    });
    this.ledger = new LadderLedger(this.simulation);
  }

  /** Runs it to its end and throws what it broke. */
  run(): void {
    for (let n = 0; n < MOST_STEPS; n += 1) {
      if (this.simulation.state.ended !== undefined) {
        this.#atTheEnd();
        return;
      }
      this.#next();
      this.ledger.look();
    }
    throw new Error('the run neither ends nor waits for something named');
  }

  #atTheEnd(): void {
    const { events, state } = this.simulation;
    if (!isDeepStrictEqual(replay(events), state)) throw new Error('replay and live differ');
    this.ledger.atTheEnd();
  }

  #next(): void {
    if (this.#chance(0.03)) this.#killed();
    const steps = decide(this.simulation.state, new Set(this.#busy.keys()));
    const record = steps.find((step) => step.do === 'record');
    const start = this.#pick(steps.filter((step): step is Effect => step.do !== 'record'));
    const under = this.#pick([...this.#busy.values()]);
    if (record?.do === 'record') this.simulation.add(record.event);
    else if (under !== undefined && (start === undefined || this.#chance(0.5))) this.#ends(under);
    else if (start !== undefined) this.#starts(start);
    else this.#waits();
  }

  #starts(step: Effect): void {
    const { phase, attempt } = { attempt: 1, ...step };
    if (step.do === 'attempt') {
      if (this.#chance(0.05)) {
        this.simulation.interrupted(step, this.#failure());
        return;
      }
      this.simulation.started(step);
    }
    if (step.do === 'consult') {
      const { purpose, because } = step;
      const data = { phase: phase.id, attempt, consultation: this.#name(), purpose, because, agent: 'default' };
      this.simulation.add({ type: 'consultation_started', data });
    }
    if (step.do === 'meet') this.#asks(step);
    this.#busy.set(phase.id, step);
  }

  /** Whom a meeting turns to is asked; whom it calls for is only looked up. */
  #asks({ phase, attempt, part }: Extract<Effect, { do: 'meet' }>): void {
    const meeting = this.simulation.state.phases.get(phase.id)?.history.meeting ?? NO_MEETING;
    if (part === 'experts') {
      for (const expert of unheard(meeting)) this.#ask({ phase: phase.id, attempt, part: 'expert', expert });
    } else this.#ask({ phase: phase.id, attempt, part });
  }

  #ask(about: { phase: string; attempt: number; part: 'expert' | 'questions' | 'criteria'; expert?: string }): void {
    this.simulation.add({ type: 'meeting_asked', data: { ...about, call: this.#name(), agent: 'default' } });
  }

  /** What is said in a meeting, or why nothing is. */
  #meets({ phase, attempt, part }: Extract<Effect, { do: 'meet' }>): void {
    const at = this.simulation.state.phases.get(phase.id);
    if (part === 'experts' && at?.history.meeting?.experts === undefined) {
      const experts = ['law', 'sea'].filter(() => this.#chance(0.7)).map((id) => expertCalled(id));
      this.simulation.add({ type: 'experts_chosen', data: { phase: phase.id, experts } });
      return;
    }
    for (const { approval: call, of } of at?.asking ?? []) {
      const whom = calledIn(of);
      if (whom !== undefined) this.#says({ phase: phase.id, attempt, call, ...whom });
    }
  }

  #says({ part, expert, ...about }: Call): void {
    const cost = { usd: 0, basis: 'simulated' } as const;
    const whom = { part, ...(expert !== undefined && { expert }) };
    if (this.#chance(0.12)) {
      const data = { ...about, ...whom, failure: this.#failure(), message: '', durationMs: 1 };
      this.simulation.add({ type: 'meeting_interrupted', data });
    } else if (this.#chance(part === 'expert' ? 0.4 : 0.2)) {
      this.simulation.add({ type: 'meeting_refused', data: { ...about, ...whom, reasons: ['no'], durationMs: 1 } });
    } else {
      const said = this.#said(about.phase, { part, expert });
      this.simulation.add({ type: 'meeting_answered', data: { ...about, said, cost, durationMs: 1, simulated: true } });
    }
  }

  #said(phase: string, { part, expert = '' }: Pick<Call, 'part' | 'expert'>): MeetingSaid {
    if (part === 'expert') {
      return { part, expert, words: { matters: ['m'], risks: [], disagreements: [], questions: [] } };
    }
    if (part === 'questions') {
      const count = Math.floor(this.#random() * 3);
      const questions = Array.from({ length: count }, (_, at) => ({
        topic: 't',
        question: `q${at}`,
        options: OPTIONS,
      }));
      return { part, coverage: [{ topic: 't', state: 'missing' }], questions };
    }
    const from = this.simulation.state.phases.get(phase)?.current?.tree ?? '';
    const tree = `s${this.simulation.events.length}`;
    return { part, criteria: [{ id: 'C1', text: 'it is there', check: 'look' }], from, tree };
  }

  #ends(step: Effect): void {
    const { simulation } = this;
    this.#busy.delete(step.phase.id);
    if (step.do === 'attempt') {
      if (this.#chance(0.15)) simulation.interrupted(step, this.#failure());
      else simulation.finished(step);
    } else if (step.do === 'judge') this.#judges(step);
    else if (step.do === 'consult') this.#consults(step);
    else if (step.do === 'take') this.#takes(step);
    else if (step.do === 'accept') this.#accepts(step);
    else if (step.do === 'join') this.#joins(step);
    else if (step.do === 'grow') this.#grows(step);
    else if (step.do === 'meet') this.#meets(step);
    else simulation.sentBack(step);
  }

  #judges(step: Extract<Effect, { do: 'judge' }>): void {
    const { phase, attempt } = step;
    const about = { phase: phase.id, attempt };
    if (this.#chance(0.08)) {
      const data = { ...about, gate: 'files_exist', message: '', failure: this.#failure() };
      this.simulation.add({ type: 'judging_interrupted', data });
      return;
    }
    const [pattern] = this.simulation.state.escalation.errorPatterns;
    const passes = this.#chance(0.35);
    if (phase.type === 'approval') this.ledger.approve(phase.id, attempt, passes);
    const verdict = {
      gate: phase.gates[0]?.type ?? 'files_exist',
      outcome: passes ? 'pass' : 'reject',
      findings: [],
      tree: 't',
      durationMs: 1,
      ...(passes && growsPlan(phase) && { growth: this.#growth() }),
    };
    const matched = !passes && pattern !== undefined && this.#chance(0.1) ? { matched: pattern } : {};
    // Where two trees were joined it is their commands that object, not the review.
    const joined = this.simulation.state.phases.get(phase.id)?.current?.joined !== undefined;
    const reads = phase.type === 'review' && !passes && !joined && this.#chance(0.9);
    const authors = reads ? { authors: this.#authors(phase) } : {};
    const data = { ...about, verdicts: [verdict as never], ...matched, ...authors };
    this.simulation.add({ type: 'attempt_judged', data });
  }

  /** What a written plan would change, and whether somebody has to agree to it. */
  #growth(): PlanGrowth {
    const powers = this.#chance(0.3) ? ['a command'] : [];
    return { added: ['x'], changed: [], dropped: [], powers, lost: [], phases: [] };
  }

  /** Whose work a review rejects: some of those it has before it. */
  #authors(phase: Phase): { phase: string; findings: string[] }[] {
    const { plan } = this.simulation.state;
    const nearest = nearestCreator(phase, plan);
    const some = creatorsBefore(phase, plan).filter(({ id }) => id === nearest || this.#chance(0.4));
    return some.map(({ id }) => ({ phase: id, findings: [] }));
  }

  #consults({ phase, attempt, purpose }: Extract<Effect, { do: 'consult' }>): void {
    const { state } = this.simulation;
    const consultation = state.phases.get(phase.id)?.asking[0]?.approval ?? '';
    const about = { phase: phase.id, attempt, consultation, durationMs: 1 };
    if (this.#chance(0.12)) {
      const data = { ...about, failure: this.#failure(), message: '' };
      this.simulation.add({ type: 'consultation_interrupted', data });
      return;
    }
    if (this.#chance(0.2)) {
      this.simulation.add({ type: 'consultation_refused', data: { ...about, purpose, reasons: ['no'] } });
      return;
    }
    const target = this.#pick(revertTargets(phase.id, state));
    const asks = purpose === 'advise' || this.#chance(0.15);
    const back = !asks && target !== undefined && this.#chance(0.5);
    const outcome: 'ask' | 'revert' | 'retry' = asks ? 'ask' : back ? 'revert' : 'retry';
    const option = { description: 'do', effort: 'low', recommended: true, decision: this.#proposed(target) };
    const advice = {
      analysis: { problem: 'p', suspected_cause: 'c', learning: 'l' },
      options: this.#chance(0.5) ? [option] : [],
    };
    const data = {
      ...{ ...about, purpose, outcome, changes: asks ? {} : { model: 'other' } },
      cost: { usd: 0, basis: 'simulated' as const },
      simulated: true,
      ...(outcome === 'revert' && target !== undefined && { target }),
      ...(asks && { advice }),
    };
    this.simulation.add({ type: 'consultation_finished', data: { ...data, answer: ANSWER } });
  }

  #proposed(target: string | undefined): Decision {
    if (target !== undefined && this.#chance(0.4)) return { action: 'revert', phase: target };
    return { action: 'retry', guidance: 'do it so' };
  }

  #takes({ phase, attempt, start }: Extract<Effect, { do: 'take' }>): void {
    const about = { phase: phase.id, attempt };
    const turn = this.simulation.state.phases.get(phase.id)?.history.turns ?? 0;
    const begun = { ...about, turn, start: start ?? 'base', inputs: [], brief: '', agent: 'human', manual: true };
    this.simulation.add({ type: 'attempt_started', data: begun });
    this.simulation.finished({ phase, attempt });
  }

  #accepts({ phase, attempt, tree }: Extract<Effect, { do: 'accept' }>): void {
    const at = this.simulation.state.phases.get(phase.id);
    const { request = '', actor = '', reason = '' } = at?.rulings.override ?? {};
    const overridden = at?.rulings.override?.attempt === attempt;
    const data = {
      ...{ phase: phase.id, attempt, tree },
      ...(this.simulation.state.tip !== undefined && { commit: `c${this.simulation.events.length}` }),
      ...(overridden && { override: { request, actor, reason } }),
    };
    this.simulation.add({ type: 'phase_accepted', data });
  }

  #joins({ phase, attempt }: Extract<Effect, { do: 'join' }>): void {
    const base = this.simulation.state.tip?.commit ?? '';
    const conflicts = this.#chance(0.2) ? [{ severity: 'error', check: 'conflict', message: 'm' } as const] : [];
    const data = { phase: phase.id, attempt, tree: `j${this.simulation.events.length}`, base, with: [], conflicts };
    this.simulation.add({ type: 'attempt_joined', data });
  }

  /** Some of what has not begun goes, and something comes after the phase that wrote the plan. */
  #grows({ phase, tree }: Extract<Effect, { do: 'grow' }>): void {
    const { state } = this.simulation;
    const none = { phase: phase.id, tree, added: [], changed: [], dropped: [] };
    const grown = (state.growths ?? []).filter(({ kept }) => kept === undefined).length;
    if (grown > 3 || this.#chance(0.2)) {
      this.simulation.add({ type: 'plan_grown', data: { ...none, kept: 'no' } });
      return;
    }
    const fixed = fixedPhases(state, phase.id);
    const count = Math.floor(this.#random() * 3);
    const added = Array.from({ length: count }, (_, at) => {
      const id = `g${this.simulation.events.length}-${at}`;
      const gate = this.#gate('files_exist');
      const { maxRetries } = gate;
      return samplePhase(id, {
        ...{ dependsOn: [phase.id], gates: [gate], maxRetries },
        requiresApproval: this.#chance(0.2),
      });
    });
    const plan = { ...state.plan, phases: [...fixed, ...added] };
    const ids = new Set(plan.phases.map(({ id }) => id));
    const dropped = state.plan.phases.map(({ id }) => id).filter((id) => !ids.has(id));
    this.simulation.add({ type: 'plan_grown', data: { ...none, plan, added: added.map(({ id }) => id), dropped } });
  }

  /** Nothing can happen and nothing is under way: then it waits for something with a name. */
  #waits(): void {
    const { state } = this.simulation;
    const request = this.#pick(openRequests(state));
    if (request !== undefined) this.#answers(request);
    else if (state.parked !== undefined) this.simulation.add({ type: 'run_resumed', data: { owner: OWNER } });
    else throw new Error('nothing is under way, nothing can start, and nobody is asked');
  }

  #answers(request: RequestState): void {
    // Whoever is asked again and again gives up one day.
    const tired = this.simulation.state.requests.size > 12;
    const option = tired ? request.options.at(-1) : this.#pick(request.options);
    if (option === undefined) throw new Error('a question without options');
    const { action, guidance } = option.decision;
    const words = action === 'answer' && guidance === undefined ? { comment: 'in my words' } : {};
    const answer = { request: request.id, option: option.id, decision: option.decision, actor: 'me', ...words };
    this.simulation.add({ type: 'decision_taken', data: answer });
    if (this.#chance(0.3))
      this.ledger.nothingChanges({ type: 'decision_taken', data: { ...answer, actor: 'another' } });
  }

  /** kill -9 and a new start: whatever was open is closed without counting. */
  #killed(): void {
    this.#busy.clear();
    const { simulation } = this;
    const asking = [...simulation.state.phases].flatMap(({ id, asking: open }) =>
      open.map(({ approval, of }) => ({ phase: id, approval, whom: calledIn(of) })),
    );
    simulation.killedAndResumed();
    for (const { phase, approval, whom } of asking) {
      const data = { phase, attempt: 1, failure: 'orchestrator', message: '', durationMs: 1 } as const;
      if (whom !== undefined)
        simulation.add({ type: 'meeting_interrupted', data: { ...data, ...whom, call: approval } });
      else simulation.add({ type: 'consultation_interrupted', data: { ...data, consultation: approval } });
    }
  }

  #plan(): Plan {
    const size = 1 + Math.floor(this.#random() * 5);
    const phases = Array.from({ length: size }, (_, index): Phase => {
      const before = Array.from({ length: index }, (_each, at) => `p${at}`).filter(() => this.#chance(0.6));
      const type = index > 0 && this.#chance(0.3) ? (this.#chance(0.5) ? 'approval' : 'review') : 'development';
      const gate = this.#gate(type === 'review' ? 'review_approved' : 'files_exist');
      const grows = type === 'development' && this.#chance(0.15);
      const meets = type === 'development' && this.#chance(0.2);
      return samplePhase(`p${index}`, {
        type,
        dependsOn: before,
        optional: this.#chance(0.1),
        requiresApproval: this.#chance(0.1),
        gates: grows ? [gate, { ...gate, type: PLAN_GATE }] : [gate],
        maxRetries: gate.maxRetries,
        ...(meets && { type: 'meeting', config: this.#meeting(), output: { directory: '.', files: this.#files() } }),
        ...((type === 'approval' || (type === 'review' && this.#chance(0.2))) && {
          onRejection: { action: this.#chance(0.5) ? 'retry_phase' : 'escalate', max_retries: 2 },
        }),
      });
    });
    const unattended = this.#chance(0.3) ? ({ unattended: 'assume' } as const) : {};
    return samplePlan(phases, { concurrency: 1 + Math.floor(this.#random() * 3), ...unattended });
  }

  #meeting(): Phase['config'] {
    const experts = this.#pick([[], ['auto'], ['law'], ['law', 'sea'], ['law', 'auto']]) ?? [];
    return { experts, ...(this.#chance(0.7) && { max_iterations: 2 }) };
  }

  #files(): string[] {
    return this.#chance(0.6) ? ['spec.yaml'] : [];
  }

  #gate(type: string): Gate {
    const onFailure = this.#chance(0.75) ? 'retry' : this.#chance(0.8) ? 'escalation' : 'abort';
    return { type, settings: {}, onFailure, maxRetries: 1 + Math.floor(this.#random() * 3) };
  }

  #settings(): EscalationSettings {
    const level = this.#chance(0.5) ? 'stufe-1' : 'stufe-2';
    return {
      consultant: {
        actions: [],
        models: [],
        ...(this.#chance(0.5) && { attempts: Math.floor(this.#random() * 4) }),
      },
      human: { onTimeout: 'wait' },
      errorPatterns: [{ pattern: 'x', level, ...(this.#chance(0.2) && { action: 'abort' }) }],
    };
  }

  #failure(): FailureClass {
    return this.#pick(FailureClass.options) ?? 'crash';
  }

  #name(): string {
    return `a${this.simulation.events.length}`;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(choices: readonly T[]): T | undefined {
    return choices[Math.floor(this.#random() * choices.length)];
  }
}

type MeetingSaid = Extract<NewEvent, { type: 'meeting_answered' }>['data']['said'];

/** A call of a meeting, and whom it is for. */
type Call = {
  readonly phase: string;
  readonly attempt: number;
  readonly call: string;
  readonly part: MeetingSaid['part'];
  readonly expert?: string | undefined;
};

const OPTIONS = [{ answer: 'yes', recommended: true, reason: 'usual' }, { answer: 'no' }];

function expertCalled(id: string): MeetingExpert {
  return { id, name: id, because: 'the request says so', description: '', skills: [] };
}

const ANSWER: ConsultantAnswer = {
  analysis: { failure_summary: 's', root_cause: 'r' },
  decision: { action: 'retry_with_changes' },
};

/** Plays many random runs and says with which seed a promise was broken. */
export function playSchedules(count: number, first: number): Record<string, number> {
  const ends: Record<string, number> = {};
  for (let seed = first; seed < first + count; seed += 1) {
    try {
      const schedule = new LadderSchedule(seed);
      schedule.run();
      const { status = 'open' } = schedule.simulation.state.ended ?? {};
      ends[status] = (ends[status] ?? 0) + 1;
      for (const seen of schedule.ledger.seen) ends[seen] = (ends[seen] ?? 0) + 1;
    } catch (error) {
      throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  return ends;
}
