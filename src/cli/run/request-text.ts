import { matterOf, taskOf } from '../../brief/task-sentence.ts';
import type { Option } from '../../domain/facts/consultation.ts';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { failureWords } from '../../domain/failure-words.ts';
import { type Retry, retryOf } from '../../domain/ladder/direction.ts';
import { revertTargets } from '../../domain/ladder/revert.ts';
import { present } from '../../domain/present.ts';
import { hilRequest } from '../../report/ladder/hil-request.ts';
import { questionCard, wholeOutput } from '../../report/ladder/question-card.ts';
import { type AttemptRecord, attemptHistory, outcomeOf } from '../../report/run/attempts.ts';
import { consultationHistory, isIntervention } from '../../report/run/consultations.ts';
import { foldPatchLines } from '../../report/run/diff-text.ts';
import { renderChanges } from '../../report/words/changes-text.ts';
import { wrap } from '../../report/words/columns.ts';
import { count } from '../../report/words/count.ts';
import { dueOf } from '../../report/words/due.ts';
import { QUOTED } from '../../report/words/failure-lines.ts';
import type { Canvas } from '../../report/words/paint.ts';
import { manualPath } from '../../report/words/run-paths.ts';
import { renderDuration } from '../../report/words/time.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import type { Open } from '../human/answer.ts';
import type { AttemptDifferences } from './attempt-differences.ts';
import { type Context, renderKnown } from './known-context.ts';

const ATTEMPTS = 12;

/** Everything there is to say about a question. */
export type Subject = {
  readonly request: RequestState;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  readonly differences: AttemptDifferences;
  /** What was known when it was asked. */
  readonly context?: Context;
  /** What the phases it is about can be expected to cost and take. */
  readonly expect?: string;
};
type View = Canvas & { readonly now: string; readonly at: string };

/** What a human should know before the answer: what failed, how the attempts differ, what the consultant did and says. */
export function renderBackground(subject: Subject, view: View): string[] {
  const { request, state, events } = subject;
  const attempts = attemptHistory(events).get(request.phase) ?? [];
  const parts = [
    [[view.paint('strong', request.id), `phase ${request.phase}`, ...dueOf(request, view.now)].join('  ')],
    renderCard(subject, view),
    summary(subject, view),
    tries(attempts, subject, view),
    between(subject, view),
    consultant(subject, view),
    renderKnown(subject.context, view),
  ];
  const lines = parts.filter((part) => part.length > 0).flatMap((part) => [...part, '']);
  return state.phases.get(request.phase) === undefined ? [] : lines;
}

/** The question in short: what is stuck and why, what was tried, and where it stands. */
export function renderCard(
  {
    request,
    state,
    events,
    now,
    expect,
  }: Pick<Subject, 'request' | 'state' | 'events' | 'expect'> & {
    readonly now?: string;
  },
  canvas: Canvas,
): string[] {
  const attempts = attemptHistory(events).get(request.phase) ?? [];
  const consultations = consultationHistory(events).get(request.phase) ?? [];
  const phase = state.plan.phases.find(({ id }) => id === request.phase);
  const task = phase === undefined ? '' : taskOf(phase, matterOf(state));
  return questionCard({ request, state, attempts, consultations, task, ...present({ now, expect }) }, canvas);
}

/** What can be looked at before a question is answered. */
export function lookingAt(
  { request, state, events }: Pick<Subject, 'request' | 'state' | 'events'>,
  differences: () => Promise<AttemptDifferences>,
  view: View,
): NonNullable<Open['more']> {
  return {
    difference: async () => between({ request, state, events, differences: await differences() }, view),
    output: () => wholeOutput(attemptHistory(events).get(request.phase) ?? [], view.width),
  };
}

/** How each option is chosen: the exact command, and what it needs first. */
export function renderCommands({ request, state }: Subject, { at, paint }: View): string[] {
  const lines = request.options.map((option) => `  ${commandOf(option, { request, state }, at)}`);
  const own = request.options.find(({ decision }) => decision.action === 'take');
  const back = request.options.find(({ decision }) => decision.action === 'revert');
  const targets = back === undefined ? [] : revertTargets(request.phase, state);
  return [
    paint('dim', 'Answer with one of:'),
    ...lines.map((line) => paint('info', line)),
    ...(own === undefined ? [] : [`For ${own.id}, change what lies in ${manualPath(state.run, request.phase)} first.`]),
    ...(targets.length > 1 ? [`For ${back?.id}, --phase is one of: ${targets.join(', ')}`] : []),
  ];
}

