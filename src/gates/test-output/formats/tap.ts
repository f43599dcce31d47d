import { posix } from 'node:path';
import { type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';
import { type Diagnostics, describeDiagnostics } from './tap-diagnostics.ts';

const TEST = /^( *)(not )?ok (\d{1,9})\b(?: -)? ?(.*)$/;
const DIRECTIVE = /(?<!\\)# ?(skip|todo|time=)/i;
const PLAN = /^1\.\.\d{1,9}(?: |$)/;

type Line = {
  readonly depth: number;
  readonly ok: boolean;
  readonly name: string;
  /** Skipped, or to be done. */
  readonly excused: boolean;
  /** Its subtests follow, up to a closing brace. */
  readonly opens: boolean;
};

/**
 * TAP, as node, bats, vitest, tape and perl print it. Only tests without subtests are counted, one by one. Node puts `# `
 * before whatever a test prints, so that what a test says is not taken for a result.
 */
export const readTap: ReadTests = (lines) => {
  const walk = new TapWalk();
  for (let index = 0; index < lines.length; index += 1) index = walk.take(lines, index);
  if (!walk.planned && walk.total === 0) return undefined;
  const count = { total: walk.total, skipped: walk.skipped, failures: walk.failures };
  return reportOf(walk.planned ? [count] : [], walk.failed, walk.passed);
};

type Level = { tests: number; failed: boolean };
type Group = { readonly depth: number; readonly name: string; readonly unexplained?: Line };

class TapWalk {
  planned = false;
  total = 0;
  skipped = 0;
  failures = 0;
  readonly failed: FailedTest[] = [];
  readonly passed: string[] = [];
  /** What is around the current line, outermost first. */
  #around: Group[] = [];
  /** What stood at each depth since the last result above it. */
  readonly #levels = new Map<number, Level>();

  /** Takes the line at an index and returns the index of the last line that belongs to it. */
  take(lines: readonly string[], index: number): number {
    const line = lines[index] ?? '';
    const test = parse(line);
    if (test !== undefined) return this.#result(test, lines, index);
    const subtest = line.includes('# Subtest: ') ? /^( *)# Subtest: (.*)$/.exec(line) : null;
    if (subtest) this.#enter({ depth: subtest[1]?.length ?? 0, name: subtest[2] ?? '' });
    else if (PLAN.test(line)) this.planned = true;
    else if (/^ *\}$/.test(line)) this.#leave(line.length - 1);
    return index;
  }

  #enter(group: Group): void {
    this.#around = [...this.#around.filter(({ depth }) => depth < group.depth).slice(0, 20), group];
  }

  #leave(depth: number): void {
    const below = this.#below(depth);
    const group = this.#around.find((one) => one.depth === depth);
    if (group?.unexplained !== undefined && !below.failed) this.#fail(group.unexplained, NOTHING);
  }

  /** Takes away what stood below a depth, and sums it up. */
  #below(depth: number): Level {
    const deeper = [...this.#levels].filter(([level]) => level > depth);
    for (const [level] of deeper) this.#levels.delete(level);
    return {
      tests: deeper.reduce((sum, [, { tests }]) => sum + tests, 0),
      failed: deeper.some(([, { failed }]) => failed),
    };
  }

  #result(test: Line, lines: readonly string[], index: number): number {
    const bad = !test.ok && !test.excused;
    const diagnostics = describeDiagnostics(lines, index + 1, { depth: test.depth, wanted: bad });
    const level = this.#levels.get(test.depth) ?? { tests: 0, failed: false };
    const below = this.#below(test.depth);
    if (test.ok && !test.excused) this.passed.push(this.#named(test));
    this.#levels.set(test.depth, { tests: level.tests + 1, failed: level.failed || bad });
    if (test.opens) {
      this.#enter({ depth: test.depth, name: test.name, ...(bad && { unexplained: test }) });
    } else {
      if (below.tests === 0) this.total += 1;
      if (below.tests === 0 && test.excused) this.skipped += 1;
      if (bad && !below.failed) this.#fail(test, diagnostics);
    }
    return diagnostics.end;
  }

  #named({ depth: at, name: own }: Line): string {
    const path = this.#around.filter(({ depth }) => depth < at).map(({ name }) => name);
    return [...path, own].join(' > ');
  }

  #fail(test: Line, { message, places, declared }: Omit<Diagnostics, 'end'>): void {
    this.failures += 1;
    if (this.failed.length >= MAX_FAILED) return;
    const name = this.#named(test);
    const named = declared === undefined || name.includes(posix.basename(declared.file));
    this.failed.push({ name: named ? name : `${declared.file} > ${name}`, message, places });
  }
}

const NOTHING = { message: undefined, places: [], declared: undefined };

function parse(line: string): Line | undefined {
  if (!line.includes('ok ')) return undefined;
  const [, indent, not, number, text = ''] = TEST.exec(line) ?? [];
  if (number === undefined) return undefined;
  const directive = DIRECTIVE.exec(text);
  const said = directive === null ? text : text.slice(0, directive.index);
  return {
    depth: indent?.length ?? 0,
    ok: not === undefined,
    name: said.trim().replaceAll('\\#', '#') || `test ${number}`,
    excused: directive !== null && directive[1]?.toLowerCase() !== 'time=',
    opens: text.endsWith(' {'),
  };
}
