import { cpSync, rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { listDirectory } from '../../adapters/trees/directory-tree.ts';
import { TreeStore } from '../../adapters/trees/tree-store.ts';
import type { Tests } from '../../domain/verdict.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { testsPass } from './tests-pass.ts';

const testOf = (name: string, assertion: string) =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { sum } from '../sum.mjs';\ntest('${name}', () => ${assertion});\n`;
const BASE = {
  'sum.mjs': 'export const sum = (a, b) => a - b;\n',
  'test/zero.test.mjs': testOf('zero', 'assert.equal(sum(0, 0), 0)'),
};
const RED = { 'test/adds.test.mjs': testOf('adds', 'assert.equal(sum(1, 2), 3)') };
const NODE = [process.execPath, '--test', '--test-reporter=spec'];
const ONE: Tests = { total: 1, skipped: 0, failed: [] };

type Files = Readonly<Record<string, string>>;
type Case = {
  readonly command?: string | readonly string[];
  readonly before?: Tests | null;
  readonly base?: Files;
} & Pick<GateContext, 'reproduced'>;

/** Judges what a phase added to a base. */
async function judge(added: Files, { command = NODE, before = ONE, base = BASE, reproduced }: Case = {}, red = true) {
  const store = new TreeStore(scratch());
  const old = scratch(base);
  const dir = scratch({ ...base, ...added });
  const variant: GateContext['variant'] = async (changes) => {
    const copy = scratch();
    cpSync(dir, copy, { recursive: true });
    for (const [path, content] of changes) {
      if (content === undefined) rmSync(`${copy}/${path}`);
      else put(copy, { [path]: content });
    }
    return { dir: copy, touched: () => [], dispose: async () => rmSync(copy, { recursive: true }) };
  };
  const context = await gateContext(dir, {
    base: await store.capture(old, await listDirectory(old)),
    tree: await store.capture(dir, await listDirectory(dir)),
    variant,
    ...(before !== null && { before }),
    ...(reproduced !== undefined && { reproduced }),
  });
  return testsPass.judge({ type: 'tests_pass', command, baseline: true, ...(red && { expect: 'red' }) }, context);
}

describe('a gate that wants to see the bug', () => {
  it('passes when the new test fails and the others pass, and says which test it is', async () => {
    const answer = await judge(RED);
    expect(said(answer)).toEqual(['pass']);
    expect(answer).toMatchObject({
      reproduced: { tests: [expect.stringContaining('adds')], files: ['test/adds.test.mjs'] },
      tests: { total: 2, failed: [] },
      said: expect.stringContaining('AssertionError'),
    });
  });

  it.each([
    [
      'that passes on the code as it is',
      { 'test/adds.test.mjs': testOf('adds', 'assert.equal(sum(1, 0), 1)') },
      'the 1 new test in test/adds.test.mjs passes on the code as it is',
    ],
    [
      'that the command does not run',
      { 'test/data.json': '{}' },
      'as many tests ran as before (1), so the command does not run the new test in test/data.json',
    ],
    [
      'that comes with a mended bug',
      { ...RED, 'sum.mjs': 'export const sum = (a, b) => a + b;\n' },
      'it also changed: sum.mjs',
    ],
    [
      'that comes with other settings of the runner',
      { ...RED, '.mocharc.json': '{}' },
      'it also changed: .mocharc.json',
    ],
    [
      'with a syntax error',
      { 'test/adds.test.mjs': 'import assert from ;\n' },
      'is no failing test yet, because it cannot be run',
    ],
    ['that imports what is not there', { 'test/adds.test.mjs': "import './nothing.mjs';\n" }, 'is no failing test yet'],
    [
      'that imports a name that is not there',
      { 'test/adds.test.mjs': testOf('adds', 'assert.equal(sum(1, 2), 3)').replace('{ sum }', '{ sun as sum }') },
      'is no failing test yet',
    ],
    [
      'that uses a name nobody defined',
      { 'test/adds.test.mjs': testOf('adds', 'assert.equal(summ(1, 2), 3)') },
      'is no failing test yet',
    ],
  ])('refuses a test %s', async (_, added, says) => {
    const [outcome, ...messages] = said(await judge(added));
    expect(messages.join('\n')).toContain(says);
    expect(outcome).toBe('reject');
  });

  it('refuses nothing at all, and a test that fails by chance', async () => {
    expect(said(await judge({}))).toEqual(['reject', 'error: no test was added: this phase changed nothing']);
    const marker = `${scratch()}/ran`;
    const chance = `import { existsSync, writeFileSync } from 'node:fs';\n${testOf('adds', `{ const ran = existsSync('${marker}'); writeFileSync('${marker}', ''); assert.ok(ran); }`)}`;
    const [outcome, message] = said(await judge({ 'test/adds.test.mjs': chance }));
    expect([outcome, message]).toEqual(['reject', expect.stringContaining('not the same failed each time')]);
  });

  it('refuses a failure of a test that the phase did not write', async () => {
    const base = {
      ...BASE,
      'test/reads.test.mjs': `import { readFileSync, existsSync } from 'node:fs';\n${testOf('reads', "assert.ok(!existsSync(new URL('./data/x.txt', import.meta.url)))")}`,
    };
    const [outcome, message] = said(
      await judge({ ...RED, 'test/data/x.txt': 'x' }, { base, before: { total: 2, failed: [] } }),
    );
    expect([outcome, message]).toEqual([
      'reject',
      expect.stringContaining('another test fails, which this phase did not write'),
    ]);
  });

  it('does not mind what failed before', async () => {
    const base = { ...BASE, 'test/old.test.mjs': testOf('old', 'assert.equal(sum(2, 2), 5)') };
    const old = await judge({}, { base }, false);
    const before = old.kind === 'judged' ? old.tests : undefined;
    expect(before?.failed).toHaveLength(1);
    const answer = await judge(RED, { base, before: before ?? null });
    expect(said(answer)).toEqual(['pass']);
    expect(answer).toMatchObject({ tests: { total: 3, failed: before?.failed } });
  });
});

describe('a runner whose output names no test', () => {
  const RUNNER = 'for f in test/*.sh; do sh $f || exit 1; done';
  const base = { 'sum.sh': 'echo $(( $1 - $2 ))\n', 'test/zero.sh': '[ "$(sh sum.sh 0 0)" = 0 ]\n' };

  it('is believed by its exit code with and without the test, and what is known is said', async () => {
    const added = { 'test/adds.sh': '[ "$(sh sum.sh 1 2)" = 3 ] || { echo wrong; exit 1; }\n' };
    const answer = await judge(added, { command: RUNNER, before: null, base });
    expect(said(answer)).toEqual([
      'pass',
      'warning: which test fails cannot be read from the output of this command. Known is only: without the new test it ends with exit code 0, with it with 1:\nwrong',
    ]);
    expect(answer).toMatchObject({ reproduced: { tests: [], files: ['test/adds.sh'] } });
  });

  it('that calls each file a test in TAP names what fails', async () => {
    const tap =
      'n=0; r=0; for f in test/*.sh; do n=$((n+1)); sh $f && echo "ok $n - $f" || { echo "not ok $n - $f"; r=1; }; done; echo "1..$n"; exit $r';
    const answer = await judge({ 'test/adds.sh': '[ "$(sh sum.sh 1 2)" = 3 ]\n' }, { command: tap, base });
    expect(said(answer)).toEqual(['pass']);
    expect(answer).toMatchObject({ reproduced: { tests: ['test/adds.sh'] }, tests: { total: 2, failed: [] } });
  });

  it('is not believed where it failed before, or where the test passes', async () => {
    const broken = { ...base, 'test/old.sh': 'exit 3\n' };
    const fails = await judge({ 'test/adds.sh': 'exit 1\n' }, { command: RUNNER, before: null, base: broken });
    expect(said(fails)).toEqual(['reject', expect.stringContaining('ended with exit code 1 without it, too')]);
    const passes = await judge({ 'test/adds.sh': 'exit 0\n' }, { command: RUNNER, before: null, base });
    expect(said(passes)).toEqual([
      'reject',
      expect.stringContaining('the new test in test/adds.sh passes on the code as it is'),
    ]);
  });

  it('that cannot be started is a matter of set-up, no failing test', async () => {
    const answer = await judge({ 'test/adds.sh': 'x' }, { command: 'no-such-runner', before: null, base });
    expect(answer).toMatchObject({ kind: 'interrupted', failure: 'setup' });
  });
});

describe('once the bug is seen', () => {
  const base = { ...BASE, ...RED };
  const reproduced = ['test/adds.test.mjs'];
  const before = { total: 2, skipped: 0, failed: [] };
  const FIX = { 'sum.mjs': 'export const sum = (a, b) => a + b;\n' };

  it('a mended one passes, and the last words of the tests are kept', async () => {
    const answer = await judge(FIX, { base, reproduced, before }, false);
    expect(said(answer)).toEqual(['pass']);
    expect(answer).toMatchObject({ said: expect.stringContaining('pass 2') });
  });

  it('a phase that leaves the bug fails, known or not', async () => {
    const [outcome, message] = said(await judge({ 'other.mjs': '' }, { base, reproduced, before }, false));
    expect([outcome, message]).toEqual(['reject', expect.stringContaining('test failed: ')]);
  });

  it('a phase that changes or removes the test that shows it fails, whatever passes', async () => {
    const weaker = { ...FIX, 'test/adds.test.mjs': testOf('adds', 'assert.ok(sum(1, 2))') };
    const [outcome, ...messages] = said(await judge(weaker, { base, reproduced, before }, false));
    expect(outcome).toBe('reject');
    expect(messages).toContain('error: test/adds.test.mjs shows the bug, and this phase changed it');
  });
});

describe('in Rust, where tests stand beside the code,', () => {
  const lib = (body: string, test: string) =>
    `pub fn sum(a: i32, b: i32) -> i32 {\n    ${body}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        ${test}\n    }\n}\n`;
  const base = { 'src/lib.rs': lib('a - b', 'assert_eq!(super::sum(0, 0), 0);') };
  const command = "grep -q 'a + b' src/lib.rs || { echo wrong; exit 1; }";

  it('the module of tests at the end may change to show it, and nothing before it', async () => {
    const added = { 'src/lib.rs': lib('a - b', 'assert_eq!(super::sum(1, 2), 3);') };
    const findings = async (files: Files) => said(await judge(files, { command, before: null, base })).join('\n');
    expect(await findings(added)).not.toContain('also changed');
    expect(await findings({ 'src/lib.rs': lib('b - a', 'assert_eq!(super::sum(1, 2), 3);') })).toContain(
      'also changed: src/lib.rs',
    );
    expect(await findings({ 'src/lib.rs': `${lib('a - b', '')}\npub fn more() {}\n` })).toContain(
      'also changed: src/lib.rs',
    );
  });

  it.each([
    ['an indented end', (module: string) => module.replace(/\n}\n$/, '\n }\npub fn more() {\n}\n')],
    ['an end on the same line', (module: string) => module.replace(/\n}\n$/, '\n } pub fn more() {\n}\n')],
    ['an end that never comes', (module: string) => module.replace(/\n}\n$/, '\npub fn more() {\n}\n')],
    ['a condition in a comment', (module: string) => `/*\n#[cfg(test)]\nmod tests {\n*/ pub fn more() {\n}\n${module}`],
    ['a macro before its condition', (module: string) => module.replace('#[cfg(test)]', '#[made]\n#[cfg(test)]')],
    ['a condition that is no such', (module: string) => module.replace('cfg(test)', 'cfg(not(test))')],
  ])('a module of tests with %s hides no code', async (_, change) => {
    const whole = lib('a - b', 'assert_eq!(super::sum(1, 2), 3);');
    const changed = { 'src/lib.rs': change(whole) };
    expect(said(await judge(changed, { command, before: null, base })).join('\n')).toContain(
      'also changed: src/lib.rs',
    );
  });

  it('braces in texts, comments and nested modules of the tests hide nothing', async () => {
    const test = 'let _ = "\n}\n"; /*\n}\n*/ mod inner {\n}\nassert_eq!(super::sum(1, 2), 3);';
    const findings = said(await judge({ 'src/lib.rs': lib('a - b', test) }, { command, before: null, base }));
    expect(findings.join('\n')).not.toContain('also changed');
  });

  it('the code may be mended beside it, and the tests may not', async () => {
    const red = { 'src/lib.rs': lib('a - b', 'assert_eq!(super::sum(1, 2), 3);') };
    const given = { command, before: null, base: red, reproduced: ['src/lib.rs'] } as const;
    const mended = await judge({ 'src/lib.rs': lib('a + b', 'assert_eq!(super::sum(1, 2), 3);') }, given, false);
    expect(said(mended)[0]).toBe('pass');
    const weakened = await judge({ 'src/lib.rs': lib('a + b', '') }, given, false);
    expect(said(weakened).join('\n')).toContain('shows the bug, and this phase changed it');
  });
});
