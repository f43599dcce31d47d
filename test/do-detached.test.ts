import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { identityOf } from '../src/adapters/disk/process-identity.ts';
import { DetachedDocument } from '../src/domain/documents/documents.ts';
import { BRANCH, changing, FIX, plain, TASK } from './do-repository.ts';
import type { Repository } from './repository.ts';
import { eventually } from './robust-project.ts';

const MORE = { 'more.txt': 'more\n' };

async function detached(repository: Repository, words: readonly string[], input?: string) {
  const end = await repository.helix(['do', '--detach', '--json', ...words], input === undefined ? {} : { input });
  expect({ code: end.code, stderr: end.code === 0 ? '' : end.stderr }).toEqual({ code: 0, stderr: '' });
  const document = DetachedDocument.parse(JSON.parse(end.stdout));
  await eventually(() => identityOf(document.pid) === undefined);
  return document;
}

it('a task in the background ends on its branch, with all that it was called with', async () => {
  const repository = plain();
  const checks = ['--check', 'test -e sum.js', '--check', 'test -e package.json'];
  const how = ['--no-judge', '--trust', ...checks, ...changing(repository, { writes: FIX })];
  const { run } = await detached(repository, [TASK, ...how]);
  const { state, run: newest } = await repository.journaled();
  expect({ newest, status: state?.ended?.status }).toEqual({ newest: run, status: 'passed' });
  expect(repository.git('show', `${BRANCH}:sum.js`)).toBe(FIX['sum.js'].trim());
  expect(repository.git('status', '--porcelain')).toBe('');
  const gates = state?.plan.phases.flatMap((phase) => phase.gates).filter(({ type }) => type === 'custom');
  expect(gates?.map(({ settings }) => settings.command)).toEqual(['test -e sum.js', 'test -e package.json']);
  expect(readdirSync(repository.path('.helix')).filter((name) => name.startsWith('detached-'))).toEqual([]);
});

it('takes its words from stdin, also where they name a file, and goes on with --again', async () => {
  const repository = plain({ 'readme.md': 'hello\n', 'more.txt': 'less\n' });
  const how = ['--no-judge', '--trust', '--branch', 'told', ...changing(repository, { writes: { 'a.txt': 'a\n' } })];
  await detached(repository, ['-', ...how], 'readme.md\n');
  expect((await repository.journaled()).state?.request?.trim()).toBe('readme.md');
  const next = ['--again', 'and more', '--no-judge', ...changing(repository, { writes: MORE })];
  await detached(repository, next);
  expect(repository.git('show', 'told:more.txt')).toBe('more');
});

it('is refused at once where it would be, with the same words, and leaves nothing', async () => {
  const repository = plain();
  const end = await repository.helix(['do', TASK, '--detach', ...changing(repository, { writes: FIX })]);
  expect(end.code).toBe(2);
  expect(end.stderr).toContain('--trust');
  expect(existsSync(repository.path('.helix'))).toBe(false);
});
