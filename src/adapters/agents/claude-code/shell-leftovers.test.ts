import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, put, scratch } from '../../../../test/scratch.ts';
import { watchShell } from './shell-leftovers.ts';

function readOnly(dir: string, ...paths: string[]): void {
  put(dir, Object.fromEntries(paths.map((path) => [path, ''])));
  for (const path of paths) chmodSync(join(dir, path), 0o444);
}

it('what the walls of a shell were mounted on is cleared away, and nothing else', () => {
  const dir = scratch();
  readOnly(dir, '.mine');
  const clearUp = watchShell(dir);
  readOnly(dir, '.bashrc', '.vscode', '.claude/settings.json');
  put(dir, { '.gitkeep': '', 'src/empty.ts': '', 'made.txt': 'x' });
  readOnly(dir, 'src/locked');
  clearUp();
  expect(Object.keys(contents(dir)).sort()).toEqual(['.gitkeep', '.mine', 'made.txt', 'src/empty.ts', 'src/locked']);
  expect(existsSync(join(dir, '.claude'))).toBe(false);
});

it('a folder with settings of the project stays', () => {
  const dir = put(scratch(), { '.claude/agents/x.md': 'x' });
  watchShell(dir)();
  expect(contents(dir)).toEqual({ '.claude/agents/x.md': 'x' });
});
