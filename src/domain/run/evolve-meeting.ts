import { type MeetingAnswer, type MeetingState, NO_MEETING } from '../facts/meeting.ts';
import type { PhaseState, RequestState } from '../facts/run-state.ts';
import {
  book,
  type Data,
  type DraftState,
  park,
  parkedBy,
  phaseOf,
  put,
  spentBy,
  update,
  without,
} from '../facts/state-draft.ts';
import { ANSWERS, ASSUMPTIONS, specLine } from '../ladder/meeting.ts';
import { present } from '../present.ts';
import { failurePolicy } from '../verdict.ts';
import { interruptApproval, startApproval } from './evolve-approval.ts';

/** How many answers of a meeting in a row may be unusable before a human is asked. */
const REFUSAL_CAP = 2;

const MEETING = 'meeting';

/** Whom a call was for, by what its phase is known to ask; undefined for what is no call of a meeting. */
export function calledIn(of: string): Pick<Data<'meeting_asked'>, 'part' | 'expert'> | undefined {
  const [kind, part, ...rest] = of.split(':');
  if (kind !== MEETING || (part !== 'expert' && part !== 'questions' && part !== 'criteria')) return undefined;
  return part === 'expert' ? { part, expert: rest.join(':') } : { part };
}

/** How many were asked for a part of a meeting in a run. */
export function askedBefore(part: 'questions' | 'criteria', { asked }: Pick<DraftState, 'asked'>): number {
  return asked[`${MEETING}:${part}`] ?? 0;
}

/** It is known who is heard. */
export function chooseExperts(state: DraftState, { phase, experts }: Data<'experts_chosen'>): void {
  remember(state, phase, { experts });
}

/** Somebody was asked: as with a judge, a share of the budget is kept until there is an answer. */
export function startCall(state: DraftState, data: Data<'meeting_asked'>, at: string): void {
  const { call, part, expert, ...rest } = data;
  const of = [MEETING, part, ...(expert === undefined ? [] : [expert])].join(':');
  startApproval(state, { ...rest, approval: call, of, role: 'reviewer' }, at);
  if (phaseOf(state, data.phase).current?.stage !== 'finished') update(state, data.phase, { status: 'running' });
}

/** Somebody answered. */
export function finishCall(state: DraftState, data: Data<'meeting_answered'>): void {
  const { said } = data;
  settle(state, data);
  const phase = phaseOf(state, data.phase);
  put(state, { ...phase, rung: { ...without(without(phase.rung, 'consultantBroke'), 'refused'), refusals: 0 } });
  const { heard } = meetingOf(state, data.phase);
  if (said.part === 'expert') {
    const { expert, words } = said;
    remember(state, data.phase, { heard: [...heard, { expert, words }] });
  } else if (said.part === 'questions') {
    const { coverage, questions } = said;
    remember(state, data.phase, { preparation: { coverage, questions } });
  } else {
    remember(state, data.phase, { criteriaIn: said.tree });
    const { current } = phase;
    if (current?.tree === said.from) update(state, data.phase, { current: { ...current, tree: said.tree } });
  }
}

/** An answer could not be used: an expert's is missed, any other is asked for again and then put before a human. */
export function refuseCall(state: DraftState, data: Data<'meeting_refused'>): void {
  settle(state, data);
  const why = data.reasons.join('; ');
  if (data.part === 'expert') {
    miss(state, data, why);
    return;
  }
  const phase = phaseOf(state, data.phase);
  const refusals = phase.rung.refusals + 1;
  const blocked = { failure: 'schema' as const, message: `what the consultant answered cannot be used: ${why}` };
  put(state, {
    ...phase,
    rung: { ...phase.rung, refusals, refused: data.reasons, ...(refusals >= REFUSAL_CAP && { blocked }) },
  });
}

