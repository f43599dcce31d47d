import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFiles } from './touched-files.ts';

it.each([
  ['nothing', 'cat a >/dev/null; echo new > c', []],
  ['a write', 'echo x >> a', ['a']],
  ['a write whose time was set back', 'touch -r a t; echo z > a; touch -r t a', ['a']],
  ['a removal', 'rm a', ['a']],
  ['another file in its place', 'cp a t; mv t a', ['a']],
  ['a link in its place', 'ln -sf /dev/null b', ['b']],
  ['a file in the place of its folder', 'rm -r in && echo x > in', ['in/c']],
  ['links that lead in a circle in the place of its folder', 'rm -r in && ln -s in in', ['in/c']],
  ['a file where there was none', 'echo x > missing', ['missing']],
])('%s is seen', (_name, script, touched) => {
  const dir = mkdtempSync(join(tmpdir(), 'helix-touched-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'in'));
  for (const name of ['a', 'b', 'in/c']) writeFileSync(join(dir, name), 'y\n');
  const look = watchFiles(dir, ['a', 'b', 'in/c', 'missing']);
  execFileSync('sh', ['-c', script], { cwd: dir });
  expect(look()).toEqual(touched);
});
