import type { Finding } from '../../domain/finding.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { languageOfPath } from '../../text/syntax/language-of.ts';
import { countAssertions, type TestCount } from '../../text/test-code/count-assertions.ts';
import { readableText } from '../gate/readable-text.ts';
import { isTestFile } from '../gate/test-files.ts';

const MAX_FILES = 200;
const MAX_BYTES = 512 * 1024;
const MAX_NAMED = 20;

type Trees = { readonly base: Tree; readonly tree: Tree };

/** A test file, and the one it was made of: itself, or one that is gone and had tests of the same names. */
type Compared = { readonly path: string; readonly former: string; readonly before: TestCount; readonly now: TestCount };

/** Names the changed test files whose tests check less than they did; one that checks nothing any more rejects. */
export async function emptiedTests({ base, tree }: Trees): Promise<Finding[]> {
  if (base.id === tree.id) return [];
  const old = new Map(base.files.map((file) => [file.path, file]));
  const changed = tree.files.filter(({ path, digest }) => old.get(path)?.digest !== digest && isTestFile(path));
  const shrunk = (file: TreeFile) => file.size - (old.get(file.path)?.size ?? 0);
  // What was emptied has shrunk, so that it cannot hide behind many others.
  const first = changed.toSorted((a, b) => shrunk(a) - shrunk(b)).slice(0, MAX_FILES);
  const gone = first.every(({ path }) => old.has(path)) ? [] : await goneFiles({ base, tree });
  const findings: Finding[] = [];
  for (const { path } of first) {
    const compared = await compare(path, old.has(path) ? undefined : gone, { base, tree });
    if (compared !== undefined) findings.push(...judge(compared));
    if (findings.length >= MAX_NAMED) break;
  }
  return findings;
}

type Gone = { readonly path: string; readonly count: TestCount };

async function goneFiles({ base, tree }: Trees): Promise<Gone[]> {
  const here = new Set(tree.files.map(({ path }) => path));
  const paths = base.files.map(({ path }) => path).filter((path) => !here.has(path) && isTestFile(path));
  const counted: Gone[] = [];
  for (const path of paths.slice(0, MAX_FILES)) {
    const count = await countIn(base, path);
    if (count !== undefined) counted.push({ path, count });
  }
  return counted;
}

async function compare(path: string, gone: readonly Gone[] | undefined, trees: Trees): Promise<Compared | undefined> {
  if (gone?.length === 0) return undefined;
  const before = gone === undefined ? await countIn(trees.base, path) : undefined;
  if (gone === undefined && !asserted(before)) return undefined;
  const now = await countIn(trees.tree, path);
  if (now === undefined || now.tests.size === 0) return undefined;
  if (before !== undefined) return { path, former: path, before, now };
  const shared = ({ count }: Gone) => [...count.tests.keys()].filter((name) => now.tests.has(name)).length;
  const [likest] = (gone ?? []).toSorted((a, b) => shared(b) - shared(a));
  if (likest === undefined || shared(likest) === 0) return undefined;
  return { path, former: likest.path, before: likest.count, now };
}

async function countIn(tree: Tree, path: string): Promise<TestCount | undefined> {
  const language = languageOfPath(path);
  if (language === undefined || language === 'json' || language === 'jsonc' || language === 'yaml') return undefined;
  const bytes = await tree.read(path, MAX_BYTES + 1);
  if (bytes === undefined || bytes.length > MAX_BYTES) return undefined;
  const text = readableText(bytes)?.text;
  return text === undefined ? undefined : countAssertions(language, text);
}

function asserted(count: TestCount | undefined): boolean {
  return count !== undefined && sum(count.tests.values()) > 0;
}

/** Tests that are gone are counted elsewhere, so of those only as many are looked at as may have got another name. */
function judge({ path, former, before, now }: Compared): Finding[] {
  const names = [...before.tests.keys()];
  const renamed = [...now.tests.keys()].filter((name) => !before.tests.has(name)).length;
  const missing = names.filter((name) => !now.tests.has(name)).map((name) => before.tests.get(name) ?? 0);
  const kept = names.filter((name) => now.tests.has(name));
  const had =
    sum(kept.map((name) => before.tests.get(name) ?? 0)) + sum(missing.sort((a, b) => a - b).slice(0, renamed));
  const has = sum(now.tests.values());
  const what = `${oneLine(path, 200)}${former === path ? '' : ` (before: ${oneLine(former, 200)})`}`;
  if (has < had) {
    const empty = has === 0 && before.sure && now.sure;
    return [finding(path, `${what}: ${had} ${assertions(had)} before, ${has} now`, empty ? 'error' : 'warning')];
  }
  const emptied = kept.filter((name) => now.tests.get(name) === 0 && before.tests.get(name) !== 0);
  if (emptied.length === 0) return [];
  const list = emptied
    .slice(0, 5)
    .map((name) => oneLine(name, 80))
    .join(', ');
  const more = emptied.length > 5 ? ` and ${emptied.length - 5} more` : '';
  return [finding(path, `${what}: no assertions any more in ${list}${more}`, 'warning')];
}

function finding(file: string, message: string, severity: 'error' | 'warning'): Finding {
  return {
    severity,
    check: 'emptied-tests',
    message,
    hint:
      severity === 'error'
        ? "Tests without assertions prove nothing: bring them back. If they had to go, the plan's owner gives the phase another gate: edit phases.yaml, then helix resume --replan."
        : 'Tests that check less prove less; look at what was taken out of this file.',
    location: { file },
  };
}

function assertions(count: number): string {
  return count === 1 ? 'assertion' : 'assertions';
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const each of numbers) total += each;
  return total;
}
