import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeFifo, scratch } from '../../../test/scratch.ts';
import { openApprovalCache } from './approval-cache.ts';

const KEY = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

function opened(home = scratch()) {
  const dir = join(home, '.cache/helix/approvals');
  const keyFile = join(home, '.local/state/helix/cache-key');
  return { home, dir, entry: join(dir, KEY), keyFile, cache: openApprovalCache({}, home) };
}

describe('the cache', () => {
  it('does not give what was written only since a moment, whatever time its file tells', async () => {
    const { cache, entry } = opened();
    const began = new Date();
    await cache.put(KEY, 'forged');
    utimesSync(entry, new Date(0), new Date(0));
    expect(await cache.get(KEY, began)).toBeUndefined();
    expect(await cache.get(KEY, new Date(Date.now() + 60_000))).toBe('forged');
  });

  it('gives back what was put, also to the next process, and only by the same key', async () => {
    const { home, cache } = opened();
    expect(await cache.get(KEY)).toBeUndefined();
    await cache.put(KEY, '{"ü": 1}\n');
    await cache.put(OTHER, '');
    expect(await opened(home).cache.get(KEY)).toBe('{"ü": 1}\n');
    expect(await opened(home).cache.get(OTHER)).toBe('');
    expect(await cache.get('c'.repeat(64))).toBeUndefined();
    await cache.put(KEY, 'newer');
    expect(await cache.get(KEY)).toBe('newer');
  });

  it('forgets what is to be removed, and only that', async () => {
    const { home, cache } = opened();
    await cache.remove(KEY);
    await cache.put(KEY, 'approved');
    await cache.put(OTHER, 'approved');
    await cache.remove(KEY);
    expect([await opened(home).cache.get(KEY), await opened(home).cache.get(OTHER)]).toEqual([undefined, 'approved']);
  });

  it('lies where its user wants it, and nobody else can look at it', async () => {
    const home = scratch();
    const env = { XDG_CACHE_HOME: join(home, 'c'), XDG_STATE_HOME: join(home, 's') };
    await openApprovalCache(env, '/nowhere').put(KEY, 'x');
    const modes = ['c/helix/approvals', `c/helix/approvals/${KEY}`, 's/helix/cache-key'].map(
      (path) => lstatSync(join(home, path)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    expect(readFileSync(join(home, 's/helix/cache-key')).length).toBe(32);
  });

  it.each<[string, (at: ReturnType<typeof opened>) => void]>([
    ['edited', ({ entry }) => writeFileSync(entry, readFileSync(entry, 'utf8').replace('rejected', 'approved'))],
    ['written by hand', ({ entry }) => writeFileSync(entry, 'approved', { mode: 0o600 })],
    ['of another key', ({ dir, entry }) => copyFileSync(join(dir, OTHER), entry)],
    ['cut off', ({ entry }) => truncateSync(entry, 70)],
    ['empty', ({ entry }) => truncateSync(entry, 0)],
    ['one byte too long', ({ entry }) => writeFileSync(entry, `${readFileSync(entry, 'utf8')} `)],
    ['too large', ({ entry }) => truncateSync(entry, 1024 * 1024 + 1)],
    ['readable for others', ({ entry }) => chmodSync(entry, 0o640)],
    [
      'a link to a good one',
      ({ home, entry }) => {
        renameSync(entry, join(home, 'good'));
        symlinkSync(join(home, 'good'), entry);
      },
    ],
    [
      'a FIFO',
      ({ entry }) => {
        rmSync(entry);
        makeFifo(entry);
      },
    ],
    [
      'a directory',
      ({ entry }) => {
        rmSync(entry);
        mkdirSync(entry);
      },
    ],
    ['sealed with a key that is gone', ({ keyFile }) => rmSync(keyFile)],
    ['sealed with a key that others can read', ({ keyFile }) => chmodSync(keyFile, 0o644)],
    ['sealed with another key', ({ keyFile }) => writeFileSync(keyFile, Buffer.alloc(32))],
    ['sealed with half a key', ({ keyFile }) => truncateSync(keyFile, 16)],
    [
      'sealed with a key behind a link',
      ({ home, keyFile }) => {
        renameSync(keyFile, join(home, 'key'));
        symlinkSync(join(home, 'key'), keyFile);
      },
    ],
  ])('takes an entry that is %s for none', async (_, change) => {
    const at = opened();
    await at.cache.put(KEY, 'rejected');
    await at.cache.put(OTHER, 'approved');
    expect(await opened(at.home).cache.get(KEY)).toBe('rejected');
    change(at);
    expect(await opened(at.home).cache.get(KEY)).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0)('takes what belongs to somebody else for none', async () => {
    const { home, entry, cache } = opened();
    await cache.put(KEY, 'x');
    chownSync(entry, 65534, 65534);
    expect(await opened(home).cache.get(KEY)).toBeUndefined();
  });

  it.each([
    0o644, 0o660,
  ])('makes a new key where the old one has the mode %o, and forgets what that sealed', async (mode) => {
    const { home, keyFile, cache } = opened();
    await cache.put(KEY, 'old');
    const before = readFileSync(keyFile);
    chmodSync(keyFile, mode);
    const next = opened(home).cache;
    await next.put(OTHER, 'new');
    expect(readFileSync(keyFile)).not.toEqual(before);
    expect(lstatSync(keyFile).mode & 0o777).toBe(0o600);
    expect([await next.get(KEY), await next.get(OTHER)]).toEqual([undefined, 'new']);
  });

  it('does not follow a link in the place of its directory', async () => {
    const { home, dir, cache } = opened();
    mkdirSync(join(home, 'elsewhere'));
    mkdirSync(join(home, '.cache/helix'), { recursive: true });
    symlinkSync(join(home, 'elsewhere'), dir);
    await expect(cache.put(KEY, 'x')).rejects.toMatchObject({ code: 'config' });
    expect(readdirSync(join(home, 'elsewhere'))).toEqual([]);
  });

  it('has no entry for what is no key, and keeps nothing that is too large', async () => {
    const { cache, dir } = opened();
    for (const key of ['', '../../x', 'A'.repeat(64), 'a'.repeat(64).concat('/x'), 'zz'.repeat(32)]) {
      expect(await cache.get(key)).toBeUndefined();
      await expect(cache.put(key, 'x')).rejects.toThrow(TypeError);
    }
    await cache.put(KEY, 'x'.repeat(1024 * 1024));
    expect(await cache.get(KEY)).toBeUndefined();
    expect(existsSync(dir)).toBe(false);
  });

  it('is never torn by several processes that write at once, and all of them use one key', async () => {
    const { home, dir, cache } = opened();
    const module = fileURLToPath(new URL('approval-cache.ts', import.meta.url));
    const program = `import { openApprovalCache } from ${JSON.stringify(module)};
      const cache = openApprovalCache({}, ${JSON.stringify(home)});
      for (let n = 0; n < 40; n += 1) await cache.put('${KEY}', String(process.argv[1]).repeat(20000));
      await cache.put(process.argv[1].repeat(64), 'own');`;
    const children = ['1', '2', '3', '4'].map((n) =>
      spawn(process.execPath, ['--input-type=module', '-e', program, n], { stdio: 'inherit' }),
    );
    const ends = Promise.all(children.map(async (child) => (await once(child, 'close'))[0]));
    let isOver = false;
    void ends.then(() => {
      isOver = true;
    });
    const seen = new Set<string>();
    while (!isOver) {
      const text = await cache.get(KEY);
      if (text !== undefined) seen.add(`${text[0]}${text.length}${new Set(text).size}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(await ends).toEqual([0, 0, 0, 0]);
    expect([...seen].every((each) => /^[1-4]200001$/.test(each))).toBe(true);
    expect(await cache.get(KEY)).toHaveLength(20_000);
    for (const n of ['1', '2', '3', '4']) expect(await cache.get(n.repeat(64))).toBe('own');
    expect(readdirSync(dir)).toHaveLength(5);
  });
});
