import { expect, it } from 'vitest';
import { countTests } from '../test-output/count-tests.ts';
import { recorded, recordedNames } from '../test-output/recorded.fixture.ts';
import { judgeReproduction } from './judge-reproduction.ts';
import type { TestRun } from './run-tests.ts';

/** A run whose output was recorded from a real runner. */
function runOf(name: string): TestRun {
  const { output } = recorded(name);
  const { total, skipped = 0, failures = 0, failed = [] } = countTests(output) ?? {};
  const told = failed.map((test) => ({
    name: test.name,
    ...(test.message !== undefined && { message: test.message }),
    files: [],
  }));
  const ending = [...output.stdout, ...output.stderr].slice(-40).join('\n');
  const exitCode = failures > 0 ? 1 : 0;
  const rest = { steps: [], place: undefined, cut: false, durationMs: 1 };
  return { kind: 'ran', exitCode, total, skipped, failures, failed: told, ending, ...rest };
}

const FAILING = recordedNames().filter((name) => {
  const { failures, total } = runOf(name);
  return failures > 0 && total !== undefined;
});
/** What was recorded beside tests that fail: files that cannot be loaded or built. */
const UNLOADED = [
  'b.test.ts',
  'c.test.mjs',
  '/scratch/c.test.mjs',
  'src/b.test.js',
  'src/b.test.ts',
  'sub/test_b.py',
  './spec/b_spec.rb',
  'example.com/m/pkg/e [build failed]',
  'test_b (unittest.loader._FailedTest.test_b)',
];

it.each(FAILING)('%s: a test that fails shows a bug, a file that cannot be loaded does not', (name) => {
  const run = runOf(name);
  const before = { total: run.total ?? 0, skipped: run.skipped, failed: [] };
  const judge = (failed: TestRun['failed']) => {
    const one = { ...run, failed, failures: failed.length };
    const about = { before, baseline: true, check: 'tests_pass', files: ['new.test.js'] };
    return judgeReproduction({ first: one, second: one, ...about });
  };
  const unloaded = run.failed.filter((test) => UNLOADED.includes(test.name));
  const broken = judge(run.failed).findings.filter(({ check }) => check === 'broken-reproduction');
  expect(broken.map(({ message }) => message.split(' is no failing test yet')[0])).toEqual(
    unloaded.map((test) => test.name),
  );
  const tests = run.failed.filter((test) => !unloaded.includes(test));
  if (tests.length > 0) expect(judge(tests).reproduced?.tests).toEqual(tests.map((test) => test.name));
});

it.each(['cargo', 'mocha', 'maven'])('%s: where no test could be counted any more, nothing was shown', (name) => {
  const before = { total: runOf(name).total ?? 0, failed: [] };
  const ending = 'error[E0425]: cannot find function `sun` in this scope';
  const run = { ...runOf(name), total: undefined, failed: [], failures: 0, exitCode: 101, ending };
  const about = { before, baseline: true, check: 'tests_pass', files: ['tests/new.rs'] };
  const { findings, reproduced } = judgeReproduction({ first: run, second: run, ...about });
  expect(reproduced).toBeUndefined();
  expect(findings[0]?.message).toContain('this is no failing test: the command ended with exit code 101');
  expect(findings[0]?.message).toContain(ending);
});
