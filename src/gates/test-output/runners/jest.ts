import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import {
  countsByWord,
  type FailedTest,
  MAX_FAILED,
  type ReadTests,
  reportOf,
  type TestReport,
} from '../report/test-report.ts';

const TESTS = /^Tests: {1,12}(?:(.{1,200}), )?(\d{1,9}) total$/;
const NOTHING = /^No tests found, exiting with code \d+$/;
const HEADING = '  ● ';

/** Jest. */
export const readJest: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  for (const [index, line] of lines.entries()) {
    if (NOTHING.test(line)) counts.push({ total: 0, skipped: 0, failures: 0 });
    const match = line.startsWith('Tests: ') && lines[index - 1]?.startsWith('Test Suites: ') ? TESTS.exec(line) : null;
    if (match) counts.push(...summary(match[1] ?? '', Number(match[2])));
  }
  return reportOf(counts, failedTests(lines));
};

function summary(text: string, total: number): Omit<TestReport, 'failed'>[] {
  const words = countsByWord(text);
  const counted = [...words.values()].reduce((sum, count) => sum + count, 0);
  if (counted !== total) return [];
  const skipped = (words.get('skipped') ?? 0) + (words.get('todo') ?? 0);
  return [{ total, skipped, failures: words.get('failed') ?? 0 }];
}

/** With many suites, Jest repeats all failures at the end. */
function failedTests(lines: readonly string[]): FailedTest[] {
  const failed = new Map<string, FailedTest>();
  let file = '';
  for (const [index, line] of lines.entries()) {
    if (isFile(line)) file = line.startsWith('FAIL ') ? fileOf(line) : '';
    if (file === '' || !line.startsWith(HEADING) || failed.size >= MAX_FAILED) continue;
    const title = line.slice(HEADING.length).trim();
    if (title === 'Console') continue;
    const name = title === 'Test suite failed to run' ? file : `${file} > ${title.replaceAll(' › ', ' > ')}`;
    const block = blockFrom(lines, index + 1, (next) => next.startsWith(HEADING) || isFile(next) || isSummary(next));
    if (!failed.has(name)) failed.set(name, { name, ...describeFailure(block) });
  }
  return [...failed.values()];
}

function isFile(line: string): boolean {
  return line.startsWith('FAIL ') || line.startsWith('PASS ');
}

function isSummary(line: string): boolean {
  return line.startsWith('Test Suites: ') || line.startsWith('Summary of all failing tests');
}

/** The last word but the time it took; before it may stand a project's name. */
function fileOf(line: string): string {
  return (
    line
      .replace(/ \([\d.]{1,10} m?s\)$/, '')
      .trim()
      .split(' ')
      .at(-1) ?? ''
  );
}
