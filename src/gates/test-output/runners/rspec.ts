import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const SUMMARY =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;
const NUMBERED = /^ {2}\d{1,9}\) (\S.*)$/;
const BROKEN = /^An error occurred while loading (\S+)\.$/;

/** RSpec. */
export const readRspec: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  let inFailures = false;
  for (const [index, line] of lines.entries()) {
    if (line === 'Failures:') inFailures = true;
    else if (line.startsWith('Pending:') || line.startsWith('Finished in ')) inFailures = false;
    const summary = SUMMARY.exec(line);
    if (summary) {
      const [total = 0, failures = 0, skipped = 0, errors = 0] = summary.slice(1).map((number) => Number(number ?? 0));
      counts.push({ total, skipped, failures: failures + errors });
    }
    const name = (inFailures ? NUMBERED.exec(line) : BROKEN.exec(line))?.[1];
    if (name === undefined || failed.length >= MAX_FAILED) continue;
    failed.push({ name, ...describeFailure(blockFrom(lines, index + 1, isEnd), (next) => /^ *# \S/.test(next)) });
  }
  return reportOf(counts, failed);
};

function isEnd(line: string): boolean {
  return NUMBERED.test(line) || line.startsWith('Finished in ') || BROKEN.test(line);
}
