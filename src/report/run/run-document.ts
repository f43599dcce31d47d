import type { InboxDocument, RunDocument } from '../../domain/documents/documents.ts';
import {
  findingsOf,
  keptOutOf,
  openRequests,
  type PhaseState,
  type RequestState,
  type RunState,
  resultOf,
  runStatus,
} from '../../domain/facts/run-state.ts';
import { partsForLater } from '../../domain/ladder/growth.ts';
import { present } from '../../domain/present.ts';
import { runCost } from '../words/cost.ts';
import { growthsOf } from '../words/growth-words.ts';
import { overridesOf } from '../words/overrides.ts';
import { outcomeOf } from './attempts.ts';

/** `helix status --json`; `owned` says whether somebody is working on the run right now. */
export function runDocument(state: RunState, owned: boolean): RunDocument {
  const [first] = openRequests(state);
  const reason = state.ended?.reason ?? state.parked?.message;
  const result = resultOf(state);
  const putOff = partsForLater(state);
  return {
    schema: 'helix.run/1',
    run: state.run,
    project: state.plan.project.name,
    status: runStatus(state, owned),
    ...present({ reason }),
    simulated: state.simulated,
    startedAt: state.startedAt,
    ...(state.ended && { endedAt: state.ended.at }),
    ...present({ until: state.parked?.until }),
    cost: runCost(state),
    phases: workedOn(state).map((phase) => phaseEntry(phase, owned)),
    ...(state.growths !== undefined && { growths: growthsOf(state) }),
    overrides: overridesOf(state),
    ...(first && { waitingFor: { request: first.id, question: first.question, options: choices(first) } }),
    ...(putOff.length > 0 && { putOff }),
    ...present({ result, keptOut: keptOutOf(state) }),
  };
}

/** `helix inbox --json`: the open questions of many runs. */
export function inboxDocument(questions: readonly Question[]): InboxDocument {
  const requests = questions.map(({ run, request }) => ({
    id: request.id,
    run,
    phase: request.phase,
    level: request.level,
    question: request.question,
    options: choices(request),
    ...present({ deadline: request.deadline }),
  }));
  return { schema: 'helix.inbox/1', requests };
}

type Question = { readonly run: string; readonly request: RequestState };

/** The phases the run works on, in the order of the plan. */
export function workedOn(state: RunState): PhaseState[] {
  return state.phases.values().filter(({ id }) => state.only === undefined || id === state.only);
}

/** A phase's status for people: without an owner nobody is working on it, whatever the last fact said. */
export function shownStatus(phase: PhaseState, owned: boolean): PhaseState['status'] {
  return phase.status === 'running' && !owned ? 'pending' : phase.status;
}

function phaseEntry(phase: PhaseState, owned: boolean): RunDocument['phases'][number] {
  const verdict = outcomeOf(phase.lastVerdicts);
  return {
    id: phase.id,
    status: shownStatus(phase, owned),
    attempts: phase.history.judged,
    ...present({ verdict }),
    findings: findingsOf(phase),
  };
}

function choices(request: RequestState): InboxDocument['requests'][number]['options'] {
  return request.options.map(({ id, description, effort, recommended }) => ({ id, description, effort, recommended }));
}
