import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { languageOfPath } from '../../text/syntax/language-of.ts';
import { countAssertions, type TestCount } from '../../text/test-code/count-assertions.ts';
import { readableFiles } from '../found/readable-files.ts';
import { readableText } from '../gate/readable-text.ts';
import { isTestFile } from '../gate/test-files.ts';

const MAX_FILES = 200;
const MAX_BYTES = 512 * 1024;
const MAX_NAMED = 20;

type Trees = { readonly base: Tree; readonly tree: Tree };

/** A test file, and the one it was made of: itself, or one that is gone and had tests of the same names. */
type Compared = {
  readonly path: string;
  readonly former: string;
  readonly before: TestCount;
  readonly now: TestCount | undefined;
};

/** A test file and what its tests check. */
type Counted = { readonly path: string; readonly count: TestCount };

/** Names the changed and lost test files whose tests check less than they did; one that checks nothing any more rejects. */
export async function emptiedTests(trees: Trees): Promise<Finding[]> {
  const { base, tree } = trees;
  if (base.id === tree.id) return [];
  const old = new Map(base.files.map((file) => [file.path, file]));
  const here = await readableFiles(tree);
  const changed = [...here].filter(([path, digest]) => old.get(path)?.digest !== digest && isTestFile(path));
  const sizes = new Map(tree.files.map(({ path, size }) => [path, size]));
  const shrunk = (path: string) => (sizes.get(path) ?? 0) - (old.get(path)?.size ?? 0);
  // What was emptied has shrunk, so that it cannot hide behind many others.
  const first = changed
    .map(([path]) => path)
    .toSorted((a, b) => shrunk(a) - shrunk(b))
    .slice(0, MAX_FILES);
  const lost = lostFiles(trees, here);
  const gone = await goneFiles(base, lost);
  const [findings, added]: [Finding[], Added[]] = [[], []];
  const told = new Set<string>();
  for (const path of first) {
    const before = old.has(path) ? await countIn(base, path) : undefined;
    if (gone.length === 0 && !asserted(before) && !before?.outside) continue;
    const now = await countIn(tree, path);
    added.push(...addedTests(now, before));
    const compared = compare({ path, before, now, gone: old.has(path) ? [] : gone });
    const said = compared === undefined ? helpers(path, before, now) : judge(compared);
    if (compared !== undefined && said.length > 0) told.add(compared.former);
    findings.push(...said);
  }
  const untold = gone.filter(({ path }) => !told.has(path));
  const missed = Math.max(changed.length, lost.length) > MAX_FILES;
  findings.push(...(missed ? tooMany(lost) : goneFindings(untold, added)));
  const errors = findings.filter(({ severity }) => severity === 'error');
  return [...new Set([...errors, ...findings])].slice(0, MAX_NAMED);
}

/**
 * Names the tests that a file took along to another place and that are not among those that passed there; of a runner that does not
 * name what passed, the files whose place is another folder.
 */
