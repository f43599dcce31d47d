import { expect, it } from 'vitest';
import { changing, plain } from './do-repository.ts';
import type { Repository } from './repository.ts';

function start(repository: Repository, ...options: string[]) {
  const moves = changing(repository, {
    writes: { 'a.txt': `the number ${options.length} is written here\n` },
    cost: 0.25,
  });
  return repository.helix(['do', 'Write a number', ...options, ...moves]);
}

it('says before it starts what like runs here took and cost, and after the first that there is no data', async () => {
  const repository = plain({ 'readme.md': 'hello\n' });
  const first = await start(repository, '--no-judge');
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/^expect {5}no data: no run like this has ended here$/m);
  const second = await start(repository, '--no-judge');
  expect(second.stderr).toMatch(/^expect {5}0[.]25 USD, \S+( \S+)* [(]from 1 run here[)]$/m);
});

it('ends with the share of the agent and that of HELIX, each a line', async () => {
  const repository = plain({ 'readme.md': 'hello\n' });
  const end = await start(repository);
  expect(end.code).toBe(0);
  expect(end.stdout).toMatch(/^agent {8}\S+, 0[.]25 USD [(]simulated[)]$/m);
  expect(end.stdout).toMatch(
    /^HELIX itself \S+, about [\d,]+ tokens of its own in briefs · gates \S+ · judge \S+, 0[.]00 USD [(]simulated[)]$/m,
  );
  const { events } = await repository.journaled();
  const started = events.find((event) => event.type === 'attempt_started');
  expect(started?.data.ownTokens).toBeGreaterThan(300);
  expect(started?.data.ownTokens).toBeLessThan(1500);
});
