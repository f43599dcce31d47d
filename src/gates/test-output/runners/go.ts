import { messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';
import { GoLog, type GoPackage, type GoTest } from './go-log.ts';

/**
 * `go test`. Without -v or -json Go names only packages and failed tests: then a package that has tests counts as one. A
 * package that is reported again counts once, as it was reported last.
 */
export const readGo: ReadTests = (lines) => {
  const log = new GoLog();
  for (const line of lines) log.take(line);
  const packages = [...log.packages].filter(([, { status }]) => status !== undefined);
  const builds = [...log.complaints].map(([name, told]) => [buildOf(name), describeFailure(told)] as const);
  const failed = new Map<string, FailedTest>(builds.map(([name, told]) => [name, { name, ...told }]));
  for (const test of packages.flatMap(([name, one]) => failedTests(name, one, log.complaints.has(name)))) {
    if (failed.size < MAX_FAILED && !failed.has(test.name)) failed.set(test.name, test);
  }
  return reportOf(
    packages.map(([, one]) => countOf(one, log.verbose)),
    [...failed.values()],
  );
};

function buildOf(name: string): string {
  return `${name} [build failed]`;
}

function countOf({ tests, status, note = '' }: GoPackage, verbose: boolean) {
  const failures = Math.max(leafFailures(tests).length, status === 'FAIL' ? 1 : 0);
  if (verbose) {
    const parents = parentsIn(tests.keys());
    const leaves = [...tests].filter(([name, test]) => test.status !== undefined && !parents.has(name));
    return { total: leaves.length, skipped: leaves.filter(([, test]) => test.status === 'SKIP').length, failures };
  }
  const empty = status === '?' || note.includes('[no test') || note.endsWith(' failed]');
  return { total: empty ? 0 : 1, skipped: 0, failures };
}

/** The tests that have subtests. */
function parentsIn(names: Iterable<string>): Set<string> {
  const found = new Set<string>();
  for (const name of names) {
    for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
      found.add(name.slice(0, slash));
    }
  }
  return found;
}

/** A parent fails with its subtest; it is named only when none of them failed. */
function leafFailures(tests: ReadonlyMap<string, GoTest>): [string, GoTest][] {
  const failed = [...tests].filter(([, { status }]) => status === 'FAIL');
  const explained = parentsIn(failed.map(([name]) => name));
  return failed.filter(([name]) => !explained.has(name));
}

function failedTests(pkg: string, { tests, status, note = '' }: GoPackage, complained: boolean): FailedTest[] {
  const failed = leafFailures(tests).map(([name, { lines }]) => ({
    name: `${pkg} > ${name}`,
    ...describeFailure(lines, pkg),
  }));
  if (failed.length > 0 || status !== 'FAIL') return failed;
  const broken = complained || note.includes('[build failed]');
  return [{ name: broken ? buildOf(pkg) : pkg, message: undefined, places: [] }];
}

/** What Go's tests and its compiler print about a failure; a test's places lack their folder, which the package tells. */
function describeFailure(lines: readonly string[], pkg?: string): Pick<FailedTest, 'message' | 'places'> {
  const goroutine = lines.findIndex((line) => line.startsWith('goroutine '));
  const told = lines.slice(0, goroutine === -1 ? undefined : goroutine);
  const trace = goroutine === -1 ? [] : lines.slice(goroutine);
  const places = findPlaces([...told, ...trace]).map((place) =>
    pkg === undefined || place.file.includes('/') ? place : { ...place, file: `${pkg}/${place.file}` },
  );
  return { ...messageOf(told.filter((line) => !/^ *(?:FAIL|PASS|exit status \d+)$/.test(line))), places };
}
