import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const SUMMARY = /^(\d{1,9}) tests?, (\d{1,9}) failures?(?:, (\d{1,9}) (?:skipped|not run))?(?: in .{1,40})?$/;
const SIGNED = /^ ([✓✗-]) (\S.*)$/;

/** The pretty output of bats; into a pipe it writes TAP. */
export const readBats: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const summary = SUMMARY.exec(line);
    if (summary) {
      const [total = 0, failures = 0, skipped = 0] = summary.slice(1).map((number) => Number(number ?? 0));
      counts.push({ total, skipped, failures });
    }
    const [, sign, name = ''] = SIGNED.exec(line) ?? [];
    if (sign !== '✗' || failed.length >= MAX_FAILED) continue;
    const block = blockFrom(lines, index + 1, (next) => !next.startsWith('   '));
    failed.push({ name, ...describeFailure(block, () => false) });
  }
  return reportOf(counts, counts.length === 0 ? [] : failed);
};
