import { expect, test } from 'vitest';
import { type DetectedTools, detectTools } from './detect-tools.ts';

type Files = Readonly<Record<string, string>>;

function detect(files: Files): Promise<DetectedTools> {
  return detectTools({ paths: Object.keys(files), read: async (path) => files[path] });
}

const TESTED = '{"scripts":{"test":"node --test"},"devDependencies":{"left-pad":"1.0.0"}}';
const NODE: readonly (readonly [name: string, files: Files, setup: string, test: string, cache: readonly string[]])[] =
  [
    ['npm', { 'package-lock.json': '{}' }, 'npm ci', 'npm test', ['node_modules']],
    ['npm without a lock file', {}, 'npm install --no-package-lock', 'npm test', ['node_modules']],
    ['pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm install --frozen-lockfile', 'pnpm test', ['node_modules']],
    ['yarn 1', { 'yarn.lock': '# yarn lockfile v1' }, 'yarn install --frozen-lockfile', 'yarn test', ['node_modules']],
    [
      'yarn 4 with node_modules',
      { 'yarn.lock': '__metadata:\n  version: 8\n', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      'yarn install --immutable',
      'yarn test',
      ['node_modules'],
    ],
    ['bun', { 'bun.lock': '{}' }, 'bun install --frozen-lockfile', 'bun run test', ['node_modules']],
  ];

test.each(NODE)('%s installs what is locked and runs the test script', async (_name, files, setup, run, cache) => {
  const found = await detect({ 'package.json': TESTED, ...files });
  expect(found).toMatchObject({ languages: ['javascript'], setup: [setup.split(' ')], cache, test: run.split(' ') });
});

test.each([
  [
    'uv',
    { 'pyproject.toml': '[project]\nname="a"\n[dependency-groups]\ndev=["pytest"]\n', 'uv.lock': '' },
    'uv sync --frozen',
    'uv run --frozen python -m pytest',
  ],
  ['go', { 'go.mod': 'module a\n', 'go.sum': '' }, 'go mod download', 'go test ./...'],
  ['cargo', { 'Cargo.toml': '[package]\nname="a"\n', 'Cargo.lock': '' }, 'cargo fetch --locked', 'cargo test'],
  ['maven', { 'pom.xml': '<project/>' }, 'mvn -q -B dependency:go-offline', 'mvn -B test'],
  [
    'the wrapper of maven',
    { 'pom.xml': '<project/>', mvnw: '' },
    './mvnw -q -B dependency:go-offline',
    './mvnw -B test',
  ],
])('%s is recognised', async (_name, files, setup, run) => {
  expect(await detect(files as unknown as Files)).toMatchObject({
    setup: [setup.split(' ')],
    test: run.split(' '),
    notes: [],
  });
});

test('nothing recognised says what to write', async () => {
  const found = await detect({ 'README.md': '' });
  expect(found).toEqual({ languages: [], setup: [], cache: [], notes: [expect.stringContaining('command: [program')] });
});
