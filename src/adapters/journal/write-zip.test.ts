import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { contents, scratch } from '../../../test/scratch.ts';
import { unzipped } from '../../../test/unzip.ts';
import type { ZipPart } from '../../ports/files.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { RunFiles } from './run-files.ts';
import { centralHeader, endRecords } from './zip-records.ts';

const PACKER = fileURLToPath(new URL('../../../test/programs/packer.ts', import.meta.url));
const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;

async function* given(...parts: ZipPart[]): AsyncGenerator<ZipPart> {
  yield* parts;
}

async function* bytes(...texts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

it('what is packed comes out of another program as it was: files of folders, texts, empty ones and other scripts', async () => {
  const dir = scratch({
    'logs/attempt-1/transcript.jsonl': '{"a":1}\n',
    'logs/attempt-1/empty': '',
    'logs/ü漢.md': 'x',
  });
  const patch = { name: 'attempt-1/changes.patch', content: bytes('one\n', 'two\n') };
  await new RunFiles(dir).zip('deep/all.zip', given({ folder: 'logs', as: 'logs' }, patch));
  expect(unzipped(join(dir, 'deep/all.zip'))).toEqual({
    'logs/attempt-1/transcript.jsonl': '{"a":1}\n',
    'logs/attempt-1/empty': '',
    'logs/ü漢.md': 'x',
    'attempt-1/changes.patch': 'one\ntwo\n',
  });
  expect(readdirSync(join(dir, 'deep'))).toEqual(['all.zip']);
});

it('the same files give the same zip', async () => {
  const dir = scratch({ 'logs/b': 'b', 'logs/a': 'a' });
  const files = new RunFiles(dir);
  for (const name of ['one.zip', 'two.zip']) await files.zip(name, given({ folder: 'logs', as: 'logs' }));
  expect(readFileSync(join(dir, 'one.zip')).equals(readFileSync(join(dir, 'two.zip')))).toBe(true);
});

it('no link is followed and no name leads out; what is left out is named', async () => {
  const secret = scratch({ secret: 'of the user' });
  const dir = scratch({ 'logs/a\u001b[2J\nb': '1', 'logs/..\\up': '2', 'logs/c:d': '3' });
  symlinkSync(join(secret, 'secret'), join(dir, 'logs/link'));
  symlinkSync(secret, join(dir, 'logs/folder'));
  symlinkSync(secret, join(dir, 'elsewhere'));
  execFileSync('mkfifo', [join(dir, 'logs/pipe')]);
  const texts = ['../../up', '/etc/passwd', './x'].map((name) => ({ name, content: bytes('text') }));
  const parts = given(
    { folder: 'logs', as: 'logs' },
    { folder: 'elsewhere', as: 'else' },
    { folder: 'none', as: 'none' },
    ...texts,
  );
  await new RunFiles(dir).zip('all.zip', parts);
  const found = unzipped(join(dir, 'all.zip'));
  expect(Object.keys(found).sort()).toEqual([
    '%2E%2E/%2E%2E/up',
    '%2E/x',
    'etc/passwd',
    'left-out.txt',
    'logs/..%5Cup',
    'logs/a%1B[2J%0Ab',
    'logs/c%3Ad',
  ]);
  expect(
    found['left-out.txt']
      ?.trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
  ).toEqual(['logs/folder', 'logs/link', 'logs/pipe', 'else']);
});

it('texts are packed without secrets, and other encodings as they are', async () => {
  const value = 'tk_9fK2mQ7xW4pR8sV1cY6b';
  const dir = scratch();
  const latin1 = Buffer.from([0x67, 0x72, 0xfc, 0x6e]);
  const files = new RunFiles(dir, createRedactor([{ name: 'PLANTED', value }]));
  await files.zip(
    'all.zip',
    given({ name: 'x', content: bytes(`it is ${value}\n`) }, { name: 'y', content: bytes(latin1) }),
  );
  const out = scratch();
  execFileSync('python3', ['-m', 'zipfile', '-e', join(dir, 'all.zip'), out]);
  expect(readFileSync(join(out, 'x'), 'utf8')).toBe('it is [redacted PLANTED]\n');
  expect(readFileSync(join(out, 'y'))).toEqual(latin1);
});

it('a zip that cannot be made keeps the old one and leaves nothing half done', async () => {
  const dir = scratch({ 'all.zip': 'old' });
  const broken: AsyncGenerator<ZipPart> = (async function* () {
    yield { name: 'x', content: bytes('x') };
    throw new Error('no more');
  })();
  await expect(new RunFiles(dir).zip('all.zip', broken)).rejects.toThrow('no more');
  expect(contents(dir)).toEqual({ 'all.zip': 'old' });
  mkdirSync(join(dir, 'folder'));
  const onto = new RunFiles(dir).zip('folder', given({ name: 'x', content: bytes('x') }));
  await expect(onto).rejects.toMatchObject({ code: 'io', hint: expect.any(String) });
  expect(readdirSync(dir).sort()).toEqual(['all.zip', 'folder']);
});

it('200 MB of logs are packed with less than 150 MB of memory, and come out whole', () => {
  const dir = scratch({}, tmpdir());
  mkdirSync(join(dir, 'logs'));
  const lines = Array.from({ length: 8000 }, (_, n) => `{"n":${n * 7919},"text":"${'said '.repeat(20)}"}\n`).join('');
  const block = Buffer.from(lines);
  const [file, hash] = [openSync(join(dir, 'logs/large.jsonl'), 'w'), createHash('sha256')];
  for (let size = 0; size < 200 * MEGABYTE; size += block.length) {
    writeSync(file, block);
    hash.update(block);
  }
  closeSync(file);
  const megabytes = Number(execFileSync(process.execPath, [PACKER, dir, 'all.zip'], { encoding: 'utf8' }));
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(150);
  const read = `import zipfile,hashlib,sys
h=hashlib.sha256()
with zipfile.ZipFile(sys.argv[1]).open('logs/large.jsonl') as f:
  while b:=f.read(1<<20): h.update(b)
print(h.hexdigest())`;
  const digest = execFileSync('python3', ['-c', read, join(dir, 'all.zip')], { encoding: 'utf8' }).trim();
  expect(digest).toBe(hash.digest('hex'));
});

it('beyond 4 GB and 65,535 entries the long forms are written', () => {
  const entry = { name: Buffer.from('x'), crc: 1, packedBytes: 2, bytes: 3 };
  expect(centralHeader({ ...entry, offset: 5 }).length).toBe(47);
  const far = centralHeader({ ...entry, offset: 5 * GIGABYTE });
  expect(far.readUInt32LE(42)).toBe(0xffff_ffff);
  expect(far.readBigUInt64LE(47 + 4)).toBe(BigInt(5 * GIGABYTE));
  expect(endRecords({ entries: 3, bytes: 100, offset: 1000 }).length).toBe(22);
  const long = endRecords({ entries: 70_000, bytes: 100, offset: 5 * GIGABYTE });
  expect(long.readBigUInt64LE(32)).toBe(70_000n);
  expect(long.readBigUInt64LE(56 + 8)).toBe(BigInt(5 * GIGABYTE + 100));
  expect(long.readUInt16LE(76 + 10)).toBe(0xffff);
});
