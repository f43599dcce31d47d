import { diffArrays } from 'diff';
import type { Tree } from '../../ports/tree.ts';
import type { SourceLanguage } from '../../text/syntax/grammar.ts';
import { languageOfPath } from '../../text/syntax/language-of.ts';
import { isTestFile } from '../gate/test-files.ts';

const MAX_FILES = 50;
const MAX_BYTES = 256 * 1024;
/** Finding the shortest difference of two unlike files takes for ever; beyond this all lines count as new. */
const LIMITS = { timeout: 500, maxEditLength: 5000 };
/** What configures, builds, describes or stands in for something, or was made by somebody else. */
const NO_PRODUCT =
  /(?:^|\/)(?:node_modules|site-packages|\.?venv|vendor|third_party|dist|__mocks__|fixtures?|testdata|examples?|\.[^/]+)\/|\.config\.[cm]?[jt]s$|\.d\.[cm]?ts$|\.min\.js$|(?:^|\/)(?:conftest|setup|noxfile)\.py$|(?:^|\/)build\.rs$|(?:^|\/)(?:Rakefile|Gemfile)$|\.gemspec$/;
const RUST_TESTS = /(?:^|\/)(?:tests|benches)\//;

/** A file of the product, and which of its lines are new or changed, counted from 1. */
export type ChangedSource = {
  readonly path: string;
  readonly language: SourceLanguage;
  readonly text: string;
  readonly lines: ReadonlySet<number>;
};

/** The lines of product code that differ between two trees: no tests, no settings, nothing that was only moved. */
export async function changedProduct({ base, tree }: { base: Tree; tree: Tree }): Promise<ChangedSource[]> {
  if (base.id === tree.id) return [];
  const before = new Map(base.files.map(({ path, digest }) => [path, digest]));
  const known = new Set(before.values());
  const changed = tree.files.filter(({ path, digest, size }) => {
    return before.get(path) !== digest && !known.has(digest) && size <= MAX_BYTES && isProduct(path);
  });
  const sources: ChangedSource[] = [];
  for (const { path } of changed.slice(0, MAX_FILES)) {
    const language = languageOf(path);
    const text = await textOf(tree, path);
    if (language === undefined || text === undefined) continue;
    const old = before.has(path) ? ((await textOf(base, path)) ?? '') : '';
    sources.push({ path, language, text, lines: newLines(old, text) });
  }
  return sources;
}

function isProduct(path: string): boolean {
  if (NO_PRODUCT.test(path) || languageOf(path) === undefined) return false;
  return path.endsWith('.rs') ? !RUST_TESTS.test(path) : !isTestFile(path);
}

function languageOf(path: string): SourceLanguage | undefined {
  const language = languageOfPath(path);
  return language === undefined || language === 'json' || language === 'jsonc' || language === 'yaml'
    ? undefined
    : language;
}

/** Only UTF-8: what is put in the place of a file must otherwise be the same bytes. */
async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path, MAX_BYTES + 1);
  if (bytes === undefined || bytes.length > MAX_BYTES || bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function newLines(old: string, now: string): Set<number> {
  const lines = now.split('\n');
  const parts = old === '' ? undefined : diffArrays(old.split('\n'), lines, LIMITS);
  if (parts === undefined) return new Set(lines.map((_, index) => index + 1));
  const changed = new Set<number>();
  let line = 1;
  for (const { added, removed, count } of parts) {
    if (removed) continue;
    if (added) for (let each = 0; each < count; each += 1) changed.add(line + each);
    line += count;
  }
  return changed;
}
