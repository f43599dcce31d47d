import type { MeasuredRate } from '../../domain/documents/calibration-document.ts';

const TAIL = 0.025;
const HALVINGS = 60;

/**
 * How often something happens, with its 95 % interval of Clopper and Pearson: whatever the true rate is and however few
 * trials there were, at least 95 of 100 such intervals contain it. Other intervals are narrower and miss small rates.
 */
export function exactInterval(happened: number, trials: number): MeasuredRate {
  if (trials === 0) return { low: 0, high: 1 };
  const choose = logChoices(trials);
  const low = happened === 0 ? 0 : root((p) => TAIL - between({ from: happened, to: trials, choose }, p));
  const high = happened === trials ? 1 : root((p) => between({ from: 0, to: happened, choose }, p) - TAIL);
  return { rate: happened / trials, low, high };
}

/** Where a function that falls from above 0 to below it on the way from 0 to 1 crosses it. */
function root(falling: (p: number) => number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    if (falling(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

type Span = { readonly from: number; readonly to: number; readonly choose: readonly number[] };

/** The probability that, of trials that each succeed with probability p, between `from` and `to` do. */
function between({ from, to, choose }: Span, p: number): number {
  const trials = choose.length - 1;
  const [yes, no] = [Math.log(p), Math.log1p(-p)];
  let sum = 0;
  for (let count = from; count <= to; count += 1) {
    sum += Math.exp((choose[count] ?? 0) + count * yes + (trials - count) * no);
  }
  return sum;
}

/** The logarithms of the binomial coefficients of a number, which themselves are far too large. */
function logChoices(number: number): number[] {
  const logs = [0];
  for (let count = 1; count <= number; count += 1) {
    logs.push((logs[count - 1] ?? 0) + Math.log((number - count + 1) / count));
  }
  return logs;
}
