import type { PhaseState, RunState } from '../facts/run-state.ts';
import { CAPABILITIES, type Driver } from '../plan/driver.ts';
import type { Budget, Phase } from '../plan/plan.ts';
import { present } from '../present.ts';
import { phasesAfter } from './plan-graph.ts';

const MINUTE = 60_000;

/** Less than this is nothing: sums of fractions are never quite exact. */
const LEAST_USD = 1e-6;
const LEAST_MS = 1;

/** With less than this no agent gets anywhere, so what is left is not divided further. */
const SHARE_USD = 0.25;
const SHARE_MS = MINUTE;

const DEFAULT_TIMEOUT_SECONDS = 3600;

type Used = { readonly usd: number; readonly kept: number; readonly ms: number; readonly attempts: number };

/** Says which limit of a phase's own is used up, if any. */
export function phaseLimit(phase: Phase, state: RunState): string | undefined {
  const at = state.phases.get(phase.id);
  if (phase.budget === undefined || at === undefined) return undefined;
  const limit = usedUp(phase.budget, usedBy(at), isPaid(phase, state));
  return limit && `${phase.id}: of its own budget, ${limit}`;
}

/** The limit that keeps another attempt of a phase from starting: the run's, or the phase's own. */
export function limitFor(phase: Phase, state: RunState): { message: string; limitOf?: string } | undefined {
  const ofRun = usedUp(state.budget, state.spent, isPaid(phase, state));
  if (ofRun !== undefined) return { message: ofRun };
  const ofPhase = phaseLimit(phase, state);
  return ofPhase === undefined ? undefined : { message: ofPhase, limitOf: phase.id };
}

/** What an attempt reserves from its start to its end; absent where that does not matter. */
export type Reservation = { readonly reserved?: number; readonly reservedMs?: number };

/** What is kept for a phase's attempt: dollars, and milliseconds of agent time. */
export function reservation(phase: Phase, state: RunState): Reservation {
  const reserved = usdFor(phase, state);
  const reservedMs = msFor(phase, state);
  return { ...present({ reserved, reservedMs }) };
}

/** False while attempts under way have reserved all that is left; a phase has only one, so its own limits cannot be overrun. */
export function isAffordable(phase: Phase, state: RunState): boolean {
  const { budget, spent } = state;
  if (isPaid(phase, state) && leftUsd(state) < LEAST_USD) return false;
  if (budget.attempts !== undefined && spent.attempts + underWay(state) >= budget.attempts) return false;
  // A crumb that others left over is worth nothing; when they have ended there may be more.
  const needed = Math.min(SHARE_MS, mostMs(phase, state), unspentMs(state));
  return needed >= LEAST_MS && leftMs(state) >= needed;
}

/** What a judge would need: whose it is, what it may cost, and how long it may take. */
export type Judging = {
  readonly phase: Phase;
  readonly agent: string;
  readonly usd?: number;
  readonly timeoutMs: number;
};

/** What is kept for a judge; `wait` while others have reserved what is left, `spent` when nothing is. */
export function judgeReservation(judging: Judging, state: RunState): Reservation | 'wait' | 'spent' {
  const { phase, agent, timeoutMs } = judging;
  const { budget, spent, agents } = state;
  const paid = isPaidDriver(agents[agent]?.driver);
  const left = { usd: paid ? leftUsd(state) : Number.POSITIVE_INFINITY, ms: leftMs(state) };
  if (usedUp({ ...budget, attempts: undefined }, spent, paid) !== undefined) return 'spent';
  const usd = Math.min(judging.usd ?? Number.POSITIVE_INFINITY, paid ? leftOf(phase, state) : Number.POSITIVE_INFINITY);
  if (usd < LEAST_USD) return 'spent';
  if (left.usd < LEAST_USD || left.ms < Math.min(SHARE_MS, timeoutMs, unspentMs(state))) return 'wait';
  const share = Number.isFinite(usd) ? usd : Math.max(SHARE_USD, left.usd / (1 + waitingJudges(state)));
  return {
    ...(paid && Math.min(left.usd, usd) < Number.POSITIVE_INFINITY && { reserved: Math.min(left.usd, usd, share) }),
    ...(budget.minutes !== undefined && { reservedMs: Math.floor(Math.min(left.ms, timeoutMs)) }),
  };
}

/** What nobody has spent or reserved of the run's budget; absent where there is no limit. */
export function remaining(state: RunState): { usd?: number; minutes?: number; attempts?: number } {
  const { budget, spent } = state;
  return {
    ...(budget.usd !== undefined && { usd: leftUsd(state) }),
    ...(budget.minutes !== undefined && { minutes: leftMs(state) / MINUTE }),
    ...(budget.attempts !== undefined && { attempts: Math.max(0, budget.attempts - spent.attempts) }),
  };
}

/** What is left of a phase's own budget. */
function leftOf({ id, budget }: Phase, { phases }: RunState): number {
  if (budget?.usd === undefined) return Number.POSITIVE_INFINITY;
  const { usd, kept } = phases.get(id)?.history.spent ?? { usd: 0, kept: 0 };
  return Math.max(0, budget.usd - usd - kept);
}

/** Approvals that may be asked beside one: their share must be left. */
function waitingJudges({ plan, phases }: RunState): number {
  return plan.phases.filter(({ id, type }) => {
    const at = phases.get(id);
    return type === 'approval' && at !== undefined && at.status === 'running' && at.asking.length === 0;
  }).length;
}

