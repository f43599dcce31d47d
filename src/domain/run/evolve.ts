import { askedRequest } from '../facts/asked-request.ts';
import { type Decision, mergeChanges } from '../facts/consultation.ts';
import { PhaseTable } from '../facts/phase-table.ts';
import type { Adopted, RunBase, RunEvent, RunEventType } from '../facts/run-event.ts';
import type { AttemptState, PhaseState, RequestState, RunState } from '../facts/run-state.ts';
import { NO_SPENDING } from '../facts/spending.ts';
import {
  book,
  type Data,
  type DraftState,
  fresh,
  park,
  parkedBy,
  phaseOf,
  put,
  spentBy,
  update,
  without,
} from '../facts/state-draft.ts';
import { convergence } from '../ladder/convergence.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Budget } from '../plan/plan.ts';
import { present } from '../present.ts';
import { failurePolicy, type Verdict } from '../verdict.ts';
import {
  finishApproval,
  interruptApproval,
  sendBack,
  startApproval,
  voidApprovals,
  voidFollowers,
} from './evolve-approval.ts';
import {
  finishConsultation,
  interruptConsultation,
  overrule,
  refuseConsultation,
  revertPlan,
  startConsultation,
  wishRevert,
} from './evolve-escalation.ts';

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
  const adopted = new Map(data.from?.adopted.map((each) => [each.phase, each]));
  const phases = data.plan.phases.map(({ id }) => adopt(fresh(id), adopted.get(id)));
  return {
    run: data.run,
    plan: data.plan,
    contract: data.contract,
    source: data.source,
    agents: data.agents,
    creator: data.creator,
    judges: data.judges ?? judgedBy(data.creator),
    ...present({ language: data.language, model: data.model, only: data.only }),
    budget: data.budget,
    ...present({ request: data.request }),
    marker: data.marker,
    isolation: data.isolation ?? {},
    ...present({ sandbox: data.sandbox }),
    ...(data.base !== undefined && { base: data.base, tip: tipOf(data.base) }),
    ...guidelinesOf(data),
    line: [],
    tried: data.tried ?? [],
    order: data.from?.adopted.map(({ phase }) => phase) ?? [],
    simulated: data.simulated,
    ...present({ recorded: data.recorded }),
    startedAt: event.at,
    updatedAt: event.at,
    seq: event.seq,
    head: event.hash,
    phases: PhaseTable.of(phases),
    requests: new Map(),
    approvals: [],
    asked: {},
    spent: { ...NO_SPENDING, attempts: 0, ms: 0 },
    escalation: data.escalation ?? DEFAULT_ESCALATION,
    notify: data.notify ?? [],
    reverting: [],
    cancelRequested: false,
    interrupted: false,
  };
}

/** Runs of before there were judges name none. */
function judgedBy(creator: string): RunState['judges'] {
  return { reviewer: creator, verifier: creator, consultant: creator };
}

function adopt(phase: PhaseState, adopted: Adopted | undefined): PhaseState {
  if (adopted === undefined) return phase;
  const { attempt, tree, inputs, base, verdicts } = adopted;
  return {
    ...phase,
    status: 'passed',
    lastVerdicts: verdicts,
    accepted: { attempt, tree, inputs },
    ...present({ baseTree: base }),
  };
}

function guidelinesOf({ base, guidelines = base?.tree }: Data<'run_started'>): { guidelines?: string } {
  return guidelines === undefined ? {} : { guidelines };
}

function tipOf({ commit, tree }: Pick<RunBase, 'commit' | 'tree'>): NonNullable<RunState['tip']> {
  return { tree, ...present({ commit }) };
}

type Appliers = { [T in RunEventType]: (state: DraftState, data: Data<T>, at: string) => void };

