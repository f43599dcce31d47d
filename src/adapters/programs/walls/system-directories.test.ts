import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { foreignPaths } from './system-directories.ts';

const there = (...paths: string[]) => paths.filter(existsSync);

test.skipIf(process.platform !== 'linux')('homes, disks and services are foreign, what programs need is not', () => {
  const foreign = foreignPaths({ isRoot: false });
  const known = there('/home', '/root', '/srv', '/mnt', '/media', '/var/lib', '/var/log', '/run/user');
  expect(foreign).toEqual(expect.arrayContaining(known));
  const needed = ['/usr', '/etc', '/opt', '/proc', '/sys', '/dev', '/tmp', '/run', '/var', '/var/tmp', '/etc/shadow'];
  expect(foreign.filter((path) => needed.includes(path))).toEqual([]);
});

test.skipIf(process.platform !== 'linux')('what only root could read is foreign to root', () => {
  expect(foreignPaths({ isRoot: true })).toEqual(expect.arrayContaining(there('/etc/shadow', '/etc/ssl/private')));
});