/** A call was cut short; that is no answer. */
export function interruptCall(state: DraftState, data: Data<'meeting_interrupted'>): void {
  const { call, part, expert: _expert, until: _until, ...rest } = data;
  interruptApproval(state, { ...rest, approval: call });
  const policy = failurePolicy(data.failure);
  const { failure, message } = data;
  if (policy === 'retry' && part === 'expert') {
    miss(state, data, `${failure}: ${message}`);
    return;
  }
  const phase = phaseOf(state, data.phase);
  const { rung } = phase;
  put(state, {
    ...phase,
    rung: {
      ...rung,
      interruptions: rung.interruptions + (policy === 'retry' ? 1 : 0),
      ...(policy === 'human' && { blocked: { failure, message: `the meeting: ${message}` } }),
      ...(policy !== 'free' && { consultantBroke: failure }),
    },
    ...(policy === 'park' && { status: 'parked' }),
  });
  if (policy === 'park') park(state, parkedBy(data));
}

/** The meeting goes on without an expert. */
export function leaveOut(state: DraftState, { phase, expert, reason }: Data<'expert_left_out'>): void {
  const { leftOut } = meetingOf(state, phase);
  remember(state, phase, { leftOut: [...leftOut, { expert, reason }] });
}

/** Nobody attends, and the plan says what then holds. */
export function assumeAnswer(state: DraftState, { phase, question, answer }: Data<'answer_assumed'>): void {
  settleWith(state, phase, { question, answer, by: 'helix' });
}

/** There was nothing to write criteria into; the gates say what is wrong with it. */
export function skipCriteria(state: DraftState, { phase, tree }: Data<'criteria_skipped'>): void {
  remember(state, phase, { criteriaIn: tree });
}

type Answered = { readonly option: string; readonly comment: string | undefined };

/** A human answered the question of a meeting: what was said is kept word for word, and the phase goes on. */
export function settleQuestion(state: DraftState, request: RequestState, { option, comment }: Answered): void {
  const { phase, meeting: question } = request;
  if (question === undefined) return;
  const chosen = request.options.find(({ id }) => id === option);
  settleWith(state, phase, {
    question,
    by: 'human',
    ...present({ answer: chosen?.decision.guidance, words: comment }),
  });
  update(state, phase, { status: 'pending' });
}

/** An answer stands in the specification from that moment on, for every phase. */
function settleWith(state: DraftState, phase: string, given: MeetingAnswer): void {
  const meeting = meetingOf(state, phase);
  remember(state, phase, {
    answers: [...meeting.answers.filter(({ question }) => question !== given.question), given],
  });
  const path = given.by === 'helix' ? ASSUMPTIONS : ANSWERS;
  state.specChanges = [...state.specChanges, { path, by: given.by, adds: [specLine(meeting, given)] }];
}

function meetingOf(state: DraftState, id: string): MeetingState {
  return phaseOf(state, id).history.meeting ?? NO_MEETING;
}

function remember(state: DraftState, id: string, change: Partial<MeetingState>): void {
  const { history } = phaseOf(state, id);
  update(state, id, { history: { ...history, meeting: { ...NO_MEETING, ...history.meeting, ...change } } });
}

type Missed = { readonly phase: string; readonly expert?: string | undefined };

function miss(state: DraftState, { phase, expert = '' }: Missed, why: string): void {
  const { missed } = meetingOf(state, phase);
  const times = (missed[expert]?.times ?? 0) + 1;
  remember(state, phase, { missed: { ...missed, [expert]: { times, why } } });
}

type Ended = Pick<Data<'meeting_refused'>, 'phase' | 'call' | 'cost' | 'durationMs'>;

/** Books what an answer has cost. */
function settle(state: DraftState, data: Ended): void {
  const phase: PhaseState = phaseOf(state, data.phase);
  book(state, data);
  const asking = phase.asking.filter(({ approval }) => approval !== data.call);
  const { history } = phase;
  put(state, { ...phase, asking, history: { ...history, spent: spentBy(history, data) } });
}
