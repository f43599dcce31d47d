import {
  findingsOf,
  openRequests,
  type PhaseState,
  type RequestState,
  type RunState,
  resultOf,
  runStatus,
} from '../../domain/facts/run-state.ts';
import { failureWords } from '../../domain/failure-words.ts';
import type { Finding } from '../../domain/finding.ts';
import { type Limits, renderLimit } from '../../domain/plan/limits.ts';
import type { Sandbox } from '../../domain/plan/sandbox.ts';
import { CONSULTANT } from '../../domain/run/evolve-escalation.ts';
import { oneLine } from '../../text/sanitise.ts';
import { columns, pad, wrap } from '../words/columns.ts';
import { renderSpending, spendingOf } from '../words/cost.ts';
import { count } from '../words/count.ts';
import { dueOf } from '../words/due.ts';
import { firstOf, warningsOf } from '../words/first-finding.ts';
import { growthLines } from '../words/growth-words.ts';
import { keptOutLine } from '../words/kept-out.ts';
import { laterLines } from '../words/later.ts';
import { overridesOf, overrideText } from '../words/overrides.ts';
import { type Canvas, type Part, renderLine, type Style } from '../words/paint.ts';
import { questionLines } from '../words/question-words.ts';
import { renderDuration, renderTime } from '../words/time.ts';
import { untoldLines } from '../words/untold.ts';
import { begunAttempts } from './attempts.ts';
import { isHeldUp, renderAllFindings, renderFailing } from './failing-text.ts';
import { shownStatus, workedOn } from './run-document.ts';

/** How a status is shown; `at` is what a printed command needs to find the project from here; with `now` (ISO 8601) the attempts under way show how long they have been. */
export type StatusView = Canvas & {
  readonly owned: boolean;
  readonly now?: string;
  readonly at?: string;
  /** All findings instead of the first failing ones. */
  readonly findings?: boolean;
};

const LOOK: Readonly<Record<string, readonly [symbol: string, style: Style]>> = {
  passed: ['✔', 'good'],
  failed: ['✖', 'bad'],
  running: ['▶', 'info'],
  waiting: ['?', 'warn'],
  parked: ['‖', 'warn'],
  interrupted: ['‖', 'warn'],
  cancelled: ['✖', 'warn'],
  skipped: ['–', 'dim'],
  voided: ['↺', 'dim'],
  pending: ['·', 'dim'],
  override: ['!', 'warn'],
};

/** Where a run stands, for people: one line per phase, then what is waited for and how to answer. */
export function renderStatus(state: RunState, view: StatusView): string {
  return [
    ...header(state, view),
    '',
    ...(view.findings === true ? renderAllFindings(state, view) : renderFailing(state, view)),
    ...table(workedOn(state), view),
    ...openRequests(state).flatMap((request) => ['', ...question(request, view)]),
    ...lookLines(state, view),
    ...growthLines(state),
    ...laterLines(state),
    ...untoldLines(state),
    ...resultLines(state, view),
    '',
  ].join('\n');
}

/** A sandbox in a line: its level, why it is this one, and what it should limit and cannot. */
export function renderSandbox({ level, why, limits }: Sandbox): string {
  return `${level} (${oneLine(why, 300)})${notLimited(limits)}`;
}

/** What a sandbox limits, in words. */
export function renderLimits({ memory, processes, file_size }: Limits): string {
  return [
    memory === 'unlimited' ? 'memory not limited' : `${renderLimit(memory)} of memory`,
    processes === 'unlimited' ? 'processes not limited' : `${processes} processes and threads`,
    file_size === 'unlimited' ? 'files not limited' : `files of ${renderLimit(file_size)}`,
  ].join(', ');
}

function notLimited(limits: Partial<Limits> = {}): string {
  const names = Object.entries(limits)
    .filter(([, limit]) => limit === 'unlimited')
    .map(([name]) => name);
  return names.length === 0 ? '' : `, ${names.join(' and ').replace('_', ' ')} not limited`;
}

