import { askedOf } from '../../domain/facts/asked-of.ts';
import type { RequestState, RunState } from '../../domain/facts/run-state.ts';
import { failureWords } from '../../domain/failure-words.ts';
import type { Finding } from '../../domain/finding.ts';
import { leftLine } from '../../domain/ladder/circumstances.ts';
import { onlyEases } from '../../domain/ladder/question.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import { type AttemptRecord, begunOf, cutJudgement } from '../run/attempts.ts';
import { type ConsultationRecord, isIntervention } from '../run/consultations.ts';
import { fold, wrap } from '../words/columns.ts';
import { count } from '../words/count.ts';
import { dueOf } from '../words/due.ts';
import { failureLines, QUOTED } from '../words/failure-lines.ts';
import { renderLocation } from '../words/findings-text.ts';
import type { Canvas } from '../words/paint.ts';
import { renderDuration } from '../words/time.ts';
import { meetingCard } from './meeting-card.ts';
import { failingFindings, lastFindings } from './trigger.ts';

const FAILURES = 3;
const LABEL = 8;
const SHORT = 200;

/** Questions about work in which nothing has failed. */
const WHY: ReadonlySet<RequestState['reason']> = new Set(['grown', 'plan']);

/** What a question is about: the run that asks it, and what had happened to its phase. */
export type CardSubject = {
  readonly request: RequestState;
  readonly state: RunState;
  readonly attempts: readonly AttemptRecord[];
  readonly consultations: readonly ConsultationRecord[];
  /** What the phase was to do. */
  readonly task: string;
  /** The moment the card is shown (ISO 8601), where it is to say until when an answer is waited for. */
  readonly now?: string;
  /** What the phases it is about can be expected to cost and take. */
  readonly expect?: string;
};

/** A question in thirty seconds: what is stuck, the first failures with their place and last lines, what was tried, and the cause. */
export function questionCard(subject: CardSubject, canvas: Canvas): string[] {
  const { request, state, attempts, task, now, expect = '' } = subject;
  if (request.reason === 'question') return meetingCard(request, state, canvas);
  const rows = [
    ...(WHY.has(request.reason) ? row('why', oneLine(request.because ?? '', 500)) : failureRows(attempts)),
    ...row('expect', expect),
    ...row('tried', triedWords(subject)),
    ...row('cause', causeWords(request)),
    ...row('asked', shortened(askedOf(state) ?? '', request)),
    ...row('task', shortened(task, request)),
    ...row('plan', placeWords(subject)),
    ...row('left', state.budget.usd === undefined && state.budget.minutes === undefined ? '' : leftLine(state)),
    ...row('until', now === undefined ? '' : dueOf(request, now).join('; ')),
  ];
  return [canvas.paint('strong', headline(subject)), '', ...rows.flatMap((each) => renderRow(each, canvas))];
}

/** All that the last judgement said, as long as it is. */
export function wholeOutput(attempts: readonly AttemptRecord[], width: number): string[] {
  return lastFindings(attempts).flatMap(({ check, location, message, hint, output }) => {
    const place = renderLocation(location);
    // Of a long output the message has only the last words.
    const [first = ''] = message.split('\n', 1);
    const lines = sanitise(output === undefined ? message : `${first}\n${output}`).split('\n');
    return [
      ...wrap(`${oneLine(check, 80)}${place === '' ? '' : ` ${place}`}`, width),
      ...lines.flatMap((line) => fold(line, width - 2).map((part) => `${QUOTED}${part}`)),
      ...(hint === undefined ? [] : wrap(`hint: ${oneLine(hint, 2000)}`, width - 2).map((part) => `${QUOTED}${part}`)),
    ];
  });
}