const APPLY: Appliers = {
  run_started: () => {
    throw new TypeError('a run begins only once');
  },
  run_resumed: (state, { budget, sandbox }) => {
    resume(state, budget);
    if (sandbox !== undefined) state.sandbox = sandbox;
  },
  run_replanned: replan,
  attempt_started: startAttempt,
  attempt_finished: finishAttempt,
  attempt_interrupted: interruptAttempt,
  attempt_judged: judgeAttempt,
  attempt_joined: joinAttempt,
  judging_interrupted: interruptJudging,
  approval_started: startApproval,
  approval_finished: finishApproval,
  approval_interrupted: interruptApproval,
  phase_sent_back: sendBack,
  phase_accepted: acceptPhase,
  phase_failed: (state, { phase, reason }) => {
    update(state, phase, { status: 'failed', reason });
    state.aborting = reason;
  },
  phase_skipped: (state, { phase, reason }) => update(state, phase, { status: 'skipped', reason }),
  consultation_started: startConsultation,
  consultation_finished: finishConsultation,
  consultation_refused: refuseConsultation,
  consultation_interrupted: interruptConsultation,
  plan_reverted: revertPlan,
  human_asked: ask,
  decision_taken: answer,
  notification_sent: (state, { request: id, channel }) => {
    const request = state.requests.get(id);
    if (request === undefined || request.told.includes(channel)) return;
    state.requests = new Map(state.requests).set(id, { ...request, told: [...request.told, channel] });
  },
  cancel_requested: (state) => {
    state.cancelRequested = true;
  },
  run_parked: (state, { limitOf, reason, message }) => {
    if (limitOf !== undefined) update(state, limitOf, { status: 'parked' });
    park(state, { reason, message });
  },
  run_interrupted: (state) => {
    state.interrupted = true;
  },
  run_finished: (state, { status, reason }, at) => {
    for (const { id, status: phase } of state.phases) {
      if (phase === 'waiting' || phase === 'parked') update(state, id, { status: 'pending' });
    }
    state.ended = { status, at, ...present({ reason }) };
  },
};

function resume(state: DraftState, budget: Budget | undefined): void {
  if (budget !== undefined) state.budget = { ...state.budget, ...budget };
  state.interrupted = false;
  delete state.parked;
  for (const phase of state.phases.values()) {
    const status = phase.current?.stage === 'finished' ? 'running' : 'pending';
    if (phase.status === 'parked') update(state, phase.id, { status });
  }
}

function startAttempt(state: DraftState, data: Data<'attempt_started'>, at: string): void {
  const phase = phaseOf(state, data.phase);
  const { attempt, start, inputs, agent, base, manual, reserved, reservedMs } = data;
  // A refusal is answered by the next attempt, even one that ends with the same tree.
  const refused = phase.consent?.given === false;
  const { taking: _taken, ...asked } = refused ? (without(phase, 'consent') as PhaseState) : phase;
  put(state, {
    ...asked,
    status: 'running',
    ...present({ base }),
    baseTree: phase.baseTree ?? start,
    current: {
      ...{ attempt, start, inputs, agent, startedAt: at, stage: 'open' },
      ...present({ reserved, reservedMs, manual }),
    },
  });
}

function finishAttempt(state: DraftState, data: Data<'attempt_finished'>): void {
  const phase = phaseOf(state, data.phase);
  if (phase.current === undefined) throw new TypeError(`an attempt of ${data.phase} finished that never started`);
  update(state, data.phase, {
    // A human's own change is no move of the agent.
    turns: phase.turns + (phase.current.manual === true ? 0 : 1),
    spent: spentBy(phase, data),
    current: {
      ...phase.current,
      stage: 'finished',
      tree: data.tree,
      durationMs: data.durationMs,
      ...present({ notices: data.notices, protected: data.protected }),
    },
  });
  book(state, data);
}

function interruptAttempt(state: DraftState, data: Data<'attempt_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = failurePolicy(data.failure);
  const { failure, message, durationMs } = data;
  const began = phase.current?.stage === 'open';
  const kept = keptFor(phase, data);
  const next: PhaseState = {
    ...phase,
    status: policy === 'park' ? 'parked' : 'pending',
    turns: phase.turns + (policy === 'free' || !began ? 0 : 1),
    interruptions: phase.interruptions + (policy === 'retry' ? 1 : 0),
    spent: spentBy(phase, { ...data, kept }),
    ...(phase.current && began && { current: { ...phase.current, stage: 'interrupted', failure, durationMs } }),
  };
  put(state, policy === 'human' ? { ...next, blocked: { failure, message } } : next);
  if (policy === 'park') park(state, parkedBy(data));
  book(state, { ...data, kept });
}

/** What was reserved for an attempt that used tokens and broke off before anybody knew their price stays spent. */
function keptFor({ current }: PhaseState, { cost }: Data<'attempt_interrupted'>): number {
  if (current?.stage !== 'open' || cost?.basis !== 'unknown' || (cost.tokens ?? 0) === 0) return 0;
  return Math.max(0, (current.reserved ?? 0) - (cost.usd ?? 0));
}

function judgeAttempt(state: DraftState, data: Data<'attempt_judged'>): void {
  const phase = phaseOf(state, data.phase);
  const current = phase.current;
  if (current === undefined) throw new TypeError(`an attempt of ${data.phase} was judged that never started`);
  const again = current.verdicts !== undefined;
  const verdicts = current.joined === undefined ? data.verdicts : [...(current.verdicts ?? []), ...data.verdicts];
  const judged: AttemptState = { ...current, stage: 'judged', verdicts };
  const { matched: _before, judgingBroke: _past, consultantBroke: _cut, ...rest } = phase;
  put(state, {
    ...rest,
    ...present({ matched: data.matched }),
    judged: phase.judged + (again ? 0 : 1),
    judgedOnRung: phase.judgedOnRung + (again ? 0 : 1),
    interruptions: 0,
    lastVerdicts: verdicts,
    ...(!again && convergence(phase, verdicts)),
    current: judged,
    ...present({ judgedTree: current.tree }),
  });
  if (!again) state.spent = { ...state.spent, attempts: state.spent.attempts + 1 };
}

