import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const COMPLETED = /^(\d{1,9}) tests? completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?$/;
const ENDINGS = [' PASSED', ' FAILED', ' SKIPPED'] as const;

/** Gradle. Of tests that pass it says nothing, unless the build asks for it; only a failing build counts by itself. */
export const readGradle: ReadTests = (lines) => {
  const failed: FailedTest[] = [];
  const completed: Omit<TestReport, 'failed'>[] = [];
  const listed = { total: 0, skipped: 0, failures: 0 };
  let chatty = false;
  for (const [index, line] of lines.entries()) {
    const count = COMPLETED.exec(line);
    if (count) {
      const [total = 0, failures = 0, skipped = 0] = count.slice(1).map((number) => Number(number ?? 0));
      completed.push({ total, skipped, failures });
    }
    const ending = ENDINGS.find((one) => line.endsWith(one));
    if (ending === undefined || line.startsWith(' ') || line.indexOf(' > ') < 1) continue;
    listed.total += 1;
    if (ending === ' SKIPPED') listed.skipped += 1;
    if (ending === ' PASSED') chatty = true;
    if (ending !== ' FAILED') continue;
    listed.failures += 1;
    if (failed.length >= MAX_FAILED) continue;
    const block = blockFrom(lines, index + 1, (next) => !next.startsWith('    '));
    failed.push({ name: line.slice(0, -ending.length), ...describeFailure(block) });
  }
  return reportOf(chatty ? [listed] : completed, failed);
};
