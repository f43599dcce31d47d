import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';

/** Closes what it inherited and tells what a program that it starts then has. */
const SCRIPT = `
  import { spawnSync } from 'node:child_process';
  import { closeInherited } from ${JSON.stringify(new URL('./inherited-descriptors.ts', import.meta.url).href)};
  closeInherited();
  const { stdout } = spawnSync('ls', ['/proc/self/fd'], { encoding: 'utf8' });
  if (process.send === undefined) console.log(stdout.trim().split('\\n').join(' '));
  else process.send(stdout, () => process.disconnect());`;

test.skipIf(process.platform !== 'linux')('nothing that was open before is handed to another program', () => {
  const dir = put(scratch(), { 'tell.mjs': SCRIPT });
  const start = `exec 200</ 17>${dir}/written; exec "$0" tell.mjs`;
  const { stdout, stderr } = spawnSync('bash', ['-c', start, process.execPath], { cwd: dir, encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: '0 1 2 3\n', stderr: '' });
});

test('the channel to a Node that started this one stays', async () => {
  const child = fork(put(scratch(), { 'tell.mjs': SCRIPT }).concat('/tell.mjs'));
  const [heard] = await once(child, 'message');
  expect(heard).toContain('2\n');
});
