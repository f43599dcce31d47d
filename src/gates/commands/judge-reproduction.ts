import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { Reproduction, Tests } from '../../domain/verdict.ts';
import { isTestFile } from '../gate/test-files.ts';
import { passes, type TestFacts } from './judge-tests.ts';
import type { Failed, TestRun } from './run-tests.ts';

const MAX_SHOWN = 20;
/** How runners name what no test was run of: it does not compile, or cannot be loaded. */
const UNLOADED = /\[(?:build|setup) failed\]$|\b_FailedTest\b/;
/** What a program says that cannot be read, or does not find what it needs. */
const BROKEN =
  /\b(?:SyntaxError|IndentationError|ImportError|ModuleNotFoundError|ERR_MODULE_NOT_FOUND|LoadError|ParseError|Parse error|NameError|ReferenceError)\b|\b[Cc]annot find (?:module|package|symbol)|Failed to (?:resolve import|load url)|^error(?:\[E\d+\])?: /m;
const ASSERTS = /\bassert/i;
/** A name that the test itself uses and nobody has defined. */
const OWN_MISTAKE = /^(?:Uncaught )?(?:ReferenceError|NameError|SyntaxError|IndentationError|UnboundLocalError)\b/;

/** What a reproduction is judged by. */
export type ReproductionFacts = Pick<TestFacts, 'baseline' | 'before' | 'check'> & {
  readonly first: TestRun;
  /** The second run, made where the first one failed. */
  readonly second?: TestRun | undefined;
  /** The same command without what the phase added; asked for only where the output names no tests. */
  readonly without?: TestRun | undefined;
  /** What the phase added or changed. */
  readonly files: readonly string[];
};

/** The findings, and the bug if they let it stand. */
export type JudgedReproduction = {
  readonly findings: readonly Finding[];
  readonly reproduced?: Reproduction;
  readonly tests?: Tests;
};

/** Tells whether the tests of a run can be told apart by their names. */
export function namesTests({ failed, total }: TestRun): boolean {
  return failed.length > 0 || total !== undefined;
}

/** Judges whether a test that was added shows a bug: it fails twice, as a test, and nothing else fails that did not before. */
export function judgeReproduction(facts: ReproductionFacts): JudgedReproduction {
  const { first, second, files, before } = facts;
  if (passes(first, facts)) return { findings: [passesAlready(facts)] };
  if (second === undefined || passes(second, facts)) return { findings: [notEachTime(facts, first.failed)] };
  if (!namesTests(second)) return judgeUnnamed(facts, second);
  if (ran(before) > 0 && second.total === undefined) return { findings: [notATest(facts, second)] };
  const known = new Set(facts.baseline ? before?.failed : []);
  const firstNames = new Set(first.failed.map(({ name }) => name));
  const fresh = second.failed.filter(({ name }) => !known.has(name));
  const twice = fresh.filter(({ name }) => firstNames.has(name));
  if (fresh.length === 0) return { findings: [notATest(facts, second)] };
  if (twice.length === 0) return { findings: [notEachTime(facts, fresh)] };
  const errors = twice.flatMap((test) => objection(test, { facts, run: second }));
  const findings = [...errors.slice(0, MAX_SHOWN), ...fewer(facts, second)];
  if (errors.length > 0) return { findings };
  const tests = twice.map(({ name }) => name);
  return { findings, reproduced: { tests, files: [...files] }, ...present({ tests: counted(second, facts) }) };
}

/** What is wrong with a failure that is to show a bug. */
function objection(test: Failed, { facts, run }: { facts: ReproductionFacts; run: TestRun }): Finding[] {
  const { check, files } = facts;
  const said = test.message === undefined ? '' : `\n${test.message}`;
  const location = test.location;
  const others = test.files.filter((file) => isTestFile(file) && !files.includes(file));
  const isOwn = files.some((file) => test.files.includes(file) || test.name.includes(file));
  if (!isOwn && (others.length > 0 || facts.before?.failed.includes(test.name) === true)) {
    const message = `another test fails, which this phase did not write: ${test.name}${said}`;
    const hint = 'Only the new test may fail: undo what breaks this one, or keep what it needs.';
    return [{ severity: 'error', check, message, hint, ...present({ location }) }];
  }
  if (!isBroken(test, { facts, run })) return [];
  const message = `${test.name} is no failing test yet, because it cannot be run${said === '' ? '' : `:${said}`}`;
  return [{ severity: 'error', check: 'broken-reproduction', message, hint: BE_RUN, ...present({ location }) }];
}

const BE_RUN =
  'The test has to be loaded and run, and to fail in an assertion or in the code that has the bug: mend its syntax, imports and names.';

function isBroken(
  { name, message = '', location }: Failed,
  { facts, run }: { facts: ReproductionFacts; run: TestRun },
) {
  if (UNLOADED.test(name)) return true;
  if (isFile(name, facts.files)) {
    // A file that is a test as a whole fails like one that cannot be loaded; only what it said tells,
    // and the end of the output may be about another test.
    const isTold = ASSERTS.test(message) || BROKEN.test(message);
    const words = isTold ? message : run.failed.length > 1 ? '' : (run.output ?? run.ending);
    return BROKEN.test(words) || !ASSERTS.test(words);
  }
  return OWN_MISTAKE.test(message) && location?.file !== undefined && facts.files.includes(location.file);
}

