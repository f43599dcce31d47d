import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import type { Level } from './attacks.ts';
import { Repository, words } from './repository.ts';

const HEAD =
  "const assert = require('node:assert');\nconst { test } = require('node:test');\nconst { sum } = require('./sum.js');\n";
const BLIND = `${HEAD}test('is there', () => assert.equal(typeof sum, 'function'));\n`;
const NOTICING = `${HEAD}test('adds', () => assert.equal(sum(2, 3), 5));\n`;
const BROKEN = 'exports.sum = (a, b) => a - b;\n';
const AGENT = (test: string) =>
  `echo 'exports.sum = (a, b) => a + b;' > sum.js\ncat > sum.test.js <<'END'\n${test}END\necho done > out.txt`;
const PHASE = { id: 'work', type: 'development', output: ['out.txt'] };
const GATE = { type: 'tests_pass', command: ['node', '--test'] };

function fixing(test: string, sandbox: Level, gate: Readonly<Record<string, unknown>> = {}): Repository {
  return new Repository({
    agent: AGENT(test),
    files: { 'sum.js': BROKEN, 'sum.test.js': BLIND },
    phases: [{ ...PHASE, quality_gate: { ...GATE, ...gate } }],
    plan: { project: { name: 'fix', type: 'bugfix', description: 'Make sums right' } },
    settings: { sandbox },
  });
}

async function probes(sandbox: Level): Promise<void> {
  const repository = fixing(BLIND, sandbox);
  const before = repository.digest();
  const run = await repository.run();
  expect(run.code).toBe(0);
  expect(words(run)).toEqual([expect.stringMatching(/^warning: .*broken on purpose: sum\.js:1 \(\+ became -\)/)]);
  expect(await repository.result('sum.js')).toBe('exports.sum = (a, b) => a + b;');
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  const { code, stdout } = await repository.helix(['gate', 'work', '--json']);
  expect([code, JSON.parse(stdout).verdicts[0].probe.mutants[0].result]).toEqual([0, 'missed']);
}

it('the tests of a bug fix are probed: a test that notices nothing is warned of', () => probes('basic'));

describeWalled('behind walls', () => {
  it('the tests of a bug fix are probed just so', () => probes('strict'));
});

it('a test that notices is recorded as one, and gate says so', async () => {
  const repository = fixing(NOTICING, 'basic');
  const { code, state } = await repository.run();
  const probe = state?.phases.get('work')?.lastVerdicts[0]?.probe;
  expect([code, probe?.mutants[0]]).toEqual([0, { file: 'sum.js', line: 1, change: '+ became -', result: 'noticed' }]);
  const judged = await repository.helix(['gate', 'work']);
  expect(judged.stdout).toContain('notice a broken sum.js:1');
});

it('probe: false asks for none, and the plan shows where there is one', async () => {
  const [probed, plain] = [fixing(BLIND, 'basic'), fixing(BLIND, 'basic', { probe: false })];
  expect((await probed.helix(['plan'])).stdout).toContain('gates: tests_pass · tests probed');
  expect((await plain.helix(['plan'])).stdout).not.toContain('probed');
  const run = await plain.run();
  expect([run.code, words(run)]).toEqual([0, []]);
});

it('where phases have directories of their own, a probe works on a copy beside them', async () => {
  const repository = new Repository({
    agent: `mkdir -p output && cd output && ${AGENT(BLIND)}`,
    phases: [{ ...PHASE, output: ['output/out.txt'], quality_gate: { ...GATE, probe: true } }],
    plan: { workspace: 'phase-dirs' },
  });
  const run = await repository.run();
  expect([run.code, words(run)]).toEqual([0, [expect.stringContaining('output/sum.js:1 (+ became -)')]]);
  expect(readdirSync(repository.path('phases'))).toEqual(['work']);
  expect(repository.read('phases/work/output/sum.js')).toBe('exports.sum = (a, b) => a + b;\n');
});