function interruptJudging(state: DraftState, data: Data<'judging_interrupted'>): void {
  const phase = phaseOf(state, data.phase);
  const policy = data.final === true ? 'human' : failurePolicy(data.failure);
  const { failure, message } = data;
  update(state, data.phase, {
    judgingBroke: `${data.gate}: ${failure}: ${message}`,
    interruptions: phase.interruptions + (policy === 'retry' ? 1 : 0),
    ...(policy === 'human' && { blocked: { failure, message } }),
    ...(policy === 'park' && { status: 'parked' }),
  });
  if (policy === 'park') park(state, parkedBy(data));
}

function acceptPhase(state: DraftState, data: Data<'phase_accepted'>): void {
  const phase = phaseOf(state, data.phase);
  const { attempt, tree, commit, override } = data;
  const inputs = phase.current?.inputs ?? [];
  const { former, ...rest } = phase;
  put(state, {
    ...rest,
    status: 'passed',
    accepted: {
      ...{ attempt, tree, inputs },
      ...present({ commit, override }),
    },
  });
  if (former !== undefined && former !== tree) voidFollowers(state, data.phase);
  state.order = [...state.order.filter((id) => id !== data.phase), data.phase];
  if (state.tip === undefined) return;
  state.tip = { tree, ...present({ commit }) };
  state.line = [...state.line, { phase: data.phase, ...state.tip }];
}

/** A merge that leaves conflicts is a judgement of its own; a clean one is judged by the commands of both sides. */
function joinAttempt(
  state: DraftState,
  { phase: id, tree, base, with: others, conflicts }: Data<'attempt_joined'>,
): void {
  const phase = phaseOf(state, id);
  if (phase.current === undefined) throw new TypeError(`an attempt of ${id} was joined that never started`);
  const clean = conflicts.length === 0;
  const verdict: Verdict = { gate: 'join', outcome: 'reject', findings: conflicts, tree, durationMs: 0 };
  put(state, {
    ...phase,
    base,
    current: { ...phase.current, stage: clean ? 'finished' : 'judged', tree, joined: others },
    ...(!clean && {
      judgedTree: tree,
      lastVerdicts: [...phase.lastVerdicts, verdict],
      conflicted: conflicts.flatMap(({ location }) => location?.file ?? []),
    }),
  });
}

/** Takes the new plan: what it does not touch stays as it is, with all its attempts. */
function replan(state: DraftState, data: Data<'run_replanned'>): void {
  const voided = new Set(data.voided);
  const rejudged = new Set(data.rejudged);
  const before = state.phases;
  const phases = data.plan.phases.map(({ id }): PhaseState => {
    const phase = before.get(id);
    if (phase === undefined) return fresh(id);
    if (voided.has(id)) return { ...fresh(id), status: 'voided', turns: phase.turns, spent: phase.spent };
    return rejudged.has(id) ? judgedAnew(phase) : phase;
  });
  if (JSON.stringify(data.plan.budget) !== JSON.stringify(state.plan.budget)) {
    state.budget = { ...state.budget, ...data.plan.budget };
  }
  state.plan = data.plan;
  state.source = data.source;
  state.agents = data.agents;
  state.creator = data.creator;
  state.judges = data.judges ?? state.judges;
  if (data.language !== undefined) state.language = data.language;
  state.isolation = data.isolation ?? {};
  state.escalation = data.escalation ?? state.escalation;
  state.notify = data.notify ?? state.notify;
  state.tried = [...(data.tried ?? []), ...state.tried];
  state.phases = PhaseTable.of(phases);
  state.order = state.order.filter((id) => state.phases.has(id) && !voided.has(id) && !rejudged.has(id));
  voidApprovals(
    state,
    new Set(state.approvals.map(({ phase }) => phase).filter((id) => !state.phases.has(id) || voided.has(id))),
  );
  const touched = (id: string) => !state.phases.has(id) || voided.has(id) || rejudged.has(id);
  // What is done again anyway, or is no longer in the plan, need not be gone back to.
  state.reverting = state.reverting.filter(
    ({ phase, target }) => state.phases.has(phase) && state.phases.has(target) && !voided.has(target),
  );
  state.requests = new Map(
    [...state.requests].map(([id, request]) => [
      id,
      request.answer === undefined && touched(request.phase) ? { ...request, withdrawn: true } : request,
    ]),
  );
  delete state.aborting;
}

