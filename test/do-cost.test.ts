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

it('goes by runs of the same agent and model alone', async () => {
  const agents = (model: string) =>
    JSON.stringify({ agents: { default: { driver: 'scripted', model }, other: { driver: 'scripted', model } } });
  const repository = plain({ 'readme.md': 'hello\n', 'helix.yaml': agents('small') });
  const moves = changing(repository, { writes: { 'a.txt': 'a number\n' }, cost: 0.25 });
  const expected = async (agent: string) => {
    const how = moves.map((word) => (word === 'scripted' ? agent : word));
    const { code, stderr } = await repository.helix(['do', 'Write a number', '--no-judge', '--trust', ...how]);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    return /^expect +(.*)$/m.exec(stderr)?.[1] ?? '';
  };
  expect(await expected('default')).toContain('no data');
  expect(await expected('default')).toContain('from 1 run here');
  expect(await expected('other')).toContain('no data');
  repository.write({ 'helix.yaml': agents('large') });
  repository.commit('another model');
  expect(await expected('default')).toContain('no data');
  repository.write({ 'helix.yaml': agents('small') });
  repository.commit('the former model');
  expect(await expected('default')).toContain('from 2 runs here');
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
