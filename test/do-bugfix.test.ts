import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

const TASK = 'sum subtracts; it should add';
const BRANCH = 'helix/sum-subtracts';
const testOf = (name: string, call: string) =>
  `import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { sum } from '../sum.js';\ntest('${name}', () => assert.equal(${call}));\n`;
const FILES = {
  'package.json': '{ "name": "sums", "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (a, b) => a - b;\n',
  'test/zero.test.js': testOf('zero', 'sum(0, 0), 0'),
};
const RED = { 'test/adds.test.js': testOf('adds', 'sum(1, 2), 3') };
const FIX = { 'sum.js': 'export const sum = (a, b) => a + b;\n' };

type Moves = readonly Record<string, unknown>[];

/** Lets `helix do --type bugfix` end in a repository, with what the scripted agent does in each phase. */
async function mend(
  moves: { reproduce: Moves; fix?: Moves },
  more: readonly string[] = [],
  files: Record<string, string> = FILES,
) {
  const repository = new Repository({ planless: true, files });
  put(repository.root, { 'script.yaml': JSON.stringify({ phases: { fix: [{ writes: FIX }], ...moves } }) });
  const how = ['--type', 'bugfix', '--trust', '--agent', 'scripted', '--script', repository.beside('script.yaml')];
  const end = await repository.helix(['do', TASK, ...how, ...more]);
  return { repository, end, ...(await repository.journaled()) };
}

