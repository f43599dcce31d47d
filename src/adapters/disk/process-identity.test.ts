import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { listProcesses, rowsFromPs } from '../programs/process-table.ts';
import { signalProcess } from '../programs/process-tree.ts';
import { eventually, lives } from '../programs/programs.fixture.ts';
import { identityOf, parsePsIdentity, parseStat, self } from './process-identity.ts';

test('this process knows itself by number and start time', () => {
  const me = self();
  expect(identityOf(me.pid)?.start).toBe(me.start);
  expect(identityOf(2 ** 22 + 1)).toBeUndefined();
});

test('a zombie is not alive', async () => {
  const parent = spawn('sh', ['-c', 'sleep 3600 & echo $!; exec sleep 3600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(identityOf(pid)).toBeDefined();
  process.kill(pid, 'SIGKILL');
  expect(await eventually(() => identityOf(pid) === undefined)).toBe(true);
  expect(process.kill(pid, 0)).toBe(true);
  parent.kill('SIGKILL');
});

test('the name of a program cannot pretend another state or start', () => {
  const name = 'a) R 1 1 1 (b';
  const rest = 'S 10 20 30 0 -1 4194304 97 0 0 0 0 0 0 0 20 0 1 0 112862 3133440 388';
  expect(parseStat(`7 (${name}) ${rest}\n`)).toEqual({ pid: 7, group: 20, start: '112862' });
  expect(parseStat(`7 (${name}) ${rest.replace('S', 'Z')}\n`)).toBeUndefined();
});

test('a later process with the same number is not signalled', async () => {
  const child = spawn('cat');
  const pid = child.pid ?? 0;
  signalProcess({ pid, start: 'earlier', group: pid }, 'SIGKILL');
  child.stdin.write('still there?');
  expect(String((await once(child.stdout, 'data'))[0])).toBe('still there?');
  expect(lives(pid)).toBe(true);
  const identity = identityOf(pid);
  if (identity !== undefined) signalProcess(identity, 'SIGKILL');
  expect(await eventually(() => !lives(pid))).toBe(true);
});

test('ps tells the same about a marked process as /proc', async () => {
  const marker = `ps-${process.pid}`;
  const child = spawn('sh', ['-c', 'read wait; : HELIX_MARKER=wrong'], {
    env: { HELIX_MARKER: marker, ZZ: 'last', PATH: '/usr/bin:/bin' },
  });
  await once(child, 'spawn');
  const mine = (rows: Awaited<ReturnType<typeof rowsFromPs>>) => rows.find((row) => row.pid === child.pid);
  expect(mine(await listProcesses())).toMatchObject({ marker, group: identityOf(child.pid ?? 0)?.group });
  expect(mine(await rowsFromPs())).toMatchObject({ marker, group: identityOf(child.pid ?? 0)?.group });
  expect((await listProcesses()).some((row) => row.pid === process.pid)).toBe(false);
  child.kill('SIGKILL');
});

test('a line of ps is read, and a dead one is not', () => {
  const line = (state: string) => `  77   76 ${state}   Sat Nov  1 09:08:07 2025 sleep 1`;
  expect(parsePsIdentity(line('Ss+'))).toEqual({ pid: 77, group: 76, start: 'Sat Nov  1 09:08:07 2025' });
  expect(parsePsIdentity(line('Z+'))).toBeUndefined();
});
