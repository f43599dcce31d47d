import type { Option } from '../facts/consultation.ts';
import type { NewEvent } from '../facts/run-event.ts';
import type { PhaseState, RunState } from '../facts/run-state.ts';
import { inQuotes } from '../in-quotes.ts';
import { isJudge } from '../plan/judging-phase.ts';
import type { Phase } from '../plan/plan.ts';
import { present } from '../present.ts';
import { hasOpinion, returnTargets } from './authors.ts';
import type { HumanRung } from './escalation.ts';
import { growthOptions } from './growth.ts';
import { revertTargets } from './revert.ts';

type Asked = Extract<NewEvent, { type: 'human_asked' }>;
type Unnamed = Omit<Option, 'id'>;

/**
 * The name of a run's next question; `ahead` of them are asked in the same breath. Its last part comes from the journal's chain,
 * so that nobody can answer a question that is not asked yet.
 */
export function requestId(state: RunState, ahead: number): string {
  return `${state.run}-q${state.requests.size + ahead + 1}-${state.head.slice(0, 6)}`;
}

/** Options with the letters they are chosen by. */
export function lettered(options: readonly Unnamed[]): Option[] {
  return options.map((option, index) => ({ id: String.fromCharCode(65 + index), ...option }));
}

/** The way out that every question about work has. */
export const ABORT: Unnamed = {
  description: 'Abort the run; what was accepted so far is kept',
  effort: 'none',
  recommended: false,
  decision: { action: 'abort' },
};

const VOUCH: Unnamed = {
  description: 'Let it pass: you have looked at it yourself',
  effort: 'none',
  recommended: false,
  decision: { action: 'proceed' },
};

const TAKE: Unnamed = {
  description:
    'Take your own change: first edit the copy that lies beside the question (escalation/stufe-2/worktree); it is judged like an attempt',
  effort: 'high',
  recommended: false,
  decision: { action: 'take' },
};

const ACCEPT: Unnamed = {
  description: 'Accept it as it is; your comment is the reason, and it counts as an override, not as a pass',
  effort: 'none',
  recommended: false,
  decision: { action: 'accept' },
};

/** What a phase at the end of its rungs asks: the consultant's options first, then the standing ones. */
export function askAfterFailure(phase: Phase, rung: HumanRung, state: RunState): Asked {
  const at = state.phases.get(phase.id);
  const advised = (at?.rung.advice?.options ?? []).map((option): Unnamed => ({ ...option, by: 'consultant' }));
  const urged = advised.some(({ recommended }) => recommended);
  const options = lettered([
    ...advised,
    ...retryOption(phase, state).map((option) => (urged ? { ...option, recommended: false } : option)),
    ...(rung.reason === 'unsure' ? [VOUCH] : []),
    ...standing(phase, at, state, rung),
    ABORT,
  ]);
  const { analysis, question } = at?.rung.advice ?? {};
  const because = `Phase ${phase.id} is stuck: ${rung.because.replace(/\.$/, '')}.`;
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, 0),
      phase: phase.id,
      level: 'stufe-2',
      reason: rung.reason,
      because,
      question: question ?? `${because} How should HELIX go on?`,
      options,
      ...present({ analysis }),
      ...patience(options, state),
    },
  };
}

/** A change is larger than one should be: a human says whether to go on, to split it, to make a plan of it or to stop. Silence decides nothing here. */
export function askAboutGrowth(phase: Phase, at: PhaseState, rung: HumanRung, state: RunState): Asked {
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, 0),
      phase: phase.id,
      level: 'stufe-2',
      reason: 'grown',
      because: `Phase ${phase.id} is more than one change: ${rung.because}.`,
      question: `Phase ${phase.id} is more than one change: ${rung.because}. Go on, split it, plan it, or stop?`,
      options: lettered(growthOptions(phase, at, state)),
    },
  };
}

/** How long the answer is waited for, and which option is taken then. */
function patience(options: readonly Option[], { escalation }: RunState): Partial<Asked['data']> {
  const { waitHours, onTimeout } = escalation.human;
  if (waitHours === undefined) return {};
  const chosen = options.find(({ decision, by }) => by === undefined && decision.action === onTimeout)?.id;
  return { waitHours, ...present({ onTimeout: chosen }) };
}

