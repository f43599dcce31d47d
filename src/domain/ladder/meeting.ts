import { type MeetingAnswer, type MeetingQuestion, type MeetingState, NO_MEETING } from '../facts/meeting.ts';
import type { NewEvent } from '../facts/run-event.ts';
import type { PhaseState, RunState, SpecChange } from '../facts/run-state.ts';
import { CAPABILITIES } from '../plan/driver.ts';
import type { Phase } from '../plan/plan.ts';
import { meetingExperts } from './choose-meeting-experts.ts';

/** How often an expert may fail to answer before the meeting goes on without. */
const MISSED_CAP = 3;
/** How many questions a meeting asks where its plan does not say. */
const USUAL_QUESTIONS = 5;

/** Where the answers to the questions of a meeting stand in the specification from that moment on, and what was assumed instead. */
export const ANSWERS = 'answers';
export const ASSUMPTIONS = 'assumptions';

type Run = Pick<RunState, 'plan' | 'agents' | 'creator' | 'attended' | 'request'>;

/** Whom a meeting turns to next. */
export type MeetingPart = 'experts' | 'questions' | 'criteria';

/** What a phase that holds a meeting needs next; a fact already follows, or somebody has to be asked. */
export type MeetingStep =
  | { readonly kind: 'call'; readonly part: MeetingPart }
  | { readonly kind: 'fact'; readonly event: NewEvent }
  | { readonly kind: 'ask'; readonly question: number };

/** Tells whether a phase writes the specification. */
export function writesSpec({ output }: Pick<Phase, 'output'>): boolean {
  return output.files.some(isSpecFile);
}

/** Tells whether a path is that of a specification. */
export function isSpecFile(path: string): boolean {
  return path === 'spec.yaml' || path.endsWith('/spec.yaml');
}

/** Tells whether a phase is one in which people and experts are to be heard. */
export function isMeeting({ type }: Pick<Phase, 'type'>): boolean {
  return type === 'meeting' || type === 'consultant';
}

/** Tells whether a plan wants experts to be heard in a phase, or questions to be asked. */
export function wantsMeeting({
  type,
  config: { experts = [], max_iterations },
}: Pick<Phase, 'type' | 'config'>): boolean {
  return isMeeting({ type }) && (experts.length > 0 || max_iterations !== undefined);
}

/**
 * Tells whether HELIX holds the meeting of a phase: it names experts or a number of questions, and its agent can give answers of a
 * fixed form. Any other meeting is one attempt of its agent.
 */
export function holdsMeeting(phase: Phase, at: PhaseState | undefined, { agents, creator }: Run): boolean {
  if (!wantsMeeting(phase)) return false;
  const driver = agents[at?.history.changes.agent ?? phase.agent ?? creator]?.driver;
  return driver !== undefined && CAPABILITIES[driver].roles.includes('consultant');
}

/** The most questions the meeting of a phase may ask. */
export function mostQuestions({ config }: Phase): number {
  return config.max_iterations ?? USUAL_QUESTIONS;
}

/** What has to happen before an agent may work on what a meeting is about; undefined when nothing has. */
export function beforeWork(phase: Phase, at: PhaseState, state: Run): MeetingStep | undefined {
  if (!holdsMeeting(phase, at, state)) return undefined;
  const meeting = at.history.meeting ?? NO_MEETING;
  return hearing(phase, meeting, state) ?? questioning(phase, meeting, state);
}

function hearing(phase: Phase, meeting: MeetingState, state: Run): MeetingStep | undefined {
  if ((phase.config.experts ?? []).length === 0) return undefined;
  if (meeting.experts === undefined) {
    // Whom a phase calls for depends on what the project is made of, and somebody has to look there.
    if (phase.config.experts?.includes('auto')) return { kind: 'call', part: 'experts' };
    const experts = meetingExperts(phase, state.plan);
    return { kind: 'fact', event: { type: 'experts_chosen', data: { phase: phase.id, experts } } };
  }
  const waiting = unheard(meeting);
  const lost = waiting.find((id) => (meeting.missed[id]?.times ?? 0) >= MISSED_CAP);
  if (lost !== undefined) {
    const { times = 0, why = '' } = meeting.missed[lost] ?? {};
    const reason = `${times} times without an answer; the last time: ${why}`;
    return { kind: 'fact', event: { type: 'expert_left_out', data: { phase: phase.id, expert: lost, reason } } };
  }
  return waiting.length === 0 ? undefined : { kind: 'call', part: 'experts' };
}

