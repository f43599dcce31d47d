import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import config from '../vitest.config.ts';
import { put, scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COPIED = [
  'scripts',
  'package.json',
  'tsconfig.json',
  'biome.json',
  'vitest.config.ts',
  '.dependency-cruiser.mjs',
];
const DATA = 'templates/brief/phase.md';

const READING = `import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { word } from './word.ts';

it('reads', () => expect(readFileSync('${DATA}', 'utf8')).toBe(word));
`;

const noting = (file: string) => `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('notes', () => writeFileSync('${file}', ''));
`;

/** A small house with the scripts and settings of this one: a pure test reads what nobody imports, another is of another folder. */
function house(): string {
  const dir = scratch({
    '.gitignore': 'node_modules\n',
    'src/text/word.ts': "/** A word. */\nexport const word = 'word';\n",
    'src/text/word.test.ts': READING,
    'test/other.test.ts': noting('other'),
    'test/warm/pool.ts': 'export const setup = () => undefined;\n',
    [DATA]: 'word',
  });
  for (const name of COPIED) cpSync(join(ROOT, name), join(dir, name), { recursive: true });
  mkdirSync(join(dir, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => each !== '.cache')) {
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
  }
  const git = ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-C', dir];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    ['commit', '-qm', 'all'],
  ])
    spawnSync('git', [...git, ...args]);
  return dir;
}

/** How `npm run quick` ends, and which of its checks failed. */
function quick(dir: string): { code: number | null; failed: string[] } {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/quick.mjs'], { cwd: dir, encoding: 'utf8' });
  return { code: status, failed: [...stdout.matchAll(/^── (.+): failed/gm)].map(([, check = '']) => check) };
}

it('quick runs the pure tests again when a file changes that they read and nobody imports', () => {
  const dir = house();
  put(dir, { [DATA]: 'wrod' });
  expect(quick(dir)).toEqual({ code: 1, failed: ['tests'] });
});

it.each([
  ...['config/rules.yaml', 'approvals/code/checks/a.md', 'examples/hello/phases.yaml', 'docs/adr/001.md'],
  ...['templates/adr/nygard.md', 'test/adr/nygard.md', 'src/text/recorded/a.txt', 'package.json'],
])('all pure tests run again when %s changes', (path) => {
  expect(runsAll(path)).toBe(true);
});

it.each([
  'src/text/glob.ts',
  'test/scratch.ts',
  'CHANGELOG.md',
  'scripts/quick.mjs',
])('only the tests that import it run again when %s changes', (path) => {
  expect(runsAll(path)).toBe(false);
});

function runsAll(path: string): boolean {
  return config.test?.forceRerunTriggers?.some((trigger) => matchesGlob(join(ROOT, path), trigger)) === true;
}

it('quick runs a test of another folder that was itself edited, and no other', () => {
  const dir = house();
  put(dir, { 'test/mine.test.ts': noting('mine') });
  expect(quick(dir)).toEqual({ code: 0, failed: [] });
  expect(['mine', 'other'].map((name) => existsSync(join(dir, name)))).toEqual([true, false]);
});
