import { messageOf } from '../report/describe-failure.ts';
import { findPlaces } from '../report/find-places.ts';
import {
  countsByWord,
  type FailedTest,
  MAX_FAILED,
  type ReadTests,
  reportOf,
  type TestReport,
} from '../report/test-report.ts';

const SUMMARY =
  /^(?:=+ )?(no tests ran|\d{1,9} [a-z][a-z0-9 ,]{2,300}) in \d[\d.]{0,12}s(?: \([\d:]{1,12}\))?(?: =+)?$/;
const HEADING = /^_{3,200} (\S.*) _{3,200}$/;
const NAMED = /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]{0,200}\))?) (\S.*)$/;
const RAN = ['passed', 'failed', 'xpassed', 'skipped', 'xfailed'] as const;

/** Pytest, also quiet or spread over workers. */
export const readPytest: ReadTests = (lines) => {
  const counts = lines.flatMap((line) => (line.includes(' in ') ? summary(line) : []));
  const blocks = failureBlocks(lines);
  const named = namedTests(lines, blocks);
  return reportOf(
    counts,
    named.length > 0 ? named : blocks.map(({ title, block }) => ({ name: title, ...describe(block) })),
  );
};

function summary(line: string): Omit<TestReport, 'failed'>[] {
  const said = SUMMARY.exec(line)?.[1];
  if (said === undefined) return [];
  const words = countsByWord(said.replaceAll(/\d{1,9} subtests [a-z]+/g, ''));
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (words.get(name) ?? 0), 0);
  const errors = count('error', 'errors');
  if (said !== 'no tests ran' && count(...RAN, 'deselected') + errors === 0) return [];
  // An error is a fixture or a file that broke: counted as a test, its mending would look like a lost one.
  return [{ total: count(...RAN), skipped: count('skipped', 'xfailed'), failures: count('failed') + errors }];
}

type Block = { readonly title: string; readonly block: readonly string[] };

function failureBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let current: { title: string; block: string[] } | undefined;
  for (const line of lines) {
    const title = line.startsWith('___') ? HEADING.exec(line)?.[1] : undefined;
    if (title !== undefined && blocks.length < MAX_FAILED) {
      current = { title: title.replace(/^ERROR (?:at (?:setup|teardown) of|collecting) /, ''), block: [] };
      blocks.push(current);
    } else if (/^={3,} /.test(line)) current = undefined;
    else if (current !== undefined && current.block.length < 300) current.block.push(line);
  }
  return blocks;
}

function namedTests(lines: readonly string[], blocks: readonly Block[]): FailedTest[] {
  const byTitle = Map.groupBy(blocks, ({ title }) => title);
  const failed: FailedTest[] = [];
  let inSummary = false;
  for (const line of lines) {
    if (line.startsWith('===')) inSummary = line.includes(' short test summary info ');
    const said = inSummary && failed.length < MAX_FAILED ? NAMED.exec(line)?.[1] : undefined;
    if (said === undefined) continue;
    const { name, reason } = splitReason(said);
    const [file = '', ...path] = name.split('::');
    const title = path.length === 0 ? file : path.join('.');
    const candidates = (byTitle.get(title) ?? blocks.filter((one) => one.title.startsWith(`${title} (`))).slice(0, 20);
    const block = candidates.find(({ block }) => block.some((at) => at.startsWith(`${file}:`))) ?? candidates[0];
    const described = describe(block?.block ?? []);
    failed.push({ name, message: described.message ?? reason, places: described.places });
  }
  return failed;
}

/** `test_a.py::test_x[a - b] - assert …`: a dash inside brackets belongs to the name. */
function splitReason(said: string): { name: string; reason: string | undefined } {
  const bracket = said.indexOf('[');
  const first = said.indexOf(' - ');
  const close = bracket !== -1 && bracket < first ? said.indexOf('] - ', bracket) + 1 : 0;
  const dash = close > 0 ? close : first;
  return dash === -1
    ? { name: said.trim(), reason: undefined }
    : { name: said.slice(0, dash), reason: said.slice(dash + 3) };
}

/** The innermost place comes last in a trace of Python. */
function describe(block: readonly string[]): Pick<FailedTest, 'message' | 'places'> {
  const told = block.slice(
    0,
    Math.max(
      0,
      block.findIndex((line) => line.startsWith('---')),
    ) || block.length,
  );
  const errors = told.filter((line) => /^E {3}/.test(line)).map((line) => line.slice(1));
  const places = findPlaces(told.filter((line) => /^[^\s>E][^:]{0,500}:\d{1,7}:(?: |$)/.test(line)).slice(-12));
  return { ...messageOf(errors), places: places.reverse() };
}
