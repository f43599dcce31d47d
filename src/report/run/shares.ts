import type { Cost, RunEvent } from '../../domain/facts/run-event.ts';
import { plus, type Spending } from '../../domain/facts/spending.ts';
import { renderSpending, sumOf } from '../words/cost.ts';
import { renderDuration } from '../words/time.ts';

/** Less than that nobody has waited. */
const MOMENT = 1000;

type Share = { readonly ms: number; readonly spending: Spending };

/** What of a run's time and cost its agents had, its judges and consultants, its gates, and HELIX itself. */
export type Shares = {
  readonly agent: Share;
  readonly judge: Share;
  readonly gatesMs: number;
  /** Set-up and the first run of its gates' commands, before its first fact. */
  readonly preparedMs: number;
  /** From then to its last fact, without the time in which it waited for people or nobody worked on it. */
  readonly totalMs: number;
  /** The time in which it waited for people or nobody worked on it. */
  readonly waitedMs: number;
  readonly helixMs: number;
  /** Roughly how many tokens of its own words HELIX put into briefs; undefined where an older journal does not tell. */
  readonly helixTokens: number | undefined;
};

/** Facts that end a time in which nobody worked. */
const AFTER_WAITING: ReadonlySet<RunEvent['type']> = new Set(['decision_taken', 'run_resumed']);

/** Gates that ask judges, whose time is counted with them. */
const ASKING: ReadonlySet<string> = new Set(['approval', 'verification']);

/** Who had which share of a run, out of its facts. */
export function sharesOf(events: readonly RunEvent[]): Shares {
  let agent: Share = { ms: 0, spending: sumOf([]) };
  let judge: Share = agent;
  let gatesMs = 0;
  let waitedMs = 0;
  let preparedMs = 0;
  let helixTokens: number | undefined;
  for (const [index, event] of events.entries()) {
    const { type, data } = event;
    if (type === 'run_started') preparedMs = data.preparedMs ?? 0;
    if (AFTER_WAITING.has(type)) waitedMs += between(events[index - 1], event);
    if (type === 'attempt_started' && data.ownTokens !== undefined) helixTokens = (helixTokens ?? 0) + data.ownTokens;
    if (type === 'attempt_finished' || type === 'attempt_interrupted') agent = more(agent, data);
    if (JUDGED.has(type) && 'durationMs' in data) judge = more(judge, data);
    if (type === 'attempt_judged')
      gatesMs += data.verdicts.reduce((sum, { gate, durationMs }) => sum + (ASKING.has(gate) ? 0 : durationMs), 0);
  }
  const totalMs = preparedMs + Math.max(0, between(events[0], events.at(-1)) - waitedMs);
  const helixMs = Math.max(0, totalMs - preparedMs - agent.ms - judge.ms - gatesMs);
  return { agent, judge, gatesMs, preparedMs, totalMs, waitedMs, helixMs, helixTokens };
}

const JUDGED: ReadonlySet<RunEvent['type']> = new Set([
  'approval_finished',
  'approval_interrupted',
  'consultation_finished',
  'consultation_refused',
  'consultation_interrupted',
  'meeting_answered',
  'meeting_refused',
  'meeting_interrupted',
]);

function more({ ms, spending }: Share, { durationMs, cost }: { durationMs: number; cost?: Cost | undefined }): Share {
  return { ms: ms + durationMs, spending: cost === undefined ? spending : plus(spending, cost) };
}

function between(from: RunEvent | undefined, to: RunEvent | undefined): number {
  return from === undefined || to === undefined ? 0 : Math.max(0, Date.parse(to.at) - Date.parse(from.at));
}

/** The agent's share of a run, and HELIX's own with that of its gates and judges; what came before it and what it waited are named apart. */
export function shareLines({ agent, judge, gatesMs, preparedMs, waitedMs, helixMs, helixTokens }: Shares): string[] {
  const own = [
    renderDuration(helixMs),
    ...(helixTokens === undefined ? [] : [`about ${tokenWords(helixTokens)} of its own in briefs`]),
  ];
  const asked =
    judge.ms === 0 && judge.spending.known + judge.spending.unknown === 0 ? [] : [`judge ${shareWords(judge)}`];
  return [
    `agent        ${shareWords(agent)}`,
    `HELIX itself ${[own.join(', '), `gates ${renderDuration(gatesMs)}`, ...asked].join(' · ')}`,
    ...(preparedMs === 0 ? [] : [`before       ${renderDuration(preparedMs)}, set-up and first run of the commands`]),
    ...(waitedMs < MOMENT
      ? []
      : [`not counted  ${renderDuration(waitedMs)} in which it waited for you or was stopped`]),
  ];
}

function shareWords({ ms, spending }: Share): string {
  const tokens = spending.tokens === 0 ? [] : [tokenWords(spending.tokens)];
  return [renderDuration(ms), renderSpending(spending), ...tokens].join(', ');
}

function tokenWords(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} token${tokens === 1 ? '' : 's'}`;
}
