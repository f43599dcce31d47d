import type { PlanGrowth } from '../../domain/plan-growth.ts';
import { oneLine } from '../../text/sanitise.ts';
import { count } from '../words/count.ts';
import { interval, range } from '../words/interval.ts';
import { renderDuration } from '../words/time.ts';

type Planned = Pick<NonNullable<PlanGrowth['phases']>[number], 'type' | 'judged'>;

/** What a phase of an earlier run took and, where that is known, cost. */
export type PhaseSample = Planned & { readonly run: string; readonly ms: number; readonly usd?: number };

/** What phases can be expected to cost and take, from those of earlier runs that are like them: an interval, in words. */
export function estimateWords(phases: readonly Planned[], samples: readonly PhaseSample[]): string {
  const likes = phases.map((phase) => ({ phase, like: samples.filter((sample) => isLike(sample, phase)) }));
  const known = likes.filter(({ like }) => like.length > 0);
  if (known.length === 0) return 'no data: no phase like these has ended here';
  const times = sum(known.map(({ like }) => interval(like.map(({ ms }) => ms))));
  const priced = known.map(({ like }) => interval(like.flatMap(({ usd }) => usd ?? [])));
  const money = priced.includes(undefined) ? 'cost unknown' : range(sum(priced).map(toCents), 'USD');
  const runs = new Set(known.flatMap(({ like }) => like.map(({ run }) => run))).size;
  const rest = likes.filter(({ like }) => like.length === 0).map(({ phase }) => oneLine(phase.type, 40));
  const missing = rest.length === 0 ? '' : `; no data for ${[...new Set(rest)].join(', ')}`;
  return `${money}, ${range(times.map(renderDuration))} (from ${count(runs, 'run')} here)${missing}`;
}

function isLike(one: Planned, other: Planned): boolean {
  return one.type === other.type && one.judged === other.judged;
}

function sum(intervals: readonly (readonly number[] | undefined)[]): number[] {
  return [0, 1].map((end) => intervals.reduce((total, each) => total + (each?.[end] ?? 0), 0));
}

function toCents(usd: number): string {
  return usd.toFixed(2);
}
