import type { Finding } from './finding.ts';
import type { AgentSettings } from './helix-file.ts';
import type { Budget, Plan } from './plan.ts';
import type { Cost, Decision, InputFile, NewEvent, Option, RunEvent } from './run-event.ts';
import { type FailureClass, failurePolicy, type Verdict } from './verdict.ts';

/** Where a phase stands, as people see it. */
export type PhaseStatus = 'pending' | 'running' | 'passed' | 'failed' | 'waiting' | 'parked' | 'skipped' | 'voided';

/** Where a run stands, as people see it. */
export type RunStatus = 'running' | 'passed' | 'failed' | 'waiting' | 'parked' | 'interrupted' | 'cancelled';

/** One try: open while an agent works on it, then finished, judged or interrupted. */
export type AttemptState = {
  readonly attempt: number;
  readonly start: string;
  readonly inputs: readonly InputFile[];
  readonly startedAt: string;
  readonly agent: string;
  readonly stage: 'open' | 'finished' | 'judged' | 'interrupted';
  readonly tree?: string;
  readonly verdicts?: readonly Verdict[];
  readonly failure?: FailureClass;
  readonly durationMs?: number;
};

/** All that is known of one phase. */
export type PhaseState = {
  readonly id: string;
  readonly status: PhaseStatus;
  /** Tries that ended by themselves: the number of moves a scripted agent has used up. */
  readonly turns: number;
  /** Judged attempts over the whole run. */
  readonly judged: number;
  /** Judged attempts since the human last granted more. */
  readonly judgedOnRung: number;
  /** Counted interruptions of the attempt at hand. */
  readonly interruptions: number;
  readonly current?: AttemptState;
  readonly lastVerdicts: readonly Verdict[];
  /** The tree the last gate judged, from which the next attempt starts. */
  readonly judgedTree?: string;
  /** The tree the first attempt started from. */
  readonly baseTree?: string;
  readonly accepted?: { readonly attempt: number; readonly tree: string; readonly inputs: readonly InputFile[] };
  readonly blocked?: { readonly failure: FailureClass; readonly message: string };
  readonly guidance: readonly string[];
  /** A human let the phase start. */
  readonly cleared: boolean;
  /** A human granted further attempts. */
  readonly granted: boolean;
  readonly reason?: string;
};

/** A question to a human and, once given, the answer. */
export type RequestState = {
  readonly id: string;
  readonly phase: string;
  readonly level: 'stufe-2' | 'start';
  readonly reason: 'exhausted' | 'interrupted' | 'blocked' | 'start';
  readonly question: string;
  readonly options: readonly Option[];
  readonly askedAt: string;
  readonly deadline?: string;
  readonly answer?: { readonly option: string; readonly decision: Decision; readonly actor: string; readonly at: string };
};

/** A run as computed from its facts; nothing else is remembered anywhere. */
export type RunState = {
  readonly run: string;
  readonly plan: Plan;
  readonly contract: number;
  readonly source: { readonly path: string; readonly sha256: string };
  readonly agents: Readonly<Record<string, AgentSettings>>;
  readonly creator: string;
  readonly model?: string;
  readonly only?: string;
  readonly budget: Budget;
  readonly request?: string;
  readonly marker: string;
  readonly simulated: boolean;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly seq: number;
  readonly head: string;
  readonly phases: ReadonlyMap<string, PhaseState>;
  readonly requests: ReadonlyMap<string, RequestState>;
  readonly spent: { readonly usd: number; readonly unknown: number; readonly tokens: number; readonly attempts: number; readonly ms: number };
  readonly cancelRequested: boolean;
  readonly aborting?: string;
  readonly parked?: { readonly reason: 'budget' | 'quota'; readonly message: string };
  readonly interrupted: boolean;
  readonly ended?: { readonly status: 'passed' | 'failed' | 'cancelled'; readonly reason?: string; readonly at: string };
};

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type DraftState = Omit<Draft<RunState>, 'phases' | 'requests'> & {
  phases: Map<string, PhaseState>;
  requests: Map<string, RequestState>;
};

/** The state after one more fact. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) return begin(event);
  const draft: DraftState = { ...state, phases: new Map(state.phases), requests: new Map(state.requests) };
  apply(draft, event);
  return draft;
}

/** The state after many facts; the same as evolving one by one, without a copy for each. */
export function replay(events: readonly RunEvent[], from?: RunState): RunState | undefined {
  let draft: DraftState | undefined = from && { ...from, phases: new Map(from.phases), requests: new Map(from.requests) };
  for (const event of events) {
    if (draft === undefined) draft = begin(event);
    else apply(draft, event);
  }
  return draft;
}