function header(state: RunState, view: StatusView): string[] {
  const status = runStatus(state, view.owned);
  const facts = [
    `started ${renderTime(state.startedAt)}`,
    count(begunAttempts(workedOn(state)), 'attempt'),
    `${renderDuration(state.spent.ms)} of agent time`,
    renderSpending(spendingOf(state)),
    ...(state.sandbox === undefined ? [] : [`sandbox ${state.sandbox.level}${notLimited(state.sandbox.limits)}`]),
  ];
  const title: Part[] = [['strong', oneLine(state.plan.project.name, 80)], '  ', styleOf(status), `  run ${state.run}`];
  if (state.simulated) title.push('  ', ['warn', 'simulated']);
  const overrides = overridesOf(state).length;
  if (overrides > 0) title.push('  ', ['warn', `with ${count(overrides, 'override')}`]);
  const why = whyOf(state);
  return [
    renderLine(title, view),
    ...(why === undefined ? [] : wrap(oneLine(why), view.width).map((line) => view.paint('warn', line))),
    ...wrap(facts.join(' · '), view.width).map((line) => view.paint('dim', line)),
  ];
}

function styleOf(status: string): Part {
  return [LOOK[status]?.[1] ?? 'dim', status];
}

/** One row per phase, its note below where it does not fit; the columns are as wide as they need to be, ids at most a third of the line. */
function table(phases: readonly PhaseState[], view: StatusView): string[] {
  const narrow = view.width < 60;
  const rows = phases.map((phase) => ({
    id: phase.id,
    status: wordOf(phase, view),
    tries: triesOf(phase, narrow),
    time: timeOf(phase, view.now),
    note: isHeldUp(phase) ? heldNote(phase) : noteOf(phase),
  }));
  const widest = (texts: readonly string[]) => texts.reduce((width, text) => Math.max(width, columns(text)), 0);
  const id = Math.min(widest(rows.map((row) => row.id)), Math.max(10, Math.floor(view.width / 3)));
  const tries = widest(rows.map((row) => row.tries));
  const status = Math.max(7, widest(rows.map((row) => row.status)));
  const time = narrow ? 0 : widest(rows.map((row) => row.time));
  return rows.flatMap((row) => {
    const [symbol, style] = LOOK[row.status] ?? ['·', 'dim'];
    const cells = [pad(row.tries, tries), ...(time === 0 ? [] : [pad(row.time, time)])].join('  ');
    const line: Part[] = [
      [style, symbol],
      ' ',
      pad(row.id, id),
      '  ',
      [style, pad(row.status, status)],
      `  ${cells}  `,
    ];
    const wide = columns(`${symbol} `) + id + 2 + status + columns(`  ${cells}  `);
    if (wide + columns(row.note) <= view.width) return [renderLine([...line, ['dim', row.note]], view)];
    const below = wrap(row.note, Math.max(10, view.width - NOTE.length)).map(
      (words) => NOTE + view.paint('dim', words),
    );
    return [renderLine(line, view), ...below];
  });
}

const NOTE = '    ';

function triesOf(phase: PhaseState, narrow: boolean): string {
  const begun = begunAttempts([phase]);
  if (begun === 0) return '';
  return narrow ? `${begun}×` : count(begun, 'attempt');
}

/** Work that a human accepted against a gate did not pass it. */
function wordOf(phase: PhaseState, { owned }: StatusView): string {
  return phase.accepted?.override === undefined ? shownStatus(phase, owned) : 'override';
}

function timeOf(phase: PhaseState, now: string | undefined): string {
  const current = phase.current;
  if (current === undefined) return '';
  if (current.durationMs !== undefined) return renderDuration(current.durationMs);
  const since =
    current.stage === 'open' && now !== undefined ? Date.parse(now) - Date.parse(current.startedAt) : undefined;
  return since === undefined ? '' : renderDuration(since);
}

