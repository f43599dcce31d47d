import { expect, it } from 'vitest';
import { Repository } from './repository.ts';

it('a plain repository is worked in without a trace but the branch of the run', async () => {
  const repository = new Repository();
  const before = repository.digest();
  const run = await repository.run();
  expect(run).toMatchObject({ code: 0, findings: [] });
  expect(await repository.changed()).toEqual(['A out.txt']);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
});
