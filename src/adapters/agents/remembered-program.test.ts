import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { openApprovalCache } from '../judging/approval-cache.ts';
import { createProcesses } from '../programs/processes.ts';
import { remembered } from './remembered-program.ts';

const processes = createProcesses();

/** A program of its own that really runs: a copy of one that prints its arguments. */
function place(name = 'agent') {
  const home = scratch();
  const file = join(home, name);
  copyFileSync(realpathSync('/bin/echo'), file);
  chmodSync(file, 0o755);
  const runs: string[] = [];
  const look = (
    argv: readonly string[] = [file],
    words: readonly (readonly string[])[] = [['one'], ['two', 'three']],
  ) =>
    remembered(
      argv,
      { name: 'agent', asked: words },
      {
        cache: async () => openApprovalCache({}, home),
        ask: async (args) => {
          runs.push(args.join(' '));
          const [marker, wallMs] = ['remembered-test', 240_000];
          const end = await processes.run({
            argv: [...argv, ...args],
            cwd: home,
            env: {},
            marker,
            wallMs,
            keepStdoutBytes: 999,
          });
          return end.stdout;
        },
      },
    );
  return { home, file, runs, look };
}

describe('what a program says of itself', () => {
  it('is asked once, and then remembered by whoever asks next', async () => {
    const { runs, look } = place();
    expect(await look()).toEqual(['one\n', 'two three\n']);
    expect(await look()).toEqual(['one\n', 'two three\n']);
    expect(runs).toEqual(['one', 'two three']);
  });

  it('is asked again when it is asked something else', async () => {
    const { runs, look } = place();
    await look();
    expect(await look(undefined, [['four']])).toEqual(['four\n']);
    expect(runs).toHaveLength(3);
  });

  it.each<[string, (file: string) => void]>([
    ['has grown', (file) => appendFileSync(file, 'x')],
    ['was touched', (file) => utimesSync(file, new Date(), new Date())],
    ['was touched so that its time is the old one', (file) => utimesSync(file, 1000, 1000)],
    ['was made runnable for others', (file) => chmodSync(file, 0o700)],
  ])('is asked again when its file %s', async (_, change) => {
    const { file, runs, look } = place();
    utimesSync(file, 1000, 1000);
    await look();
    await new Promise((resolve) => setTimeout(resolve, 20));
    change(file);
    await look();
    expect(runs).toHaveLength(4);
  });

  it('is asked again when a link leads to another one', async () => {
    const { home, runs, look } = place();
    for (const version of ['1', '2']) {
      mkdirSync(join(home, version));
      copyFileSync(realpathSync('/bin/echo'), join(home, version, 'agent'));
      chmodSync(join(home, version, 'agent'), 0o755);
      symlinkSync(join(home, version, 'agent'), join(home, `link-${version}`));
      await look([join(home, `link-${version}`)]);
    }
    expect(runs).toHaveLength(4);
  });

  it('is never remembered of a script, of what is started through another program, or of one that stands for others', async () => {
    const { home, file, runs, look } = place();
    put(home, { 'agent.sh': `#!/bin/sh\nexec ${file} "$@"\n` });
    chmodSync(join(home, 'agent.sh'), 0o755);
    copyFileSync(file, join(home, 'shim'));
    symlinkSync(join(home, 'shim'), join(home, 'agent-link'));
    for (const argv of [[join(home, 'agent.sh')], [file, 'more'], [join(home, 'agent-link')]]) {
      runs.length = 0;
      await look(argv);
      await look(argv);
      expect(runs).toHaveLength(4);
    }
  });

  it('is asked where nothing can be remembered', async () => {
    const { home, runs, look } = place();
    writeFileSync(join(home, '.cache'), 'in the way');
    await look();
    expect(await look()).toEqual(['one\n', 'two three\n']);
    expect(runs).toHaveLength(4);
    expect(readdirSync(home)).toContain('.cache');
  });

  it('is asked where what was remembered was changed', async () => {
    const { home, runs, look } = place();
    await look();
    const dir = join(home, '.cache/helix/approvals');
    for (const name of readdirSync(dir)) appendFileSync(join(dir, name), ' ');
    await look();
    expect(runs).toHaveLength(4);
  });
});