export async function movedTests({ base, tree }: Trees, passed: readonly string[] | undefined): Promise<Finding[]> {
  const here = await readableFiles(tree);
  const former = new Map(base.files.map(({ path, digest }) => [path, digest]));
  const added = new Map(tree.files.filter(({ path }) => !former.has(path)).map(({ path, digest }) => [digest, path]));
  const findings: Finding[] = [];
  for (const [path, digest] of [...former]
    .filter(([each]) => !here.has(each) && isTestFile(each))
    .slice(0, MAX_FILES)) {
    const now = added.get(digest);
    if (now === undefined) continue;
    const tests = [...((await countIn(base, path))?.tests.keys() ?? [])].map((name) =>
      name.replace(/^["'`]|["'`]$/g, ''),
    );
    const missing = tests.filter((name) => !/[%$#{]/.test(name) && !passed?.some((seen) => seen.includes(name)));
    const isElsewhere = posix.dirname(now) !== posix.dirname(path);
    if (missing.length === 0 || (passed === undefined && !isElsewhere)) continue;
    const seen =
      passed === undefined ? 'whether they are run there cannot be told' : 'they were not seen to run and pass';
    const message = `${oneLine(path, 200)} is ${oneLine(now, 200)} now, with ${named(missing)}: ${seen}`;
    findings.push(finding(now, message, 'warning'));
  }
  return findings.slice(0, MAX_NAMED);
}

/** Test files that are gone, and do not stand somewhere else as they were. */
function lostFiles({ base, tree }: Trees, here: ReadonlyMap<string, string>): string[] {
  const former = new Set(base.files.map(({ path }) => path));
  const moved = new Set(
    tree.files.filter(({ path }) => !former.has(path) && isTestFile(path)).map((file) => file.digest),
  );
  return base.files
    .filter(({ path, digest }) => !here.has(path) && isTestFile(path) && !moved.has(digest))
    .map(({ path }) => path);
}

async function goneFiles(base: Tree, lost: readonly string[]): Promise<Counted[]> {
  const counted: Counted[] = [];
  for (const path of lost.slice(0, MAX_FILES)) {
    const count = await countIn(base, path);
    if (count !== undefined) counted.push({ path, count });
  }
  return counted;
}

type Changed = {
  readonly path: string;
  readonly before: TestCount | undefined;
  readonly now: TestCount | undefined;
  readonly gone: readonly Counted[];
};

function compare({ path, before, now, gone }: Changed): Compared | undefined {
  if (before !== undefined && asserted(before)) return { path, former: path, before, now };
  if (now === undefined || now.tests.size === 0) return undefined;
  const shared = ({ count }: Counted) => [...count.tests.keys()].filter((name) => now.tests.has(name)).length;
  const [likest] = gone.toSorted((a, b) => shared(b) - shared(a));
  if (likest === undefined || shared(likest) === 0) return undefined;
  return { path, former: likest.path, before: likest.count, now };
}

/** A test that was not in its file before. */
type Added = { readonly name: string; readonly has: number };

function addedTests(now: TestCount | undefined, before: TestCount | undefined): Added[] {
  return [...(now?.tests ?? [])].filter(([name]) => !before?.tests.has(name)).map(([name, has]) => ({ name, has }));
}

/** Files that are gone with tests that checked something, of which some do not stand elsewhere under their names. */
function goneFindings(gone: readonly Counted[], added: readonly Added[]): Finding[] {
  const stand = new Set(added.filter(({ has }) => has > 0).map(({ name }) => name));
  return gone.flatMap(({ path, count }) => {
    const missing = [...count.tests].filter(([name, had]) => had > 0 && !stand.has(name)).map(([name]) => name);
    if (missing.length === 0) return [];
    const checked = sum(added.map(({ has }) => has));
    const message = `${oneLine(path, 200)} is gone, with ${counted(count)}; not found elsewhere: ${named(missing)}. Tests added in this phase have ${checked} ${assertions(checked)}`;
    return [finding(path, message, 'warning')];
  });
}

function tooMany(lost: readonly string[]): Finding[] {
  const [one] = lost;
  if (one === undefined) return [];
  const message = `${lost.length} test files are gone; whether their tests stand elsewhere was not looked up, so many files changed`;
  return [finding(one, message, 'warning')];
}

function counted({ tests }: TestCount): string {
  const had = sum(tests.values());
  return `${had} ${assertions(had)} in ${tests.size} ${tests.size === 1 ? 'test' : 'tests'}`;
}

function named(names: readonly string[]): string {
  const list = names.slice(0, 5).map((name) => oneLine(name, 80));
  return `${list.join(', ')}${names.length > 5 ? ` and ${names.length - 5} more` : ''}`;
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

/** A file without tests of its own, beside them: what it asserts, it asserts for them. */
function helpers(path: string, before: TestCount | undefined, now: TestCount | undefined): Finding[] {
  const [had, has] = [before?.outside ?? 0, now?.outside ?? 0];
  if (has + sum(now?.tests.values() ?? []) >= had) return [];
  const message = `${oneLine(path, 200)}, which tests may be helped by: ${had} ${assertions(had)} before, ${has} now`;
  return [finding(path, message, 'warning')];
}

/** Tests that are gone are counted elsewhere, so of those only as many are looked at as may have got another name. */
function judge({ path, former, before, now }: Compared): Finding[] {
  if (now === undefined || now.tests.size === 0) {
    const message = `${oneLine(path, 200)}: ${counted(before)} before, no tests that can be recognised now`;
    return [finding(path, message, 'warning')];
  }
  const names = [...before.tests.keys()];
  const renamed = [...now.tests.keys()].filter((name) => !before.tests.has(name)).length;
  const missing = names.filter((name) => !now.tests.has(name)).map((name) => before.tests.get(name) ?? 0);
  const kept = names.filter((name) => now.tests.has(name));
  const had =
    sum(kept.map((name) => before.tests.get(name) ?? 0)) + sum(missing.sort((a, b) => a - b).slice(0, renamed));
  const has = sum(now.tests.values());
  const what = `${oneLine(path, 200)}${former === path ? '' : ` (before: ${oneLine(former, 200)})`}`;
  const emptied = kept.filter((name) => now.tests.get(name) === 0 && before.tests.get(name) !== 0);
  const idle = emptied.filter((name) => now.idle.has(name));
  const silenced = idle.length === 0 ? [] : [`skipped, expected to fail or left out now: ${named(idle)}`];
  if (has < had) {
    const empty = has === 0 && before.sure && now.sure;
    const numbers = `${had} ${assertions(had)} before, ${has} now`;
    return [finding(path, `${what}: ${[numbers, ...silenced].join('; ')}`, empty ? 'error' : 'warning')];
  }
  const bare = emptied.filter((name) => !now.idle.has(name));
  const said = [...silenced, ...(bare.length === 0 ? [] : [`no assertions any more in ${named(bare)}`])];
  return said.length === 0 ? [] : [finding(path, `${what}: ${said.join('; ')}`, 'warning')];
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
