import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { scratchDirectory } from '../programs/programs.fixture.ts';
import { absoluteEntries, findProgram, findTool } from './find-program.ts';

const dir = scratchDirectory();
const tool = path.join(dir, 'bin', 'tool');

beforeAll(() => {
  mkdirSync(path.join(dir, 'bin', 'folder'), { recursive: true });
  mkdirSync(path.join(dir, 'first'));
  writeFileSync(tool, '#!/bin/sh\n');
  chmodSync(tool, 0o755);
  writeFileSync(path.join(dir, 'first', 'tool'), 'not executable');
  symlinkSync(tool, path.join(dir, 'bin', 'link'));
});

test('the first executable file in PATH is found', async () => {
  const searchPath = `${dir}/first:${dir}/bin`;
  expect(await findProgram('tool', searchPath)).toBe(tool);
  expect(await findProgram('link', searchPath)).toBe(path.join(dir, 'bin', 'link'));
  expect(await findProgram('folder', searchPath)).toBeUndefined();
  expect(await findProgram('nothing', searchPath)).toBeUndefined();
  expect(await findProgram('', searchPath)).toBeUndefined();
  expect(await findProgram('tool', undefined)).toBeUndefined();
});

test('empty and relative entries of PATH lead nowhere', async () => {
  const relative = path.relative(process.cwd(), path.join(dir, 'bin'));
  expect(await findProgram('tool', `:${relative}:.:`)).toBeUndefined();
});

test('a tool HELIX calls is looked for in the same places', () => {
  const relative = path.relative(process.cwd(), path.join(dir, 'bin'));
  expect(findTool('tool', `:.:${relative}:${dir}/first:${dir}/bin`)).toBe(tool);
  expect(findTool('folder', `${dir}/bin`)).toBeUndefined();
  expect(findTool('tool', `${relative}:`)).toBeUndefined();
  expect(findTool('tool', '')).toBeUndefined();
  expect(absoluteEntries(`.::${relative}:${dir}:bin`)).toEqual([dir]);
});

test('a path is taken only when it is absolute and executable', async () => {
  expect(await findProgram(tool, '')).toBe(tool);
  expect(await findProgram(path.join(dir, 'first', 'tool'), '')).toBeUndefined();
  expect(await findProgram(path.relative(process.cwd(), tool), '')).toBeUndefined();
});
