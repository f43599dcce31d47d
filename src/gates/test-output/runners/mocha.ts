import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const PASSING = /^ {2}(\d{1,9}) passing \(\d{1,9}[a-z]{1,2}\)$/;
const OTHER = /^ {2}(\d{1,9}) (pending|failing)$/;
const NUMBERED = /^ {2}\d{1,9}\) (.*)$/;

/** Mocha's spec, dot and similar reporters. */
export const readMocha: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const passing = PASSING.exec(line);
    if (passing === null) continue;
    const others = [lines[index + 1], lines[index + 2]].map((next) => OTHER.exec(next ?? ''));
    const count = (word: string) => Number(others.find((one) => one?.[2] === word)?.[1] ?? 0);
    const [passed, pending, failing] = [Number(passing[1]), count('pending'), count('failing')];
    counts.push({ total: passed + pending + failing, skipped: pending, failures: failing });
    if (failing > 0) failed.push(...failedTests(lines, index + 1, Math.min(failing, MAX_FAILED - failed.length)));
  }
  return reportOf(counts, failed);
};

function failedTests(lines: readonly string[], start: number, wanted: number): FailedTest[] {
  const failed: FailedTest[] = [];
  for (let index = start; index < lines.length && failed.length < wanted; index += 1) {
    const line = lines[index] ?? '';
    if (PASSING.test(line)) break;
    const first = line.startsWith('  ') ? NUMBERED.exec(line)?.[1] : undefined;
    if (first === undefined) continue;
    const { name, end } = title(lines, index, first);
    const block = blockFrom(lines, end + 1, (next) => NUMBERED.test(next) || PASSING.test(next));
    failed.push({ name, ...describeFailure(block) });
  }
  return failed;
}

/** The names of suites and test, one below the other and further to the right, up to a colon. */
function title(lines: readonly string[], index: number, first: string): { name: string; end: number } {
  const parts = [first.trim()];
  let end = index;
  while (!parts.at(-1)?.endsWith(':') && parts.length < 20 && /^ {5,}\S/.test(lines[end + 1] ?? '')) {
    end += 1;
    parts.push((lines[end] ?? '').trim());
  }
  return { name: parts.join(' > ').replace(/:$/, ''), end };
}
