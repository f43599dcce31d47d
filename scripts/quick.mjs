// `npm run quick`: what a change needs while it is being made. Types incrementally, lint of what changed, import rules, and the
// tests of the pure folders that the change can reach; of the other tests, that of the house and those that were edited themselves. `npm test` is
// complete; this answers in a minute.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const cache = (name) => join('node_modules', '.cache', 'helix-quick', name);
const began = Date.now();

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
const changed = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')].filter(
  (path) => existsSync(join(root, path)),
);
const HOUSE = 'test/house.test.ts';
const tests = changed.filter((path) => path.endsWith('.test.ts') && path !== HOUSE);
mkdirSync(join(root, cache('')), { recursive: true });

const checks = [
  ['types', 'tsc', ['-p', '.', '--incremental', '--tsBuildInfoFile', cache('tsbuildinfo')]],
  ['lint', 'biome', ['check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed]],
  [
    'imports',
    'depcruise',
    [
      ...['--config', '.dependency-cruiser.mjs', '--output-type', 'err'],
      ...['--cache', cache('imports'), '--cache-strategy', 'content', 'src'],
    ],
  ],
  ['tests', 'vitest', ['run', '--project', 'pure', '--changed', '--reporter=dot', '--passWithNoTests']],
  [
    'house, edited tests',
    'vitest',
    ['run', '--project', 'world', '--reporter=dot', '--passWithNoTests', HOUSE, ...tests],
  ],
].filter(([name]) => name !== 'lint' || changed.length > 0);

const failed = [];
await Promise.all(
  checks.map(async ([name, program, args]) => {
    const { code, output, seconds } = await run(program, args);
    console.log(`── ${name}: ${code === 0 ? 'ok' : `failed (${code})`}, ${seconds} s`);
    if (code !== 0) {
      failed.push(name);
      console.log(output);
    }
  }),
);
console.log(`── quick: ${failed.length === 0 ? 'ok' : `${failed.join(', ')} failed`}, ${secondsSince(began)} s`);
process.exit(failed.length === 0 ? 0 : 1);

function run(program, args) {
  const start = Date.now();
  const own = program === 'biome';
  const child = spawn(own ? bin(program) : bin('node'), own ? args : [bin(program), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (piece) => (output += piece));
  child.stderr.on('data', (piece) => (output += piece));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output, seconds: secondsSince(start) }));
  });
}

function secondsSince(start) {
  return ((Date.now() - start) / 1000).toFixed(1);
}
