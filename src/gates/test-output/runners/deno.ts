import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const SUMMARY =
  /^(?:ok|FAILED) \| (\d{1,9}) passed(?: \([^)]{1,40}\))? \| (\d{1,9}) failed(?: \([^)]{1,40}\))?(?: \| (\d{1,9}) ignored)?/;
const PLACE = /^(\S{1,500}):(\d{1,7}):(\d{1,7})$/;

/** `deno test`. */
export const readDeno: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const summary = SUMMARY.exec(line);
    if (summary) {
      const [passed = 0, failures = 0, ignored = 0] = summary.slice(1).map((number) => Number(number ?? 0));
      counts.push({ total: passed + failures + ignored, skipped: ignored, failures });
    }
    // Each failure is named again at the end, without a description.
    if (!lines[index + 1]?.startsWith('error: ') || failed.length >= MAX_FAILED) continue;
    const heading = parseHeading(line);
    if (heading === undefined) continue;
    const { name, file, ...at } = heading;
    const block = blockFrom(lines, index + 1, isEnd);
    // The line of code that threw and the mark below it say what the place says.
    const told = block.filter((_, at) => !isMark(block[at]) && !isMark(block[at + 1]));
    const { message, places } = describeFailure(told);
    failed.push({ name: `${file} > ${name}`, message, places: [...places, { file, ...at }] });
  }
  return reportOf(counts, failed);
};

function isMark(line = ''): boolean {
  return /^ *\^+$/.test(line);
}

function isEnd(line: string): boolean {
  return line === ' FAILURES ' || parseHeading(line) !== undefined;
}

/** `name => ./file.ts:3:6`. */
function parseHeading(line: string) {
  const arrow = line.lastIndexOf(' => ');
  if (arrow < 1) return undefined;
  const [, file, row, column] = PLACE.exec(line.slice(arrow + 4)) ?? [];
  return file === undefined
    ? undefined
    : { name: line.slice(0, arrow), file, line: Number(row), column: Number(column) };
}
