import type { Defect } from './defect.ts';
import { seededRandom, shuffled } from './seeded-random.ts';

/** A document that was accepted as it is. */
export type Accepted = { readonly path: string; readonly text: string };

/** One question to a judge whose right answer is known. */
export type Trial = {
  readonly path: string;
  /** What the judge sees there. */
  readonly text: string;
  /** What was planted in it; nothing in a clean version. */
  readonly planted?: { readonly defect: string; readonly check: string };
};

/** The trials in the order they are asked. */
export type TrialPlan = {
  readonly trials: readonly Trial[];
  /** How many different planted versions there are. */
  readonly versions: number;
  /** How often a defect did not apply to a document. */
  readonly skipped: number;
};

/**
 * Plans trials, half of them clean, in a random order that the seed tells. Checks take turns as long as they have versions
 * left; where there are fewer versions than trials, each is asked about again, and by another judge.
 */
export function planTrials(
  documents: readonly Accepted[],
  defects: readonly Defect[],
  { trials, seed }: { readonly trials: number; readonly seed: number },
): TrialPlan {
  const random = seededRandom(seed);
  const sorted = documents.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const versions = sorted.flatMap(({ path, text }) =>
    defects.flatMap(({ id, check, plant }): Trial[] => {
      const planted = plant(text);
      return planted === undefined ? [] : [{ path, text: planted, planted: { defect: id, check } }];
    }),
  );
  const clean = sorted.map(({ path, text }): Trial => ({ path, text }));
  const chosen = [
    ...repeated(takingTurns(shuffled(versions, random)), Math.ceil(trials / 2)),
    ...repeated(shuffled(clean, random), Math.floor(trials / 2)),
  ];
  return {
    trials: shuffled(chosen, random),
    versions: versions.length,
    skipped: sorted.length * defects.length - versions.length,
  };
}

/** The first of each check, then the second of each, and so on. */
function takingTurns(trials: readonly Trial[]): Trial[] {
  const counts = new Map<string, number>();
  const keyed = trials.map((trial) => {
    const check = trial.planted?.check ?? '';
    const turn = counts.get(check) ?? 0;
    counts.set(check, turn + 1);
    return { trial, turn };
  });
  return keyed.toSorted((a, b) => a.turn - b.turn).map(({ trial }) => trial);
}

function repeated<T>(items: readonly T[], length: number): T[] {
  if (items.length === 0) return [];
  return Array.from({ length: Math.ceil(length / items.length) }, () => items)
    .flat()
    .slice(0, length);
}