/** What a human can always do with work that got stuck. */
function standing(phase: Phase, at: PhaseState | undefined, state: RunState, { reason }: HumanRung): Unnamed[] {
  const [nearest] = revertTargets(phase.id, state);
  return [
    ...(isJudge(phase) ? [] : [TAKE]),
    ...(at?.current?.tree === undefined || reason === 'unsure' ? [] : [ACCEPT]),
    ...(nearest === undefined ? [] : [revertOption(nearest)]),
  ];
}

function revertOption(phase: string): Unnamed {
  return {
    description: `Go back to phase ${phase}, or to another one you name: everything from there on is done again`,
    effort: 'medium',
    recommended: false,
    decision: { action: 'revert', phase },
  };
}

/** Where a judge has an opinion there is nothing to try again but the work it judges. */
function retryOption(phase: Phase, state: RunState): Unnamed[] {
  const at = state.phases.get(phase.id);
  const retry = { effort: 'low', recommended: true, decision: { action: 'retry' } } as const;
  if (isJudge(phase)) {
    const targets = hasOpinion(phase, at) ? returnTargets(phase, at, state) : [];
    if (targets.length > 0)
      return [{ ...retry, description: `Send the work back to ${targets.join(', ')}; ${GUIDANCE}` }];
    if (phase.type === 'approval' && hasOpinion(phase, at)) return [];
    return [{ ...retry, description: 'Ask a judge again; nobody who judges is told what you write as a comment' }];
  }
  if (at?.current?.stage !== 'finished') return [{ ...retry, description: `Try again; ${GUIDANCE}` }];
  return [
    { ...retry, description: `${judgeAgain(at)}; ${GUIDANCE} if the work comes back to it` },
    {
      description: `Give the work back to its agent, unjudged; ${GUIDANCE}`,
      effort: 'medium',
      recommended: false,
      decision: { action: 'retry', rework: true },
    },
  ];
}

/** Work that nobody could judge stays as it is: its gate goes on where it broke off. */
function judgeAgain({ rung: { judgingBroke = '' } }: PhaseState): string {
  return judgingBroke.startsWith('approval:') ? 'Ask the judge again about the same work' : 'Judge the same work again';
}

const GUIDANCE = 'what you write as a comment becomes guidance for the agent';

/** What a human can be expected to look at; what goes beyond it can be undone, but not accepted unseen. */
const MOST_PATHS = 200;
const MOST_CHARACTERS = 16_000;

/** The files whose change a human has to see before the phase is accepted: protected ones, and those a gate asks about. */
export function pathsToShow({ current, lastVerdicts }: PhaseState): readonly string[] {
  return [...new Set([...(current?.protected ?? []), ...lastVerdicts.flatMap(({ asks }) => asks ?? [])])];
}

/** Protected files were changed: a human says whether that is right. How many and what is run come first, the names after it, all of them. */
export function askAboutProtected(phase: Phase, at: PhaseState, state: RunState): Asked {
  const paths = pathsToShow(at);
  const names = namesOf(paths);
  const rest = paths.length - names.length;
  const isSeen = rest === 0 && isWhole(at);
  const eased = easedBy(at);
  const isOnlyEased = onlyEases(at);
  const undo = [...(eased.length > 0 ? [easedGuidance(eased)] : []), ...(isOnlyEased ? [] : [guidanceOf(names, rest)])];
  const options = lettered([
    {
      description: isOnlyEased
        ? 'Undo it: the agent is told to take that back; your comment is added'
        : 'Undo it: the agent is told to leave these files as they were; your comment is added',
      effort: 'low',
      recommended: true,
      decision: { action: 'retry', guidance: undo.join('\n') },
    },
    ...(isSeen ? [LET_CHANGE] : []),
    ABORT,
  ]);
  const because = `Phase ${phase.id} passed its gates, but ${isOnlyEased ? milder(paths.length) : `it changed ${amount(paths.length)}`}`;
  const asked = isSeen ? 'Is that right?' : 'That is more than can be shown, so it cannot be accepted here.';
  const listed = [...names, ...(rest > 0 ? [`and ${rest} or more others`] : [])];
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, 0),
      phase: phase.id,
      level: 'stufe-2',
      reason: 'protected',
      because: `${because}.`,
      question: [`${because}.${commandWords(at)}${settingsWords(at)} ${asked} What it changed:`, ...listed].join('\n'),
      options,
      protected: paths.slice(0, names.length),
      ...patience(options, state),
    },
  };
}

/** The check under which gates tell of work that asks less of itself than before. */
const EASED = 'eased-adr';

