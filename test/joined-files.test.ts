import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A checkout of its own, whose libraries are those of this one, built and not edited since. */
function checkout(): string {
  const dir = scratch();
  for (const path of ['bin', 'config', 'skills', 'templates', 'approvals', 'package.json', 'src', 'scripts'])
    cpSync(join(ROOT, path), join(dir, path), { recursive: true });
  mkdirSync(join(dir, 'node_modules'));
  for (const name of ['.bin', 'rolldown', '@rolldown', '@oxc-project', '@vscode', 'web-tree-sitter', 'zod', 'yaml'])
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
  for (const name of ['diff', 'liquidjs', 'markdown-it', 're2js'])
    symlinkSync(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], { cwd: dir, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return dir;
}

type Called = { status: number | null; said: string; from: string; libraries: string[] };

function helix(dir: string, ...words: string[]): Called {
  const seen = join(dir, 'seen');
  const env = { ...process.env, NODE_V8_COVERAGE: seen, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(join(dir, 'bin/helix'), words, { cwd: dir, env, encoding: 'utf8' });
  const loaded = spawnSync('sh', ['-c', 'cat seen/*.json; rm -r seen'], { cwd: dir, encoding: 'utf8', maxBuffer: 1e8 });
  const from = loaded.stdout.includes(`file://${dir}/dist/cli/main.js`) ? 'dist' : 'src';
  const libraries = [...loaded.stdout.matchAll(/dist\/libraries\/([\w-]+)\.cjs/g)].map(([, name = '']) => name);
  return { status, said: `${stdout}${stderr}`, from, libraries: [...new Set(libraries)].sort() };
}

it('what was built says what the sources say, and is left aside as soon as one of them is newer', () => {
  const dir = checkout();
  const built = helix(dir, 'help', 'adr', 'check');
  expect(built).toMatchObject({ status: 0, from: 'dist' });
  const file = join(dir, 'src/cli/adr/check.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('helix adr check --diff', 'helix adr check --edited'));
  const edited = helix(dir, 'help', 'adr', 'check');
  expect(edited).toMatchObject({ status: 0, from: 'src' });
  expect(edited.said).toBe(built.said.replaceAll('helix adr check --diff', 'helix adr check --edited'));
  expect(edited.said).not.toBe(built.said);
});

it('a file that is gone counts as a change, and libraries come with their licences', () => {
  const dir = checkout();
  expect(readFileSync(join(dir, 'dist/LICENSES.txt'), 'utf8')).toMatch(/^zod\n\nMIT License/m);
  expect(existsSync(join(dir, 'dist/adapters/programs/syntax-program.js'))).toBe(true);
  expect(helix(dir, '--version').from).toBe('dist');
  rmSync(join(dir, 'src/index.ts'));
  expect(helix(dir, '--version').from).toBe('src');
});

it('the libraries for YAML and Markdown are read only for texts that need them', () => {
  const dir = checkout();
  const check = (header: string, text: string) => {
    writeFileSync(join(dir, 'adr.md'), `---\n${header}\n---\n\n# 1. Keep orders\n\n${text}\n`);
    return helix(dir, 'adr', 'check', 'adr.md');
  };
  expect(check('status: accepted', 'Plain text.')).toMatchObject({ from: 'dist', libraries: [] });
  expect(check('status: &same accepted', 'Plain text.')).toMatchObject({ libraries: ['yaml'] });
  expect(check('status: accepted', '<script>\nleft open')).toMatchObject({ libraries: ['markdown-it'] });
});
