import { messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const RAN = /^Ran (\d{1,9}) tests? in [\d.]{1,12}s$/;
const ENDED = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.{1,200})\))?$/;
const HEADING = /^(?:FAIL|ERROR): (\S.*)$/;
const DOUBLE = '='.repeat(70);
const SINGLE = '-'.repeat(70);

/** Python's unittest, and Django's tests. */
export const readUnittest: ReadTests = (lines) => {
  const failed = failedTests(lines);
  // A module that cannot be loaded is counted like a test; the tests it holds come back when it is mended.
  let broken = 0;
  const counts: Omit<TestReport, 'failed'>[] = [];
  for (const [index, line] of lines.entries()) {
    if (lines[index - 1] === DOUBLE && line.includes('(unittest.loader._FailedTest')) broken += 1;
    const total = line.startsWith('Ran ') ? RAN.exec(line)?.[1] : undefined;
    if (total === undefined) continue;
    const ended = lines.slice(index + 1, index + 4).find((next) => ENDED.test(next));
    const said = ENDED.exec(ended ?? '')?.[1] ?? '';
    const count = (word: string) => Number(new RegExp(`(?:^|, )${word}=(\\d{1,9})`).exec(said)?.[1] ?? 0);
    counts.push({
      total: Math.max(0, Number(total) - broken),
      skipped: count('skipped') + count('expected failures'),
      failures: count('failures') + count('errors') + count('unexpected successes'),
    });
    broken = 0;
  }
  return reportOf(counts, failed);
};

function failedTests(lines: readonly string[]): FailedTest[] {
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const name = lines[index - 1] === DOUBLE ? HEADING.exec(line)?.[1] : undefined;
    if (name === undefined || failed.length >= MAX_FAILED) continue;
    const rest = lines.slice(index + 1, index + 300);
    const start = rest.indexOf(SINGLE) + 1;
    const length = rest.slice(start).findIndex((next) => next === DOUBLE || next === SINGLE);
    failed.push({ name, ...describe(rest.slice(start, length === -1 ? undefined : start + length)) });
  }
  return failed;
}

/** The message follows the trace, in which the innermost place comes last. */
function describe(block: readonly string[]): Pick<FailedTest, 'message' | 'places'> {
  const isFrame = (line: string) => line.startsWith('  File "');
  const afterTrace = block.slice(block.findLastIndex(isFrame) + 1);
  return {
    ...messageOf(afterTrace.filter((line) => !line.startsWith('    '))),
    places: findPlaces(block.filter(isFrame).slice(-12)).reverse(),
  };
}
