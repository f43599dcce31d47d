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

/** Tells whether a file holds tests, by its name. */
export function isTestFile(path: string): boolean {
  return !FOREIGN.test(path) && TEST_FILES.some((pattern) => pattern.test(path));
}