function commandOf(
  { id, decision }: Option,
  { request, state }: Pick<Subject, 'request' | 'state'>,
  at: string,
): string {
  const hears = new Set<Retry>(['work', 'goes-back']).has(retryOf(decision, request, state));
  const wants: Partial<Record<Option['decision']['action'], string>> = {
    ...(decision.guidance === undefined && { answer: ' --comment "your answer"' }),
    retry: hears ? ' --comment "what the agent should know"' : '',
    accept: ' --comment "why it is right as it is"',
    revert: ` --phase ${decision.phase ?? ''}`,
  };
  return `helix decide ${request.id} ${id}${wants[decision.action] ?? ''}${at}`;
}

function summary({ request, state, events }: Subject, { width }: View): string[] {
  const { total_attempts, stufe_1_interventions, models_tried, time_spent_minutes } = hilRequest(
    state,
    request,
    events,
  ).summary;
  if (total_attempts === 0 && models_tried.length === 0) return [];
  const facts = [
    count(total_attempts, 'judged attempt'),
    `${count(stufe_1_interventions, 'intervention')} of the consultant`,
    `tried: ${models_tried.map((model) => oneLine(model, 80)).join(', ')}`,
    `${time_spent_minutes} minutes of agent time`,
  ];
  return wrap(facts.join(' · '), width);
}

function tries(attempts: readonly AttemptRecord[], { request, state, differences }: Subject, view: View): string[] {
  const shown = attempts.slice(-ATTEMPTS);
  if (shown.length === 0) return [];
  const own = differences.of === request.phase;
  const lines = shown.map((attempt) => {
    const files = own ? differences.changed.get(attempt.attempt) : undefined;
    const facts = [
      oneLine(attempt.model ?? attempt.agent, 60),
      attempt.failure === undefined
        ? (outcomeOf(attempt.verdicts) ?? attempt.stage)
        : `interrupted: ${failureWords(attempt.failure)}`,
      ...(files === undefined || attempt.failure !== undefined ? [] : [`${count(files, 'file')} changed`]),
      ...(attempt.durationMs === undefined ? [] : [renderDuration(attempt.durationMs)]),
    ];
    return `  ${attempt.attempt}  ${facts.join(' · ')}`;
  });
  const left = attempts.length - shown.length;
  return [
    view.paint('strong', 'Attempts'),
    ...(left > 0 ? [`  ${left} earlier ones`] : []),
    ...lines,
    view.paint(
      'dim',
      own
        ? `  see one: helix diff ${state.run} ${request.phase} --attempt ${shown.at(-1)?.attempt}${view.at}`
        : `  see what was judged: helix diff ${state.run} ${differences.of}${view.at}`,
    ),
  ];
}

function between({ request, state, differences }: Subject, view: View): string[] {
  const { between: found, of } = differences;
  if (found === undefined) return [];
  const whose = of === request.phase ? '' : ` of ${of}`;
  const title = view.paint('strong', `From attempt ${found.from} to attempt ${found.to}${whose}`);
  if (found.patch === '') return [title, '  nothing was changed'];
  const more = found.more ? [view.paint('dim', `  and more: helix diff ${state.run} ${of}${view.at}`)] : [];
  return [
    title,
    ...foldPatchLines(found.patch, { paint: view.paint, width: view.width - 2 }).map((line) => `${QUOTED}${line}`),
    ...more,
  ];
}

function consultant({ request, events }: Subject, { width, paint }: View): string[] {
  const did = (consultationHistory(events).get(request.phase) ?? [])
    .filter(isIntervention)
    .flatMap((record) => [
      `Decided after attempt ${record.attempt}: ${renderChanges(record)}`,
      ...(record.changes?.hints ?? []).map((hint) => `- ${oneLine(hint, 300)}`),
    ]);
  const { problem = '', suspected_cause = '', learning = '' } = request.analysis ?? {};
  const thinks = [
    ...(problem === '' ? [] : [`Problem: ${problem}`]),
    ...(suspected_cause === '' ? [] : [`Suspected cause: ${suspected_cause}`]),
    ...(learning === '' ? [] : [`Learning: ${learning}`]),
  ];
  const lines = [...did, ...thinks].flatMap((text) => wrap(excerpt(text, 4000), width - 2).map((line) => `  ${line}`));
  return lines.length === 0 ? [] : [paint('strong', 'The consultant'), ...lines];
}