/** Languages whose runners name a file where they came to none of its tests; elsewhere a file may be one test. */
const NAMING_TESTS = /\.(?:[cm]?[jt]sx?|py|rb)$/;

function isFile(name: string, files: readonly string[]): boolean {
  const bare = name.replace(/^\.\//, '');
  if (!NAMING_TESTS.test(bare) || /\s/.test(bare)) return false;
  return isTestFile(bare) || files.some((file) => file === bare || bare.endsWith(`/${file}`));
}

/** All that is known of a runner that names no tests is how it ended, with the new test and without. */
function judgeUnnamed(facts: ReproductionFacts, run: TestRun): JudgedReproduction {
  const { check, without, files } = facts;
  const said = run.ending === '' ? ' and said nothing' : `:\n${run.ending}`;
  if (ran(facts.before) > 0 || BROKEN.test(run.output ?? run.ending)) return { findings: [notATest(facts, run)] };
  if (without === undefined || without.exitCode !== 0) {
    const before =
      without === undefined ? 'could not be tried' : `ended with exit code ${without.exitCode} without it, too`;
    const message = `nothing shows that the new test fails because of the bug: the command ${before}, and its output names no tests`;
    const hint = 'Give the gate a command whose output names the tests that fail.';
    return { findings: [{ severity: 'error', check, message, hint }] };
  }
  const message = `which test fails cannot be read from the output of this command. Known is only: without the new test it ends with exit code 0, with it with ${run.exitCode}${said}`;
  const finding: Finding = { severity: 'warning', check: 'unnamed-reproduction', message };
  return { findings: [finding], reproduced: { tests: [], files: [...files] } };
}

/** Nothing that fails before the bug is mended says anything when it passes afterwards. */
function passesAlready({ first, before, check, files }: ReproductionFacts): Finding {
  const more = first.total === undefined || before === undefined ? undefined : ran(testsOf(first)) - ran(before);
  const where = files.slice(0, 5).join(', ');
  const what =
    more !== undefined && more <= 0
      ? `as many tests ran as before (${ran(before)}), so the command does not run the new test in ${where}`
      : `${more === undefined ? 'the new test' : more === 1 ? 'the 1 new test' : `the ${more} new tests`} in ${where} pass${more === undefined || more === 1 ? 'es' : ''} on the code as it is`;
  return {
    severity: 'error',
    check: 'not-reproduced',
    message: `no bug is shown: ${what}. A test that shows it fails until the bug is mended`,
    hint: 'Find the input, state or order of events for which the code goes wrong, and assert what should happen there. If it goes wrong nowhere, say so: a human decides.',
    ...(files[0] !== undefined && check !== '' && { location: { file: files[0] } }),
  };
}

function notEachTime({ check, first }: ReproductionFacts, failed: readonly Failed[]): Finding {
  const names = failed.slice(0, 5).map(({ name }) => name);
  const what = names.length === 0 ? `the command (exit code ${first.exitCode})` : names.join(', ');
  return {
    severity: 'error',
    check,
    message: `the tests were run twice, and not the same failed each time: ${what}. What fails by chance shows no bug`,
    hint: 'Make the test independent of time, order, chance and what other tests leave behind.',
  };
}

function notATest({ before, files }: ReproductionFacts, run: TestRun): Finding {
  const { ending, output, place: location } = run;
  const lost =
    ran(before) > 0 && ran(testsOf(run)) === 0
      ? `of the ${ran(before)} tests there were none could be counted`
      : 'no test is named that fails';
  return {
    severity: 'error',
    check: 'broken-reproduction',
    message: `this is no failing test: the command ended with exit code ${run.exitCode}, and ${lost}${ending === '' ? '' : `:\n${ending}`}`,
    hint: BE_RUN,
    ...present({ output, location: location ?? (files[0] === undefined ? undefined : { file: files[0] }) }),
  };
}

/** Some commands stop at the first failure; then nobody has seen whether the others pass. */
function fewer({ before }: ReproductionFacts, run: TestRun): Finding[] {
  const [now, were] = [ran(testsOf(run)), ran(before)];
  if (run.total === undefined || now >= were) return [];
  const message = `only ${now} of ${were} tests were run beside the one that fails; whether the others pass will be seen when the bug is mended`;
  return [{ severity: 'warning', check: 'fewer-tests', message }];
}

/** What later phases are compared with: all these tests, of which only those may fail that failed before anybody worked. */
function counted(run: TestRun, { before }: ReproductionFacts): Tests | undefined {
  if (run.total === undefined) return before;
  const failed = before?.failed ?? [];
  const more = ran(testsOf(run)) >= ran(before) ? testsOf(run) : before;
  const { exitCode, steps } = before ?? {};
  return { total: more?.total ?? run.total, skipped: more?.skipped ?? 0, failed, ...present({ exitCode, steps }) };
}

function testsOf({ total = 0, skipped }: TestRun): Tests {
  return { total, skipped, failed: [] };
}

function ran(tests: Pick<Tests, 'total' | 'skipped'> | undefined): number {
  return Math.max(0, (tests?.total ?? 0) - (tests?.skipped ?? 0));
}
