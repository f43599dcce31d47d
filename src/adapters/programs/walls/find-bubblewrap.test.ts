import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratch } from '../../../../test/scratch.ts';
import { entriesOutside } from './find-bubblewrap.ts';

test('what a project or its packages bring along is not looked at', () => {
  const root = scratch({ 'project/phases.yaml': '', 'project/part/.git/config': '' });
  for (const dir of ['tools', 'other/node_modules/.bin', 'project/tools', 'project/part/sub']) {
    mkdirSync(join(root, dir), { recursive: true });
  }
  symlinkSync('project/tools', join(root, 'linked'));
  const dirs = ['tools', 'other/node_modules/.bin', 'project/tools', 'tools/../project/tools', 'linked', 'gone'];
  const searchPath = ['tools', '', ...dirs.map((dir) => `${root}/${dir}`)].join(':');
  expect(entriesOutside(searchPath, join(root, 'project/part/sub'))).toEqual([join(root, 'tools')]);
  expect(entriesOutside(`${root}/tools`, root)).toEqual([join(root, 'tools')]);
  expect(entriesOutside(undefined, root)).toEqual([]);
});
