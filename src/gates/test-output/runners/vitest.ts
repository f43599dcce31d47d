import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import {
  countsByWord,
  type FailedTest,
  MAX_FAILED,
  type ReadTests,
  reportOf,
  type TestReport,
} from '../report/test-report.ts';

const TESTS = /^ {1,12}Tests {2}(?:no tests|([^()]{1,200}) \((\d{1,9})\))$/;
const ERRORS = /^ {1,12}Errors {2}(\d{1,9}) errors?$/;
const NOTHING = /^No test files found, exiting with code \d+$/;

/** Vitest. Failures go to stderr and the count to stdout. */
export const readVitest: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  for (const [index, line] of lines.entries()) {
    if (NOTHING.test(line)) counts.push({ total: 0, skipped: 0, failures: 0 });
    if (/^ Test Files {2}/.test(line)) counts.push(...summary(lines, index + 1));
  }
  return reportOf(counts, failedTests(lines));
};

function summary(lines: readonly string[], index: number): Omit<TestReport, 'failed'>[] {
  const match = TESTS.exec(lines[index] ?? '');
  if (match === null) return [];
  const words = countsByWord(match[1] ?? '');
  const total = Number(match[2] ?? 0);
  const counted = [...words.values()].reduce((sum, count) => sum + count, 0);
  if (counted !== total) return [];
  // Errors outside of tests are failures nobody can name.
  const errors = Number(ERRORS.exec(lines[index + 1] ?? '')?.[1] ?? ERRORS.exec(lines[index + 2] ?? '')?.[1] ?? 0);
  const skipped = (words.get('skipped') ?? 0) + (words.get('todo') ?? 0);
  return [{ total, skipped, failures: (words.get('failed') ?? 0) + errors }];
}

function failedTests(lines: readonly string[]): FailedTest[] {
  const failed: FailedTest[] = [];
  for (let index = 0; index < lines.length && failed.length < MAX_FAILED; index += 1) {
    // Tests that failed in the same way stand above one description.
    const names: string[] = [];
    for (
      let name = nameOf(lines[index]);
      name !== undefined && names.length < MAX_FAILED;
      name = nameOf(lines[index])
    ) {
      names.push(name);
      index += 1;
    }
    if (names.length === 0) continue;
    const block = blockFrom(lines, index, (line) => /^⎯{3}/.test(line) || nameOf(line) !== undefined);
    const description = describeFailure(block);
    failed.push(...names.map((name) => ({ name, ...description })));
    index -= 1;
  }
  return failed;
}

function nameOf(line: string | undefined): string | undefined {
  if (!line?.startsWith(' FAIL  ')) return undefined;
  const name = line.slice(' FAIL  '.length).trim();
  // A file that broke as a whole: `src/a.test.ts [ src/a.test.ts ]`.
  return name.endsWith(' ]') ? name.slice(0, name.lastIndexOf(' [ ')) : name;
}
