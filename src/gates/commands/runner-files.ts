import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { readableFiles } from '../found/readable-files.ts';
import { isOnlyForTests } from '../gate/test-files.ts';
import { namedBySettings } from './named-by-settings.ts';
import { shadowsModule } from './python-modules.ts';

const MAX_NAMED = 20;

type Runner = {
  /** Commands it is about; none for those any command may come to run. */
  readonly command?: RegExp;
  /** Files by whose names its language is known to be at home in a tree. */
  readonly home?: RegExp;
  readonly files: RegExp;
};

const PYTHON = {
  command: /\b(python[\d.]*|pytest|py\.test|tox|nox|unittest|uv|poetry|hatch|pdm)\b/,
  home: /\.py$/,
  files:
    /^(conftest|sitecustomize|usercustomize|pytest|_pytest|unittest|pluggy|doctest|nose|tox|noxfile)(\.(py|pyc|pyd|so)|\.(cpython|cp|abi)[\w-]*\.(so|pyd))?$|^(\.?pytest\.(ini|toml)|tox\.ini|.*\.pth|.*\.(dist|egg)-info|.*\.egg(-link)?)$/,
};
const MAKEFILES = /^(GNUmakefile|makefile|Makefile|.*\.mk)$/;

/** Files that decide how tests are run, or that are taken for a part of their runner, by name. */
const RUNNERS: readonly Runner[] = [
  { files: /^(\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|\.pnp\.[cm]?js|\.envrc)$/ },
  {
    files:
      /^(vitest|vite|jest|ava|playwright|cypress|karma|babel|nyc|c8|tap|web-test-runner|wdio|protractor|stryker|codecept)\.?(config|conf|workspace|setup|projects)?(\.[\w-]+)?\.([cm]?[jt]s|json5?)$/,
  },
  {
    files:
      /^\.(mocharc|babelrc|taprc|c8rc|nycrc|swcrc|jasmine)(\.\w+)?$|^(jasmine\.json|deno\.jsonc?|\.env\.test(\.local)?)$/,
  },
  PYTHON,
  { command: /\bmake\b/, home: MAKEFILES, files: MAKEFILES },
  { command: /\bcargo\b/, home: /\.rs$/, files: /^(build\.rs|nextest\.toml|rust-toolchain(\.toml)?)$/ },
  { command: /\bgo\b/, home: /\.go$/, files: /^go\.work$/ },
  {
    command: /\b(mvnw?|gradlew?)\b/,
    home: /\.(java|kt|groovy|scala)$/,
    files:
      /^(gradle\.properties|init\.gradle(\.kts)?|jvm\.config|maven\.config|extensions\.xml|junit-platform\.properties|testng\.xml)$/,
  },
  {
    command: /\b(phpunit|composer|php)\b/,
    home: /\.php$/,
    files: /^(phpunit\.(xml|xml\.dist|dist\.xml)|Pest\.php|(codeception|behat|phpspec)\.ya?ml(\.dist)?)$/,
  },
  {
    command: /\b(rspec|rake|ruby|bundle)\b/,
    home: /\.rb$/,
    files: /^(\.rspec(-local)?|\.simplecov|Rakefile|(spec|test|rails)_helper\.rb)$/,
  },
  {
    command: /\bdotnet\b/,
    home: /\.(cs|fs|vb)$/,
    files: /^(.*\.runsettings|xunit\.runner\.json|Directory\.Build\.(props|targets)|global\.json)$/,
  },
];

/** Commands that run one runner and nothing else; what any other comes to run cannot be told by its words. */
const PLAIN =
  /^(?:(?:uv|poetry|pdm) run )?(?:python[\d.]* -m (?:pytest|unittest)|pytest|py\.test|node --test|(?:npx )?(?:vitest|jest|mocha)|cargo (?:test|nextest)|go test|phpunit|(?:bundle exec )?rspec)(?: [^;&|<>()$`\n]*)?$/;

/** What lies where programs and modules are looked for before anywhere else. */
const PROGRAMS =
  /(^|\/)(node_modules\/(\.bin\/|[^/]+\.([cm]?js|json|node)$|(@[^/]+\/)?[^/]+\/(package\.json|index\.([cm]?js|json|node))$|(vitest|jest|mocha|chai|ava|tap|tape|jasmine|karma|cypress|playwright|@(vitest|jest|playwright)\/[^/]+)\/)|\.?venv\/bin\/|vendor\/bin\/|\.cargo\/config(\.toml)?$)/;

/** Warns of files by which a phase changed how its tests are run, or what runs them. */
export async function runnerChanges(
  command: string | readonly string[],
  { base, tree }: { readonly base: Tree; readonly tree: Tree },
): Promise<Finding[]> {
  if (base.id === tree.id) return [];
  const decides = await decider(command, base, tree);
  const [before, now] = await Promise.all([readableFiles(base), readableFiles(tree)]);
  const changed = [...now].filter(([path, digest]) => before.get(path) !== digest && decides(path));
  return changed.slice(0, MAX_NAMED).map(([path]) => finding(path, before.has(path)));
}

/** Tells of files whether they decide how the tests of a command are run, or are taken for a part of their runner. */
export async function decider(
  command: string | readonly string[],
  base: Tree,
  tree: Tree,
): Promise<(path: string) => boolean> {
  const runners = RUNNERS.filter((runner) => mayRun(runner, command, base));
  const shadows = runners.includes(PYTHON) ? shadowsModule(base, tree) : () => false;
  const isSettings = (path: string) => isNamedBy(runners, path);
  const named = await namedBySettings({ base, tree }, isSettings);
  const ofTests = runners.includes(PYTHON) ? packagesOfTests(base, tree) : () => false;
  return (path) => PROGRAMS.test(path) || shadows(path) || isSettings(path) || named.has(path) || ofTests(path);
}

/** What Python runs before the tests of a folder; a new file without content runs nothing. */
function packagesOfTests(base: Tree, tree: Tree): (path: string) => boolean {
  const former = new Set(base.files.map(({ path }) => path));
  const empty = new Set(tree.files.filter(({ path, size }) => size === 0 && !former.has(path)).map(({ path }) => path));
  return (path) => posix.basename(path) === '__init__.py' && isOnlyForTests(path) && !empty.has(path);
}

/** Tells by its name whether a file decides how the tests of any command are run. */
export function isRunnerFile(path: string): boolean {
  return PROGRAMS.test(path) || isNamedBy(RUNNERS, path);
}

function isNamedBy(runners: readonly Runner[], path: string): boolean {
  const names = [posix.basename(path), ...posix.dirname(path).split('/').slice(-1)];
  return runners.some(({ files }) => names.some((name) => files.test(name)));
}

/** Tells whether a command may come to run tests in Python. */
export function mayRunPython(command: string | readonly string[], base: Tree): boolean {
  return mayRun(PYTHON, command, base);
}

function mayRun({ command: about, home }: Runner, command: string | readonly string[], base: Tree): boolean {
  const text = [command].flat().join(' ');
  if (about?.test(text) ?? true) return true;
  return !PLAIN.test(text) && base.files.some(({ path }) => home?.test(posix.basename(path)));
}

function finding(path: string, existed: boolean): Finding {
  return {
    severity: 'warning',
    check: 'runner-settings',
    message: `${oneLine(path, 200)} ${existed ? 'was changed' : 'is new'}: it can decide which tests are run, and how`,
    hint: 'Tests that pass because less is run prove nothing; look at this file.',
    location: { file: path },
  };
}