/** Its last work stands as if it had just been finished; an attempt that broke off is simply tried again. */
function judgedAnew(phase: PhaseState): PhaseState {
  const { blocked: _gone, accepted, consent: _asked, vouched: _unasked, ...judged } = phase;
  const { advice: _told, override: _waived, taking: _taken, matched: _found, ...rest } = judged;
  const former = accepted?.tree ?? phase.former;
  const renewed = { ...rest, judgedOnRung: 0, interruptions: 0, refusals: 0, ...present({ former }) };
  if (phase.current?.tree === undefined) return { ...renewed, status: 'pending', lastVerdicts: [] };
  const { verdicts, joined: _merged, ...current } = phase.current;
  const finished: AttemptState = { ...current, stage: 'finished', ...(verdicts !== undefined && { verdicts: [] }) };
  return { ...renewed, status: 'running', lastVerdicts: [], current: finished };
}

function ask(state: DraftState, data: Data<'human_asked'>, at: string): void {
  state.requests = new Map(state.requests).set(data.request, askedRequest(data, at));
  update(state, data.phase, { status: 'waiting' });
}

function answer(state: DraftState, data: Data<'decision_taken'>, at: string): void {
  const request = state.requests.get(data.request);
  if (request === undefined || request.answer !== undefined || request.withdrawn === true) return;
  const { option, decision, actor, comment } = data;
  const given = { option, decision, actor, at, ...present({ comment }) };
  state.requests = new Map(state.requests).set(request.id, { ...request, answer: given });
  const phase = phaseOf(state, request.phase);
  const by = { request: request.id, actor, reason: comment ?? '' };
  if (decision.action === 'abort') {
    update(state, phase.id, { status: 'failed', reason: `aborted by ${actor}` });
    state.aborting = `${phase.id}: aborted by ${actor}`;
  } else if (request.reason === 'protected') consent(state, phase, decision);
  else if (request.reason === 'unsure' && decision.action === 'proceed')
    put(state, { ...phase, status: 'running', vouched: { tree: phase.current?.tree ?? '', given: true } });
  else if (decision.action === 'accept') overrule(state, phase, by);
  else grant(state, phase, { decision, request });
}

/** A human wants the work to go on: further attempts, their own change, or a new beginning. */
function grant(
  state: DraftState,
  phase: PhaseState,
  { decision, request }: { readonly decision: Decision; readonly request: RequestState },
): void {
  const guidance = decision.guidance === undefined ? phase.guidance : [...phase.guidance, decision.guidance];
  const stage = phase.current?.stage;
  const judged = state.plan.phases.some(({ id, type }) => id === phase.id && type === 'approval');
  const meansAgent = stage === 'finished' && decision.guidance !== undefined && !judged;
  const again = meansAgent ? unjudgeable(phase) : {};
  const taking = { request: request.id, ...present({ files: decision.files }) };
  const {
    blocked: _past,
    advice: _given,
    refused: _why,
    taking: _before,
    consultantBroke: _cut,
    judgingBroke: _broke,
    ...rest
  } = phase;
  put(state, {
    ...rest,
    ...again,
    status: stage === 'finished' && !meansAgent ? 'running' : 'pending',
    cleared: true,
    granted: phase.granted || request.reason !== 'start',
    overruled: stage === 'judged',
    judgedOnRung: 0,
    interruptions: 0,
    refusals: 0,
    seen: {},
    guidance,
    changes: mergeChanges(phase.changes, decision.changes ?? {}),
    ...(decision.action === 'take' && { taking, status: 'pending' }),
  });
  if (decision.action === 'revert' && decision.phase !== undefined)
    wishRevert(state, phase, { target: decision.phase, by: 'human', changes: decision.changes ?? {} });
}

/** Work that could not be judged, put before its agent once more: with guidance a human means the agent, not the gate. */
function unjudgeable({ current, blocked }: PhaseState): Partial<PhaseState> {
  if (current?.tree === undefined) return {};
  const { tree } = current;
  const finding = {
    severity: 'error',
    check: 'unjudged',
    message: blocked?.message ?? 'it could not be judged',
  } as const;
  const verdict: Verdict = { gate: 'workspace', outcome: 'reject', findings: [finding], tree, durationMs: 0 };
  return { current: { ...current, stage: 'judged' }, lastVerdicts: [verdict], judgedTree: tree };
}

function consent(state: DraftState, phase: PhaseState, decision: Decision): void {
  const guidance = decision.guidance === undefined ? phase.guidance : [...phase.guidance, decision.guidance];
  const tree = phase.current?.tree ?? '';
  put(state, { ...phase, status: 'running', consent: { tree, given: decision.action === 'proceed' }, guidance });
}
