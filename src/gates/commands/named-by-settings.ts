import { posix } from 'node:path';
import type { Tree } from '../../ports/tree.ts';
import { readableFiles } from '../found/readable-files.ts';

const LIMIT = 256 * 1024;
const MAX_FILES = 50;
const INSTALLED = /(?:^|\/)(?:node_modules|site-packages|\.?venv|vendor)\//;
/** Files that are there for more than tests, but can say what is loaded before them. */
const MIXED = /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.cfg|deno\.jsonc?)$/;

/** Under these names settings say what is loaded before tests, or in the place of a part of their runner. */
const LOADED =
  /\b(?:setupFiles\w*|setupTestFrameworkScriptFile|globalSetup|globalTeardown|testEnvironment|testRunner|runner|reporters?|resolver|preset|transform|snapshotSerializers|snapshotEnvironment|environment|preload|bootstrap|supportFile|helpers|pytest_plugins)\b["']?\s{0,20}[:=]\s{0,20}(?:\[([^\]]{0,4000})\]|\{([^}]{0,4000})\}|\(([^)]{0,4000})\)|([^\n]{1,400}))/g;
/** Names that elsewhere mean something else. */
const LOADED_HERE =
  /^\s{0,20}["']?(?:require|import|file|loader)["']?\s{0,20}:\s{0,20}(?:\[([^\]]{0,4000})\]|([^\n]{0,400}(?:\n\s{1,20}-[^\n]{0,300}){0,50}))/gm;
/** The same by an option of a command. */
const OPTION =
  /(?:^|[\s"'])(?:--(?:require|import|loader|experimental-loader|setup-file|preload|globalSetup|setupFiles\w*|bootstrap|env-file(?:-if-exists)?|test-reporter|reporter)|-r|-p)[= ]\s{0,20}["']?([^\s"',]{1,300})/g;
const RUNS_TESTS =
  /\b(?:node|NODE_OPTIONS|mocha|tsx|ts-node|tape?|ava|nyc|c8|vitest|jest|jasmine|rspec|pytest|python[\d.]*|bun|deno|phpunit)\b/;
/** What settings written as a program take in. */
const TAKEN_IN = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s{0,20}["'`](\.[^"'`\n]{1,300})["'`]/g;
const WORD = /[\w@.$<>{}/-]{2,300}/g;
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.jsx', '.tsx', '.py', '.rb', '.php', '.json'];
const ENTRIES = ['index.js', 'index.cjs', 'index.mjs', 'index.ts', '__init__.py'];

type Trees = { readonly base: Tree; readonly tree: Tree };

/** The files that the settings of test runners, as they were, have loaded before tests, by path. */
export async function namedBySettings(
  { base, tree }: Trees,
  isSettings: (path: string) => boolean,
): Promise<ReadonlySet<string>> {
  const [before, now] = await Promise.all([readableFiles(base), readableFiles(tree)]);
  const files = [...before.keys()].filter((path) => !INSTALLED.test(path) && (MIXED.test(path) || isSettings(path)));
  const named = new Set<string>();
  for (const file of files.slice(0, MAX_FILES)) {
    const text = (await base.read(file, LIMIT))?.toString('utf8') ?? '';
    for (const word of wordsIn(text, file))
      for (const path of pathsOf(word, posix.dirname(file)))
        if ((before.has(path) || now.has(path)) && path !== file) named.add(path);
  }
  return named;
}

function wordsIn(text: string, file: string): Set<string> {
  const isMixed = MIXED.test(file);
  const values = [...text.matchAll(LOADED), ...(isMixed ? [] : text.matchAll(LOADED_HERE))].flatMap(
    ([, ...found]) => found,
  );
  const commands = text.split(/[;&|\n]/).filter((command) => !isMixed || RUNS_TESTS.test(command));
  const given = commands.flatMap((command) => [...command.matchAll(OPTION)].map(([, word = '']) => word));
  const taken = /\.[cm]?[jt]s$/.test(file) ? [...text.matchAll(TAKEN_IN)].map(([, path = '']) => path) : [];
  return new Set([...values.flatMap((value) => value?.match(WORD) ?? []), ...given, ...taken]);
}

/** Where a word may lead: beside the file that says it, or from the top; modules of Python are written with dots. */
function pathsOf(word: string, folder: string): string[] {
  const plain = word.replace(/^(?:<rootDir>|\$\{\w+\}|\{\w+\})\//, '').replace(/^\.\//, '');
  const dotted = /^\w+(?:\.\w+)+$/.test(plain) ? [plain.replaceAll('.', '/')] : [];
  return [plain, ...dotted]
    .flatMap((each) => [posix.join(folder, each), posix.normalize(each)])
    .flatMap((each) => [...ENDINGS.map((ending) => each + ending), ...ENTRIES.map((name) => posix.join(each, name))]);
}
