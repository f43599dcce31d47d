import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { put, scratch } from './scratch.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

it('every command of the guide works, in its order, and ends with a merged branch', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);
  expect(blocks.length).toBeGreaterThan(5);
  const dir = scratch({ 'home/.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n' });
  const env = {
    PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: process.env.HOME ?? dir,
    GIT_CONFIG_GLOBAL: join(dir, 'home/.gitconfig'),
    GUIDE: dir,
    XDG_STATE_HOME: join(dir, 'state'),
    XDG_CACHE_HOME: join(dir, 'cache'),
  };
  put(dir, { 'guide.sh': blocks.join('\n') });
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-o', 'pipefail', join(dir, 'guide.sh')], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const git = (...args: string[]) => execFileSync('git', ['-C', join(dir, 'sums'), ...args], { env, encoding: 'utf8' });
  expect(readFileSync(join(dir, 'sums/add.js'), 'utf8')).toBe('export const add = (a, b) => a + b;\n');
  expect(git('log', '--format=%s', '--first-parent')).toContain('a plan for HELIX');
  expect(git('branch', '--list', 'helix/*')).toBe('');
  expect(stdout).toContain('two and two are four');
  expect(stderr).toContain('mend  passed with attempt 2');
  expect(existsSync(join(dir, 'cache/helix'))).toBe(true);
});

it('what a page calls $GUIDE or $HELIX it has said before', () => {
  const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
  for (const page of pages) {
    const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
    for (const name of ['GUIDE', 'HELIX']) {
      const used = text.search(new RegExp(`"\\$${name}[/"]`));
      const said = text.search(new RegExp(`^export [^\\n]*\\b${name}=`, 'm'));
      if (used !== -1) expect({ page, name, isSaid: said !== -1 && said < used }).toEqual({ page, name, isSaid: true });
    }
  }
});

it('the guide says what becomes of tests that failed before anybody worked', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const [, about = ''] = /tests fail before anybody worked: …"\)([^.]*\.[^.]*)\./.exec(guide) ?? [];
  expect(about).toMatch(/^ and in the brief\. They count, .*`baseline: true` on the gate leaves them out$/);
});

it('the guide names every test runner whose output is read, and no other', () => {
  const source = readFileSync(join(ROOT, 'src/gates/test-output/count-tests.ts'), 'utf8');
  const readers = [...source.matchAll(/^ {2}read(\w+),$/gm)].map(([, name = '']) => name.toLowerCase());
  const guide = readFileSync(join(ROOT, 'docs/guide.md'), 'utf8');
  const [, named = ''] = /Its output is read of: ([\s\S]*?)\./.exec(guide) ?? [];
  const called: Readonly<Record<string, string>> = { 'node --test': 'nodespec', 'dotnet test': 'dotnet' };
  const words = named
    .replaceAll(/`|\n/g, (part) => (part === '\n' ? ' ' : ''))
    .replace('and whatever else prints ', '')
    .replace(' or JUnit XML', ', JUnit')
    .split(/,\s*/)
    .map((name) => called[name] ?? name.toLowerCase());
  expect(words.toSorted()).toEqual(readers.toSorted());
});