function begin(event: RunEvent): DraftState {
  if (event.type !== 'run_started') throw new TypeError(`a run begins with run_started, not ${event.type}`);
  const { data } = event;
  const phases = data.plan.phases.map((phase): [string, PhaseState] => [
    phase.id,
    {
      id: phase.id,
      status: 'pending',
      turns: 0,
      judged: 0,
      judgedOnRung: 0,
      interruptions: 0,
      lastVerdicts: [],
      guidance: [],
      cleared: false,
      granted: false,
    },
  ]);
  return {
    run: data.run,
    plan: data.plan,
    contract: data.contract,
    source: data.source,
    agents: data.agents,
    creator: data.creator,
    ...(data.model !== undefined && { model: data.model }),
    ...(data.only !== undefined && { only: data.only }),
    budget: data.budget,
    ...(data.request !== undefined && { request: data.request }),
    marker: data.marker,
    simulated: data.simulated,
    startedAt: event.at,
    updatedAt: event.at,
    seq: event.seq,
    head: event.hash,
    phases: new Map(phases),
    requests: new Map(),
    spent: { usd: 0, unknown: 0, tokens: 0, attempts: 0, ms: 0 },
    cancelRequested: false,
    interrupted: false,
  };
}

function apply(state: DraftState, event: RunEvent): void {
  state.seq = event.seq;
  state.head = event.hash;
  state.updatedAt = event.at;
  applyFact(state, event, event.at);
}

function applyFact(state: DraftState, event: NewEvent, at: string): void {
  switch (event.type) {
    case 'run_started':
      throw new TypeError('a run begins only once');
    case 'run_resumed':
      return resume(state, event.data.budget);
    case 'attempt_started':
      return startAttempt(state, event.data, at);
    case 'attempt_finished':
      return finishAttempt(state, event.data);
    case 'attempt_interrupted':
      return interruptAttempt(state, event.data);
    case 'attempt_judged':
      return judgeAttempt(state, event.data);
    case 'judging_interrupted':
      return interruptJudging(state, event.data);
    case 'phase_accepted':
      return acceptPhase(state, event.data);
    case 'phase_failed':
      update(state, event.data.phase, { status: 'failed', reason: event.data.reason });
      state.aborting = event.data.reason;
      return;
    case 'phase_skipped':
      update(state, event.data.phase, { status: 'skipped', reason: event.data.reason });
      return;
    case 'human_asked':
      return ask(state, event.data, at);
    case 'decision_taken':
      return answer(state, event.data, at);
    case 'cancel_requested':
      state.cancelRequested = true;
      return;
    case 'run_parked':
      state.parked = event.data;
      return;
    case 'run_interrupted':
      state.interrupted = true;
      return;
    case 'run_finished':
      state.ended = { ...event.data, at } as NonNullable<RunState['ended']>;
      return;
  }
}

type Data<T extends NewEvent['type']> = Extract<NewEvent, { type: T }>['data'];

function phaseOf(state: DraftState, id: string): PhaseState {
  const phase = state.phases.get(id);
  if (phase === undefined) throw new TypeError(`the journal names a phase the plan does not have: ${id}`);
  return phase;
}

function update(state: DraftState, id: string, change: Partial<PhaseState>): void {
  state.phases.set(id, { ...phaseOf(state, id), ...change });
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _gone, ...rest } = value;
  return rest;
}

function resume(state: DraftState, budget: Budget | undefined): void {
  if (budget !== undefined) state.budget = { ...state.budget, ...budget };
  state.interrupted = false;
  delete state.parked;
  for (const phase of state.phases.values()) {
    if (phase.status === 'parked') update(state, phase.id, { status: 'pending' });
  }
}

function startAttempt(state: DraftState, data: Data<'attempt_started'>, at: string): void {
  const phase = phaseOf(state, data.phase);
  const { attempt, start, inputs, agent } = data;
  state.phases.set(data.phase, {
    ...phase,
    status: 'running',
    baseTree: phase.baseTree ?? start,
    current: { attempt, start, inputs, agent, startedAt: at, stage: 'open' },
  });
}

function finishAttempt(state: DraftState, data: Data<'attempt_finished'>): void {
  const phase = phaseOf(state, data.phase);
  if (phase.current === undefined) throw new TypeError(`an attempt of ${data.phase} finished that never started`);
  update(state, data.phase, {
    turns: phase.turns + 1,
    current: { ...phase.current, stage: 'finished', tree: data.tree, durationMs: data.durationMs },
  });
  book(state, data.cost, data.durationMs);
}

