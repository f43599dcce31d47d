import { present } from '../../domain/present.ts';
import type { OutputLines } from './collect-output.ts';
import { readJUnit } from './formats/junit.ts';
import { readTap } from './formats/tap.ts';
import { type FailedTest, type ReadTests, sumCounts, type TestReport } from './report/test-report.ts';
import { readBats } from './runners/bats.ts';
import { readBun } from './runners/bun.ts';
import { readCargo } from './runners/cargo.ts';
import { readCtest } from './runners/ctest.ts';
import { readDeno } from './runners/deno.ts';
import { readDotnet } from './runners/dotnet.ts';
import { readGo } from './runners/go.ts';
import { readGradle } from './runners/gradle.ts';
import { readJest } from './runners/jest.ts';
import { readMaven } from './runners/maven.ts';
import { readMinitest } from './runners/minitest.ts';
import { readMocha } from './runners/mocha.ts';
import { readNodeSpec } from './runners/node-spec.ts';
import { readPhpunit } from './runners/phpunit.ts';
import { readProve } from './runners/prove.ts';
import { readPytest } from './runners/pytest.ts';
import { readRspec } from './runners/rspec.ts';
import { readUnittest } from './runners/unittest.ts';
import { readVitest } from './runners/vitest.ts';
import { splitByPackage } from './split-by-package.ts';

/** Every kind of test runner whose output can be read. */
const READERS: readonly ReadTests[] = [
  readTap,
  readProve,
  readJUnit,
  readNodeSpec,
  readVitest,
  readJest,
  readMocha,
  readBun,
  readDeno,
  readPytest,
  readUnittest,
  readGo,
  readCargo,
  readMaven,
  readGradle,
  readDotnet,
  readRspec,
  readMinitest,
  readPhpunit,
  readCtest,
  readBats,
];

/**
 * Counts the tests of an output and names those that failed; suites and runners add up.
 *
 * What the count proves: a runner whose summary has the right form and agrees with itself was heard, or somebody who took
 * care to sound like one. It shows tests that went missing by accident or by carelessness. It cannot prove that tests ran:
 * whoever writes the tests writes what they print, and an empty test counts like any other. So nothing may pass because of
 * a count; a count may only speak against a pass. Where a runner gives its results an identity (a package, a duration in
 * nanoseconds), printing them twice does not count twice; elsewhere two equal summaries are two suites.
 */
export function countTests({ stdout, stderr }: Pick<OutputLines, 'stdout' | 'stderr'>): TestReport | undefined {
  const parts = [...splitByPackage(stdout), ...splitByPackage(stderr)];
  const reports = READERS.flatMap((read) => {
    const found = parts.flatMap(({ name, lines }) => qualified(read(lines), name));
    return found.length === 0 ? [] : [joined(found)];
  });
  // A runner that only seems to name failures, but never counted, is none as long as another one did count.
  const counted = reports.filter(({ total }) => total !== undefined);
  const believed = counted.length > 0 ? counted : reports;
  const sum = sumCounts(believed);
  return (
    sum && { ...sum, failed: believed.flatMap(({ failed }) => failed), ...present({ passed: passedIn(believed) }) }
  );
}

/** All that passed, where every one of the runners names its own. */
function passedIn(reports: readonly TestReport[]): string[] | undefined {
  if (reports.some(({ passed }) => passed === undefined)) return undefined;
  return reports.flatMap(({ passed = [] }) => passed);
}

function qualified(report: TestReport | undefined, name: string): TestReport[] {
  if (report === undefined) return [];
  if (name === '') return [report];
  const passed = report.passed?.map((test) => `${name}: ${test}`);
  const failed = report.failed.map((test) => ({ ...test, name: `${name}: ${test.name}` }));
  return [{ ...report, failed, ...present({ passed }) }];
}

/** Both streams of one runner: a test that is named on both is one test. */
function joined(reports: readonly TestReport[]): TestReport {
  const counts = sumCounts(reports) ?? { total: undefined, skipped: 0, failures: 0 };
  const [first, ...others] = reports.map(({ failed }) => failed);
  const failed = [...(first ?? [])];
  for (const more of others) {
    const places = new Map(failed.map(({ name }, index) => [name, index]));
    for (const test of more) {
      const index = places.get(test.name);
      if (index === undefined) failed.push(test);
      else failed[index] = richer(failed[index] ?? test, test);
    }
  }
  return { ...counts, failed, ...present({ passed: passedIn(reports) }) };
}

function richer(one: FailedTest, other: FailedTest): FailedTest {
  return {
    name: one.name,
    message: one.message ?? other.message,
    places: one.places.length > 0 ? one.places : other.places,
  };
}
