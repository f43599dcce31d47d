import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf, type TestReport } from '../report/test-report.ts';

/** The line of a whole module: those of single classes go on with the time they took. */
const MODULE =
  /^(?:\[[A-Z]{4,7}\] )?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})(?:, Flakes: \d{1,9})?$/;
const NOTHING = /^\[INFO\] (?:No tests to run\.|Tests are skipped\.)$/;
const FAILED = / <<< (?:FAILURE|ERROR)!$/;

/** Maven's surefire and failsafe; modules add up. */
export const readMaven: ReadTests = (lines) => {
  const counts: Omit<TestReport, 'failed'>[] = [];
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const module = line.includes('Tests run: ') ? MODULE.exec(line) : null;
    if (module !== null) {
      const [total = 0, failures = 0, errors = 0, skipped = 0] = module.slice(1).map(Number);
      counts.push({ total, skipped, failures: failures + errors });
    } else if (NOTHING.test(line)) counts.push({ total: 0, skipped: 0, failures: 0 });
    const name = line.endsWith('!') && failed.length < MAX_FAILED ? nameOf(line) : undefined;
    if (name !== undefined) failed.push({ name, ...describeFailure(blockFrom(lines, index + 1, isEnd)) });
  }
  return reportOf(counts, failed);
};

function isEnd(line: string): boolean {
  return line.trim() === '' || line.startsWith('[');
}

/** `[ERROR] com.example.AppTest.works -- Time elapsed: …`, formerly `works(com.example.AppTest)  Time elapsed: …`. */
function nameOf(line: string): string | undefined {
  const time = line.indexOf('Time elapsed: ');
  if (time === -1 || !FAILED.test(line)) return undefined;
  const name = line.slice(0, time).replace('[ERROR] ', '').trim().replace(/ --?$/, '').trim();
  return name === '' || name.startsWith('Tests run: ') ? undefined : name;
}
