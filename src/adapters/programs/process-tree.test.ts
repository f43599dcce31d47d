import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProcesses } from './processes.ts';
import { eventually, listener, lives, program, scratchDirectory, shell } from './programs.fixture.ts';

const processes = createProcesses({ graceMs: 300 });
const dir = scratchDirectory();
/** A child in its own session that says its number, then `ready` as a file, and ignores the polite signal. */
const stubborn = (ready: string) =>
  `setsid sh -c 'trap "" TERM; echo $$; : > ${ready}; for i in $(seq 3000); do sleep 0.1; done'`;
const until = (file: string) => `while [ ! -e ${file} ]; do sleep 0.02; done`;

async function pidsOf(script: string, more: Parameters<typeof shell>[1] = {}) {
  const { lines, onLine } = listener();
  const end = await processes.run(shell(script, { ...more, onLine }));
  return { end, pids: lines.map(({ line }) => Number(line)) };
}

describe.concurrent('what a program leaves behind', () => {
  test('a child in its own session that ignores the polite signal is ended with a program that is', async () => {
    const ready = path.join(dir, 'stubborn');
    const abort = new AbortController();
    const ending = pidsOf(`${stubborn(ready)} & wait`, { signal: abort.signal });
    await eventually(() => existsSync(ready));
    abort.abort();
    const { end, pids } = await ending;
    expect(end.ended).toBe('aborted');
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('a daemon is ended after a normal exit', async () => {
    const daemon = `setsid sh -c '(sleep 3600 >/dev/null 2>&1 & echo $!) ; exit' `;
    const { end, pids } = await pidsOf(`${daemon}; exit 5`);
    expect(end).toMatchObject({ ended: 'exit', exitCode: 5 });
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('a member of its group that threw the marker away is ended too', async () => {
    const { end, pids } = await pidsOf('env -i /bin/sleep 3600 >/dev/null 2>&1 & echo $!');
    expect(end.ended).toBe('exit');
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('a chain that forks faster than anybody can look is ended', async () => {
    const marker = randomUUID();
    const links = path.join(dir, 'links');
    writeFileSync(links, '');
    const chain = 'test -e links && echo x >>links && setsid sh -c "$CHAIN" >/dev/null 2>&1 &';
    const enough = 'while [ "$(wc -c < links)" -lt 60 ]; do sleep 0.02; done';
    const env = { CHAIN: chain, PATH: '/usr/bin:/bin' };
    const end = await processes.run(program(['sh', '-c', `${chain} ${enough}`], { marker, env, cwd: dir }));
    expect(end).toMatchObject({ ended: 'exit', exitCode: 0 });
    const forged = statSync(links).size;
    expect(forged).toBeGreaterThan(20);
    expect(await processes.endMarked(marker)).toBe(0);
    expect(statSync(links).size).toBe(forged);
  });

  test('a grandchild that holds the pipe does not put off the end', async () => {
    const { end, pids } = await pidsOf('env -i setsid /bin/sleep 3600 & echo $!; exit 6');
    expect(end).toMatchObject({ ended: 'exit', exitCode: 6 });
    expect(pids.filter(lives)).toHaveLength(1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  });

  test('a process without the marker, or with one that only begins alike, survives', async () => {
    const marker = randomUUID();
    const others = [{}, { HELIX_MARKER: `${marker}2` }, { HELIX_MARKER: marker.slice(0, -1) }].map((env) =>
      spawn('/bin/sleep', ['600'], { env, stdio: 'ignore' }),
    );
    const mine = spawn('/bin/sleep', ['600'], { env: { HELIX_MARKER: `${marker}:build:1` }, stdio: 'ignore' });
    expect(await eventually(() => [...others, mine].every(({ pid }) => lives(pid ?? 0)))).toBe(true);
    expect(await processes.endMarked(marker)).toBe(1);
    expect(lives(mine.pid ?? 0)).toBe(false);
    expect(others.map(({ pid }) => lives(pid ?? 0))).toEqual([true, true, true]);
    for (const other of others) other.kill('SIGKILL');
  });

  test('the end of one program does not take those of another with the same marker', async () => {
    const marker = randomUUID();
    const [on, go] = [path.join(dir, 'on'), path.join(dir, 'go')];
    const long = processes.run(shell(`setsid -w sh -c ': > ${on}; ${until(go)}; exit 8'`, { marker }));
    expect(await processes.run(shell(`${until(on)}; exit 0`, { marker }))).toMatchObject({ exitCode: 0 });
    writeFileSync(go, '');
    expect(await long).toMatchObject({ ended: 'exit', exitCode: 8 });
  });

  test('what the last of several programs with one marker finds is ended', async () => {
    const marker = randomUUID();
    const ready = path.join(dir, 'last');
    const runs = await Promise.all([
      pidsOf(`${stubborn(ready)} & ${until(ready)}`, { marker }),
      pidsOf(until(ready), { marker }),
    ]);
    expect(runs[0].pids).toHaveLength(1);
    expect(runs[0].pids.filter(lives)).toEqual([]);
  });
});

// Alone: beside the chain of forks a second may be over before it has its turn.
test('what is left gets a moment to clean up', async () => {
  const ready = path.join(dir, 'tidy');
  // Nothing but a word, because what is left has a second at most.
  const tidy = `trap "echo bye; exit" TERM; echo ready; : > ${ready}; for i in $(seq 3000); do sleep 0.1; done`;
  const patient = createProcesses({ graceMs: 60_000 });
  const end = await patient.run(shell(`setsid sh -c '${tidy}' & ${until(ready)}`));
  expect(end).toMatchObject({ ended: 'exit', tail: expect.stringMatching(/^ready\n(.*\n)*bye\n$/) });
});
