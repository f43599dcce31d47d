import {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { put, scratch } from '../../../../test/scratch.ts';
import { isOlderThan } from '../../disk/older-than.ts';
import { createProcesses } from '../../programs/processes.ts';
import { SetUp } from './set-up.ts';

const TREE = { id: 'tree', files: [], problems: [], read: async () => undefined };
const MAKE = 'mkdir -p made/deep && echo good > made/deep/tool.js && echo other > made/other.js && echo x >> ../count';

/** A store, a first directory that was set up, and what later processes make of the store. */
async function installed() {
  const root = put(scratch(), { 'first/x': '', 'next/x': '' });
  const store = join(root, 'store');
  const isNew = (path: string) => !isOlderThan(statSync(path).ctimeMs, Date.now());
  const open = () => {
    // No process begins so soon after another one has made its record.
    while (globSync(join(store, '*/installed.json')).some(isNew));
    return new SetUp({
      settings: { mode: 'repo', setup: [['sh', '-c', MAKE]], copy: [], cache: ['made'] },
      processes: createProcesses(),
      env: { PATH: process.env.PATH ?? '' },
      marker: `kept-${root}`,
      store,
      work: root,
    });
  };
  const prepare = async (setUp: SetUp, name: string) => {
    await setUp.prepare({ dir: join(root, name), tree: TREE, above: [], added: async () => [], declared: [] });
    return {
      tool: readFileSync(join(root, name, 'made/deep/tool.js'), 'utf8').trim(),
      runs: readFileSync(join(root, 'count'), 'utf8').length / 2,
      told: setUp.takeNotices().map(({ message }) => message),
    };
  };
  const first = open();
  await prepare(first, 'first');
  const [key = ''] = readdirSync(store);
  return { root, store, kept: join(store, key), open, prepare, first };
}

/** Writes as somebody does who wants nobody to see it. */
function poison(path: string): void {
  const { atime, mtime } = statSync(path);
  writeFileSync(path, 'evil\n');
  utimesSync(path, atime, mtime);
}

const AGAIN = (what: string) =>
  `what set-up had installed was changed in HELIX's store (${what}); it was installed again`;

it('what was installed is used by this process and by later ones', async () => {
  const { open, prepare, first } = await installed();
  expect(await prepare(first, 'next')).toEqual({ tool: 'good', runs: 1, told: [] });
  expect(await prepare(open(), 'next')).toEqual({ tool: 'good', runs: 1, told: [] });
});

it.each<[how: string, what: string, change: (files: string) => void]>([
  ['rewritten with its size and time', 'made/deep/tool.js', (files) => poison(join(files, 'made/deep/tool.js'))],
  ['made executable', 'made/other.js', (files) => chmodSync(join(files, 'made/other.js'), 0o755)],
  ['added', 'made, made/new.js', (files) => writeFileSync(join(files, 'made/new.js'), 'evil')],
  ['removed', 'made, made/other.js', (files) => rmSync(join(files, 'made/other.js'))],
  [
    'replaced by another that was there before',
    'made, made/deep, made/deep/tool.js and 1 more',
    (files) => renameSync(join(files, 'made/other.js'), join(files, 'made/deep/tool.js')),
  ],
])('a file of it that was %s is noticed: it is dropped, installed again, and that is told', async (_, what, change) => {
  const { kept, open, prepare, first } = await installed();
  change(join(kept, 'files'));
  expect(await prepare(first, 'next')).toEqual({ tool: 'good', runs: 2, told: [AGAIN(what)] });
  expect(await prepare(first, 'next')).toEqual({ tool: 'good', runs: 2, told: [] });
  change(join(kept, 'files'));
  expect(await prepare(open(), 'next')).toEqual({ tool: 'good', runs: 3, told: [AGAIN(what)] });
});

it('a record that was written to fit is not believed by the process that had used it', async () => {
  const { kept, prepare, first } = await installed();
  poison(join(kept, 'files/made/deep/tool.js'));
  writeFileSync(
    join(kept, 'installed.json'),
    readFileSync(join(kept, 'installed.json'), 'utf8').replace('made', 'mode'),
  );
  expect(await prepare(first, 'next')).toEqual({ tool: 'good', runs: 2, told: [AGAIN('its record')] });
});

it('what was recorded since this process began, and not by it, is not used and not touched', async () => {
  const { root, kept, open, prepare } = await installed();
  const later = open();
  // The stamp it gets is often that of a moment before.
  writeFileSync(join(kept, 'installed.json'), readFileSync(join(kept, 'installed.json')));
  expect(await prepare(later, 'next')).toEqual({ tool: 'good', runs: 2, told: [] });
  rmSync(join(root, 'next/made'), { recursive: true });
  expect(await prepare(later, 'next')).toEqual({ tool: 'good', runs: 2, told: [] });
  await later.close();
  expect(readdirSync(join(kept, '..'))).toHaveLength(1);
});

it('what was changed is gone when the process ends, so that no later one uses it', async () => {
  const { kept, first, open, prepare } = await installed();
  await first.close();
  expect(existsSync(kept)).toBe(true);
  const second = open();
  await prepare(second, 'next');
  poison(join(kept, 'files/made/deep/tool.js'));
  await second.close();
  expect(existsSync(kept)).toBe(false);
});

it('what has no record, as earlier versions left it, is replaced', async () => {
  const { kept, open, prepare } = await installed();
  rmSync(join(kept, 'installed.json'));
  const next = open();
  expect(await prepare(next, 'next')).toEqual({ tool: 'good', runs: 2, told: [] });
  expect(existsSync(join(kept, 'installed.json'))).toBe(true);
});