const LET_CHANGE: Unnamed = {
  description: 'Accept the changes to these files',
  effort: 'none',
  recommended: false,
  decision: { action: 'proceed' },
};

function amount(paths: number): string {
  if (paths > MOST_PATHS) return `more than ${MOST_PATHS} protected files`;
  return paths === 1 ? '1 protected file' : `${paths} protected files`;
}

/** Names in quotes, so that it can be seen where one ends and HELIX speaks again. */
function namesOf(paths: readonly string[]): string[] {
  const names: string[] = [];
  let room = MOST_CHARACTERS;
  for (const path of paths.slice(0, MOST_PATHS)) {
    const name = inQuotes(path);
    room -= name.length;
    if (room < 0) break;
    names.push(name);
  }
  return names;
}

function guidanceOf(names: readonly string[], rest: number): string {
  const others = rest > 0 ? ', and all other protected files you changed' : '';
  return `Leave these protected files exactly as they were: ${names.join(', ')}${others}`;
}

/** Tells whether both commands can be read to their end. */
function isWhole({ current }: PhaseState): boolean {
  const { before = '', after = '' } = current?.foundCommand ?? {};
  return !before.endsWith('…') && !after.endsWith('…');
}

/** What is asked about a manifest is not the file but what is run because of it. */
function commandWords({ current }: PhaseState): string {
  const { before, after = '' } = current?.foundCommand ?? {};
  if (before === undefined) return '';
  return ` What gates run there was ${inQuotes(before)}; now it is ${inQuotes(after)}.`;
}

/** What gates say of work that asks less of itself than before. */
function easedBy({ lastVerdicts }: PhaseState): string[] {
  return lastVerdicts
    .flatMap(({ findings }) => findings)
    .flatMap(({ check, message }) => (check === EASED ? [message] : []));
}

/** Tells whether what a human has to see is no protected file, but work that asks less of itself than before. */
export function onlyEases(at: PhaseState): boolean {
  return easedBy(at).length > 0 && (at.current?.protected ?? []).length === 0;
}

function milder(paths: number): string {
  return `it made the rules for its own work milder in ${paths === 1 ? '1 file' : `${paths} files`}`;
}

function easedGuidance(told: readonly string[]): string {
  return `Take this back and meet the rules as they were: ${told.join('. ')}`;
}

function settingsWords({ lastVerdicts }: PhaseState): string {
  const asking = lastVerdicts.filter(({ asks }) => asks !== undefined).flatMap(({ findings }) => findings);
  const told = asking.filter(({ check }) => check === 'decisive-settings' || check === EASED);
  return told.length === 0 ? '' : ` Its gate says: ${told.map(({ message }) => message).join('. ')}.`;
}

/** A question of a meeting: its options are answers, and a comment is an answer in words of one's own. */
export function askQuestion(phase: Phase, at: PhaseState, { index, ahead }: Turn, state: RunState): Asked {
  const { questions = [] } = at.history.meeting?.preparation ?? {};
  const { question = '', options = [] } = questions[index] ?? {};
  const choices = options.map(({ answer, recommended, reason }): Unnamed => {
    const why = recommended === true && reason ? ` (${reason})` : '';
    return {
      description: `${answer}${why}`,
      effort: 'none',
      recommended: recommended === true,
      decision: { action: 'answer', guidance: answer },
      by: 'consultant',
    };
  });
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, ahead),
      phase: phase.id,
      level: 'stufe-2',
      reason: 'question',
      because: `Phase ${phase.id} has a question that its repository does not answer.`,
      question,
      meeting: index,
      options: lettered([...choices, OWN_WORDS]),
    },
  };
}

type Turn = { readonly index: number; readonly ahead: number };

const OWN_WORDS: Unnamed = {
  description: 'Say it in your own words: your comment is the answer',
  effort: 'low',
  recommended: false,
  decision: { action: 'answer' },
};

/** The plan wants a human to look before a phase starts; `ahead` other questions are asked in the same breath. */
export function askBeforeStart(phase: Phase, state: RunState, ahead: number): Asked {
  return {
    type: 'human_asked',
    data: {
      request: requestId(state, ahead),
      phase: phase.id,
      level: 'start',
      reason: 'start',
      because: `The plan wants a human to look before phase ${phase.id} starts.`,
      question: `Phase ${phase.id} needs your approval before it starts. May it?`,
      options: lettered([
        { description: 'Start the phase', effort: 'none', recommended: true, decision: { action: 'proceed' } },
        ABORT,
      ]),
    },
  };
}
