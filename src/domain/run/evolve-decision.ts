import { askedRequest } from '../facts/asked-request.ts';
import type { Decision } from '../facts/consultation.ts';
import type { PhaseState, RequestState } from '../facts/run-state.ts';
import { type Data, type DraftState, NEW_RUNG, phaseOf, put, update } from '../facts/state-draft.ts';
import { addresseesOf, isSilence } from '../ladder/direction.ts';
import { followersOf } from '../ladder/plan-graph.ts';
import { specChangesOf } from '../ladder/spec-changes.ts';
import { isJudge } from '../plan/judging-phase.ts';
import { present } from '../present.ts';
import type { Verdict } from '../verdict.ts';
import { deliver } from './deliver.ts';
import { overrule, wishRevert } from './evolve-escalation.ts';
import { forgetProposal, settleGrowth } from './evolve-growth.ts';
import { settleQuestion } from './evolve-meeting.ts';
import { rulePlan } from './evolve-plan-growth.ts';

/** A human was asked; the phase waits for the answer. */
export function ask(state: DraftState, data: Data<'human_asked'>, at: string): void {
  state.requests = new Map(state.requests).set(data.request, askedRequest(data, at));
  update(state, data.phase, { status: 'waiting' });
}

/** A human answered; only the first answer to an open question counts. */
export function answer(state: DraftState, data: Data<'decision_taken'>, at: string): void {
  const request = state.requests.get(data.request);
  if (request === undefined || request.answer !== undefined || request.withdrawn === true) return;
  const { option, decision, actor, comment } = data;
  const given = { option, decision, actor, at, ...present({ comment }) };
  state.requests = new Map(state.requests).set(request.id, { ...request, answer: given });
  if (request.reason === 'question') {
    settleQuestion(state, request, { option, comment });
    return;
  }
  if (request.reason === 'grown') forgetProposal(state, request.phase);
  if (decision.action !== 'abort') direct(state, { request, decision, silent: isSilence(data) });
  const phase = phaseOf(state, request.phase);
  const by = { request: request.id, actor, reason: comment ?? '' };
  if (decision.action === 'abort') {
    const reason = isSilence(data) ? 'aborted: nobody answered in time' : `aborted by ${actor}`;
    update(state, phase.id, { status: 'failed', reason });
    state.aborting = `${phase.id}: ${reason}`;
  } else if (request.reason === 'protected') consent(state, phase, decision);
  else if (request.reason === 'plan') rulePlan(state, phase, decision);
  else if (request.reason === 'grown' && settleGrowth(state, phase, decision)) return;
  else if (request.reason === 'unsure' && decision.action === 'proceed') vouch(state, phase);
  else if (decision.action === 'accept') overrule(state, phase, by);
  else grant(state, phase, { decision, request, comment });
}

type Directed = { readonly request: RequestState; readonly decision: Decision; readonly silent: boolean };

/** What was said goes to the phase it is for, and what was changed in the specification holds for all; nobody has said nothing. */
function direct(state: DraftState, { request, decision, silent }: Directed): void {
  const { guidance, changes = {} } = decision;
  state.specChanges = [...state.specChanges, ...specChangesOf(changes, 'human')];
  for (const id of addresseesOf(decision, request, state)) {
    const phase = phaseOf(state, id);
    const { history, returns = [] } = phase;
    if (silent) {
      const why = { by: 'no_answer', from: request.phase, target: phase.id, verdicts: [] } as const;
      put(state, { ...phase, returns: [...returns, { ...why, ...present({ reason: guidance }) }] });
    } else if (guidance !== undefined) {
      put(state, { ...phase, history: { ...history, guidance: [...history.guidance, guidance] } });
    }
  }
  if (guidance !== undefined && decision.action === 'proceed' && PASSING.has(request.reason))
    directFollowers(state, request.phase, guidance);
}

/** Questions about work that lies there; who lets it pass speaks to those who build on it. */
const PASSING: ReadonlySet<RequestState['reason']> = new Set(['protected', 'unsure', 'plan']);

/** Judges make up their own minds, and are told of no decision about what they judge. */
function directFollowers(state: DraftState, id: string, guidance: string): void {
  const followers = followersOf(id, state.plan);
  for (const phase of state.plan.phases) {
    if (phase.id === id || !followers.has(phase.id) || isJudge(phase)) continue;
    const { history } = phaseOf(state, phase.id);
    const words = `About the work of ${id}, which was accepted as it is: ${guidance}`;
    update(state, phase.id, { history: { ...history, guidance: [...history.guidance, words] } });
  }
}

/** A human wants the work to go on: further attempts, their own change, or a new beginning. */
function grant(state: DraftState, phase: PhaseState, { decision, request, comment }: Granted): void {
  const { changes } = decision;
  const reverts = decision.action === 'revert' && decision.phase !== undefined;
  const history = deliver(state, phase, { changes, reverts });
  const stage = phase.current?.stage;
  const meansAgent = stage === 'finished' && decision.rework === true;
  const again = meansAgent ? unjudgeable(phase) : {};
  const taking = { request: request.id, ...present({ files: decision.files }) };
  const takes = decision.action === 'take';
  put(state, {
    ...phase,
    ...again,
    status: stage === 'finished' && !meansAgent && !takes ? 'running' : 'pending',
    cleared: true,
    climbed: { ...phase.climbed, granted: phase.climbed.granted || request.reason !== 'start' },
    overruled: stage === 'judged',
    rung: takes ? { ...NEW_RUNG, taking } : NEW_RUNG,
    history,
  });
  if (decision.action === 'revert' && decision.phase !== undefined)
    wishRevert(state, phase, {
      ...{ target: decision.phase, by: 'human', changes: decision.changes ?? {} },
      reason: decision.guidance ?? comment,
      ...present({ cause: request.analysis?.suspected_cause }),
    });
}

type Granted = { readonly decision: Decision; readonly request: RequestState; readonly comment: string | undefined };

/** Work that could not be judged, put before its agent once more, because a human means the agent and not the gate. */
function unjudgeable({ current, rung }: PhaseState): Partial<PhaseState> {
  if (current?.tree === undefined) return {};
  const { tree } = current;
  const finding = {
    severity: 'error',
    check: 'unjudged',
    message: rung.blocked?.message ?? 'it could not be judged',
  } as const;
  const verdict: Verdict = { gate: 'workspace', outcome: 'reject', findings: [finding], tree, durationMs: 0 };
  return { current: { ...current, stage: 'judged' }, lastVerdicts: [verdict], judgedTree: tree };
}

function consent(state: DraftState, phase: PhaseState, decision: Decision): void {
  const tree = phase.current?.tree ?? '';
  const given = decision.action === 'proceed';
  const rulings = { ...phase.rulings, consent: { tree, given } };
  put(state, { ...phase, status: 'running', rulings });
}

function vouch(state: DraftState, phase: PhaseState): void {
  const vouched = { tree: phase.current?.tree ?? '', given: true };
  put(state, { ...phase, status: 'running', rulings: { ...phase.rulings, vouched } });
}