describe('helix do --type bugfix', () => {
  it('has a plan in no file, and helix brief reads it of the run, also once that has ended', async () => {
    const { repository, run } = await mend({ reproduce: [{ writes: RED }] });
    const told = await repository.helix(['brief', 'fix', '--json']);
    expect({ code: told.code, stderr: told.stderr }).toEqual({ code: 0, stderr: '' });
    const document = JSON.parse(told.stdout);
    expect(document).toMatchObject({ phase: 'fix', run });
    expect(document.briefs[0].brief).toContain(TASK);
    expect((await repository.helix(['brief', 'fixed'])).stderr).toContain('known are: reproduce, fix');
    // A plan of the project's own is what would begin now.
    repository.write({ 'phases.yaml': 'project: { name: x }\nphases: [{ id: own, type: test }]\n' });
    expect((await repository.helix(['brief', 'own'])).code).toBe(0);
  });

  it('sees the bug in a failing test, then sees it gone, and has both judged as one change', async () => {
    const { repository, end, state, run } = await mend({
      reproduce: [{ writes: RED, prints: 'shown' }],
      fix: [{ writes: FIX, prints: 'mended' }],
    });
    expect(end).toMatchObject({ code: 0 });
    expect(end.stderr).toMatch(/^first +a new test that fails with npm test, and nothing else changed$/m);
    expect(end.stderr).toMatch(/^reproduce +.*tests_pass: pass, the bug is seen: .*adds$/m);
    expect(end.stdout).toMatch(/^tests +2 pass, 1 new [(]before: 1 pass[)]$/m);
    expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
    const red = state?.phases.get('reproduce')?.lastVerdicts.find(({ gate }) => gate === 'tests_pass');
    expect(red).toMatchObject({ reproduced: { files: ['test/adds.test.js'] }, said: expect.stringContaining('adds') });
    const green = state?.phases.get('fix')?.lastVerdicts.find(({ gate }) => gate === 'tests_pass');
    expect(green).toMatchObject({ tests: { total: 2, failed: [] }, said: expect.stringContaining('pass 2') });
    expect(green?.probe?.mutants.some(({ result }) => result === 'noticed')).toBe(true);
    const brief = readFileSync(repository.path('.helix/runs', run, 'phases/fix/CLAUDE.md'), 'utf8');
    expect(brief).toContain('They stay as they are, and what fails in them now has to pass: `test/adds.test.js`');
    const judged = state?.approvals.at(-1)?.result.inputs.map(({ path }) => path);
    expect(judged).toEqual(expect.arrayContaining(['sum.js', 'test/adds.test.js']));
    expect(end.stdout).toMatch(/test.adds[.]test[.]js .*fails without the change, passes with it$/m);
    expect(end.stdout).toMatch(/^probe +broken on purpose, and the tests noticed: sum[.]js:1 /m);
    const { reproduced, tests } = EvidenceDocument.parse(
      JSON.parse((await repository.helix(['evidence', '--json'])).stdout),
    );
    expect(reproduced).toMatchObject([
      {
        phase: 'reproduce',
        red: expect.stringContaining('AssertionError'),
        green: { phase: 'fix', said: expect.stringContaining('pass 2') },
      },
    ]);
    expect(tests).toMatchObject([{ phase: 'fix', added: 1, mended: [expect.stringContaining('adds')] }]);
    const told = (await repository.helix(['evidence'])).stdout;
    expect(told).toMatch(/reproduce: failed on the code as it was: .*adds; passes since fix/);
    const final = (name: string) => readFileSync(repository.path('.helix/runs', run, 'final', name), 'utf8');
    expect(JSON.parse(final('evidence.json'))).toMatchObject({ schema: 'helix.evidence/1', run });
    const page = (await repository.helix(['evidence', '--format', 'html'])).stdout;
    for (const html of [page, final('report.html')]) expect(html).toContain('failed on the code as it was');
    for (const [phase, says] of [
      ['reproduce', 'shown'],
      ['fix', 'mended'],
    ]) {
      const transcript = repository.path('.helix/runs', run, `phases/${phase}/logs/attempt-1/transcript.jsonl`);
      expect(readFileSync(transcript, 'utf8')).toContain(says);
    }
  });

  it('refuses a test that passes on the code as it is, and one that comes with the mended code', async () => {
    const passing = { 'test/adds.test.js': testOf('adds', 'sum(1, 0), 1') };
    const { end, state, findings } = await mend({
      reproduce: [
        { writes: passing },
        { writes: { ...RED, ...FIX } },
        { writes: { ...RED, 'sum.js': FILES['sum.js'] } },
      ],
    });
    expect(end).toMatchObject({ code: 0 });
    expect(state?.phases.get('reproduce')?.accepted?.attempt).toBe(3);
    const said = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    expect(said).toEqual([
      expect.stringContaining('no bug is shown: the 1 new test in test/adds.test.js passes on the code as it is'),
      expect.stringContaining('it also changed: sum.js'),
    ]);
  });

  it('says of a failing test that was replaced by another that it was not seen to pass since', async () => {
    const two = `${testOf('adds', 'sum(1, 2), 3')}test('zeros', () => assert.equal(sum(0, 0), 0));\n`;
    const repository = new Repository({ planless: true, files: { ...FILES, ...{ 'test/adds.test.js': two } } });
    const others = two.replace("'adds', () => assert.equal(sum(1, 2), 3)", "'ones', () => assert.equal(sum(1, 1), 0)");
    const writes = { 'test/adds.test.js': others, 'sum.js': `${FILES['sum.js']}// as it was\n` };
    put(repository.root, { 'script.yaml': JSON.stringify({ phases: { change: [{ writes }] } }) });
    const how = ['--no-judge', '--trust', '--agent', 'scripted', '--script', repository.beside('script.yaml')];
    await repository.helix(['do', TASK, ...how]);
    const told = (await repository.helix(['evidence'])).stdout;
    expect(told).toMatch(/failed before, not seen to pass since: .*adds$/m);
    expect(told).not.toMatch(/pass(es)? now/);
  });

  it('refuses a fix that changes the test that shows the bug', async () => {
    const weaker = { 'test/adds.test.js': testOf('adds', 'typeof sum(1, 2), "number"') };
    const { end, state, findings } = await mend(
      { reproduce: [{ writes: RED }], fix: [{ writes: weaker }, { writes: { ...RED, ...FIX } }] },
      ['--no-judge'],
    );
    expect(end).toMatchObject({ code: 0 });
    expect(state?.phases.get('fix')?.accepted?.attempt).toBe(2);
    expect(findings.map(({ message }) => message)).toContain(
      'test/adds.test.js shows the bug, and this phase changed it',
    );
  });

  it('runs commands of --check on the mended code only', async () => {
    const { end } = await mend({ reproduce: [{ writes: RED }] }, ['--no-judge', '--check', 'grep -q "a + b" sum.js']);
    expect(end).toMatchObject({ code: 0 });
  });

  it('is refused where no tests were found, and another type is none', async () => {
    const none = await mend({ reproduce: [{}] }, [], { 'a.txt': 'a\n' });
    expect(none.end.code).toBe(2);
    expect(none.end.stderr).toContain('there is no command for tests in this repository');
    const other = await none.repository.helix(['do', TASK, '--type', 'bug', '--agent', 'scripted']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('--type takes feature (the default) or bugfix, not "bug"');
  });
});
