/** A place in a file, as a test runner wrote it: relative, absolute, or only the end of a path. */
export type Place = { readonly file: string; readonly line: number; readonly column?: number };

/** A test that failed. Its places come with the most telling one first. */
export type FailedTest = {
  readonly name: string;
  readonly message?: string | undefined;
  readonly places: readonly Place[];
};

/** What test runners said they did. */
export type TestReport = {
  /** How many tests there are; undefined where failed tests were named but nothing was counted. */
  readonly total: number | undefined;
  /** How many of them proved nothing: skipped, to be done, or expected to fail. */
  readonly skipped: number;
  /** How many failures were counted, whether or not they were named. */
  readonly failures: number;
  readonly failed: readonly FailedTest[];
  /** The names of those that passed; undefined where the runner does not name them all. */
  readonly passed?: readonly string[];
};

/** Reads one stream's lines the way one kind of test runner writes them; pure, and linear in the text. */
export type ReadTests = (lines: readonly string[]) => TestReport | undefined;

/** More failures than anybody reads are counted, but not described. */
export const MAX_FAILED = 1000;

/** What was counted, without names. */
export type Counts = Omit<TestReport, 'failed' | 'passed'>;

/** Adds up what several suites of one output counted. */
export function sumCounts(counts: readonly Counts[]): Counts | undefined {
  if (counts.length === 0) return undefined;
  const sum = (numbers: readonly (number | undefined)[]) => numbers.reduce<number>((all, one) => all + (one ?? 0), 0);
  return {
    total: counts.some(({ total }) => total !== undefined) ? sum(counts.map(({ total }) => total)) : undefined,
    skipped: sum(counts.map(({ skipped }) => skipped)),
    failures: sum(counts.map(({ failures }) => failures)),
  };
}

/** A report of what was counted and named, or nothing where there was neither. */
export function reportOf(
  counts: readonly Counts[],
  failed: readonly FailedTest[],
  passed?: readonly string[],
): TestReport | undefined {
  const sum = sumCounts(counts);
  if (sum === undefined && failed.length === 0) return undefined;
  return {
    ...(sum ?? { total: undefined, skipped: 0, failures: 0 }),
    failed: failed.slice(0, MAX_FAILED),
    ...(passed && { passed }),
  };
}

/** Reads `3 passed, 1 failed` and the like into numbers by word. */
export function countsByWord(text: string): Map<string, number> {
  return new Map(
    [...text.matchAll(/(\d{1,9}) ([a-z]+)/g)].map(([, number, word]) => [word ?? '', Number(number)] as const),
  );
}
