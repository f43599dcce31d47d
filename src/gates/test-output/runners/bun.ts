import { describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

const RAN = /^Ran (\d{1,9}) tests? across \d{1,9} files?\./;
const PART = /^ {1,8}(\d{1,9}) (pass|skip|todo|fail|errors?)$/;
const FILE = /^(\S{1,500}\.[cm]?[jt]sx?):$/;
const RESULT = /^(?:\((pass|fail|skip|todo)\)|([✓✗»✎])) (\S.*?)(?: \[[\d.]{1,12}m?s\])?$/;

/** `bun test`, which describes a failure before it names the test. */
export const readBun: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  let file = '';
  let block: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('Ran ') && RAN.test(line)) counts.push(countOf(lines, index));
    const [, next] = FILE.exec(line) ?? [];
    const [, word, sign, name = ''] = /^[(✓✗»✎]/.test(line) ? (RESULT.exec(line) ?? []) : [];
    const isFailure = word === 'fail' || sign === '✗';
    const isBroken = /^-{20,40}$/.test(line) && block.some((told) => told.startsWith('# Unhandled error'));
    if ((isFailure || (isBroken && block.some(isError))) && failed.length < MAX_FAILED) {
      failed.push({ name: [file, name].filter((part) => part !== '').join(' > '), ...describe(block) });
    }
    if (next !== undefined) file = next;
    if (next !== undefined || word !== undefined || sign !== undefined || (isBroken && block.some(isError))) block = [];
    else block.push(line);
    if (block.length > 120) block = block.slice(-60);
  }
  return reportOf(counts, failed);
};

function countOf(lines: readonly string[], index: number): Omit<TestReport, 'failed'> {
  const parts = new Map(
    lines
      .slice(Math.max(0, index - 10), index)
      .map((line) => PART.exec(line))
      .map((part) => [part?.[2]?.replace('errors', 'error'), Number(part?.[1] ?? 0)]),
  );
  // A file that cannot be loaded is counted like a test; the tests it holds come back when it is mended.
  const errors = parts.get('error') ?? 0;
  return {
    total: Math.max(0, Number(RAN.exec(lines[index] ?? '')?.[1]) - errors),
    skipped: (parts.get('skip') ?? 0) + (parts.get('todo') ?? 0),
    failures: parts.get('fail') ?? 0,
  };
}

function isError(line: string): boolean {
  return line.startsWith('error: ');
}

function describe(block: readonly string[]): Pick<FailedTest, 'message' | 'places'> {
  return describeFailure(block.slice(Math.max(0, block.findIndex(isError))).filter((line) => !/^-{20,40}$/.test(line)));
}