/** How long an attempt may take where no budget says less, in milliseconds. */
export function timeoutMs(phase: Phase): number {
  return (phase.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
}

function usdFor(phase: Phase, state: RunState): number | undefined {
  const { budget, phases } = state;
  const own = phase.budget?.usd;
  if ((budget.usd === undefined && own === undefined) || !isPaid(phase, state)) return undefined;
  const left = leftUsd(state);
  if (own === undefined) return Math.min(left, Math.max(SHARE_USD, left / placesFor(phase, state)));
  const { usd, kept } = phases.get(phase.id)?.history.spent ?? { usd: 0, kept: 0 };
  return Math.max(0, Math.min(left, own - usd - kept));
}

function msFor(phase: Phase, state: RunState): number | undefined {
  const own = phase.budget?.minutes;
  if (state.budget.minutes === undefined && own === undefined) return undefined;
  const left = leftMs(state);
  const share = own === undefined ? Math.max(SHARE_MS, left / placesFor(phase, state)) : left;
  return Math.floor(Math.min(share, left, mostMs(phase, state)));
}

/** What an attempt could take at most: its own limit, or what is left of its phase's. */
function mostMs(phase: Phase, { phases }: RunState): number {
  const own = phase.budget?.minutes;
  if (own === undefined) return timeoutMs(phase);
  return Math.max(0, Math.min(timeoutMs(phase), own * MINUTE - (phases.get(phase.id)?.history.spent.ms ?? 0)));
}

/** Attempts that have started and are not judged yet. */
function underWay({ phases }: RunState): number {
  let count = 0;
  for (const { status, current } of phases) {
    if (status === 'skipped' || status === 'failed') continue;
    if (current?.stage === 'open' || (current?.stage === 'finished' && current.verdicts === undefined)) count += 1;
  }
  return count;
}

function unspentMs({ budget, spent }: RunState): number {
  return budget.minutes === undefined ? Number.POSITIVE_INFINITY : Math.max(0, budget.minutes * MINUTE - spent.ms);
}

/** The agent time nobody has used or reserved. */
function leftMs(state: RunState): number {
  let reserved = 0;
  for (const { current, asking } of state.phases) {
    if (current?.stage === 'open') reserved += current.reservedMs ?? 0;
    for (const { reservedMs = 0 } of asking) reserved += reservedMs;
  }
  return Math.max(0, unspentMs(state) - reserved);
}

/** What nobody has spent or reserved; without a limit there is no end of it. */
function leftUsd({ budget, spent, phases }: RunState): number {
  if (budget.usd === undefined) return Number.POSITIVE_INFINITY;
  let reserved = 0;
  for (const { current, asking } of phases) {
    if (current?.stage === 'open') reserved += current.reserved ?? 0;
    for (const judge of asking) reserved += judge.reserved ?? 0;
  }
  return Math.max(0, budget.usd - spent.usd - spent.kept - reserved);
}

/** How many attempts could share what is left with this one: as many as there is room for and phases that may run beside it. */
function placesFor(phase: Phase, { plan, phases, only }: RunState): number {
  if (only !== undefined) return 1;
  const followers = new Set(phasesAfter(phase, plan));
  let open = 0;
  let beside = 1;
  for (const each of plan.phases) {
    const { id, type } = each;
    const at = phases.get(id);
    if (id === phase.id || at === undefined || at.status === 'passed' || at.status === 'skipped') continue;
    if (at.current?.stage === 'open') open += type === 'approval' ? 0 : 1;
    else if (!followers.has(each)) beside += 1;
  }
  return Math.max(1, Math.min(plan.concurrency - open, beside));
}

/** An agent that never says what it costs cannot be held to an amount. */
function isPaid(phase: Phase, { agents, creator, judges, phases }: RunState): boolean {
  const changed = phases.get(phase.id)?.history.changes.agent;
  const worker = phase.type === 'approval' ? judges.reviewer : (changed ?? phase.agent ?? creator);
  return isPaidDriver(agents[worker]?.driver);
}

function isPaidDriver(driver: Driver | undefined): boolean {
  const cost = driver === undefined ? 'nothing' : CAPABILITIES[driver].cost;
  return cost === 'reported' || cost === 'tokens';
}

function usedBy({ history }: PhaseState): Used {
  return { ...history.spent, attempts: history.judged };
}

/** Who is not paid may start with a budget of 0. */
function usedUp(
  { usd, minutes, attempts }: { [K in keyof Budget]: Budget[K] | undefined },
  used: Used,
  paid: boolean,
): string | undefined {
  const all = used.usd + used.kept;
  if (usd !== undefined && (paid ? usd - all < LEAST_USD : all >= usd && all > 0)) {
    const besides = used.kept > 0 ? `, and up to ${used.kept.toFixed(2)} USD by what broke off at an unknown cost` : '';
    return `${used.usd.toFixed(2)} of ${usd.toFixed(2)} USD are spent${besides}`;
  }
  if (minutes !== undefined && minutes * MINUTE - used.ms < LEAST_MS) return `${minutes} agent minutes are used up`;
  if (attempts !== undefined && used.attempts >= attempts) return `${attempts} attempts are used up`;
  return undefined;
}
