import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const SUMMARY =
  /^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors(?:, (\d{1,9}) (?:skips|pendings))?(?:, (\d{1,9}) omissions)?/;
const NAME = /^([^\s#]{1,300}#[^\s[]{1,300})(?: \[([^\]]{1,500})\])?:$/;

/** Minitest, also under Rails. */
export const readMinitest: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const summary = SUMMARY.exec(line);
    if (summary) {
      const [total = 0, failures = 0, errors = 0, skips = 0, omitted = 0] = summary
        .slice(1)
        .map((one) => Number(one ?? 0));
      counts.push({ total, skipped: skips + omitted, failures: failures + errors });
    }
    if (!/(?:Failure|Error):$/.test(lines[index - 1] ?? '') || failed.length >= MAX_FAILED) continue;
    const [, name, place = ''] = NAME.exec(line) ?? [];
    if (name === undefined) continue;
    const { message, places } = describeFailure(blockFrom(lines, index + 1, isEnd), (next) =>
      /^ {4}\S.*:\d+:in /.test(next),
    );
    failed.push({ name, message, places: [...findPlaces([place]), ...places] });
  }
  return reportOf(counts, failed);
};

function isEnd(line: string): boolean {
  return line.trim() === '' || SUMMARY.test(line);
}
