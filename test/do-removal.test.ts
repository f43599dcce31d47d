import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { changing, plain } from './do-repository.ts';

it('a change that only removes files is accepted, and its judge reads what was removed', async () => {
  const repository = plain({ 'old/zebra.txt': 'the striped zebra grazes quietly\n', 'kept.txt': 'x\n' });
  const moves = changing(repository, { deletes: ['old/zebra.txt'] });
  const end = await repository.helix(['do', 'Remove the zebra', '--trust', ...moves]);
  expect(end).toMatchObject({ code: 0 });
  expect(end.stdout).toMatch(/^ old\/zebra[.]txt +\| [+]0 -1 [(]removed[)]$/m);
  expect(repository.git('ls-tree', '-r', '--name-only', 'helix/remove-zebra').split('\n')).toEqual([
    'kept.txt',
    'readme.md',
  ]);
  const { run, events } = await repository.journaled();
  const approval = events.find((event) => event.type === 'approval_finished');
  expect(approval?.data).toMatchObject({
    result: { result: 'approved', inputs: [{ path: '.helix-difference.patch' }] },
  });
  const folder = repository.path('.helix/runs', run, 'approvals');
  const brief = readFileSync(`${folder}/${readdirSync(folder)[0]}/brief.md`, 'utf8');
  expect(brief).toContain('-the striped zebra grazes quietly');
});

it('a change that only removes files still has to pass the tests', async () => {
  const repository = plain();
  const moves = changing(repository, { deletes: ['sum.js'] });
  const end = await repository.helix(['do', 'Remove sum.js', '--trust', '--no-judge', ...moves]);
  expect(end.code).toBe(3);
  expect(`${end.stdout}${end.stderr}`).not.toContain('no new or changed file');
});
