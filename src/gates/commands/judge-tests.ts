import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { Tests } from '../../domain/verdict.ts';
import { countFindings } from './count-findings.ts';
import type { Failed, TestRun } from './run-tests.ts';

const MAX_SHOWN = 50;
const MAX_KEPT = 200;
const MAX_STEPS = 5;

/** What a judgement about tests rests on. */
export type TestFacts = {
  readonly first: TestRun;
  /** The second run, made when the first one failed. */
  readonly second?: TestRun | undefined;
  readonly baseline: boolean;
  readonly before: Tests | undefined;
  /** The names of tests that failed earlier in the run. */
  readonly failedEarlier?: readonly string[] | undefined;
  /** The name its findings carry. */
  readonly check: string;
  /** The runner is known to keep its count to itself when all is well. */
  readonly silent: boolean;
};

/** Judges one or two runs of a test command. */
export function judgeTests(facts: TestFacts) {
  const { first, second } = facts;
  const last = second ?? first;
  const passed = passes(last, facts);
  const findings = [
    ...(passed ? [] : failureFindings(facts)),
    ...(second === undefined ? [] : flakyFindings(facts)),
    ...baselineFindings(last, facts),
    ...countFindings(last, { ...facts, passed }),
  ];
  const rejected = findings.some(({ severity }) => severity === 'error');
  return {
    kind: 'judged',
    outcome: rejected ? 'reject' : 'pass',
    findings,
    tests: testsOf(last, facts.failedEarlier),
  } as const;
}

/** Those of some tests that passed, by their names: where one passes, some runners leave out its file. */
export function passedAmong(names: readonly string[], passed: readonly string[]): string[] {
  const known = new Set(passed);
  return names.filter((name) => {
    const [, project = ''] = /^(\S{1,200}: )/.exec(name) ?? [];
    const test = name.slice(name.indexOf(' > ') + 3);
    return [name, test, project + test].some((each) => known.has(each));
  });
}

/** Exit code 0 and no failure counted or, with a baseline, failures that are all named and all known, and an end as it was before. */
export function passes(run: TestRun, facts: Pick<TestFacts, 'baseline' | 'before'>): boolean {
  return isClean(run) || (isKnown(run, facts) && otherEnd(run, facts.before) === undefined);
}

/** Tells whether all that failed are tests that failed before, too. */
export function isKnown(run: TestRun, facts: Pick<TestFacts, 'baseline' | 'before'>): boolean {
  return facts.baseline && isTold(run) && fresh(run, facts).length === 0;
}

/** What a command says that known failures alone do not explain: known failures excuse tests, not another step that fails. */
function otherEnd({ exitCode, failures, steps }: TestRun, before: Tests | undefined): string | undefined {
  const added = steps.filter((step) => before?.steps?.includes(step) !== true);
  if (before?.exitCode !== undefined && added.length > 0) return added.slice(0, MAX_STEPS).join(', ');
  const former = before?.exitCode;
  // Some runners end with the number of failures.
  const counts = former === before?.failed.length && exitCode === failures;
  if (exitCode === 0 || former === undefined || exitCode === former || counts) return undefined;
  return `exit code ${exitCode}, where it was ${former}`;
}

function isClean({ exitCode, failures }: TestRun): boolean {
  return exitCode === 0 && failures === 0;
}

function isTold({ failed, failures }: TestRun): boolean {
  return failed.length > 0 && failed.length >= failures;
}

function fresh({ failed }: TestRun, { baseline, before }: Pick<TestFacts, 'baseline' | 'before'>): readonly Failed[] {
  const known = new Set(baseline ? before?.failed : []);
  return failed.filter(({ name }) => !known.has(name));
}

/** What failed twice counts; where that cannot be told, what failed last does. */
function failureFindings(facts: TestFacts): Finding[] {
  const { first, second, check } = facts;
  const last = second ?? first;
  const twice = inBoth(facts);
  const counted = twice.length > 0 ? twice : fresh(last, facts);
  const findings = counted.slice(0, MAX_SHOWN).map((test) => failureFinding(test, check));
  if (last.exitCode === 0) findings.unshift(ignoredFailures(last, check));
  if (counted.length > MAX_SHOWN) {
    const message = `and ${counted.length - MAX_SHOWN} more failed tests, which are not listed here`;
    findings.push({ severity: 'info', check, message });
  }
  if (last.exitCode !== 0 && (counted.length === 0 || !isTold(last))) findings.push(endFinding(last, facts));
  return findings;
}

