import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, put, scratch } from '../../../test/scratch.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { testsPass } from './tests-pass.ts';

const SUM = 'export const sum = (a, b) => a + b;\n';
const NOTICING =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.mjs';\ntest('adds', () => assert.equal(sum(2, 3), 5));\n";
const BLIND =
  "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../src/sum.mjs';\ntest('adds', () => assert.equal(typeof sum, 'function'));\n";
const NODE = [process.execPath, '--test'];

type Settings = { readonly command?: string | readonly string[]; readonly probe?: boolean; readonly timeout?: number };

/** Judges files as they are now, with copies made as a workspace would; says which copies are left. */
async function judge(files: Readonly<Record<string, string>>, settings: Settings, change: Partial<GateContext> = {}) {
  const dir = scratch(files);
  const copies: string[] = [];
  const variant: GateContext['variant'] = async (changes) => {
    const copy = scratch();
    copies.push(copy);
    cpSync(dir, copy, { recursive: true });
    put(copy, Object.fromEntries([...changes].map(([path, content]) => [path, content ?? ''])));
    return { dir: copy, touched: () => [], dispose: async () => rmSync(copy, { recursive: true }) };
  };
  const context = await gateContext(dir, { variant, ...change });
  const answer = await testsPass.judge({ type: 'tests_pass', command: NODE, probe: true, ...settings }, context);
  return { answer, copies, left: copies.filter((copy) => existsSync(copy)), files: contents(dir) };
}

it('tests that pass whatever becomes of the changed lines are warned of, with what was broken where', async () => {
  const files = { 'src/sum.mjs': SUM, 'test/sum.test.mjs': BLIND };
  const judged = await judge(files, {});
  expect(judged.answer).toMatchObject({
    outcome: 'pass',
    findings: [
      {
        severity: 'warning',
        check: 'unnoticed-change',
        message: expect.stringContaining('src/sum.mjs:1 (+ became -)'),
        location: { file: 'src/sum.mjs', line: 1 },
      },
    ],
    probe: { mutants: [{ result: 'missed' }, { result: 'missed' }] },
  });
  expect(judged).toMatchObject({ left: [], files });
  expect(judged.copies).toHaveLength(2);
});

it('tests that notice one are not tried on the others, and nothing is said', async () => {
  const { answer, copies } = await judge({ 'src/sum.mjs': SUM, 'test/sum.test.mjs': NOTICING }, {});
  expect(said(answer)).toEqual(['pass']);
  const mutant = { file: 'src/sum.mjs', line: 1 };
  expect(answer).toMatchObject({
    probe: {
      mutants: [
        { ...mutant, change: '+ became -', result: 'noticed' },
        { ...mutant, change: 'the result "a + b" became null', result: 'untried' },
      ],
    },
  });
  expect(copies).toHaveLength(1);
});

it.each([
  ['nobody asked for it', { 'src/sum.mjs': SUM, 'test/sum.test.mjs': BLIND }, { probe: false }],
  ['only tests were changed', { 'test/sum.test.mjs': "import { test } from 'node:test';\ntest('a', () => {});\n" }, {}],
])('no copy is made where %s', async (_why, files, settings) => {
  const { answer, copies } = await judge(files, settings);
  expect(answer).not.toHaveProperty('probe');
  expect([said(answer), copies]).toEqual([['pass'], []]);
});

it('tests that fail are not probed', async () => {
  const { answer, copies } = await judge({ 'src/sum.mjs': 'export const sum = 1 + 2;\n' }, { command: 'exit 1' });
  expect([said(answer)[0], copies]).toEqual(['reject', []]);
});

it('without walls, code that removes things or starts programs is left as it is', async () => {
  const files = {
    'src/clean.mjs': "import { rmSync } from 'node:fs';\nexport const clean = (a) => a && rmSync(a);\n",
    'clean.sh': '[ -n "$A" ] && rm -r "$A"\n',
  };
  expect((await judge(files, { command: 'true' })).copies).toEqual([]);
});

it('a broken program that comes to no end has been noticed', async () => {
  const loops = 'export const f = (n) => {\n  for (let i = 0; i !== n; i += 1);\n};\n';
  const test = "import { test } from 'node:test';\nimport { f } from '../src/f.mjs';\ntest('ends', () => f(3));\n";
  const runs = join(scratch(), 'runs');
  // The whole program passes at once; a broken one sleeps until it is ended.
  const command = `echo run >> ${runs}; grep -q 'i !== n; i += 1' src/f.mjs && exit 0; exec sleep 600`;
  const context = await gateContext(scratch());
  let limits = [600_000, 300];
  const processes: GateContext['processes'] = {
    ...context.processes,
    run: (spec) => {
      const [wallMs = 300, ...rest] = limits;
      limits = rest;
      return context.processes.run({ ...spec, wallMs });
    },
  };
  const { answer } = await judge({ 'src/f.mjs': loops, 'test/f.test.mjs': test }, { command }, { processes });
  expect(answer).toMatchObject({
    outcome: 'pass',
    probe: { mutants: expect.arrayContaining([expect.objectContaining({ result: 'noticed' })]) },
  });
  expect(readFileSync(runs, 'utf8')).toBe('run\nrun\n');
});

it('when the time of the gate is up, it says how many were not tried', async () => {
  const context = await gateContext(scratch());
  const processes: GateContext['processes'] = {
    ...context.processes,
    run: async (spec) => ({ ...(await context.processes.run(spec)), durationMs: 25_000 }),
  };
  const { answer } = await judge({ 'src/sum.mjs': SUM }, { command: 'true', timeout: 60 }, { processes });
  expect(said(answer).join()).toContain('src/sum.mjs:1 (+ became -); for 1 more there was no time');
  const none = await judge({ 'src/sum.mjs': SUM }, { command: 'true', timeout: 30 }, { processes });
  expect(said(none.answer)).toContain(
    'info: whether the tests notice broken code is not known: there was no time left',
  );
});

it('a broken program that does not build was noticed by its compiler, not by its tests', async () => {
  const ok = 'echo 1..1; echo ok 1 - adds';
  const command = `if grep -q 'a + b' src/sum.mjs; then ${ok}; else echo 'error: no' >&2; exit 1; fi`;
  const { answer } = await judge({ 'src/sum.mjs': SUM }, { command });
  expect(said(answer)).toEqual([
    'pass',
    'info: whether the tests notice broken code is not known: nothing could be tested with any of the changes tried',
  ]);
});