/** The experts who have neither been heard nor left out. */
export function unheard({ experts = [], heard, leftOut }: MeetingState): string[] {
  const done = new Set([...heard, ...leftOut].map(({ expert }) => expert));
  return experts.map(({ id }) => id).filter((id) => !done.has(id));
}

function questioning(phase: Phase, meeting: MeetingState, { plan, attended }: Run): MeetingStep | undefined {
  const { preparation, answers } = meeting;
  if (preparation === undefined) return { kind: 'call', part: 'questions' };
  const question = preparation.questions.findIndex(
    (_each, index) => !answers.some((given) => given.question === index),
  );
  const open = preparation.questions[question];
  if (open === undefined) return undefined;
  if (plan.unattended !== 'assume' || attended === true) return { kind: 'ask', question };
  const { answer = '', reason } = recommendedOf(open) ?? {};
  const because = `nobody attends, and the plan says to assume what is recommended: ${reason ?? 'no reason given'}`;
  return { kind: 'fact', event: { type: 'answer_assumed', data: { phase: phase.id, question, answer, because } } };
}

function recommendedOf({ options }: MeetingQuestion): MeetingQuestion['options'][number] | undefined {
  return options.find(({ recommended }) => recommended === true);
}

/** Tells whether somebody else than its author still has to say by what finished work of a meeting is to be judged. */
export function lacksCriteria(phase: Phase, at: PhaseState, state: Run): boolean {
  const { current, history } = at;
  if (current?.stage !== 'finished' || current.tree === undefined || current.manual === true) return false;
  if (current.joined !== undefined) return false;
  if (!writesSpec(phase) || !holdsMeeting(phase, at, state)) return false;
  return history.meeting?.criteriaIn !== current.tree;
}

/** What is wrong with the questions somebody wants to ask. */
export function questionFaults(
  { coverage, questions }: NonNullable<MeetingState['preparation']>,
  most: number,
): string[] {
  const states = new Map(coverage.map(({ topic, state }) => [sameWords(topic), state]));
  const many = questions.length > most ? [`there are ${questions.length} questions; at most ${most} may be asked`] : [];
  const asked = new Set<string>();
  return [...many, ...questions.flatMap((each, index) => oneQuestionFaults(each, { index, states, asked }))];
}

type Seen = {
  readonly index: number;
  readonly states: ReadonlyMap<string, 'clear' | 'partly' | 'missing'>;
  readonly asked: Set<string>;
};

function oneQuestionFaults({ topic, question, options }: MeetingQuestion, { index, states, asked }: Seen): string[] {
  const at = `questions.${index}`;
  const faults: string[] = [];
  const state = states.get(sameWords(topic));
  if (state === undefined) faults.push(`${at}: its topic is not in the coverage map`);
  if (state === 'clear') faults.push(`${at}: its topic is clear, so there is nothing to ask`);
  if (asked.has(sameWords(question))) faults.push(`${at}: it is asked twice`);
  asked.add(sameWords(question));
  const recommended = options.filter((option) => option.recommended === true);
  if (recommended.length !== 1) faults.push(`${at}: just one option has to be recommended, not ${recommended.length}`);
  else if ((recommended[0]?.reason ?? '').trim() === '') faults.push(`${at}: the recommended option needs a reason`);
  if (new Set(options.map(({ answer }) => sameWords(answer))).size < options.length)
    faults.push(`${at}: two of its options are the same`);
  return faults;
}

function sameWords(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The line in which an answer stands in the specification, and one for what was assumed. */
export function specLine({ preparation }: Pick<MeetingState, 'preparation'>, given: MeetingAnswer): string {
  const asked = preparation?.questions[given.question]?.question ?? '';
  const line = `${asked} ${answerWords(given)}`.replaceAll(/\s+/g, ' ').trim();
  return given.by === 'helix' ? `[ASSUMED] ${line}` : line;
}

/** Tells which changes of a specification are not what was answered in a meeting. */
export function isUnheard(meeting: MeetingState): (change: SpecChange) => boolean {
  const lines = new Set(meeting.answers.map((given) => specLine(meeting, given)));
  return (change) => !('adds' in change && change.adds.every((line) => lines.has(line)));
}

/** An answer as it is told: word for word, with who gave it. */
export function answerWords({ answer, words }: MeetingAnswer): string {
  return [answer, words].filter((part) => part !== undefined && part !== '').join(' — ');
}
