import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { ADR } from './adr/adr.ts';
import { makePlace } from './helix.fixture.ts';

test.each([
  ['adr'],
  ['adr', '--help'],
  ['adr', 'help'],
  ['help', 'adr'],
])('helix %s %s lists the commands of the group with what they do', async (...words) => {
  const { code, out } = await makePlace().helix(words);
  expect(code).toBe(0);
  for (const [name, { summary }] of Object.entries(ADR.commands)) {
    expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 20)}`, 'm'));
  }
});

test.each([
  ['adr', 'check', '--help'],
  ['help', 'adr', 'check'],
  ['adr', 'help', 'check'],
])('helix %s %s %s is the help of one command of the group', async (...words) => {
  const { code, out } = await makePlace().helix(words);
  expect(code).toBe(0);
  expect(out).toMatch(/^helix adr check /);
});

test('a command that is not in the group is refused with a guess', async () => {
  const { code, out, err } = await makePlace().helix(['adr', 'chek']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain('did you mean "check"? See them all: helix adr --help');
});

test('checking an ADR loads neither zod nor anything of a run', () => {
  const place = makePlace();
  place.write('0001-a.md', '# 1. A\n\n## Context\n\nText.\n\n## Decision\n\nText.\n');
  const env = { ...process.env, HOME: place.dir, NODE_V8_COVERAGE: `${place.dir}/seen` };
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), 'adr', 'check', '0001-a.md'], {
    cwd: place.dir,
    env,
    encoding: 'utf8',
  });
  const loaded = spawnSync('sh', ['-c', 'cat seen/*.json'], {
    cwd: place.dir,
    encoding: 'utf8',
    maxBuffer: 1e8,
  }).stdout;
  expect(loaded).toContain('/src/cli/adr/check.ts');
  expect(loaded).not.toContain('/node_modules/zod/');
  expect(loaded).not.toContain('/src/engine/');
});

test.each([
  ['adr', 'check'],
  ['adr', 'explain', 'x'],
  ['init'],
  ['status'],
])('helix %s says that the directory it was called in is gone', (...words) => {
  const { dir: cwd } = makePlace();
  const main = join(import.meta.dirname, 'main.ts');
  const gone = ['-c', 'rm -r "$PWD"; exec "$0" "$@"', process.execPath, main, ...words];
  const { status, stderr } = spawnSync('sh', gone, { cwd, env: { ...process.env, HOME: cwd }, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('the current directory is gone') });
  expect(stderr).not.toContain('inside HELIX');
});