/** What was found stands above the table; here is only what else there is to say. */
function heldNote({ reason, rung }: PhaseState): string {
  return oneLine(rung.blocked?.message ?? reason ?? '');
}

/** Where to look closer when a run has failed. */
function lookLines({ run, ended, phases }: RunState, { at = '' }: StatusView): string[] {
  const failed = [...phases.values()].find(isHeldUp);
  if (ended?.status !== 'failed' || failed === undefined) return [];
  const of = `${run} ${failed.id}${at}`;
  return ['', `See more: helix logs ${of}`, `          helix diff ${of}`];
}

/** The first error, of a passed phase its first warning, or what else there is to say about the phase. */
function noteOf(phase: PhaseState): string {
  const override = phase.accepted?.override;
  if (override !== undefined) return overrideText(override);
  if (phase.asking.some(({ of }) => of === CONSULTANT)) return 'a consultant is asked';
  const findings = findingsOf(phase);
  const found = phase.status === 'passed' ? warningNote(findings) : firstOf(findings)?.message;
  const failure = phase.current?.failure;
  const note =
    phase.rung.blocked?.message ?? phase.reason ?? found ?? (failure && `interrupted: ${failureWords(failure)}`);
  return oneLine(note ?? '');
}

/** How many there are, and the first of them. */
function warningNote(findings: readonly Finding[]): string | undefined {
  const warnings = warningsOf(findings);
  const [first] = warnings;
  return first && `${count(warnings.length, 'warning')}: ${first.message}`;
}

/** What was accepted lies on a branch; the command to take it is there to be copied. */
function resultLines(state: RunState, { at }: StatusView): string[] {
  const result = resultOf(state);
  const line = keptOutLine(state, at);
  const kept = line === undefined ? [] : [line];
  if (result === undefined) return kept.length === 0 ? [] : ['', ...kept];
  const merge = state.ended?.status === 'passed' ? takeIt(result.branch, state.base?.dirty === true) : [];
  const what = state.ended === undefined ? 'Accepted so far' : 'Accepted work';
  return ['', `${what}: branch ${result.branch} (${result.commit.slice(0, 12)})`, ...kept, ...merge];
}

/** What the user had not committed is part of the branch, so git would refuse to merge over it. */
function takeIt(branch: string, dirty: boolean): string[] {
  if (!dirty) return [`Take it with: git merge ${branch}`];
  return [
    `Take it with: git stash --include-untracked && git merge ${branch}`,
    'Your uncommitted changes are part of it; once you have looked: git stash drop',
  ];
}

/** The question is wrapped, never cut, and the command is whole: it is there to be copied. */
function question(request: RequestState, view: StatusView): string[] {
  const [first = '', ...rest] = questionLines(request, 2000).flatMap((line) => wrap(line, view.width - 2));
  const options = request.options.flatMap((option) => {
    const text = `${oneLine(option.description)}${option.recommended ? ' (recommended)' : ''}`;
    return wrap(text, view.width - 5).map(
      (line, index) => `  ${index === 0 ? pad(oneLine(option.id, 8), 2) : '  '} ${line}`,
    );
  });
  const answer = request.options.find((option) => option.recommended) ?? request.options[0];
  const due = view.now === undefined ? [] : dueOf(request, view.now);
  return [
    `${view.paint('warn', '?')} ${view.paint('strong', first)}`,
    ...rest.map((line) => `  ${view.paint('strong', line)}`),
    ...options,
    ...due.flatMap((line) => wrap(line, view.width - 2).map((part) => `  ${view.paint('warn', part)}`)),
    `  ${view.paint('info', `helix decide ${request.id} ${answer?.id ?? ''}${view.at ?? ''}`)}`,
  ];
}

/** Why a run ended or does not go on and, where that is known, until when. */
export function whyOf({ ended, parked }: RunState): string | undefined {
  if (ended !== undefined || parked?.until === undefined) return ended?.reason ?? parked?.message;
  return `${parked.message}; worth another try at ${renderTime(parked.until)}`;
}
