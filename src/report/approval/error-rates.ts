import type { Target } from '../../domain/documents/metrics-document.ts';
import type { VerdictFact } from './metrics-facts.ts';
import { wilsonInterval } from './wilson-interval.ts';

const LIMITS = { false_positives: 0.05, false_negatives: 0.01 } as const;

/**
 * How often verdicts turned out to be wrong, beside the aims: of the work that was right, how much was objected to, and of the work
 * that was not, how much was approved. What nobody marked counts as right; where nobody marked anything, nobody knows.
 */
export function errorRates(verdicts: readonly VerdictFact[]): Target[] {
  const count = (fits: (verdict: VerdictFact) => boolean) => verdicts.filter(fits).length;
  const falsePositives = count(({ mark }) => mark === 'false-positive');
  const missed = count(({ mark }) => mark === 'missed');
  const approved = count(({ result }) => result.result === 'approved');
  const right = approved - missed + falsePositives;
  const isKnown = falsePositives + missed > 0;
  const rate = (name: keyof typeof LIMITS, of: string, [happened, trials]: readonly [number, number]): Target => {
    const about = { name, of, target: `< ${LIMITS[name] * 100} %` };
    if (!isKnown || trials === 0) return { ...about, outcome: 'no data' };
    const { low, high } = wilsonInterval(happened, trials);
    const sure = low > LIMITS[name] ? 'not met' : 'not known yet';
    return {
      ...{ ...about, value: happened / trials, happened, trials, low, high },
      outcome: high < LIMITS[name] ? 'met' : sure,
    };
  };
  return [
    rate('false_positives', 'objections to work that was right', [falsePositives, right]),
    rate('false_negatives', 'approvals of work that was not', [missed, verdicts.length - right]),
  ];
}
