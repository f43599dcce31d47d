import { PhaseTable } from './phase-table.ts';
import type { Budget } from './plan.ts';
import type { Cost, NewEvent, RunEvent, RunEventType } from './run-event.ts';
import type { AttemptState, PhaseState, RunState } from './run-state.ts';
import { failurePolicy } from './verdict.ts';

type Draft<T> = { -readonly [K in keyof T]: T[K] };
type DraftState = Draft<RunState>;

/** The state after one more fact. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) return begin(event);
  const draft: DraftState = { ...state, seq: event.seq, head: event.hash, updatedAt: event.at };
  const apply = APPLY[event.type] as (state: DraftState, data: unknown, at: string) => void;
  apply(draft, event.data, event.at);
  return draft;
}

/** The state after many facts. */
export function replay(events: readonly RunEvent[], from?: RunState): RunState | undefined {
  return events.reduce(evolve, from);
}

function begin(event: RunEvent): DraftState {
  if (event.type !== 'run_started') throw new TypeError(`a run begins with run_started, not ${event.type}`);
  const { data } = event;
  const phases = data.plan.phases.map(
    ({ id }): PhaseState => ({
      id,
      status: 'pending',
      turns: 0,
      judged: 0,
      judgedOnRung: 0,
      interruptions: 0,
      lastVerdicts: [],
      guidance: [],
      cleared: false,
      granted: false,
    }),
  );
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
    phases: PhaseTable.of(phases),
    requests: new Map(),
    spent: { usd: 0, unknown: 0, tokens: 0, attempts: 0, ms: 0 },
    cancelRequested: false,
    interrupted: false,
  };
}

type Data<T extends RunEventType> = Extract<NewEvent, { type: T }>['data'];
type Appliers = { [T in RunEventType]: (state: DraftState, data: Data<T>, at: string) => void };

const APPLY: Appliers = {
  run_started: () => {
    throw new TypeError('a run begins only once');
  },
  run_resumed: (state, { budget }) => resume(state, budget),
  attempt_started: startAttempt,
  attempt_finished: finishAttempt,
  attempt_interrupted: interruptAttempt,
  attempt_judged: judgeAttempt,
  judging_interrupted: interruptJudging,
  phase_accepted: acceptPhase,
  phase_failed: (state, { phase, reason }) => {
    update(state, phase, { status: 'failed', reason });
    state.aborting = reason;
  },
  phase_skipped: (state, { phase, reason }) => update(state, phase, { status: 'skipped', reason }),
  human_asked: ask,
  decision_taken: answer,
  cancel_requested: (state) => {
    state.cancelRequested = true;
  },
  run_parked: (state, data) => {
    state.parked = data;
  },
  run_interrupted: (state) => {
    state.interrupted = true;
  },
  run_finished: (state, { status, reason }, at) => {
    for (const { id, status: phase } of state.phases) {
      if (phase === 'waiting' || phase === 'parked') update(state, id, { status: 'pending' });
    }
    state.ended = { status, at, ...(reason !== undefined && { reason }) };
  },
};

function phaseOf(state: DraftState, id: string): PhaseState {
  const phase = state.phases.get(id);
  if (phase === undefined) throw new TypeError(`the journal names a phase the plan does not have: ${id}`);
  return phase;
}

function put(state: DraftState, phase: PhaseState): void {
  state.phases = state.phases.with(phase);
}

function update(state: DraftState, id: string, change: Partial<PhaseState>): void {
  put(state, { ...phaseOf(state, id), ...change });
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
  put(state, {
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
  const began = phase.current?.stage === 'open';
  const next: PhaseState = {
    ...phase,
    status: policy === 'park' ? 'parked' : 'pending',
    turns: phase.turns + (policy === 'free' || !began ? 0 : 1),
    interruptions: phase.interruptions + (policy === 'retry' ? 1 : 0),
    ...(phase.current && began && { current: { ...phase.current, stage: 'interrupted', failure } }),
  };
  put(state, policy === 'human' ? { ...next, blocked: { failure, message } } : next);
  if (policy === 'park') state.parked = { reason: 'quota', message };
  book(state, data.cost, data.durationMs);
}

function judgeAttempt(state: DraftState, data: Data<'attempt_judged'>): void {
  const phase = phaseOf(state, data.phase);
  const current = phase.current;
  if (current === undefined) throw new TypeError(`an attempt of ${data.phase} was judged that never started`);
  const judged: AttemptState = { ...current, stage: 'judged', verdicts: data.verdicts };
  put(state, {
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
  state.requests = new Map(state.requests).set(request, {
    id: request,
    ...rest,
    askedAt: at,
    ...(deadline !== undefined && { deadline }),
  });
  update(state, data.phase, { status: 'waiting' });
}

function answer(state: DraftState, data: Data<'decision_taken'>, at: string): void {
  const request = state.requests.get(data.request);
  if (request === undefined || request.answer !== undefined) return;
  const { option, decision, actor } = data;
  state.requests = new Map(state.requests).set(request.id, { ...request, answer: { option, decision, actor, at } });
  const phase = phaseOf(state, request.phase);
  if (decision.action === 'abort') {
    update(state, phase.id, { status: 'failed', reason: `aborted by ${actor}` });
    state.aborting = `${phase.id}: aborted by ${actor}`;
    return;
  }
  const guidance = decision.guidance === undefined ? phase.guidance : [...phase.guidance, decision.guidance];
  const stage = phase.current?.stage;
  put(state, {
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
