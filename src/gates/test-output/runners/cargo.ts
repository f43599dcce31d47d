import { describeFailure } from '../report/describe-failure.ts';
import { type Counts, type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';

const RUNNING = /^running (\d{1,9}) tests?$/;
const RESULT =
  /^test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; (\d{1,9}) measured; /;
const BLOCK = /^---- (\S.*) (?:stdout|stderr) ----$/;
const EXAMPLE = /^((\S{1,500}\.(?:rs|md)) - .{0,500}) \(line (\d{1,7})\)$/;
const NEXTEST_RESULT = /^ *Summary \[[^\]]{1,20}\] +(\d{1,9})(?:\/\d{1,9})? tests? run: (.{1,200})$/;
const NEXTEST_FAILED = /^ *(?:FAIL|TIMEOUT|SIGSEGV|SIGABRT|LEAK-FAIL) \[[^\]]{1,20}\] +(\S.*)$/;

/** `cargo test`, whose every binary counts for itself, and cargo-nextest. */
export const readCargo: ReadTests = (lines) => {
  const counts: Counts[] = [];
  const failed: FailedTest[] = [];
  const passed = lines.filter((line) => line.startsWith('test ') && line.endsWith(' ... ok')).map(passedName);
  let announced: number | undefined;
  let blocks = new Map<string, string[]>();
  let names = new Set<string>();
  let current: string[] | undefined;
  for (const line of lines) {
    const running = RUNNING.exec(line);
    const heading = line.startsWith('---- ') ? BLOCK.exec(line)?.[1] : undefined;
    const result = line.startsWith('test result: ') ? RESULT.exec(line) : null;
    if (running) announced = Number(running[1]);
    else if (heading !== undefined) {
      current = [];
      blocks.set(heading, current);
    } else if (line === 'failures:') current = undefined;
    else if (line.startsWith('test ') && line.endsWith(' ... FAILED')) names.add(nameOf(line));
    else if (result !== null) {
      const [passed = 0, failures = 0, ignored = 0, measured = 0] = result.slice(1).map(Number);
      const total = passed + failures + ignored + measured;
      if (announced === total) counts.push({ total, skipped: ignored, failures });
      failed.push(...failuresOf(names, blocks).slice(0, MAX_FAILED - failed.length));
      [announced, blocks, names, current] = [undefined, new Map(), new Set(), undefined];
    } else if (current !== undefined && current.length < 60) current.push(line);
  }
  const nextest = readNextest(lines);
  // With --quiet there are dots instead of names, and nextest names what passed in other words.
  const all = counts.reduce((sum, { total = 0, skipped, failures }) => sum + total - skipped - failures, 0);
  const named = nextest.counts.length === 0 && passed.length >= all ? passed : undefined;
  return reportOf([...counts, ...nextest.counts], [...failed, ...nextest.failed], named);
};

function nameOf(line: string): string {
  return line.slice('test '.length, line.lastIndexOf(' ... ')).replace(/ - should panic$/, '');
}

function passedName(line: string): string {
  return stableName(nameOf(line));
}

/** An example in a comment is named by its line, which moves with every edit above it. */
function stableName(name: string): string {
  return EXAMPLE.exec(name)?.[1] ?? name;
}

/** With --quiet only the blocks name what failed. */
function failuresOf(names: ReadonlySet<string>, blocks: ReadonlyMap<string, readonly string[]>): FailedTest[] {
  const all = new Set([...names, ...blocks.keys()]);
  return [...all].slice(0, MAX_FAILED).map((name) => {
    const { message, places } = describe(blocks.get(name) ?? []);
    const [, , file, line] = EXAMPLE.exec(name) ?? [];
    const declared = file === undefined ? [] : [{ file, line: Number(line) }];
    return { name: stableName(name), message, places: [...places, ...declared] };
  });
}

function describe(block: readonly string[]): Pick<FailedTest, 'message' | 'places'> {
  const panic = block.findIndex((line) => line.startsWith("thread '") && line.includes(' panicked at '));
  if (panic === -1) return describeFailure(block);
  const { message } = describeFailure(block.slice(panic + 1), (line) => /^(?:stack backtrace:|note: )/.test(line));
  return { message, places: describeFailure([block[panic] ?? '']).places };
}

function readNextest(lines: readonly string[]) {
  const counts: Counts[] = [];
  const failed = new Map<string, FailedTest>();
  for (const line of lines) {
    const name = line.includes(' [') ? NEXTEST_FAILED.exec(line)?.[1] : undefined;
    if (name !== undefined && failed.size < MAX_FAILED) failed.set(name, { name, message: undefined, places: [] });
    const result = line.includes('Summary [') ? NEXTEST_RESULT.exec(line) : null;
    if (result === null) continue;
    const count = (word: RegExp) => Number(word.exec(result[2] ?? '')?.[1] ?? 0);
    const skipped = count(/(\d{1,9}) skipped/);
    const failures = count(/(\d{1,9}) failed/) + count(/(\d{1,9}) timed out/);
    counts.push({ total: Number(result[1]) + skipped, skipped, failures });
  }
  return { counts, failed: counts.length === 0 ? [] : [...failed.values()] };
}
