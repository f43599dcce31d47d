import { messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import type { FailedTest } from '../report/test-report.ts';

/** What Go's tests and its compiler print about a failure; a test's places lack their folder, which the package tells. */
export function describeGoFailure(lines: readonly string[], pkg?: string): Pick<FailedTest, 'message' | 'places'> {
  const goroutine = lines.findIndex((line) => line.startsWith('goroutine '));
  const told = lines.slice(0, goroutine === -1 ? undefined : goroutine);
  const trace = goroutine === -1 ? [] : lines.slice(goroutine);
  const places = findPlaces([...told, ...trace]).map((place) =>
    pkg === undefined || place.file.includes('/') ? place : { ...place, file: `${pkg}/${place.file}` },
  );
  return { ...messageOf(told.filter((line) => !/^ *(?:FAIL|PASS|exit status \d+)$/.test(line))), places };
}
