import { posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';

const MAX_NAMED = 20;

type Runner = {
  /** Commands it is about; none for those any command may come to run. */
  readonly command?: RegExp;
  readonly files: RegExp;
};

/** Files that decide how tests are run, or that are taken for a part of their runner, by name. */
const RUNNERS: readonly Runner[] = [
  { files: /^(\.npmrc|\.yarnrc(\.yml)?|bunfig\.toml|\.pnp\.[cm]?js|\.envrc)$/ },
  { files: /^(vitest|vite|jest|ava|playwright|cypress|karma\.conf|babel)\.?(config|workspace|setup)?\.[cm]?[jt]s$/ },
  { files: /^\.(mocharc|babelrc|taprc|c8rc|nycrc)(\.\w+)?$/ },
  {
    command: /\b(python[\d.]*|pytest|py\.test|tox|nox|unittest|uv|poetry|hatch|pdm)\b/,
    files:
      /^(conftest|sitecustomize|usercustomize|pytest|_pytest|unittest|pluggy|doctest|nose|tox|noxfile)(\.py)?$|^(\.?pytest\.(ini|toml)|tox\.ini|.*\.pth)$/,
  },
  { command: /\bmake\b/, files: /^(GNUmakefile|makefile|Makefile|.*\.mk)$/ },
  { command: /\bcargo\b/, files: /^build\.rs$|^config(\.toml)?$/ },
  { command: /\bgo\b/, files: /^go\.work$/ },
  { command: /\b(mvnw?|gradlew?)\b/, files: /^(gradle\.properties|jvm\.config|maven\.config|extensions\.xml)$/ },
  { command: /\b(phpunit|composer|php)\b/, files: /^phpunit\.(xml|xml\.dist|dist\.xml)$/ },
  { command: /\b(rspec|rake|ruby|bundle)\b/, files: /^(\.rspec|Rakefile|spec_helper\.rb|test_helper\.rb)$/ },
];

/** What lies where programs are looked for before anywhere else. */
const PROGRAMS = /(^|\/)(node_modules\/(\.bin\/|[^/]+\/package\.json$)|\.?venv\/bin\/|vendor\/bin\/)/;

/** Warns of files by which a phase changed how its tests are run, or what runs them. */
export function runnerChanges(
  command: string | readonly string[],
  { base, tree }: { readonly base: Tree; readonly tree: Tree },
): Finding[] {
  const text = [command].flat().join(' ');
  const before = new Map(base.files.map(({ path, digest }) => [path, digest]));
  const changed = tree.files.filter(
    ({ path, digest }) => before.get(path) !== digest && decidesHowTestsRun(path, text),
  );
  return changed.slice(0, MAX_NAMED).map(({ path }) => finding(path, before.has(path)));
}

/** Tells whether a file decides how the tests of a command are run, or is taken for a part of their runner. */
export function decidesHowTestsRun(path: string, command: string): boolean {
  if (PROGRAMS.test(path)) return true;
  const names = [posix.basename(path), ...posix.dirname(path).split('/').slice(-1)];
  return RUNNERS.some(
    ({ command: about, files }) => (about?.test(command) ?? true) && names.some((name) => files.test(name)),
  );
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