function headline({ request, attempts, state }: CardSubject): string {
  const phase = oneLine(request.phase, 64);
  if (request.reason === 'start') return `${phase} asks before it starts`;
  if (request.reason === 'protected') {
    const at = state.phases.get(request.phase);
    return `${phase} ${at !== undefined && onlyEases(at) ? 'made the rules for its own work milder' : 'changed protected files'}`;
  }
  if (request.reason === 'plan') return `${phase} wrote a plan${isShown(request) ? '' : ' that needs your word'}`;
  if (request.reason === 'grown') return `${phase} is more than one change`;
  const begun = begunOf(attempts).length;
  const ms = attempts.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
  const usd = state.phases.get(request.phase)?.history.spent.usd ?? 0;
  const facts = [renderDuration(ms), ...(usd > 0 ? [`${usd.toFixed(2)} USD`] : [])];
  return `${phase} is stuck after ${count(begun, 'attempt')} (${facts.join(', ')})`;
}

/** Nothing in it needs a word: it is there to be seen before it costs anything. */
function isShown({ options }: RequestState): boolean {
  return options.some(({ decision, recommended }) => decision.action === 'proceed' && recommended);
}

type Row = { readonly label: string; readonly lines: readonly string[] };

function row(label: string, text: string): Row[] {
  return text === '' ? [] : [{ label, lines: [text] }];
}

function failureRows(attempts: readonly AttemptRecord[]): Row[] {
  const cut = attempts.at(-1);
  if (cut?.stage === 'interrupted') return row('fails', interruptionWords(cut));
  const unheard = cutJudgement(cut);
  if (unheard !== undefined) return row('fails', `judging was interrupted: ${oneLine(unheard, 500)}`);
  const findings = failingFindings(attempts);
  const rows = findings.slice(0, FAILURES).map(failureRow);
  return [...rows, ...row('', findings.length > FAILURES ? `and ${findings.length - FAILURES} more` : '')];
}

/** Why it was cut short; `failure` stands where its program told HELIX nothing more. */
function interruptionWords({ failure = 'unknown', message = '' }: AttemptRecord): string {
  return `interrupted: ${failureWords(failure)}${message === '' ? '' : `: ${oneLine(message, 500)}`}`;
}

function failureRow(finding: Finding): Row {
  return { label: 'fails', lines: failureLines(finding) };
}

/** Who tried, how often, and with what a consultant had changed. */
function triedWords({ attempts, consultations }: CardSubject): string {
  const groups: { who: string; times: number }[] = [];
  for (const { model, agent, manual } of begunOf(attempts)) {
    const who = manual === true ? 'your change' : oneLine(model ?? agent, 60);
    const last = groups.at(-1);
    if (last?.who === who) last.times += 1;
    else groups.push({ who, times: 1 });
  }
  const hints = consultations.filter(isIntervention).flatMap(({ changes }) => changes?.hints ?? []).length;
  const tried = groups.map(({ who, times }) => (times === 1 ? who : `${who} ×${times}`)).join(' · ');
  return hints === 0 || tried === '' ? tried : `${tried}, with ${count(hints, 'hint')} of a consultant`;
}

function causeWords({ analysis }: RequestState): string {
  return analysis === undefined ? '' : `(consultant) ${oneLine(analysis.suspected_cause, 500)}`;
}

/** A text on the card; of a long one, what shows all of it. */
function shortened(text: string, { id }: RequestState): string {
  const short = oneLine(text, SHORT);
  return short === oneLine(text, SHORT + 1) ? short : `${short} (all of it: helix decide ${id} --json)`;
}

function placeWords({ request, state: { plan } }: CardSubject): string {
  const at = plan.phases.findIndex(({ id }) => id === request.phase);
  const next = plan.phases.filter(({ dependsOn }) => dependsOn.includes(request.phase)).map(({ id }) => id);
  if (plan.phases.length < 2) return '';
  return `phase ${at + 1} of ${plan.phases.length}${next.length === 0 ? '' : `; then ${next.slice(0, 5).join(', ')}`}`;
}

function renderRow({ label, lines }: Row, { width, paint }: Canvas): string[] {
  const room = Math.max(12, width - LABEL);
  const shown = lines.flatMap((line) => {
    if (!line.startsWith(QUOTED)) return wrap(line, room);
    return fold(line.slice(QUOTED.length), room - QUOTED.length).map((part) => `${QUOTED}${part}`);
  });
  return shown.map((line, index) => `${index === 0 ? paint('dim', label.padEnd(LABEL)) : ' '.repeat(LABEL)}${line}`);
}
