import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HELIX } from './helix-process.ts';
import { put, scratch } from './scratch.ts';

/** A checkout whose own Node is not there, with a Node in PATH that says it is of a version. */
function checkoutWith(version: string): { readonly dir: string; readonly env: NodeJS.ProcessEnv } {
  const dir = scratch();
  mkdirSync(join(dir, 'node_modules'));
  mkdirSync(join(dir, 'bin'));
  cpSync(HELIX, join(dir, 'bin/helix'));
  put(dir, { 'tools/node': `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "started $*"; fi\n` });
  chmodSync(join(dir, 'tools/node'), 0o755);
  return { dir, env: { PATH: `${join(dir, 'tools')}:/usr/bin:/bin` } };
}

it.each(['doctor', 'run'])('with an old Node helix %s says what it needs and where to get it', (command) => {
  const { dir, env } = checkoutWith('v20.19.5');
  const { status, stderr, stdout } = spawnSync(join(dir, 'bin/helix'), [command], { env, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(
    'helix: HELIX needs Node 24 or newer, and the one in PATH is v20.19.5; npm run setup brings one to this checkout\n',
  );
});

it.each(['v24.0.0', 'v31.2.0'])('Node %s will do', (version) => {
  const { dir, env } = checkoutWith(version);
  const { status, stdout } = spawnSync(join(dir, 'bin/helix'), ['doctor'], { env, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('started ') });
});
