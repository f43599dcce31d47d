import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import type { Snapshot } from '../../ports/tree.ts';
import { sha256 } from '../../text/digest.ts';
import { makePrivateDirectory } from '../disk/private-directory.ts';
import { PinnedCopy } from '../trees/pinned-copy.ts';
import { pinVersion } from './pin-version.ts';

const FILES = { 'a.md': 'right', 'src/b.ts': 'code', 'approvals/adr/defects.yaml': 'defects: []' };

function pinned(project: string): Promise<Snapshot> {
  return PinnedCopy.make(makePrivateDirectory('pinned', project), async (copy) => {
    for (const [path, text] of Object.entries(FILES)) copy.put(path, Buffer.from(text));
  });
}

test('a version is the same but for the planted text, and shows no judge what defects there are', async () => {
  const project = put(scratch(), FILES);
  const base = await pinned(project);
  onTestFinished(() => base.dispose());
  const signal = new AbortController().signal;
  const version = await pinVersion(base, { path: 'a.md', text: 'wrong' }, { project, signal });
  expect(version.files).toEqual([
    { path: 'a.md', sha256: sha256('wrong') },
    { path: 'src/b.ts', sha256: sha256('code') },
  ]);
  expect(readFileSync(join(version.dir, 'a.md'), 'utf8')).toBe('wrong');
  expect(await base.changed()).toEqual([]);
  await version.dispose();
  expect(existsSync(version.dir)).toBe(false);
});

test('a version nobody waits for any more is not finished', async () => {
  const project = put(scratch(), FILES);
  const base = await pinned(project);
  onTestFinished(() => base.dispose());
  const pinning = pinVersion(base, { path: 'a.md', text: 'x' }, { project, signal: AbortSignal.abort() });
  await expect(pinning).rejects.toMatchObject({ code: 'stopped' });
});
