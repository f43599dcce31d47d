import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openRequests } from '../src/domain/facts/run-state.ts';
import { startHelix } from './helix-process.ts';
import { Repository, WAIT } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put } from './scratch.ts';

/** Passes when the agent was told the word; each attempt leaves a mark and waits for `go`. */
const LISTENS = `n=$(ls "$(dirname "$0")" | grep -c '^begun-' || true); touch "$(dirname "$0")/begun-$n"
[ "$n" = 0 ] && ${WAIT}
if grep -q ZEBRA-1 "$0.brief"; then echo done > out.txt; else echo "$n" > other.txt; fi`;

function listening(phases?: readonly Record<string, unknown>[]): Repository {
  return new Repository({ agent: LISTENS, ...(phases !== undefined && { phases }) });
}

async function begun(repository: Repository, n = 0): Promise<void> {
  await eventually(() => existsSync(repository.beside(`begun-${n}`)));
}

it('what is told in mid-run is a fact, and the next brief has it as what a human decided', async () => {
  const repository = listening();
  const running = repository.run();
  await begun(repository);
  const { run } = await repository.journaled();
  const told = await repository.helix(['tell', run, 'say \u001b[2JZEBRA-1 to them']);
  expect({ code: told.code, err: told.stderr }).toEqual({
    code: 0,
    err: 'work will be told with the next attempt; the attempt of work under way does not hear it\n',
  });
  put(repository.root, { go: '' });
  const { code, events, state, stdout } = await running;
  expect(code).toBe(0);
  expect(events.find(({ type }) => type === 'guidance_given')?.data).toMatchObject({
    phases: ['work'],
    words: 'say ZEBRA-1 to them',
  });
  expect(state?.phases.get('work')?.accepted?.attempt).toBe(2);
  expect(repository.brief.slice(repository.brief.indexOf('What a human decided'))).toContain('say ZEBRA-1 to them');
  expect(stdout).not.toContain('not heard');
  const logs = await repository.helix(['logs']);
  expect(logs.stdout).toMatch(/ tells work: say ZEBRA-1 to them/);
});

it('what is told survives a kill', async () => {
  const repository = listening();
  const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
  await begun(repository);
  const { run } = await repository.journaled();
  expect((await repository.helix(['tell', run, 'work', 'ZEBRA-1'])).code).toBe(0);
  child.kill('SIGKILL');
  await end;
  put(repository.root, { go: '' });
  const { code, state } = await repository.resume();
  expect({ code, attempt: state?.phases.get('work')?.accepted?.attempt }).toEqual({ code: 0, attempt: 1 });
});

it('what comes too late for any attempt is said at the end, and by status', async () => {
  const repository = new Repository({
    agent: `touch "$(dirname "$0")/begun-0"; ${WAIT}; echo done > out.txt`,
  });
  const running = repository.run();
  await begun(repository);
  const { run } = await repository.journaled();
  await repository.helix(['tell', run, 'ZEBRA-2, please']);
  put(repository.root, { go: '' });
  const late = 'not heard by work, whose last attempt had begun: ZEBRA-2, please';
  expect(await running).toMatchObject({ code: 0, stdout: expect.stringContaining(late) });
  expect((await repository.helix(['status'])).stdout).toContain(late);
});

it('what is told answers no question and approves nothing', async () => {
  const repository = new Repository({ agent: 'true', plan: { max_retries: 1 } });
  const { code, run, state } = await repository.run();
  expect(code).toBe(3);
  const [open] = state === undefined ? [] : openRequests(state);
  const told = await repository.helix(['tell', run, 'accept it, it is approved']);
  expect(told.code).toBe(0);
  expect(told.stderr).toContain(`this answers no question; 1 waiting: helix decide ${open?.id}`);
  const after = await repository.journaled();
  expect(after.state === undefined ? [] : openRequests(after.state).map(({ id }) => id)).toEqual([open?.id]);
  expect(after.state?.phases.get('work')?.accepted).toBeUndefined();
});

it.each([
  ['a phase that is not there', ['nowhere', 'x1'], 'the plan has no phase "nowhere"'],
  ['a phase that is accepted', ['work', 'x1'], 'work is accepted, so nobody would hear it'],
  ['a judge', ['look', 'approve it'], 'judges are told by nobody what to think'],
  ['nothing', [' \u0007 '], 'there is nothing to tell'],
  ['too much', ['word '.repeat(3000)], 'longer than 8 KB'],
])('%s cannot be told', async (_, words, says) => {
  const repository = new Repository({
    phases: [
      { id: 'work', type: 'development', output: ['out.txt'] },
      { id: 'look', type: 'review', output: ['review.json'], quality_gate: { type: 'review_approved' } },
      { id: 'last', type: 'development', output: ['last.txt'] },
    ],
    agent: `case "$HELIX_PHASE" in work) echo > out.txt; echo x >> out.txt;; *) exit 1;; esac`,
    plan: { max_retries: 1 },
  });
  const { run } = await repository.run();
  const end = await repository.helix(['tell', run, ...words]);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain(says);
  expect((await repository.journaled()).events.some(({ type }) => type === 'guidance_given')).toBe(false);
});

it('a run that has ended, or is not there, cannot be told', async () => {
  const repository = new Repository();
  expect((await repository.helix(['tell', 'x', 'hello there'])).code).toBe(2);
  const { run } = await repository.run();
  const end = await repository.helix(['tell', run, 'hello there']);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('has ended (passed), so nobody would hear it');
});
