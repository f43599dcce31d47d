/** A stretch of time in which something was done, in milliseconds since the epoch. */
export type Span = { readonly from: number; readonly to: number };

/** How much of the busy time a single pause may take on the scale at most. */
const LONGEST_PAUSE = 0.05;

/**
 * Maps moments to 0..1. A pause is shown, but shortened: a run that waited for a human over night would otherwise be
 * two dots with nothing between them.
 */
export function timeScale(spans: readonly Span[]): (moment: number) => number {
  const busy = merge(spans);
  const total = busy.reduce((sum, span) => sum + span.to - span.from, 0);
  const knots: { readonly at: number; readonly shown: number }[] = [];
  let shown = 0;
  let last: number | undefined;
  for (const span of busy) {
    shown += last === undefined ? 0 : Math.min(span.from - last, total * LONGEST_PAUSE);
    knots.push({ at: span.from, shown });
    shown += span.to - span.from;
    knots.push({ at: span.to, shown });
    last = span.to;
  }
  return (moment) => (shown === 0 ? 0 : interpolate(knots, moment) / shown);
}

function merge(spans: readonly Span[]): Span[] {
  const merged: { from: number; to: number }[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else merged.push({ ...span });
  }
  return merged;
}

function interpolate(knots: readonly { at: number; shown: number }[], moment: number): number {
  let low = 0;
  let high = knots.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((knots[middle]?.at ?? 0) <= moment) low = middle;
    else high = middle;
  }
  const [left, right] = [knots[low], knots[high]];
  if (left === undefined || right === undefined) return 0;
  if (right.at <= left.at) return right.shown;
  const share = Math.min(1, Math.max(0, (moment - left.at) / (right.at - left.at)));
  return left.shown + share * (right.shown - left.shown);
}
