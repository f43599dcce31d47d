import type { Finding } from '../../domain/finding.ts';
import type { Tests } from '../../domain/verdict.ts';
import type { TestRun } from './run-tests.ts';

type Compared = {
  readonly before: Tests | undefined;
  readonly passed: boolean;
  readonly check: string;
  readonly silent: boolean;
};

const BRING_BACK =
  "Bring the missing tests back, or stop skipping them. If they had to go, the plan's owner gives the phase another gate: edit phases.yaml, then helix resume --replan.";

/** What the number of tests that ran says against a run. A run that failed may have stopped early, so there it only warns. */
export function countFindings(run: TestRun, { before, passed, check, silent }: Compared): Finding[] {
  const ranBefore = before === undefined ? 0 : ran(before);
  if (run.total === undefined) return passed ? uncounted(run, { ranBefore, check, silent }) : [];
  const now = ran({ total: run.total, skipped: run.skipped });
  if (now < ranBefore) {
    const skipped =
      run.skipped > (before?.skipped ?? 0) ? `; ${run.skipped} were skipped, ${before?.skipped ?? 0} before` : '';
    return [
      {
        severity: passed ? 'error' : 'warning',
        check: 'fewer-tests',
        message: `fewer tests than before: ${now} ran, ${ranBefore} ran before${skipped}${cutNote(run)}`,
        hint: passed ? BRING_BACK : 'If tests were removed or skipped, bring them back.',
      },
    ];
  }
  if (now > 0 || !passed) return [];
  const skipped = run.skipped > 0 ? `: all ${run.skipped} tests were skipped` : '';
  return [
    {
      severity: 'error',
      check,
      message: `nothing was tested${skipped}`,
      hint: 'Write tests that the command finds, or give the gate the command that runs them.',
    },
  ];
}

function uncounted(
  run: TestRun,
  { ranBefore, check, silent }: { ranBefore: number; check: string; silent: boolean },
): Finding[] {
  if (ranBefore === 0) {
    const message =
      'the tests passed, but how many ran could not be read from the output, so nobody would notice lost ones';
    return [{ severity: 'info', check, message }];
  }
  return [
    {
      severity: silent ? 'warning' : 'error',
      check: 'fewer-tests',
      message: `${ranBefore} tests ran before; this time none could be counted: was the test command emptied?${cutNote(run)}`,
      hint: silent
        ? "Let the build name tests that pass (Gradle: testLogging { events 'passed', 'skipped', 'failed' })."
        : BRING_BACK,
    },
  ];
}

function ran({ total, skipped = 0 }: Pick<Tests, 'total' | 'skipped'>): number {
  return Math.max(0, total - skipped);
}

function cutNote({ cut }: TestRun): string {
  return cut ? '; the output was too long to be read whole' : '';
}
