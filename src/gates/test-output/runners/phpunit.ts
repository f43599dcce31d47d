import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const GOOD = /^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)$/;
const MIXED = /^Tests: (\d{1,9}), Assertions: \d{1,9}((?:, [A-Za-z ]{1,30}: \d{1,9}){0,12})\.$/;
const SECTION = /^There (?:was|were) \d{1,9} (.{1,40}):$/;
const NUMBERED = /^\d{1,9}\) (\S.*)$/;

/** PHPUnit. */
export const readPhpunit: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  let inFailures = false;
  for (const [index, line] of lines.entries()) {
    const section = SECTION.exec(line)?.[1];
    if (section !== undefined) inFailures = /^(?:error|failure)s?$/.test(section);
    const good = GOOD.exec(line);
    const mixed = MIXED.exec(line);
    if (good) counts.push({ total: Number(good[1]), skipped: 0, failures: 0 });
    else if (mixed) counts.push(countOf(Number(mixed[1]), mixed[2] ?? ''));
    else if (line === 'No tests executed!') counts.push({ total: 0, skipped: 0, failures: 0 });
    const name = inFailures && failed.length < MAX_FAILED ? NUMBERED.exec(line)?.[1] : undefined;
    if (name !== undefined) failed.push({ name, ...describeFailure(blockFrom(lines, index + 1, isEnd), isTrace) });
  }
  return reportOf(counts, failed);
};

function countOf(total: number, text: string) {
  const count = (word: string) => Number(new RegExp(`, ${word}: (\\d{1,9})`).exec(text)?.[1] ?? 0);
  return {
    total,
    skipped: count('Skipped') + count('Incomplete'),
    failures: count('Errors') + count('Failures'),
  };
}

function isTrace(line: string): boolean {
  return /^\/\S{1,500}\.php:\d{1,7}$/.test(line);
}

function isEnd(line: string): boolean {
  return line === '--' || NUMBERED.test(line) || /^(?:ERRORS|FAILURES)!$/.test(line);
}
