import { blockFrom, messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const SUMMARY = /^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})$/;
const RESULT = /^ *\d{1,9}\/\d{1,9} Test +#\d{1,9}: (\S{1,500}) \.{2,200} ?\*{3}/;
const LISTED = /^\t {0,8}\d{1,9} - (\S+) \(([A-Za-z ]{1,30})\)/;

/** CTest. What it says did not run because it was skipped is in its total; what is disabled is not. */
export const readCtest: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  const printed = new Map<string, string[]>();
  for (const [index, line] of lines.entries()) {
    const summary = SUMMARY.exec(line);
    const result = line.includes('***') && printed.size < MAX_FAILED ? RESULT.exec(line) : null;
    if (result) printed.set(result[1] ?? '', blockFrom(lines, index + 1, isNextTest));
    if (line === 'No tests were found!!!') counts.push({ total: 0, skipped: 0, failures: 0 });
    if (summary === null) continue;
    const listed = listedTests(lines, index + 1);
    const skipped = listed.filter(({ why }) => why === 'Skipped').length;
    counts.push({ total: Number(summary[2]), skipped, failures: Number(summary[1]) });
    for (const { name, why, failed: isFailed } of listed) {
      const told = printed.get(name) ?? [];
      const { message = why } = messageOf(told);
      if (isFailed && failed.length < MAX_FAILED) failed.push({ name, message, places: findPlaces(told) });
    }
  }
  return reportOf(counts, failed);
};

function isNextTest(line: string): boolean {
  return /^ +Start +\d+: /.test(line) || /^ *\d{1,9}\/\d{1,9} Test /.test(line) || SUMMARY.test(line);
}

function listedTests(lines: readonly string[], start: number): { name: string; why: string; failed: boolean }[] {
  const listed: { name: string; why: string; failed: boolean }[] = [];
  let inFailed = false;
  for (const line of lines.slice(start, start + 2 * MAX_FAILED)) {
    if (SUMMARY.test(line)) break;
    if (line.startsWith('The following tests ')) inFailed = line.includes('FAILED');
    const [, name, why = ''] = LISTED.exec(line) ?? [];
    if (name !== undefined) listed.push({ name, why, failed: inFailed });
  }
  return listed;
}
