import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { contents, scratch } from '../../../test/scratch.ts';
import { openTrustStore } from './trust-store.ts';

const LINES = ['gate command of a: ["npm","test"]'];

function store(): { state: string; open: () => ReturnType<typeof openTrustStore> } {
  const state = scratch();
  return { state, open: () => openTrustStore({ XDG_STATE_HOME: state }, '/nowhere') };
}

it('trust is remembered line by line, per project, and replaced as a whole', async () => {
  const { open } = store();
  const [one, other] = [scratch(), scratch()];
  expect(await open().trusted(one)).toBeUndefined();
  await open().trust(one, LINES);
  expect(await open().trusted(one)).toEqual(LINES);
  expect(await open().trusted(other)).toBeUndefined();
  await open().trust(one, []);
  expect(await open().trusted(one)).toEqual([]);
});

it('a project is known by its real path: a link is the same project, another one in its place is not', async () => {
  const { open } = store();
  const root = scratch();
  const real = join(root, 'real');
  mkdirSync(real);
  symlinkSync('real', join(root, 'link'));
  await open().trust(join(root, 'link'), LINES);
  expect(await open().trusted(real)).toEqual(LINES);
  rmSync(join(root, 'link'));
  mkdirSync(join(root, 'link'));
  expect(await open().trusted(join(root, 'link'))).toBeUndefined();
});

it('it lies outside the project, for the user alone', async () => {
  const { open, state } = store();
  const project = scratch();
  await open().trust(project, LINES);
  expect(contents(project)).toEqual({});
  const [file = ''] = readdirSync(join(state, 'helix/trust'));
  expect(statSync(join(state, 'helix/trust', file)).mode & 0o777).toBe(0o600);
  const home = scratch();
  await openTrustStore({}, home).trust(project, LINES);
  await openTrustStore({ XDG_STATE_HOME: '' }, home).trust(project, LINES);
  expect(Object.keys(contents(home))).toEqual([join('.local/state/helix/trust', file)]);
});

it.each([
  '',
  'not json',
  'null',
  '{}',
  '{"lines":null}',
  '{"lines":"all of it"}',
  '[]',
])('a file that says %j trusts nothing and tells how to go on', async (text) => {
  const { open, state } = store();
  const project = scratch();
  await open().trust(project, LINES);
  const [file = ''] = readdirSync(join(state, 'helix/trust'));
  writeFileSync(join(state, 'helix/trust', file), text);
  await expect(open().trusted(project)).rejects.toMatchObject({
    code: 'config',
    message: expect.stringContaining(file),
    hint: expect.stringContaining('helix trust'),
  });
});
