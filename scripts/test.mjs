// `npm test`: every check, then the tests, then one plain line with the counts. Runs on the pinned Node.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const node = existsSync(bin('node')) ? bin('node') : process.execPath;
const results = join(mkdtempSync(join(tmpdir(), 'helix-test-')), 'results.json');

// The first takes as long as the others together.
const checks = [
  [['types', 'tsc', ['-p', '.']]],
  [
    ['lint', 'biome', ['check', '--error-on-warnings', '.']],
    ['imports', 'depcruise', ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', 'src']],
    ['dead code', 'knip', []],
  ],
];
const tests = [
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
];

/** Runs one of them and says how it went. */
async function passes([name, program, args], stdio) {
  const began = Date.now();
  const child = spawn(program === 'biome' ? bin(program) : node, program === 'biome' ? args : [bin(program), ...args], {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => said.push(piece));
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  process.stdout.write(Buffer.concat(said));
  const took = ((Date.now() - began) / 1000).toFixed(1);
  console.log(`── ${name}: ${status === 0 ? 'ok' : `failed (${status})`}, ${took} s`);
  return status === 0;
}

/** The names of those that failed, one after the other until one does. */
async function failing(row, stdio) {
  for (const check of row) if (!(await passes(check, stdio))) return [check[0]];
  return [];
}

let failed = (await Promise.all(checks.map((row) => failing(row, 'pipe')))).flat();
if (failed.length === 0) failed = await failing([tests], 'inherit');

if (existsSync(results)) {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(results, 'utf8'));
  console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`);
}
rmSync(join(results, '..'), { recursive: true, force: true });
if (failed.length > 0) {
  console.error(`npm test: ${failed.join(', ')} failed`);
  process.exit(1);
}