function interruptAttempt(state: DraftState, data: Data<'attempt_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = failurePolicy(data.failure);
  const { failure, message } = data;
  const next: PhaseState = {
    ...phase,
    status: policy === 'park' ? 'parked' : 'pending',
    turns: phase.turns + (policy === 'free' ? 0 : 1),
    interruptions: phase.interruptions + (policy === 'retry' ? 1 : 0),
    ...(phase.current && { current: { ...phase.current, stage: 'interrupted', failure } }),
  };
  state.phases.set(data.phase, policy === 'human' ? { ...next, blocked: { failure, message } } : next);
  if (policy === 'park') state.parked = { reason: 'quota', message };
  book(state, data.cost, data.durationMs);
}

function judgeAttempt(state: DraftState, data: Data<'attempt_judged'>): void {
  const phase = phaseOf(state, data.phase);
  const current = phase.current;
  if (current === undefined) throw new TypeError(`an attempt of ${data.phase} was judged that never started`);
  const judged: AttemptState = { ...current, stage: 'judged', verdicts: data.verdicts };
  state.phases.set(data.phase, {
    ...phase,
    judged: phase.judged + 1,
    judgedOnRung: phase.judgedOnRung + 1,
    interruptions: 0,
    lastVerdicts: data.verdicts,
    current: judged,
    ...(current.tree !== undefined && { judgedTree: current.tree }),
  });
  state.spent = { ...state.spent, attempts: state.spent.attempts + 1 };
}

function interruptJudging(state: DraftState, data: Data<'judging_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = failurePolicy(data.failure);
  const { failure, message } = data;
  update(state, data.phase, {
    interruptions: phase.interruptions + (policy === 'retry' ? 1 : 0),
    ...(policy === 'human' && { blocked: { failure, message } }),
  });
}

function acceptPhase(state: DraftState, data: Data<'phase_accepted'>): void {
  const phase = phaseOf(state, data.phase);
  update(state, data.phase, {
    status: 'passed',
    accepted: { attempt: data.attempt, tree: data.tree, inputs: phase.current?.inputs ?? [] },
  });
}

function ask(state: DraftState, data: Data<'human_asked'>, at: string): void {
  const { request, deadline, ...rest } = data;
  state.requests.set(request, { id: request, ...rest, askedAt: at, ...(deadline !== undefined && { deadline }) });
  update(state, data.phase, { status: 'waiting' });
}

function answer(state: DraftState, data: Data<'decision_taken'>, at: string): void {
  const request = state.requests.get(data.request);
  if (request === undefined || request.answer !== undefined) return;
  const { option, decision, actor } = data;
  state.requests.set(request.id, { ...request, answer: { option, decision, actor, at } });
  const phase = phaseOf(state, request.phase);
  if (decision.action === 'abort') {
    update(state, phase.id, { status: 'failed', reason: `aborted by ${actor}` });
    state.aborting = `${phase.id}: aborted by ${actor}`;
    return;
  }
  const guidance = decision.guidance === undefined ? phase.guidance : [...phase.guidance, decision.guidance];
  const stage = phase.current?.stage;
  state.phases.set(phase.id, {
    ...(without(phase, 'blocked') as PhaseState),
    status: stage === 'finished' ? 'running' : 'pending',
    cleared: true,
    granted: phase.granted || request.reason !== 'start',
    judgedOnRung: 0,
    interruptions: 0,
    guidance,
  });
}

function book(state: DraftState, cost: Cost | undefined, ms: number): void {
  const { usd, unknown, tokens } = state.spent;
  state.spent = {
    ...state.spent,
    usd: usd + (cost?.usd ?? 0),
    unknown: unknown + (cost !== undefined && cost.usd === undefined ? 1 : 0),
    tokens: tokens + (cost?.tokens ?? 0),
    ms: state.spent.ms + ms,
  };
}

/** The questions nobody has answered yet. */
export function openRequests(state: RunState): RequestState[] {
  return [...state.requests.values()].filter((request) => request.answer === undefined);
}

/** The findings of a phase's last judgement. */
export function findingsOf(phase: PhaseState): Finding[] {
  return phase.lastVerdicts.flatMap((verdict) => verdict.findings);
}

/** Where the run stands; `owned` says whether somebody is working on it right now. */
export function runStatus(state: RunState, owned: boolean): RunStatus {
  if (state.ended !== undefined) return state.ended.status;
  if (owned) return 'running';
  if (state.parked !== undefined) return 'parked';
  const active = [...state.phases.values()].some((phase) => phase.status === 'running');
  return !active && !state.interrupted && openRequests(state).length > 0 ? 'waiting' : 'interrupted';
}
