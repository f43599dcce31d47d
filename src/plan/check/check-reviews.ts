import { posix } from 'node:path';
import { joinPath, normalisePath } from '../../text/safe-path.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { covers } from './covers.ts';
import type { CheckedPhase, PlanCheck } from './plan-check.ts';

/** A review that is declared in one place and read in another is two files, of which the reviewer is told both. */
export function checkReviews({ phases, findings }: PlanCheck): void {
  for (const checked of phases) {
    const { files } = checked.phase.output;
    const read = reviewsOf(checked);
    const [expected] = read;
    if (expected === undefined || read.some((path) => files.some((file) => covers(file, path) !== 'no'))) continue;
    const declared = files.find((file) => read.some((path) => posix.basename(path) === posix.basename(file)));
    if (declared === undefined) continue;
    const [one, other] = [oneLine(declared, 80), oneLine(expected, 80)];
    findings.warning(placeOf(declared, checked), {
      check: 'two-reviews',
      message: `phase "${oneLine(checked.phase.id, 64)}" declares ${one}, and its gate review_approved reads ${other}: these are two files`,
      hint: `write "${other}" under output, or file: "${one}" in the gate`,
    });
  }
}

function reviewsOf({ phase: { gates, output } }: CheckedPhase): string[] {
  return gates
    .filter(({ type }) => type === 'review_approved')
    .map(({ settings: { file } }) =>
      typeof file === 'string' ? normalisePath(file) : joinPath(output.directory, 'review.json'),
    );
}

/** Where a file is listed; a name below the output directory is one of those expected there. */
function placeOf(file: string, { draft, phase }: CheckedPhase): YamlPath {
  const { output = [] } = draft.entry;
  const at = [...draft.path, 'output'];
  if (Array.isArray(output)) return [...at, output.findIndex((each) => normalisePath(each) === file)];
  const listed = (output.files ?? []).findIndex((each) => normalisePath(each) === file);
  if (listed !== -1) return [...at, 'files', listed];
  const expected = (output.expected_files ?? []).findIndex((each) => joinPath(phase.output.directory, each) === file);
  return [...at, 'expected_files', expected];
}
