import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ProcessInput } from '../../ports/processes.ts';
import { allowedEnv } from './environment.ts';
import { createProcesses } from './processes.ts';
import { listener, lives, program, scratchDirectory, shell } from './programs.fixture.ts';

const processes = createProcesses({ graceMs: 300 });
const dir = scratchDirectory();

describe.concurrent('how a program ends', () => {
  test('its exit code is told', async () => {
    expect(await processes.run(shell('exit 0'))).toMatchObject({ ended: 'exit', exitCode: 0 });
    expect(await processes.run(shell('exit 3'))).toMatchObject({ ended: 'exit', exitCode: 3 });
  });

  test('a signal is not an exit', async () => {
    const end = await processes.run(shell('kill -SEGV $$'));
    expect(end).toMatchObject({ ended: 'signal', message: 'ended by SIGSEGV' });
    expect(end.exitCode).toBeUndefined();
  });

  test('a program over its time is ended, and an exit of 0 in the grace is no success', async () => {
    const end = await processes.run(shell('trap "exit 0" TERM; sleep 3600 & wait', { wallMs: 300 }));
    expect(end).toMatchObject({ ended: 'timeout_wall', message: 'not finished after 0.3 s' });
    expect(end.exitCode).toBeUndefined();
  });

  test('a silent program is ended, a chatty one is not', async () => {
    const silent = await processes.run(shell('echo a; sleep 3600', { idleMs: 2000 }));
    expect(silent).toMatchObject({ ended: 'timeout_idle', tail: 'a\n' });
    const chatty = shell('for i in $(seq 15); do echo $i >&2; sleep 0.2; done', { idleMs: 2500 });
    expect(await processes.run(chatty)).toMatchObject({ ended: 'exit', exitCode: 0 });
  });

  test('a program that ignores the polite signal is killed after the grace', async () => {
    const abort = new AbortController();
    let pid = 0;
    let since = 0;
    const onLine = (line: string) => {
      pid = Number(line);
      since = performance.now();
      abort.abort();
    };
    const stubborn = 'trap "" TERM; echo $$; while :; do sleep 0.1; done';
    expect((await processes.run(shell(stubborn, { signal: abort.signal, onLine }))).ended).toBe('aborted');
    expect(performance.now() - since).toBeGreaterThanOrEqual(290);
    expect(pid).toBeGreaterThan(0);
    expect(lives(pid)).toBe(false);
  });

  test('an abort ends it with the reason', async () => {
    const abort = new AbortController();
    const running = processes.run(
      shell('echo on; sleep 3600', {
        signal: abort.signal,
        onLine: () => abort.abort(new Error('not needed any more')),
      }),
    );
    expect(await running).toMatchObject({ ended: 'aborted', message: 'not needed any more', tail: 'on\n' });
  });

  test('an abort before the start starts nothing, not even what could not be started', async () => {
    const end = await processes.run(program(['no-such-program-here'], { signal: AbortSignal.abort() }));
    expect(end).toMatchObject({ ended: 'aborted', tail: '', stdoutBytes: 0 });
  });

  test('a listener that throws ends the program and gets its error back', async () => {
    const onLine = () => {
      throw new Error('listener');
    };
    await expect(processes.run(shell('echo a; sleep 3600', { onLine }))).rejects.toThrow('listener');
  });
});

describe.concurrent('a program that cannot be started', () => {
  const text = path.join(dir, 'text');
  const script = path.join(dir, 'script');
  writeFileSync(text, 'text');
  writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });

  test.each([
    ['a name nobody has', program(['no-such-program-here']), /no-such-program-here.* in PATH/],
    ['a path that is not there', program(['/no/such/program']), /no such program/],
    ['a file that is not executable', program([text]), /not executable/],
    ['a script without its interpreter', program([script]), /interpreter/],
    ['no name at all', program([]), /without a name/],
    ['a working directory that is a file', program(['true'], { cwd: text }), /not a directory/],
    ['a working directory that is not there', program(['true'], { cwd: `${dir}/gone` }), /not a directory/],
    ['too long an argument', program(['true', 'x'.repeat(3_000_000)]), /too large/],
    ['a NUL in an argument', program(['true', 'a\0b']), /null bytes/],
  ])('%s is a spawn failure that says so', async (_what, spec, message) => {
    const end = await processes.run(spec);
    expect(end.ended).toBe('spawn');
    expect(end.message).toMatch(message);
  });

  test('a program of the working directory is not started by accident', async () => {
    writeFileSync(path.join(dir, 'local-tool'), '#!/bin/sh\nexit 9\n', { mode: 0o755 });
    const env = { PATH: `:.:${process.env.PATH}` };
    expect((await processes.run(program(['local-tool'], { cwd: dir, env }))).ended).toBe('spawn');
    expect((await processes.run(program(['./local-tool'], { cwd: dir, env }))).exitCode).toBe(9);
  });
});

describe.concurrent('what a program gets', () => {
  test('only the allowed names and the marker are in its environment', async () => {
    const source = { PATH: '/usr/bin:/bin', LC_ALL: 'C', OPENAI_API_KEY: 'secret', MINE: '1', HELIX_MARKER: 'outer' };
    const { lines, onLine } = listener();
    await processes.run(program(['env'], { env: allowedEnv(source, ['MINE', 'ABSENT']), marker: 'env-test', onLine }));
    expect(lines.map(({ line }) => line).sort()).toEqual([
      'HELIX_MARKER=env-test',
      'LC_ALL=C',
      'MINE=1',
      'PATH=/usr/bin:/bin',
    ]);
  });

  test('stdin is handed over and ended', async () => {
    const { lines, onLine } = listener();
    await processes.run(program(['cat'], { stdin: 'grüße\n', onLine }));
    expect(lines).toEqual([{ stream: 'stdout', line: 'grüße', truncated: false }]);
    expect((await processes.run(program(['cat']))).ended).toBe('exit');
  });

  test('one can talk with a program until its input is ended', async () => {
    const heard: string[] = [];
    const { promise, resolve } = Promise.withResolvers<ProcessInput>();
    const running = processes.run(
      shell('while read -r word; do echo "heard $word"; done; echo bye', {
        talk: resolve,
        onLine: (line) => void heard.push(line),
      }),
    );
    const input = await promise;
    input.send('one');
    while (heard.length < 1) await new Promise((resume) => setTimeout(resume, 10));
    input.send('two');
    input.end();
    expect(await running).toMatchObject({ ended: 'exit', exitCode: 0 });
    expect(heard).toEqual(['heard one', 'heard two', 'bye']);
  });

  test('a program that does not read its stdin is no failure', async () => {
    const end = await processes.run(shell('exec <&-; sleep 0.1; exit 4', { stdin: 'x'.repeat(5_000_000) }));
    expect(end).toMatchObject({ ended: 'exit', exitCode: 4 });
  });
});

test('a program that is left goes on, is found by its marker and ended', async () => {
  const spec = program(['sleep', '20'], { marker: `left-${process.pid}:phase:1` });
  await processes.leave(spec);
  expect(await processes.endMarked(`left-${process.pid}`)).toBe(1);
  expect(await processes.endMarked(`left-${process.pid}`)).toBe(0);
  await expect(processes.leave(program(['/no/such/program']))).rejects.toMatchObject({ code: 'io' });
});

test('the port names this process and finds programs', async () => {
  expect(processes.self()).toMatchObject({ pid: process.pid, start: expect.stringMatching(/./) });
});
