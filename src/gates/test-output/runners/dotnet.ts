import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

/** One line per test project, from oldest to newest wording; an output that has the first is not read for the others. */
const ASSEMBLY =
  /^(?:Passed|Failed|Skipped)! {1,4}- Failed: {1,12}(\d{1,9}), Passed: {1,12}(\d{1,9}), Skipped: {1,12}(\d{1,9}), Total: {1,12}(\d{1,9})/;
const TERMINAL = /^Test summary: total: (\d{1,9}), failed: (\d{1,9}), succeeded: \d{1,9}, skipped: (\d{1,9})/;
const LONG_TOTAL = /^Total tests: (\d{1,9})$/;
const LONG_PART = /^ {4,6}(Failed|Skipped): (\d{1,9})$/;
const FAILED = /^ {2}Failed (\S.*) \[[^\][]{1,20}\]$/;

/** `dotnet test`. */
export const readDotnet: ReadTests = (lines) => {
  const failed: FailedTest[] = [];
  const assemblies: Omit<TestReport, 'failed'>[] = [];
  const others: Omit<TestReport, 'failed'>[] = [];
  for (const [index, line] of lines.entries()) {
    const assembly = ASSEMBLY.exec(line);
    const terminal = TERMINAL.exec(line);
    const long = LONG_TOTAL.exec(line);
    if (assembly) {
      const [failures = 0, , skipped = 0, total = 0] = assembly.slice(1).map(Number);
      assemblies.push({ total, skipped, failures });
    } else if (terminal) {
      const [total = 0, failures = 0, skipped = 0] = terminal.slice(1).map(Number);
      others.push({ total, skipped, failures });
    } else if (long) others.push(longCount(Number(long[1]), lines.slice(index + 1, index + 5)));
    const name = line.startsWith('  Failed ') && failed.length < MAX_FAILED ? FAILED.exec(line)?.[1] : undefined;
    if (name !== undefined) failed.push({ name, ...describe(blockFrom(lines, index + 1, isEnd)) });
  }
  return reportOf(assemblies.length > 0 ? assemblies : others, failed);
};

function longCount(total: number, lines: readonly string[]) {
  const parts = new Map(lines.map((line) => LONG_PART.exec(line)).map((part) => [part?.[1], Number(part?.[2] ?? 0)]));
  return { total, skipped: parts.get('Skipped') ?? 0, failures: parts.get('Failed') ?? 0 };
}

function describe(block: readonly string[]): Pick<FailedTest, 'message' | 'places'> {
  const stack = block.findIndex((line) => line.trim() === 'Stack Trace:');
  const told = block.filter((line) => line.trim() !== 'Error Message:');
  const { message } = describeFailure(told, (line) => line.trim() === 'Stack Trace:');
  return { message, places: findPlaces(stack === -1 ? [] : block.slice(stack)) };
}

function isEnd(line: string): boolean {
  return /^ {2}(?:Failed|Passed|Skipped) \S/.test(line) || ASSEMBLY.test(line) || LONG_TOTAL.test(line);
}
