import { findPlaces } from '../report/find-places.ts';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';

const PROVE_TOTAL = /^Files=\d{1,9}, Tests=(\d{1,9}), /;
const PROVE_FILE = / Tests: (\d{1,9}) Failed: (\d{1,9})\)$/;
const PERL_FAILURE = '#   Failed test';

/** `prove`, which counts without naming; what failed is named by the tests themselves, on the other stream. */
export const readProve: ReadTests = (lines) => {
  const failed: FailedTest[] = [];
  const counts = [];
  let failures = 0;
  // With -v the results themselves are there to be counted.
  const verbose = lines.some((line) => /^1\.\.\d/.test(line));
  for (const [index, line] of lines.entries()) {
    const total = PROVE_TOTAL.exec(line);
    failures += Number(PROVE_FILE.exec(line)?.[2] ?? 0);
    if (total && !verbose) counts.push({ total: Number(total[1]), skipped: 0, failures });
    if (total) failures = 0;
    if (line.trimStart().startsWith(PERL_FAILURE) && failed.length < MAX_FAILED) failed.push(perlFailure(lines, index));
  }
  return reportOf(counts, failed);
};

function perlFailure(lines: readonly string[], index: number): FailedTest {
  const heading = (lines[index] ?? '').trim().slice(PERL_FAILURE.length);
  const told: string[] = [];
  for (const line of lines.slice(index + 1, index + 12)) {
    if (!/^ *# {2,}/.test(line) || line.includes('Failed test')) break;
    told.push(line.replace(/^ *# {1,7}/, ''));
  }
  const places = findPlaces([heading, ...told]);
  const place = places[0];
  return {
    name: /^ '.*'$/.test(heading) ? heading.slice(2, -1) : `test at ${place?.file} line ${place?.line}`,
    message: told.filter((line) => !/^ *at .* line \d+\.$/.test(line)).join('\n') || undefined,
    places,
  };
}
