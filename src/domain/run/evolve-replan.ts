import { PhaseTable } from '../facts/phase-table.ts';
import type { AttemptState, PhaseState } from '../facts/run-state.ts';
import { type Data, type DraftState, fresh, NEW_RUNG, NO_HISTORY } from '../facts/state-draft.ts';
import { present } from '../present.ts';
import { voidApprovals } from './evolve-approval.ts';

/** Takes the new plan: what it does not touch stays as it is, with all its attempts. */
export function replan(state: DraftState, data: Data<'run_replanned'>): void {
  const voided = new Set(data.voided);
  const rejudged = new Set(data.rejudged);
  const before = state.phases;
  const phases = data.plan.phases.map(({ id }): PhaseState => {
    const phase = before.get(id);
    if (phase === undefined) return fresh(id);
    if (voided.has(id)) return { ...fresh(id), status: 'voided', history: kept(phase) };
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

/** Another plan begins anew, but for what was spent, and for what people and consultants have said about the work. */
function kept({ history: { turns, spent, guidance, changes } }: PhaseState): PhaseState['history'] {
  const { model: _model, agent: _agent, ...words } = changes;
  return { ...NO_HISTORY, turns, spent, guidance, changes: words };
}

/** Its last work stands as if it had just been finished; an attempt that broke off is simply tried again. */
function judgedAnew(phase: PhaseState): PhaseState {
  const { accepted, matched: _found, ...rest } = phase;
  const former = accepted?.tree ?? phase.former;
  const rung = { ...NEW_RUNG, seen: phase.rung.seen };
  const renewed = { ...rest, rung, rulings: {}, ...present({ former }) };
  if (phase.current?.tree === undefined) return { ...renewed, status: 'pending', lastVerdicts: [] };
  const { verdicts, joined: _merged, authors: _authors, ...current } = phase.current;
  const finished: AttemptState = { ...current, stage: 'finished', ...(verdicts !== undefined && { verdicts: [] }) };
  return { ...renewed, status: 'running', lastVerdicts: [], current: finished };
}