function inBoth(facts: TestFacts): readonly Failed[] {
  const { first, second } = facts;
  if (second === undefined || !isTold(first) || !isTold(second)) return [];
  const names = new Set(first.failed.map(({ name }) => name));
  return fresh(second, facts).filter(({ name }) => names.has(name));
}

function failureFinding({ name, message, location }: Failed, check: string): Finding {
  return {
    severity: 'error',
    check,
    message: `test failed: ${name}${message === undefined ? '' : `\n${message}`}`,
    ...present({ location }),
  };
}

function endFinding(run: TestRun, facts: TestFacts): Finding {
  const { baseline, before, check } = facts;
  const nothing = run.total === 0 && run.failures === 0;
  const other = isKnown(run, facts) ? otherEnd(run, before) : undefined;
  const what = nothing
    ? 'nothing was tested; the command'
    : other === undefined
      ? 'the test command'
      : `only tests fail that failed before, but another step of the command fails, too (${other}); it`;
  const unread =
    'Which tests failed could not be read from the output, so it cannot be told whether they failed before.';
  const hint = baseline && other === undefined ? unread : undefined;
  return {
    severity: 'error',
    check,
    message: `${what} ended with exit code ${run.exitCode}${run.ending === '' ? ' and said nothing' : `:\n${run.ending}`}`,
    ...present({ hint, location: run.place, output: run.output }),
  };
}

/** Tests that failed in only one of two runs. */
function flakyFindings(facts: TestFacts): Finding[] {
  const { first, second } = facts;
  if (second === undefined) return [];
  const passed = passes(second, facts);
  if (passed && first.failed.length === 0) return [unnamedFlake(first)];
  // Where no failure is common to two runs that both failed, the last one's are errors already.
  const twice = new Set(inBoth(facts).map(({ name }) => name));
  if (!passed && twice.size === 0) return [];
  const once = [...fresh(first, facts), ...(passed ? [] : fresh(second, facts))].filter(({ name }) => !twice.has(name));
  return once.slice(0, MAX_SHOWN).map(({ name, message, location }) => ({
    severity: 'warning',
    check: 'flaky',
    message: `flaky: ${name} failed in one of two runs${message === undefined ? '' : `\n${message}`}`,
    hint: 'Make it independent of time, order, chance and what other tests leave behind.',
    ...present({ location }),
  }));
}

function unnamedFlake({ exitCode, ending, output }: TestRun): Finding {
  return {
    severity: 'warning',
    check: 'flaky',
    message: `flaky: the tests failed (exit code ${exitCode}) and passed when they were run again; the first run said:\n${ending}`,
    ...present({ output }),
  };
}

function baselineFindings(run: TestRun, { baseline, before }: TestFacts): Finding[] {
  if (!baseline || isClean(run)) return [];
  if (before === undefined) {
    const message = 'what failed before this phase is not known, so every failure counts in spite of baseline: true';
    return [{ severity: 'info', check: 'baseline', message }];
  }
  const known = new Set(before.failed);
  const old = run.failed.filter(({ name }) => known.has(name)).map(({ name }) => name);
  if (old.length === 0) return [];
  return [{ severity: 'info', check: 'baseline', message: `failed before this phase, too: ${listed(old)}` }];
}

/** Either the exit code or the output is wrong; which one is unclear, and what is unclear is not approved. */
function ignoredFailures({ failures }: TestRun, check: string): Finding {
  return {
    severity: 'error',
    check,
    message: `the test command ended with exit code 0, though its output counts ${failures} failed ${failures === 1 ? 'test' : 'tests'}`,
    hint: "Mend the tests, and let the command end with the test runner's own exit code (no `|| true`, no pipe after it).",
  };
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(', ');
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}

function testsOf(run: TestRun, earlier: readonly string[] = []): Tests | undefined {
  const { total, skipped, failed, exitCode, steps } = run;
  if (total === undefined) return undefined;
  const passed = run.passed && earlier.length > 0 && { passed: passedAmong(earlier, run.passed) };
  if (isClean(run)) return { total, skipped, failed: [], ...passed };
  const names = [...new Set(failed.map(({ name }) => name))].slice(0, MAX_KEPT);
  return { total, skipped, failed: names, ...passed, exitCode, ...(steps.length > 0 && { steps: [...steps] }) };
}
