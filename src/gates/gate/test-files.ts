/** Files of installed packages are nobody's work. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|\.?venv|vendor)\//;

/** How files with tests are usually named; in Rust tests stand in any file. */
const TEST_FILES: readonly RegExp[] = [
  /(?:^|\/)(?:test|[^/]+[._-](?:test|tests|spec|cy|e2e)|test-[^/]+)\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:__tests__|tests?|specs?)\/.*\.[cm]?[jt]sx?$/,
  /(?:^|\/)(?:tests?|test_[^/]*|[^/]*_tests?)\.py$|(?:^|\/)tests?\/.*\.py$/,
  /_test\.go$/,
  /(?:^|\/)(?:[^/]*(?:Tests?|TestCase|IT|Spec)|Test[^/]*)\.java$/,
  /\.rs$/,
  /(?:^|\/)(?:test_[^/]*|[^/]*_(?:test|spec))\.rb$|(?:^|\/)(?:tests?|spec)\/.*\.rb$/,
  /Test\.php$|(?:^|\/)tests?\/.*\.php$/i,
  /Tests?\.cs$|(?:^|\/)[^/]*Tests?\/.*\.cs$/,
];

/** Folders that are there for tests alone: what lies in them is a test, or its data. */
const TEST_PLACES =
  /(?:^|\/)(?:tests?|Tests?|specs?|__tests?__|__snapshots__|__fixtures__|testdata|e2e|t)\/|(?:^|\/)(?:[^/]+[._-](?:test|tests|spec)|test_[^/]+)\.\w{1,10}$/;

/** Tells whether a file is there for tests alone, by its place and name; in Rust tests stand beside what they test. */
export function isOnlyForTests(path: string): boolean {
  if (FOREIGN.test(path)) return false;
  return TEST_PLACES.test(path) || (!path.endsWith('.rs') && isTestFile(path));
}

/** Tells whether a file holds tests, by its name. */
export function isTestFile(path: string): boolean {
  return !FOREIGN.test(path) && TEST_FILES.some((pattern) => pattern.test(path));
}
