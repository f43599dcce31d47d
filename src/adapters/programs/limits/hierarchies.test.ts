import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchDirectory } from '../programs.fixture.ts';
import { candidates } from './group-parents.ts';
import { findHierarchies } from './hierarchies.ts';

const V1 = {
  groups: '9:name=systemd:/\n8:pids:/\n4:cpu,memory:/job/7\n0::/\n',
  mounts: [
    '31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755',
    '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,cpu,memory',
    '39 31 0:36 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids',
    '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate',
  ].join('\n'),
};
const TERMINAL = '/user.slice/user-1000.slice/user@1000.service/app.slice/vte-1.scope';

describe('the group of this process', () => {
  it('has a tree for each controller in version 1, also beside an empty one of version 2', () => {
    expect(findHierarchies(V1)).toEqual({
      memory: { version: 1, mount: '/sys/fs/cgroup/memory', own: '/sys/fs/cgroup/memory/job/7' },
      pids: { version: 1, mount: '/sys/fs/cgroup/pids', own: '/sys/fs/cgroup/pids' },
    });
  });

  it('has one tree in version 2', () => {
    const mounts =
      '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot';
    const tree = { version: 2, mount: '/sys/fs/cgroup', own: `/sys/fs/cgroup${TERMINAL}` };
    expect(findHierarchies({ groups: `0::${TERMINAL}\n`, mounts })).toEqual({ memory: tree, pids: tree });
  });

  it('is found in a container that shows a part of the tree, and not where it is outside of that part', () => {
    const mounts = '30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw';
    const { memory } = findHierarchies({ groups: '0::/docker/abc/in\n', mounts });
    expect(memory?.own).toBe('/sys/fs/cgroup/in');
    expect(findHierarchies({ groups: '0::/docker/abcdef\n', mounts })).toEqual({});
    expect(findHierarchies({ groups: '0::/../other\n', mounts: mounts.replace('/docker/abc', '/') })).toEqual({});
  });

  it('is nowhere on a system without control groups', () => {
    expect(findHierarchies({ groups: '', mounts: '' })).toEqual({});
    expect(findHierarchies({ groups: V1.groups, mounts: '' })).toEqual({});
  });
});

describe('where groups are made', () => {
  it('is below the own one in version 1', () => {
    const own = '/sys/fs/cgroup/pids/job';
    expect(candidates('pids', { version: 1, mount: '/sys/fs/cgroup/pids', own })).toEqual([{ version: 1, dir: own }]);
  });

  it('is around the own one in version 2, the nearest first, where the controller is handed on', () => {
    const mount = scratchDirectory();
    const handed = { '.': 'cpu memory pids', 'user.slice': 'memory pids', 'user.slice/app.slice': 'pids' };
    mkdirSync(join(mount, 'user.slice/app.slice/vte.scope'), { recursive: true });
    for (const [dir, text] of Object.entries(handed)) writeFileSync(join(mount, dir, 'cgroup.subtree_control'), text);
    const tree = { version: 2, mount, own: join(mount, 'user.slice/app.slice/vte.scope') } as const;
    const dirs = (controller: 'memory' | 'pids') => candidates(controller, tree).map(({ dir }) => dir);
    expect(dirs('memory')).toEqual([join(mount, 'user.slice'), mount]);
    expect(dirs('pids')).toEqual([join(mount, 'user.slice/app.slice'), join(mount, 'user.slice'), mount]);
  });
});
