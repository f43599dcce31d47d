import { blockFrom, describeFailure } from '../report/describe-failure.ts';
import { type Counts, type FailedTest, MAX_FAILED, type ReadTests, reportOf } from '../report/test-report.ts';

const FOOTER = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo', 'duration_ms'] as const;
const FOOTER_LINE = /^ℹ ([a-z_]{1,20}) ([\d.]{1,30})$/;
const PLACE = /^test at (\S.*):(\d+):(\d+)$/;
/** The end of a line about a test that was run and not excused. */
const TIMED = / \([\d.]{1,30}ms\)$/;
const TREE_LINE = /^( *)([▶✔✖﹣⚠]) (.+)$/;

/** The spec reporter of `node --test`. */
export const readNodeSpec: ReadTests = (lines) => {
  const { paths, failedParents, passed } = walkTree(lines);
  const counts = footers(lines);
  const sum = counts.reduce((all, { failures }) => all + failures, 0);
  const report = reportOf(counts, failedTests(lines, paths), passed);
  // A parent fails with its child and is counted like one, though only the child is named.
  return report && { ...report, failures: Math.max(0, sum - failedParents) };
};

/** Complete footers whose numbers agree, each once: two runs never take the same time to the nanosecond. */
function footers(lines: readonly string[]): Counts[] {
  const found = new Map<string, Counts>();
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('ℹ tests ')) continue;
    const numbers = FOOTER.map((word, offset) => {
      const [, name, number] = FOOTER_LINE.exec(lines[index + offset] ?? '') ?? [];
      return name === word ? Number(number) : Number.NaN;
    });
    const [total = 0, , pass = 0, fail = 0, cancelled = 0, skipped = 0, todo = 0] = numbers;
    if (pass + fail + cancelled + skipped + todo !== total) continue;
    found.set(lines[index + 7] ?? '', { total, skipped: skipped + todo, failures: fail + cancelled });
  }
  return [...found.values()];
}

type Tree = { readonly paths: Map<string, string[]>; readonly failedParents: number; readonly passed: string[] };

/** Where in the tree each failed line stands; the list of failures repeats the line, but not its parents. */
function walkTree(lines: readonly string[]): Tree {
  const paths = new Map<string, string[]>();
  let open: { depth: number; name: string }[] = [];
  const failedParents = new Set<string>();
  const passed: string[] = [];
  for (const line of lines) {
    const [, indent = '', sign, text = ''] = TREE_LINE.exec(line) ?? [];
    if (sign === undefined) continue;
    const depth = indent.length;
    const opened = open.find((one) => one.depth === depth);
    open = open.filter((one) => one.depth < depth).slice(0, 20);
    if (sign === '✔' && TIMED.test(text)) passed.push([...open.map(({ name }) => name), bare(text)].join(' > '));
    if (sign === '▶') open.push({ depth, name: text });
    else if (sign === '✖' && opened !== undefined && text.startsWith(`${opened.name} (`)) failedParents.add(text);
    else if (sign === '✖' && paths.size < MAX_FAILED && !paths.has(`✖ ${text}`)) {
      paths.set(
        `✖ ${text}`,
        open.map(({ name }) => name),
      );
    }
  }
  return { paths, failedParents: failedParents.size, passed };
}

/** A name without how long it took and what was said about it. */
function bare(text: string): string {
  return text.replace(/ \([\d.]{1,30}ms\).{0,200}$/, '');
}

function failedTests(lines: readonly string[], paths: ReadonlyMap<string, readonly string[]>): FailedTest[] {
  const failed: FailedTest[] = [];
  for (const [index, line] of lines.entries()) {
    const at = line.startsWith('test at ') ? PLACE.exec(line) : null;
    const heading = lines[index + 1] ?? '';
    if (at === null || !heading.startsWith('✖ ') || failed.length >= MAX_FAILED) continue;
    const [, file = '', row, column] = at;
    const name = bare(heading.slice(2));
    const block = blockFrom(lines, index + 2, (next) => next.startsWith('test at ') || TREE_LINE.test(next));
    const { message, places } = describeFailure(block);
    const declared = { file, line: Number(row), column: Number(column) };
    const path = paths.get(heading) ?? [];
    failed.push({
      name: [file, ...path, name].filter((part, i) => i === 0 || part !== file).join(' > '),
      message,
      places: [...places, declared],
    });
  }
  return failed;
}
