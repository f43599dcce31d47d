import type { NewEvent, RunEvent } from '../src/domain/facts/run-event.ts';
import { creatorsBefore } from '../src/domain/ladder/authors.ts';
import type { Simulation } from '../src/domain/run/simulation.fixture.ts';
import { MEETING_FACTS, MeetingLedger } from './meeting-ledger.ts';

type Rung = {
  attempts: number;
  granted: boolean;
  consulted: boolean;
  manual: boolean;
  joined: boolean;
  /** Answers of a consultant in a row that could not be used. */
  refusals: number;
  /** A human let it start. */
  cleared: boolean;
  /** How often it has sent work back. */
  reworks: number;
  /** It is a review that rejects, and what it rejects has not gone back. */
  rejects: boolean;
};

const UNCLIMBED = { granted: false, consulted: false, reworks: 0 };

/** Keeps its own books of a run, from its facts alone, and throws where the run breaks a promise of the ladder. */
export class LadderLedger {
  /** What happened at all, so that a test can tell that everything does. */
  readonly seen = new Set<string>();
  readonly #simulation: Simulation;
  readonly #rungs = new Map<string, Rung>();
  readonly #counted = new Set<string>();
  readonly #answered = new Set<string>();
  /** Attempts that passed their gates or that a human let pass, as `phase attempt`. */
  readonly #good = new Set<string>();
  /** Commits that count, in their order, with the phase each belongs to. */
  readonly #chain: { readonly phase: string; readonly commit: string }[] = [];
  /** Phases somebody wanted to go back to, and the run has not yet. */
  #wishes: string[] = [];
  readonly #voidedAt = new Map<string, number>();
  readonly #acceptedAt = new Map<string, number>();
  readonly #meetings: MeetingLedger;
  #read = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#meetings = new MeetingLedger(simulation);
  }

  /** Books what has happened since the last look. */
  look(): void {
    const { events } = this.#simulation;
    for (; this.#read < events.length; this.#read += 1) {
      const event = events[this.#read];
      if (event !== undefined) this.#book(event);
    }
    const { reverting, ended } = this.#simulation.state;
    const known = reverting.map(({ target }) => target);
    if (ended === undefined && known.join() !== this.#wishes.join()) throw new Error('a decision to go back was lost');
  }

  #book(event: RunEvent): void {
    if (event.type === 'attempt_started') this.#started(event.data);
    if (event.type.startsWith('consultation_')) this.#consulted(event);
    // A merge with conflicts is mended by further attempts, whatever the phase's own gate says.
    if (event.type === 'attempt_joined') this.#rung(event.data.phase).joined ||= event.data.conflicts.length > 0;
    if (event.type === 'attempt_judged') this.#judged(event.data);
    if (event.type === 'decision_taken') this.#decided(event.data);
    if (event.type === 'plan_reverted') this.#reverted(event);
    if (event.type === 'phase_sent_back') this.#sentBack(event);
    if (event.type === 'phase_accepted') this.#accepted(event);
    // Nobody waits any more for what an optional review rejects.
    if (event.type === 'phase_skipped') this.#rung(event.data.phase).rejects = false;
    this.#meetings.book(event);
    const notable = ['plan_reverted', 'consultation_refused', 'phase_sent_back', 'attempt_joined', ...MEETING_FACTS];
    if (notable.includes(event.type)) this.seen.add(event.type);
  }

  #started({ phase, manual }: Extract<NewEvent, { type: 'attempt_started' }>['data']): void {
    const rung = this.#rung(phase);
    rung.manual = manual === true;
    if (rung.rejects && !this.#isAlone(phase)) throw new Error(`${phase} reads again what it has rejected`);
    rung.rejects = false;
    const asks = this.#simulation.state.plan.phases.some(
      ({ id, requiresApproval }) => id === phase && requiresApproval,
    );
    if (asks && !rung.cleared) throw new Error(`${phase} started on an approval that is void, or on none`);
  }

  /** Nobody made what it reads. */
  #isAlone(phase: string): boolean {
    const { plan } = this.#simulation.state;
    return creatorsBefore({ id: phase }, plan).length === 0;
  }

  #consulted(event: RunEvent): void {
    if (event.type === 'consultation_started' && this.#rung(event.data.phase).refusals >= 2) {
      throw new Error(`the consultant of ${event.data.phase} was asked after two answers that could not be used`);
    }
    if (event.type === 'consultation_refused') this.#rung(event.data.phase).refusals += 1;
    if (event.type !== 'consultation_finished') return;
    const { phase, outcome, target } = event.data;
    this.#rung(phase).refusals = 0;
    if (outcome !== 'ask') Object.assign(this.#rung(phase), { attempts: 0, reworks: 0, consulted: true });
    if (outcome === 'revert' && target !== undefined) this.#wishes.push(target);
  }

  #rung(phase: string): Rung {
    const known = this.#rungs.get(phase) ?? {
      attempts: 0,
      granted: false,
      consulted: false,
      manual: false,
      joined: false,
      refusals: 0,
      cleared: false,
      reworks: 0,
      rejects: false,
    };
    this.#rungs.set(phase, known);
    return known;
  }

  #judged({ phase, attempt, verdicts, authors }: Extract<NewEvent, { type: 'attempt_judged' }>['data']): void {
    const key = `${phase} ${attempt}`;
    if (verdicts.every(({ outcome }) => outcome === 'pass')) this.#good.add(key);
    this.#rung(phase).rejects = authors !== undefined;
    if (this.#counted.has(key)) return;
    this.#counted.add(key);
    const rung = this.#rung(phase);
    rung.attempts += 1;
    const limit = this.#limit(phase, rung);
    // What a review counts is how often it has sent work back.
    if (authors !== undefined || this.#isReview(phase)) return;
    if (rung.attempts > limit) throw new Error(`${phase} was judged ${rung.attempts} times on a rung of ${limit}`);
  }

  #limit(phase: string, { granted, consulted, manual, joined }: Rung): number {
    const { plan, escalation } = this.#simulation.state;
    const of = plan.phases.find(({ id }) => id === phase);
    const gate = of?.gates[0];
    if (manual) return 1;
    const retries = gate?.maxRetries ?? 0;
    // An opinion is asked for once, and after every rework.
    if (of?.type === 'approval') return 1;
    const decided = consulted ? (escalation.consultant.attempts ?? retries) : 0;
    if (granted || joined) return Math.max(retries, joined ? decided : 0);
    if (consulted) return decided;
    return gate?.onFailure === 'retry' ? retries : 1;
  }

  #decided({ request: id, decision }: Extract<NewEvent, { type: 'decision_taken' }>['data']): void {
    const request = this.#simulation.state.requests.get(id);
    if (request === undefined || this.#answered.has(id)) return;
    this.#answered.add(id);
    this.seen.add(decision.action);
    // What is answered in a meeting is no decision about an attempt.
    if (request.reason === 'question') return;
    if (request.reason === 'plan') {
      this.seen.add('plan asked');
      // What is wanted another way is one more attempt, on the rung it stands on.
      if (decision.action === 'retry') this.#rung(request.phase).attempts -= 1;
      return;
    }
    const attempt = this.#simulation.state.phases.get(request.phase)?.rulings.override?.attempt;
    if (decision.action === 'accept') this.#good.add(`${request.phase} ${attempt}`);
    if (['abort', 'accept'].includes(decision.action)) return;
    if (decision.action === 'revert' && decision.phase !== undefined) this.#wishes.push(decision.phase);
    const granted = request.reason !== 'start' && { granted: true };
    Object.assign(this.#rung(request.phase), { attempts: 0, reworks: 0, refusals: 0, cleared: true, ...granted });
  }

  #reverted({ seq, data }: Extract<RunEvent, { type: 'plan_reverted' }>): void {
    const { state } = this.#simulation;
    const voided = new Set(data.voided);
    for (const id of voided) {
      Object.assign(this.#rung(id), { attempts: 0, reworks: 0, refusals: 0, cleared: false, rejects: false });
      this.#voidedAt.set(id, seq);
    }
    if (!this.#wishes.includes(data.target)) throw new Error(`nobody wanted to go back to ${data.target}`);
    this.#wishes = this.#wishes.filter((target) => !voided.has(target));
    const from = this.#chain.findIndex(({ phase }) => voided.has(phase));
    const dropped = from === -1 ? [] : this.#chain.splice(from);
    const lost = dropped.find(({ phase }) => state.phases.get(phase)?.accepted !== undefined);
    if (lost !== undefined) throw new Error(`${lost.phase} counts on, but its commit is gone`);
    if (state.approvals.some(({ phase, void: gone }) => voided.has(phase) && gone !== true)) {
      throw new Error('an approval was kept after a revert');
    }
    this.#tipIsLast();
  }

  #sentBack({ seq, data }: Extract<RunEvent, { type: 'phase_sent_back' }>): void {
    this.#countRework(data.phase);
    for (const id of data.voided) {
      const { rejects, granted, consulted, reworks } = this.#rung(id);
      // A review that objects stays where it is on its ladder.
      const stays = rejects ? { granted, consulted, reworks: reworks + 1 } : UNCLIMBED;
      Object.assign(this.#rung(id), { attempts: 0, refusals: 0, cleared: false, rejects: false, ...stays });
      this.#voidedAt.set(id, seq);
    }
  }

  /** A review sends work back as often as its rung allows, then the ladder goes on. */
  #countRework(phase: string): void {
    const rung = this.#rung(phase);
    const of = this.#simulation.state.plan.phases.find(({ id }) => id === phase);
    if (of?.type !== 'review' || of.onRejection !== undefined) return;
    this.seen.add('review sent back');
    const isFirst = !rung.granted && !rung.consulted;
    const limit = isFirst && of.gates[0]?.onFailure === 'escalation' ? 0 : this.#limit(phase, rung);
    if (rung.reworks + 1 > limit)
      throw new Error(`${phase} sent work back ${rung.reworks + 1} times on a rung of ${limit}`);
  }

  #isReview(phase: string): boolean {
    return this.#simulation.state.plan.phases.some(({ id, type }) => id === phase && type === 'review');
  }

  #accepted({ seq, data }: Extract<RunEvent, { type: 'phase_accepted' }>): void {
    const { phase, attempt, commit, override } = data;
    if (!this.#good.has(`${phase} ${attempt}`)) throw new Error(`${phase} was accepted without a pass or an override`);
    if (override !== undefined) this.seen.add('override');
    this.#acceptedAt.set(phase, seq);
    this.#rung(phase).rejects = false;
    if (commit === undefined) return;
    this.#chain.push({ phase, commit });
    this.#tipIsLast();
  }

  /** In a repository the run stands on what was accepted last of all that counts, and on nothing else. */
  #tipIsLast(): void {
    const { tip } = this.#simulation.state;
    const last = this.#chain.at(-1)?.commit ?? 'c0';
    if (tip !== undefined && tip.commit !== last) throw new Error(`the run stands on ${tip.commit}, not on ${last}`);
  }

  /** An approval phase was given an opinion. */
  approve(phase: string, attempt: number, passes: boolean): void {
    const result = { result: passes ? 'approved' : 'rejected', inputs: [], stage: 'agent', cached: false };
    const cost = { usd: 0, basis: 'simulated' } as const;
    const about = { phase, attempt, approval: `o${this.#simulation.events.length}`, key: 'k', durationMs: 1 };
    this.#simulation.add({ type: 'approval_finished', data: { ...about, result: result as never, cost } });
  }

  /** Adds a fact that must not have any effect. */
  nothingChanges(event: NewEvent): void {
    const { phases, requests, reverting, aborting } = this.#simulation.state;
    const after = this.#simulation.add(event);
    this.seen.add('answered twice');
    const same = after.phases === phases && after.requests === requests;
    if (!same || after.reverting !== reverting || after.aborting !== aborting) {
      throw new Error('a decision was applied twice');
    }
  }

  /** Nothing that was reverted counts when the run has ended. */
  atTheEnd(): void {
    const { ended } = this.#simulation.state;
    if (ended?.status === 'passed' && this.#wishes.length > 0) throw new Error('a decision to go back was lost');
    for (const { id, status } of this.#simulation.state.phases) {
      if (status !== 'passed') continue;
      if ((this.#voidedAt.get(id) ?? 0) > (this.#acceptedAt.get(id) ?? 0)) throw new Error(`${id} is void and passed`);
    }
  }
}
