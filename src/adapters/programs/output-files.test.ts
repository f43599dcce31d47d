import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { beforeEach, expect, test } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { cacheDirectory } from '../disk/cache-directory.ts';
import { createProcesses } from './processes.ts';
import { listener, program, shell } from './programs.fixture.ts';
import { closed, describeWalled, runWalled } from './walls/walled.fixture.ts';

const processes = createProcesses({ graceMs: 300 });
const LINES = 20_000;
/** Prints a lot, then why it fails, and ends itself at once. */
const NOISY = `for (let n = 0; n < ${LINES}; n += 1) console.log('line', n);\nconsole.log('ZEBRA-REASON');\nprocess.exit(3);\n`;
const last = { lastWords: true } as const;
const left = () => readdirSync(cacheDirectory(process.env, homedir())).filter((name) => name.startsWith('output-'));

// Other tests, and other programs of HELIX, print into files of their own meanwhile.
beforeEach(() => {
  process.env.XDG_CACHE_HOME = scratch();
});

test('a Node script that ends itself while it prints loses nothing, the reason least of all', async () => {
  const cwd = put(scratch(), { 'noisy.mjs': NOISY });
  const { lines, onLine } = listener();
  const end = await processes.run(program([process.execPath, 'noisy.mjs'], { cwd, onLine, ...last }));
  expect(end).toMatchObject({ ended: 'exit', exitCode: 3, tail: expect.stringMatching(/ZEBRA-REASON\n$/) });
  expect(lines.map(({ line }) => line)).toEqual([
    ...Array.from({ length: LINES }, (_, n) => `line ${n}`),
    'ZEBRA-REASON',
  ]);
  expect(left()).toEqual([]);
});

test('both streams are told apart, and what is printed late is heard before the end', async () => {
  const { lines, onLine } = listener();
  const end = await processes.run(shell('echo out; echo err >&2; sleep 0.3; echo late', { onLine, ...last }));
  expect(end).toMatchObject({ ended: 'exit', exitCode: 0 });
  expect(lines.map(({ stream, line }) => `${stream} ${line}`).toSorted()).toEqual([
    ...['stderr err', 'stdout late', 'stdout out'],
  ]);
});

test('a program that opens its own output anew is heard', async () => {
  const { tail } = await processes.run(
    shell('echo first words > /dev/stderr; sleep 0.3; echo last > /dev/stderr', last),
  );
  expect(tail).toMatch(/last\n$/);
});

test('limits hold: too much output, and silence', async () => {
  const flood = await processes.run(shell('while :; do echo xxxxxxxx; done', { outputBytes: 100_000, ...last }));
  expect(flood).toMatchObject({ ended: 'output_limit', message: 'more than 100000 bytes of output' });
  const silent = await processes.run(shell('echo a; sleep 3600', { idleMs: 1500, ...last }));
  expect(silent).toMatchObject({ ended: 'timeout_idle', tail: 'a\n' });
});

describeWalled('behind walls', () => {
  test('it is the same', async () => {
    const dir = scratch();
    const script = `i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; echo ZEBRA-REASON; exit 3`;
    const end = await runWalled(['/bin/sh', '-c', script], dir, { confine: closed(dir), ...last });
    expect(end).toMatchObject({ ended: 'exit', exitCode: 3, tail: expect.stringMatching(/ZEBRA-REASON\n$/) });
  });
});
