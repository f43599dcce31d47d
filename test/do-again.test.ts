import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ListDocument } from '../src/domain/documents/documents.ts';
import { BRANCH, changing, FIX, plain, TASK, testOf } from './do-repository.ts';
import type { Repository } from './repository.ts';

const MORE = 'also take three numbers, ZEBRA-8';
const THREE = {
  'sum.js': 'export const sum = (a, b, c = 0) => a + b + c;\n',
  'test/three.test.js': testOf('three', 'sum(1, 2, 3), 6'),
};

async function first(repository: Repository, ...options: string[]) {
  const end = await repository.helix(['do', TASK, '--trust', ...options, ...changing(repository, { writes: FIX })]);
  expect(end).toMatchObject({ code: 0 });
}

function again(repository: Repository, words = MORE, ...options: string[]) {
  return repository.helix(['do', '--again', words, ...options, ...changing(repository, { writes: THREE })]);
}

it('--again goes on from the last result: same branch, both requests in order, all of it judged', async () => {
  const repository = plain();
  await first(repository, '--check', 'test -e sum.js');
  const accepted = repository.git('rev-parse', BRANCH);
  const { run: former } = await repository.journaled();
  const before = repository.digest();
  const end = await again(repository);
  expect(end).toMatchObject({ code: 0 });
  expect(repository.digest()).toEqual(before);
  expect(end.stderr).toContain(`branch ${BRANCH}, going on from ${accepted.slice(0, 7)}`);
  expect(end.stderr).toMatch(/^must pass {2}syntax · .*\n {11}test -e sum[.]js$/m);
  expect(repository.git('rev-parse', `${BRANCH}~1`)).toBe(accepted);
  expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(THREE['sum.js'].trim());
  expect(repository.git('show', `${BRANCH}:test/adds.test.js`)).toBe(FIX['test/adds.test.js'].trim());
  const { run, state, events } = await repository.journaled();
  expect(state?.continues?.run).toBe(former);
  expect(state?.request?.indexOf(TASK)).toBeLessThan(state?.request?.indexOf(MORE) ?? -1);
  const read = (...path: string[]) => readFileSync(repository.path('.helix/runs', run, ...path), 'utf8');
  const brief = read('phases/change/CLAUDE.md');
  expect(brief).toContain(TASK);
  expect(brief).toContain(MORE);
  const [approval = ''] = readdirSync(repository.path('.helix/runs', run, 'approvals'));
  const judged = read('approvals', approval, 'brief.md');
  expect(judged.slice(0, judged.indexOf('## What changed'))).toContain(TASK);
  expect(judged).toContain('-export const sum = (a, b) => a - b;\n');
  const fresh = judged.slice(judged.indexOf('## What is new in it'));
  expect(fresh.slice(0, fresh.indexOf('\n## ', 5))).toContain('-export const sum = (a, b) => a + b;\n');
  expect(fresh.slice(0, fresh.indexOf('\n## ', 5))).not.toContain('adds.test.js');
  const given = events.find((event) => event.type === 'approval_finished');
  expect(given?.data).toMatchObject({
    result: { inputs: [{ path: 'sum.js' }, { path: 'test/adds.test.js' }, { path: 'test/three.test.js' }] },
  });
});

it('helix list shows of each task what it was and its branch', async () => {
  const repository = plain();
  await first(repository);
  expect(await again(repository)).toMatchObject({ code: 0 });
  const lines = (await repository.helix(['list'])).stdout.split('\n');
  expect(lines[0]).toMatch(new RegExp(`  ${MORE}  ${BRANCH}$`));
  expect(lines[1]).toMatch(new RegExp(`  ${TASK.slice(0, 39)}…  ${BRANCH}$`));
  const { runs } = ListDocument.parse(JSON.parse((await repository.helix(['list', '--json'])).stdout));
  expect(runs[0]).toMatchObject({ task: MORE, branch: BRANCH, status: 'passed' });
});

it('--again can follow --again, and a try that failed does not count', async () => {
  const repository = plain();
  await first(repository, '--no-judge');
  const broken = changing(repository, { writes: { 'sum.js': 'export const sum = 1;\n' } });
  const failed = await repository.helix(['do', '--again', 'break it', '--no-judge', ...broken]);
  expect(failed.code).toBe(3);
  const open = await again(repository, MORE, '--no-judge');
  expect(open.code).toBe(2);
  expect(open.stderr).toMatch(/run \S+ has not ended: it waits for an answer/);
  expect(open.stderr).toContain('helix cancel');
  expect((await repository.helix(['cancel'])).code).toBe(0);
  expect(await again(repository, MORE, '--no-judge')).toMatchObject({ code: 0 });
  const moves = changing(repository, { writes: { 'a.txt': 'a\n' } });
  expect(await repository.helix(['do', '--again', 'and a file', '--no-judge', ...moves])).toMatchObject({ code: 0 });
  expect(repository.git('rev-list', '--count', `main..${BRANCH}`)).toBe('3');
  const { state } = await repository.journaled();
  const words = [TASK, MORE, 'and a file'].map((part) => state?.request?.indexOf(part) ?? -1);
  expect(words.toSorted((a, b) => a - b)).toEqual(words);
  expect(state?.request).not.toContain('break it');
});

it.each<[string, (repository: Repository) => void, RegExp]>([
  [
    'is gone',
    (r) => r.git('branch', '-D', BRANCH),
    /the branch helix\/sum-subtracts is gone[\s\S]*git branch helix\/sum-subtracts [0-9a-f]{12}/,
  ],
  ['was merged', (r) => r.git('merge', '-q', BRANCH), /is merged already[\s\S]*helix do "/],
  [
    'has commits of others',
    (r) => {
      r.git('checkout', '-q', BRANCH);
      r.write({ 'mine.txt': 'mine\n' });
      r.commit('mine');
      r.git('checkout', '-q', 'main');
    },
    /has 1 commit that is not HELIX's[\s\S]*git switch helix\/sum-subtracts/,
  ],
  [
    'was moved',
    (r) => r.git('branch', '-f', BRANCH, 'main'),
    /was moved[\s\S]*git branch -f helix\/sum-subtracts [0-9a-f]{12}/,
  ],
  ['is checked out', (r) => r.git('checkout', '-q', BRANCH), /is checked out in [\s\S]*git switch -/],
])('--again is refused where the branch %s, and nothing is lost', async (_, prepare, says) => {
  const repository = plain({ 'sum.js': 'x\n' });
  await first(repository, '--no-judge');
  prepare(repository);
  const refs = repository.git('for-each-ref');
  const before = (await repository.journaled()).run;
  const end = await again(repository, MORE, '--no-judge');
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(says);
  expect(repository.git('for-each-ref')).toBe(refs);
  expect((await repository.journaled()).run).toBe(before);
});

it.each([
  ['without a former task', [], /no helix do has come to a result here yet/],
  ['with --branch', ['--branch', 'x'], /--again goes on on the branch of the last one/],
  ['with --include-dirty', ['--include-dirty'], /--again begins with the last result/],
])('--again %s is refused', async (_, options, says) => {
  const repository = plain({ 'a.txt': 'x\n' });
  const end = await again(repository, MORE, '--no-judge', ...options);
  expect(end.code).toBe(2);
  expect(end.stderr).toMatch(says);
});
