import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, put, scratch } from '../../../../test/scratch.ts';
import type { Confinement, Layer } from '../../../ports/processes.ts';
import { closed, describeWalled, runWalled, shellWalled } from './walled.fixture.ts';

const STORE = { 'tool.sh': '#!/bin/sh\necho I am the tool\n', 'a.txt': 'a', 'deep/b.txt': 'b' };

/** A directory to work in, and a layer that shows what lies in a store in its folder `deps`. */
function place(): { root: string; dir: string; layer: Layer; layers: { layers: Layer[] } } {
  const root = scratch();
  const layer = {
    at: join(root, 'work/deps'),
    lower: put(join(root, 'store'), STORE),
    upper: join(root, 'aside/upper'),
    work: join(root, 'aside/work'),
  };
  for (const dir of [layer.at, layer.upper, layer.work]) mkdirSync(dir, { recursive: true });
  chmodSync(join(layer.lower, 'tool.sh'), 0o755);
  return { root, dir: join(root, 'work'), layer, layers: { layers: [layer] } };
}

const WALLS: [string, (dir: string, more: { layers: Layer[] }) => Confinement][] = [
  ['closed', (dir, more) => closed(dir, more)],
  ['open', (dir, more) => ({ kind: 'open', protect: [], hidden: [], writable: [dir], ...more })],
];

describeWalled('a layer', () => {
  it.each(WALLS)('shows a program behind %s walls what it does not change', async (_, walls) => {
    const { dir, layer, layers } = place();
    const script = 'cat deps/a.txt && echo c > deps/a.txt && rm deps/deep/b.txt && echo new > deps/n && ls -R deps';
    const end = await shellWalled(script, dir, { confine: walls(dir, layers) });
    expect(end).toMatchObject({ exitCode: 0, tail: 'adeps:\na.txt\ndeep\nn\ntool.sh\n\ndeps/deep:\n' });
    expect(contents(layer.lower)).toEqual(STORE);
    expect(contents(layer.at)).toEqual({});
    expect(readFileSync(join(layer.upper, 'n'), 'utf8')).toBe('new\n');
  });

  it.each(WALLS)('has what an earlier program behind %s walls wrote', async (_, walls) => {
    const { dir, layers } = place();
    await shellWalled('echo c > deps/a.txt', dir, { confine: walls(dir, layers) });
    expect((await shellWalled('cat deps/a.txt', dir, { confine: walls(dir, layers) })).tail).toBe('c\n');
  });

  it('is no way for a gate to what it shows, nor to where its writing lies', async () => {
    const { root, dir, layers } = place();
    const { tail } = await shellWalled(`ls ${root}; umount deps; echo $?`, dir, { confine: closed(dir, layers) });
    expect(tail).toMatch(/^work\n(.*\n)*[1-9]\d*\n$/);
  });

  it('gives a program no power that it has not without it', async () => {
    const { dir, layers } = place();
    const ask = 'id -u; id -g; grep ^Cap /proc/self/status';
    const [without, within] = [
      await shellWalled(ask, dir),
      await shellWalled(ask, dir, { confine: closed(dir, layers) }),
    ];
    expect(within.tail).toBe(without.tail);
  });

  it('leaves no mount behind, and how a program ended passes through it', async () => {
    const { dir, layer, layers } = place();
    const confine = closed(dir, layers);
    expect(await shellWalled('exit 7', dir, { confine })).toMatchObject({ ended: 'exit', exitCode: 7 });
    const end = await runWalled(['/usr/bin/env', 'sh', '-c', 'kill -9 $$'], dir, { confine });
    expect(end).toMatchObject({ ended: 'signal', message: 'ended by SIGKILL' });
    const said = 'trap "echo polite; exit 3" TERM; echo ready; while :; do sleep 0.01; done';
    const stopped = await shellWalled(said, dir, { confine, endsAt: 'ready' });
    expect(stopped.tail).toContain('polite');
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(layer.at);
  });

  it('has programs that are found by PATH, by path and by their interpreter', async () => {
    const { dir, layer, layers } = place();
    const more = { confine: closed(dir, layers), env: { PATH: `${layer.at}:/usr/bin:/bin` } };
    for (const name of ['tool.sh', join(layer.at, 'tool.sh')])
      expect(await runWalled([name], dir, more)).toMatchObject({ exitCode: 0, tail: 'I am the tool\n' });
    expect(await runWalled([join(layer.at, 'other.sh')], dir, more)).toMatchObject({ ended: 'spawn' });
  });

  it('that cannot be mounted is no failure of the program', async () => {
    const { root, dir, layer } = place();
    const gone = { ...layer, lower: join(root, 'gone') };
    const end = await shellWalled('echo ran', dir, { confine: closed(dir, { layers: [gone] }) });
    expect(end).toMatchObject({
      ended: 'spawn',
      message: expect.stringContaining('what set-up installed cannot be shown'),
    });
    expect(existsSync(join(root, 'gone'))).toBe(false);
  });
});
