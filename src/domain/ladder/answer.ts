import { type Changes, type Decision, isUnchanged, mergeChanges, type Option } from '../facts/consultation.ts';
import type { NewEvent } from '../facts/run-event.ts';
import { openRequests, type RequestState, type RunState } from '../facts/run-state.ts';
import { HelixError } from '../helix-error.ts';
import { present } from '../present.ts';
import { addresseesOf, isSilence } from './direction.ts';
import { revertTargets } from './revert.ts';

/** What a human answers to a question. */
export type Answer = {
  readonly option: string;
  readonly comment?: string;
  /** What becomes more or less urgent by it; goes with the comment, and is no reason by itself. */
  readonly priority?: string;
  /** The phase to go back to, where that is what the option does. */
  readonly phase?: string;
  /** What stands in the specification instead of what it says there, by dotted path. */
  readonly spec?: NonNullable<Changes['override']>;
  /** The human's own change: texts by their path in the phase's directory. */
  readonly files?: Readonly<Record<string, string>>;
};

const LONGEST_COMMENT = 20_000;

/** What can be chosen beforehand for the case that nobody answers; silence is never consent. */
const UNATTENDED: ReadonlySet<Decision['action']> = new Set(['retry', 'abort']);
const PRIORITY = 'Priority: ';

/** What a recorded comment says, and its last line where that is about priority. */
export function partsOfComment(comment: string): { readonly comment?: string; readonly priority?: string } {
  const lines = comment.split('\n');
  const last = lines.at(-1) ?? '';
  if (!last.startsWith(PRIORITY)) return { comment };
  return { comment: lines.slice(0, -1).join('\n'), priority: last.slice(PRIORITY.length) };
}

/** Why a question cannot be answered any more; undefined while it can. */
export function whyClosed(state: RunState, id: string): string | undefined {
  try {
    requestOf(state, id);
    return undefined;
  } catch (error) {
    if (error instanceof HelixError) return error.message;
    throw error;
  }
}

/** There is no such question. */
export function unknownRequest(request: string): HelixError {
  return new HelixError('not_found', `there is no question ${request}`, {
    hint: 'See what waits for you: helix inbox',
  });
}

/** The whole name of a question, of which a person may leave out the last part; what names none stays as it is. */
export function wholeRequestId({ requests }: RunState, id: string): string {
  if (requests.has(id)) return id;
  return [...requests.keys()].find((whole) => whole.startsWith(`${id}-`)) ?? id;
}

/** The question, or a HelixError that says why it cannot be answered any more. */
export function requestOf(state: RunState, id: string): RequestState {
  const request = state.requests.get(id);
  if (request === undefined) throw unknownRequest(id);
  if (request.answer !== undefined) {
    const { option, actor, at } = request.answer;
    throw new HelixError('usage', `${id} was already answered with ${option} by ${actor} at ${at}`, {
      hint: 'The first answer stands.',
    });
  }
  if (request.withdrawn === true) {
    throw new HelixError('usage', `${id} is not asked any more: the plan was changed or the work sent back since`, {
      hint: `See what is: helix status ${state.run}`,
    });
  }
  if (state.ended !== undefined || !openRequests(state).includes(request)) {
    throw new HelixError('usage', `run ${state.run} has already ended`, { hint: `See it: helix status ${state.run}` });
  }
  return request;
}

/** The option an answer names, whatever the case of its letter. */
export function chosenBy({ options }: RequestState, option: string): Option | undefined {
  return options.find(({ id }) => id.toLowerCase() === option.toLowerCase());
}

/** The fact an answer makes; throws HelixError `usage` for one that cannot be taken. */
export function decisionOf(
  state: RunState,
  answer: Answer & { readonly request: string },
  actor: string,
): Extract<NewEvent, { type: 'decision_taken' }> {
  const request = requestOf(state, answer.request);
  const chosen = chosenBy(request, answer.option);
  if (chosen === undefined) {
    throw new HelixError('usage', `${request.id} has no option ${JSON.stringify(answer.option)}`, {
      hint: `Options: ${request.options.map(({ id }) => id).join(', ')}`,
    });
  }
  if (isSilence({ actor }) && !UNATTENDED.has(chosen.decision.action)) {
    throw new HelixError('usage', `option ${chosen.id} is not for nobody to choose: only a human accepts`, {
      hint: 'on_timeout can be retry, abort or wait.',
    });
  }
  const reason = answer.comment?.trim() === '' ? undefined : answer.comment;
  const priority = answer.priority?.trim().replaceAll(/\s+/g, ' ');
  const comment = joined(reason, priority && PRIORITY + priority);
  if ((comment?.length ?? 0) > LONGEST_COMMENT) {
    throw new HelixError('usage', `the comment is longer than ${LONGEST_COMMENT} characters`);
  }
  const said: Said = { ...answer, priority, reason, request, chosen };
  return {
    type: 'decision_taken',
    data: {
      request: request.id,
      option: chosen.id,
      decision: madeOf(said, state),
      ...present({ comment }),
      actor,
    },
  };
}

