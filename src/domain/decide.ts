import { spentLimit } from './budget.ts';
import { ladder, type Rung } from './escalation.ts';
import type { Phase } from './plan.ts';
import type { NewEvent, Option } from './run-event.ts';
import { openRequests, type PhaseState, type RunState } from './run-state.ts';

/** Something that may happen now: an effect to perform, or a fact that already follows. */
export type Step =
  | { readonly do: 'attempt'; readonly phase: Phase; readonly attempt: number; readonly start: string | undefined }
  | { readonly do: 'judge'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  | { readonly do: 'accept'; readonly phase: Phase; readonly attempt: number; readonly tree: string }
  | { readonly do: 'record'; readonly event: NewEvent };

/** The phases this run works on: all of them, or the one it was started for. */
export function phasesOf(state: RunState): readonly Phase[] {
  return state.only === undefined ? state.plan.phases : state.plan.phases.filter((phase) => phase.id === state.only);
}

/** What may happen now; `busy` names the phases an effect is under way for. */
export function decide(state: RunState, busy: ReadonlySet<string>): Step[] {
  if (state.ended !== undefined) return [];
  if (state.cancelRequested) return busy.size === 0 ? [finish('cancelled', 'cancelled on request')] : [];
  const phases = phasesOf(state);
  const steps = phases.flatMap((phase) => continued(phase, stateOf(state, phase.id), state, busy));
  if (state.aborting === undefined) steps.push(...begun(phases, state, busy));
  const bounded = withinBudget(steps, state);
  return bounded.length > 0 || busy.size > 0 ? bounded : ending(phases, state);
}

function stateOf(state: RunState, id: string): PhaseState {
  const phase = state.phases.get(id);
  if (phase === undefined) throw new TypeError(`no such phase: ${id}`);
  return phase;
}

/** Steps of phases that have already started. */
function continued(phase: Phase, at: PhaseState, state: RunState, busy: ReadonlySet<string>): Step[] {
  if (busy.has(phase.id) || at.current === undefined) return [];
  if (at.status !== 'running' && at.status !== 'pending') return [];
  const { stage, attempt, tree } = at.current;
  if (stage === 'open') return [];
  if (stage === 'judged' && tree !== undefined && at.lastVerdicts.every((verdict) => verdict.outcome === 'pass')) {
    return [{ do: 'accept', phase, attempt, tree }];
  }
  return climb(phase, at, ladder(phase, at), state);
}

function climb(phase: Phase, at: PhaseState, rung: Rung, state: RunState): Step[] {
  const current = at.current;
  if (rung.kind === 'judge' && current?.tree !== undefined) {
    return [{ do: 'judge', phase, attempt: current.attempt, tree: current.tree }];
  }
  if (rung.kind === 'attempt') {
    if (state.aborting !== undefined) return [];
    const start = current?.stage === 'interrupted' ? current.start : (at.judgedTree ?? at.baseTree);
    return [{ do: 'attempt', phase, attempt: at.judged + 1, start }];
  }
  if (rung.kind === 'judge') return [];
  if (phase.optional)
    return [record({ type: 'phase_skipped', data: { phase: phase.id, reason: `optional; ${rung.because}` } })];
  if (rung.kind === 'fail') {
    return [record({ type: 'phase_failed', data: { phase: phase.id, reason: `${phase.id}: ${rung.because}` } })];
  }
  if (state.aborting !== undefined) return [];
  return [record(askAfterFailure(phase, rung, state))];
}

/** Steps of phases whose turn it is to start, as far as `concurrency` allows. */
function begun(phases: readonly Phase[], state: RunState, busy: ReadonlySet<string>): Step[] {
  const steps: Step[] = [];
  let free = state.plan.concurrency - active(phases, state, busy);
  for (const phase of phases) {
    const at = stateOf(state, phase.id);
    const counts = phase.type !== 'approval';
    if (at.status !== 'pending' || at.current !== undefined || busy.has(phase.id)) continue;
    if (!isReady(phase, state)) continue;
    if (phase.requiresApproval && !at.cleared) {
      steps.push(record(askBeforeStart(phase, state, steps)));
    } else if (!counts || free > 0) {
      steps.push({ do: 'attempt', phase, attempt: 1, start: undefined });
      if (counts) free -= 1;
    }
  }
  return steps;
}

function active(phases: readonly Phase[], state: RunState, busy: ReadonlySet<string>): number {
  return phases.filter((phase) => {
    if (phase.type === 'approval') return false;
    const at = stateOf(state, phase.id);
    return busy.has(phase.id) || at.status === 'running' || (at.status === 'pending' && at.current !== undefined);
  }).length;
}

function isReady(phase: Phase, state: RunState): boolean {
  if (state.only !== undefined) return true;
  return phase.dependsOn.every((id) => ['passed', 'skipped'].includes(stateOf(state, id).status));
}

/** No attempt starts once a limit is used up; what is finished is still judged. */
function withinBudget(steps: Step[], state: RunState): Step[] {
  const limit = spentLimit(state);
  if (limit === undefined) return steps;
  const rest = steps.filter((step) => step.do !== 'attempt');
  if (rest.length === steps.length || state.parked !== undefined) return rest;
  return [...rest, record({ type: 'run_parked', data: { reason: 'budget', message: limit } })];
}

/** What follows when nothing is under way and nothing can start. */
function ending(phases: readonly Phase[], state: RunState): Step[] {
  if (state.aborting !== undefined) return [finish('failed', state.aborting)];
  if (state.parked !== undefined || openRequests(state).length > 0) return [];
  const done = phases.every((phase) => ['passed', 'skipped'].includes(stateOf(state, phase.id).status));
  return done ? [finish('passed')] : [];
}

function record(event: NewEvent): Step {
  return { do: 'record', event };
}

function finish(status: 'passed' | 'failed' | 'cancelled', reason?: string): Step {
  return record({ type: 'run_finished', data: { status, ...(reason !== undefined && { reason }) } });
}

function requestId(state: RunState, ahead: number): string {
  return `${state.run}-q${state.requests.size + ahead + 1}`;
}

const ABORT: Omit<Option, 'id'> = {
  description: 'Abort the run; what was accepted so far is kept',
  effort: 'none',
  recommended: false,
  decision: { action: 'abort' },
};

function askAfterFailure(phase: Phase, rung: Extract<Rung, { kind: 'human' }>, state: RunState): NewEvent {
  const retry: Omit<Option, 'id'> = {
    description: 'Try again; what you write as a comment becomes guidance for the agent',
    effort: 'low',
    recommended: true,
    decision: { action: 'retry' },
  };
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, 0),
      phase: phase.id,
      level: 'stufe-2',
      reason: rung.reason,
      question: `Phase ${phase.id} is stuck: ${rung.because}. How should HELIX go on?`,
      options: [
        { id: 'A', ...retry },
        { id: 'B', ...ABORT },
      ],
    },
  };
}

function askBeforeStart(phase: Phase, state: RunState, before: readonly Step[]): NewEvent {
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, before.filter((step) => step.do === 'record').length),
      phase: phase.id,
      level: 'start',
      reason: 'start',
      question: `Phase ${phase.id} needs your approval before it starts. May it?`,
      options: [
        { id: 'A', description: 'Start the phase', effort: 'none', recommended: true, decision: { action: 'proceed' } },
        { id: 'B', ...ABORT },
      ],
    },
  };
}
