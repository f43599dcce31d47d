import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { sqliteError } from './sqlite-error.ts';

const CANNOT_OPEN = Object.assign(new Error('unable to open database file'), { errcode: 14 });

it('a database that cannot be opened although nothing is wrong with its file is a failing machine', () => {
  const dir = scratch({ 'helix.db': 'x' });
  for (const name of ['helix.db', 'new.db'])
    expect(sqliteError(CANNOT_OPEN, join(dir, name))).toMatchObject({ code: 'machine' });
});

it('one that is something else than a file is its user’s to mend', () => {
  const dir = scratch();
  mkdirSync(join(dir, 'folder'));
  symlinkSync('nowhere', join(dir, 'link'));
  for (const name of ['folder', 'link', 'missing/helix.db'])
    expect(sqliteError(CANNOT_OPEN, join(dir, name))).toMatchObject({ code: 'io' });
});