type Said = Omit<Answer, 'comment' | 'priority'> & {
  readonly priority: string | undefined;
  /** What the human wrote of themselves. */
  readonly reason: string | undefined;
  readonly request: RequestState;
  readonly chosen: Option;
};

/** The option's decision, with what the answer adds to it. */
function madeOf(said: Said, state: RunState): Decision {
  const { decision } = said.chosen;
  const phase = targetOf(said, state);
  refuseUnfit(said);
  const guidance = UNGUIDED.has(decision.action)
    ? decision.guidance
    : joined(decision.guidance, said.reason, said.priority && PRIORITY + said.priority);
  const changes = changesOf(said);
  const given = { ...decision, ...present({ guidance, phase, changes }) };
  const [only, another] = addresseesOf(given, said.request, state);
  return {
    ...given,
    ...(guidance !== undefined && only !== undefined && another === undefined && { for: only }),
    ...(said.files !== undefined && { files: { ...said.files } }),
  };
}

/** Decisions of which the comment is no guidance: after them nobody works on what was asked about, or it is the answer itself. */
const UNGUIDED: ReadonlySet<Decision['action']> = new Set(['accept', 'abort', 'answer']);

/** The phase a run goes back to: the one the answer names, else the option's own. */
function targetOf({ chosen, request, phase }: Said, state: RunState): string | undefined {
  const { action, phase: usual } = chosen.decision;
  if (action !== 'revert') {
    if (phase === undefined) return usual;
    throw new HelixError('usage', `option ${chosen.id} does not go back to a phase`, {
      hint: optionFor(request, 'revert', 'A phase goes with'),
    });
  }
  const targets = revertTargets(request.phase, state);
  const target = phase ?? usual;
  if (target !== undefined && targets.includes(target)) return target;
  throw new HelixError('usage', `the run cannot go back to ${JSON.stringify(target ?? '')}`, {
    hint: targets.length === 0 ? 'No accepted phase lies before it.' : `It can go back to: ${targets.join(', ')}`,
  });
}

/** What an option would pass over in silence is refused instead. */
function refuseUnfit({ chosen, request, reason, files, spec }: Said): void {
  const { action } = chosen.decision;
  if (action === 'accept' && reason === undefined) {
    throw new HelixError('usage', `option ${chosen.id} accepts work that a gate rejects, and needs a reason`, {
      hint: `Say why it is right: helix decide ${request.id} ${chosen.id} --comment "..."`,
    });
  }
  if (action === 'answer' && chosen.decision.guidance === undefined && reason === undefined) {
    throw new HelixError('usage', `option ${chosen.id} is an answer in your own words, and there are none`, {
      hint: `Say it: helix decide ${request.id} ${chosen.id} --comment "..."`,
    });
  }
  if (spec !== undefined && action === 'answer') {
    throw new HelixError(
      'usage',
      `spec_override is not taken with option ${chosen.id}: the answer becomes part of the specification`,
    );
  }
  if (files !== undefined && action !== 'take') {
    throw new HelixError('usage', `manual_code is not taken with option ${chosen.id}`, {
      hint: optionFor(request, 'take', 'It goes with'),
    });
  }
  if (spec !== undefined && action === 'abort') {
    throw new HelixError('usage', `spec_override has no effect with option ${chosen.id}: no agent goes on from it`);
  }
}

function optionFor({ options }: RequestState, action: Decision['action'], lead: string): string {
  const fitting = options.filter(({ decision }) => decision.action === action).map(({ id }) => id);
  return fitting.length === 0 ? 'No option of this question takes that.' : `${lead} option ${fitting.join(' or ')}.`;
}

/** What the next attempts run with, and what the specification says from now on. */
function changesOf({ chosen: { decision }, spec }: Said): Changes | undefined {
  const changes = mergeChanges(decision.changes ?? {}, present({ override: spec }));
  return isUnchanged(changes) ? undefined : changes;
}

function joined(...texts: readonly (string | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined).join('\n');
  return said === '' ? undefined : said;
}
