// `npm test`: every check in order, then the tests, then one plain line with the counts. Runs on the pinned Node.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const node = existsSync(bin('node')) ? bin('node') : process.execPath;
const results = join(mkdtempSync(join(tmpdir(), 'helix-test-')), 'results.json');

const checks = [
  ['types', 'tsc', ['-p', '.']],
  ['lint', 'biome', ['check', '--error-on-warnings', '.']],
  ['imports', 'depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src']],
  ['dead code', 'knip', []],
  [
    'tests',
    'vitest',
    [
      'run',
      ...['--project', 'pure', '--project', 'world'],
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
      ...process.argv.slice(2),
    ],
  ],
];

let failed = '';
for (const [name, program, args] of checks) {
  console.log(`\n── ${name}`);
  const began = Date.now();
  const { status, error } = spawnSync(
    program === 'biome' ? bin(program) : node,
    program === 'biome' ? args : [bin(program), ...args],
    {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  if (error) throw error;
  console.log(
    `── ${name}: ${status === 0 ? 'ok' : `failed (${status})`}, ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  if (status !== 0) {
    failed = name;
    break;
  }
}

if (existsSync(results)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
}
rmSync(join(results, '..'), { recursive: true, force: true });
if (failed !== '') {
  console.error(`npm test: ${failed} failed`);
  process.exit(1);
}
