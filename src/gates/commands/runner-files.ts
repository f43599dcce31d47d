import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
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
    /^(conftest|sitecustomize|usercustomize|pytest|_pytest|unittest|pluggy|doctest|nose|tox|noxfile)(\.py)?$|^(\.?pytest\.(ini|toml)|tox\.ini|.*\.pth)$/,
};
const MAKEFILES = /^(GNUmakefile|makefile|Makefile|.*\.mk)$/;

/** Files that decide how tests are run, or that are taken for a part of their runner, by name. */
const RUNNERS: readonly Runner[] = [
  { files: /^(\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|\.pnp\.[cm]?js|\.envrc)$/ },
  { files: /^(vitest|vite|jest|ava|playwright|cypress|karma\.conf|babel)\.?(config|workspace|setup)?\.[cm]?[jt]s$/ },
  { files: /^\.(mocharc|babelrc|taprc|c8rc|nycrc)(\.\w+)?$/ },
  PYTHON,
  { command: /\bmake\b/, home: MAKEFILES, files: MAKEFILES },
  { command: /\bcargo\b/, home: /\.rs$/, files: /^build\.rs$/ },
  { command: /\bgo\b/, home: /\.go$/, files: /^go\.work$/ },
  {
    command: /\b(mvnw?|gradlew?)\b/,
    home: /\.(java|kt|groovy|scala)$/,
    files: /^(gradle\.properties|jvm\.config|maven\.config|extensions\.xml)$/,
  },
  { command: /\b(phpunit|composer|php)\b/, home: /\.php$/, files: /^phpunit\.(xml|xml\.dist|dist\.xml)$/ },
  {
    command: /\b(rspec|rake|ruby|bundle)\b/,
    home: /\.rb$/,
    files: /^(\.rspec|Rakefile|spec_helper\.rb|test_helper\.rb)$/,
  },
];

/** Commands that run one runner and nothing else; what any other comes to run cannot be told by its words. */
const PLAIN =
  /^(?:(?:uv|poetry|pdm) run )?(?:python[\d.]* -m (?:pytest|unittest)|pytest|py\.test|node --test|(?:npx )?(?:vitest|jest|mocha)|cargo (?:test|nextest)|go test|phpunit|(?:bundle exec )?rspec)(?: [^;&|<>()$`\n]*)?$/;

/** What lies where programs and modules are looked for before anywhere else. */
const PROGRAMS =
  /(^|\/)(node_modules\/(\.bin\/|[^/]+\.([cm]?js|json|node)$|(@[^/]+\/)?[^/]+\/(package\.json|index\.([cm]?js|json|node))$|(vitest|jest|mocha|chai|ava|tap|tape|jasmine|karma|cypress|playwright|@(vitest|jest|playwright)\/[^/]+)\/)|\.?venv\/bin\/|vendor\/bin\/|\.cargo\/config(\.toml)?$)/;

/** Warns of files by which a phase changed how its tests are run, or what runs them. */
export function runnerChanges(
  command: string | readonly string[],
  { base, tree }: { readonly base: Tree; readonly tree: Tree },
): Finding[] {
  const decides = decider(command, base, tree);
  const before = new Map(base.files.map(({ path, digest }) => [path, digest]));
  const changed = tree.files.filter(({ path, digest }) => before.get(path) !== digest && decides(path));
  return changed.slice(0, MAX_NAMED).map(({ path }) => finding(path, before.has(path)));
}

/** Tells of files whether they decide how the tests of a command are run, or are taken for a part of their runner. */
export function decider(command: string | readonly string[], base: Tree, tree: Tree): (path: string) => boolean {
  const runners = RUNNERS.filter((runner) => mayRun(runner, command, base));
  const shadows = runners.includes(PYTHON) ? shadowsModule(base, tree) : () => false;
  return (path) => {
    if (PROGRAMS.test(path) || shadows(path)) return true;
    const names = [posix.basename(path), ...posix.dirname(path).split('/').slice(-1)];
    return runners.some(({ files }) => names.some((name) => files.test(name)));
  };
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
