import { stateOf } from '../facts/accepted-state.ts';
import { PhaseTable } from '../facts/phase-table.ts';
import type { Adopted, RunEvent, RunEventType } from '../facts/run-event.ts';
import type { PhaseState, RunState } from '../facts/run-state.ts';
import { NO_SPENDING } from '../facts/spending.ts';
import { type Data, type DraftState, fresh, park, update } from '../facts/state-draft.ts';
import { DEFAULT_ESCALATION } from '../plan/escalation-settings.ts';
import type { Budget } from '../plan/plan.ts';
import { present } from '../present.ts';
import { finishApproval, interruptApproval, sendBack, startApproval } from './evolve-approval.ts';
import {
  acceptPhase,
  finishAttempt,
  interruptAttempt,
  interruptJudging,
  joinAttempt,
  judgeAttempt,
  startAttempt,
} from './evolve-attempt.ts';
import { answer, ask } from './evolve-decision.ts';
import {
  finishConsultation,
  interruptConsultation,
  refuseConsultation,
  revertPlan,
  startConsultation,
} from './evolve-escalation.ts';
import {
  assumeAnswer,
  chooseExperts,
  finishCall,
  interruptCall,
  leaveOut,
  refuseCall,
  skipCriteria,
  startCall,
} from './evolve-meeting.ts';
import { growPlan } from './evolve-plan-growth.ts';
import { replan } from './evolve-replan.ts';

/** The state after one more fact. */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) return begin(event);
  const draft: DraftState = { ...state, seq: event.seq, head: event.hash, updatedAt: momentOf(event, state) };
  const apply = APPLY[event.type] as (state: DraftState, data: unknown, at: string) => void;
  apply(draft, event.data, event.at);
  return draft;
}

/** A mark says something of a run in which nothing happens by that. */
function momentOf({ type, at }: RunEvent, { updatedAt }: RunState): string {
  return type === 'approval_marked' ? updatedAt : at;
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
    ...(data.base !== undefined && { base: data.base, tip: stateOf(data.base) }),
    ...present({ guidelines: data.guidelines ?? data.base?.tree }),
    ...present({
      continues: data.continues,
      growth: data.growth,
      learned: data.learned,
      attended: data.attended,
      showsPlans: data.showsPlans,
    }),
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
    specChanges: [],
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

type Appliers = { [T in RunEventType]: (state: DraftState, data: Data<T>, at: string) => void };

const APPLY: Appliers = {
  run_started: () => {
    throw new TypeError('a run begins only once');
  },
  run_resumed: (state, { budget, sandbox, attended, showsPlans }) => {
    resume(state, budget);
    if (sandbox !== undefined) state.sandbox = sandbox;
    if (attended !== undefined) {
      state.attended = attended;
      state.showsPlans = showsPlans === true;
    }
  },
  run_replanned: replan,
  plan_grown: growPlan,
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
  experts_chosen: chooseExperts,
  meeting_asked: startCall,
  meeting_answered: finishCall,
  meeting_refused: refuseCall,
  meeting_interrupted: interruptCall,
  expert_left_out: leaveOut,
  answer_assumed: assumeAnswer,
  criteria_skipped: skipCriteria,
  plan_reverted: revertPlan,
  human_asked: ask,
  decision_taken: answer,
  notification_sent: (state, { request: id, channel }) => {
    const request = state.requests.get(id);
    if (request === undefined || request.told.includes(channel)) return;
    state.requests = new Map(state.requests).set(id, { ...request, told: [...request.told, channel] });
  },
  approval_marked: () => undefined,
  guidance_given: (state, { phases, words }) => {
    for (const id of phases) {
      const history = state.phases.get(id)?.history;
      if (history !== undefined) update(state, id, { history: { ...history, guidance: [...history.guidance, words] } });
    }
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
