import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlace, type Place } from '../src/cli/helix.fixture.ts';

const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];

function git(place: Place, ...args: string[]): string {
  return execFileSync('git', [...AUTHOR, ...args], { cwd: place.dir, encoding: 'utf8' });
}

/** A directory in which everything is committed once `fill` has filled it. */
async function repository(fill: (place: Place) => Promise<unknown>): Promise<Place> {
  const place = makePlace();
  git(place, 'init', '--quiet');
  await fill(place);
  git(place, 'add', '.');
  git(place, 'commit', '--quiet', '-m', 'As it was');
  return place;
}

/** Runs a project with the scripted agent, merges what came of it and gives the files that brought. */
async function merged(place: Place, dir: string): Promise<string[]> {
  const { code, out, err } = await place.helix(['run', dir, '--agent', 'scripted']);
  expect(code, err).toBe(0);
  expect(git(place, 'status', '--porcelain')).toBe('');
  git(place, 'merge', '--quiet', /^Take it with: git merge (\S+)$/m.exec(out)?.[1] ?? 'no branch');
  expect(git(place, 'log', '--format=%B', '-1')).toMatch(/simulated/i);
  return git(place, 'diff', '--name-only', ':/As it was', 'HEAD').trim().split('\n');
}

test.each([
  ['feature', ['result.md']],
  ['bugfix', ['package.json', 'simulated.test.js', 'result.md']],
  ['documentation', ['result.md']],
  ['research', ['findings.md', 'sources.json', 'result.md']],
  ['migration', ['output/approval-result.json', 'simulated.test.js']],
])('a %s project runs in a git repository with the scripted agent, and its branch merges', async (type, expected) => {
  const place = await repository((fresh) =>
    fresh.helix(['new', 'demo', '--type', type, '--request', 'Make it better']),
  );
  const files = await merged(place, 'demo');
  expect(files).toEqual(expect.arrayContaining(expected));
  expect(files.filter((path) => /^demo\/|(^|\/)(review\.json|spec\.yaml|[a-z]+-plan\.md)$/.test(path))).toEqual([]);
});

test('what init wrote for a repository runs as it is: set-up, tests and all, and the branch merges', async () => {
  const place = await repository(async (fresh) => {
    cpSync(join(import.meta.dirname, 'repositories/npm'), fresh.dir, { recursive: true });
    expect((await fresh.helix(['init', '--trust'])).err).toContain('  helix run --agent scripted ');
  });
  expect((await merged(place, '.')).sort()).toEqual(['result.md']);
});

test('tests that fail are not passed over by what init wrote', async () => {
  const place = await repository(async (fresh) => {
    cpSync(join(import.meta.dirname, 'repositories/npm'), fresh.dir, { recursive: true });
    await fresh.helix(['init', '--trust']);
  });
  const broken = { 'index.js': 'export const greet = () => "Goodbye";\n' };
  place.write('scripted.yaml', JSON.stringify({ phases: { '02-developer': [{ writes: broken }, {}] } }));
  const { code, err } = await place.helix(['run', '--agent', 'scripted', '--no-wait']);
  expect(code).toBe(3);
  expect(err).toContain('greets by name');
});
