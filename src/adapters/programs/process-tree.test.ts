import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createProcesses } from './processes.ts';
import { eventually, listener, lives, program, scratchDirectory, shell } from './programs.fixture.ts';

const processes = createProcesses({ graceMs: 300 });
const dir = scratchDirectory();
const STUBBORN = `setsid sh -c 'trap "" TERM; echo $$; for i in $(seq 80); do sleep 0.1; done'`;

async function pidsOf(script: string, more: Parameters<typeof shell>[1] = {}) {
  const { lines, onLine } = listener();
  const end = await processes.run(shell(script, { ...more, onLine }));
  return { end, pids: lines.map(({ line }) => Number(line)) };
}

describe.concurrent('what a program leaves behind', () => {
  test('a child in its own session that ignores the polite signal is ended on a timeout', async () => {
    const { end, pids } = await pidsOf(`${STUBBORN} & wait`, { wallMs: 500 });
    expect(end.ended).toBe('timeout_wall');
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('a daemon is ended after a normal exit', async () => {
    const daemon = `setsid sh -c '(sleep 20 >/dev/null 2>&1 & echo $!) ; exit' `;
    const { end, pids } = await pidsOf(`${daemon}; exit 5`);
    expect(end).toMatchObject({ ended: 'exit', exitCode: 5 });
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('what is left gets a moment to clean up', async () => {
    const tidy = `trap "sleep 0.1; echo bye; exit" TERM; echo ready; for i in $(seq 80); do sleep 0.1; done`;
    const { end } = await pidsOf(`setsid sh -c '${tidy}' & sleep 0.3`);
    expect(end).toMatchObject({ ended: 'exit', tail: expect.stringMatching(/^ready\n(.*\n)*bye\n$/) });
  });

  test('a member of its group that threw the marker away is ended too', async () => {
    const { end, pids } = await pidsOf('env -i /bin/sleep 20 >/dev/null 2>&1 & echo $!');
    expect(end.ended).toBe('exit');
    expect(pids).toHaveLength(1);
    expect(pids.filter(lives)).toEqual([]);
  });

  test('a chain that forks faster than anybody can look is ended', async () => {
    const marker = randomUUID();
    const links = path.join(dir, 'links');
    writeFileSync(links, '');
    const chain = 'test -e links && echo x >>links && setsid sh -c "$CHAIN" >/dev/null 2>&1 &';
    const env = { CHAIN: chain, PATH: '/usr/bin:/bin' };
    const end = await processes.run(program(['sh', '-c', `${chain} sleep 0.3`], { marker, env, cwd: dir }));
    expect(end).toMatchObject({ ended: 'exit', exitCode: 0 });
    const forged = statSync(links).size;
    expect(forged).toBeGreaterThan(20);
    expect(await processes.endMarked(marker)).toBe(0);
    expect(statSync(links).size).toBe(forged);
  });

  test('a grandchild that holds the pipe does not put off the end', async () => {
    const { end } = await pidsOf('env -i setsid /bin/sleep 3 & exit 6');
    expect(end).toMatchObject({ ended: 'exit', exitCode: 6 });
    expect(end.durationMs).toBeLessThan(2000);
  });

  test('a process without the marker, or with one that only begins alike, survives', async () => {
    const marker = randomUUID();
    const others = [{}, { HELIX_MARKER: `${marker}2` }, { HELIX_MARKER: marker.slice(0, -1) }].map((env) =>
      spawn('/bin/sleep', ['20'], { env, stdio: 'ignore' }),
    );
    const mine = spawn('/bin/sleep', ['20'], { env: { HELIX_MARKER: `${marker}:build:1` }, stdio: 'ignore' });
    expect(await eventually(() => [...others, mine].every(({ pid }) => lives(pid ?? 0)))).toBe(true);
    expect(await processes.endMarked(marker)).toBe(1);
    expect(lives(mine.pid ?? 0)).toBe(false);
    expect(others.map(({ pid }) => lives(pid ?? 0))).toEqual([true, true, true]);
    for (const other of others) other.kill('SIGKILL');
  });

  test('the end of one program does not take those of another with the same marker', async () => {
    const marker = randomUUID();
    const long = processes.run(shell(`setsid -w sh -c 'sleep 1; exit 8'`, { marker }));
    expect(await processes.run(shell('sleep 0.2; exit 0', { marker }))).toMatchObject({ exitCode: 0 });
    expect(await long).toMatchObject({ ended: 'exit', exitCode: 8 });
  });

  test('what the last of several programs with one marker finds is ended', async () => {
    const marker = randomUUID();
    const runs = await Promise.all([pidsOf(`${STUBBORN} & sleep 0.3`, { marker }), pidsOf('sleep 0.3', { marker })]);
    expect(runs[0].pids).toHaveLength(1);
    expect(runs[0].pids.filter(lives)).toEqual([]);
  });
});
