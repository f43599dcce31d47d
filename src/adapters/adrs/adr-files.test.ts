import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isAdrFileName } from './adr-file-names.ts';
import { findAdrDirectory, readAdrSets } from './adr-files.ts';

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const cwd = mkdtempSync(join(tmpdir(), 'helix-adr-files-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }
  return cwd;
}

/** Every file of every set, as `path` or `path: message`. */
function told(paths: readonly string[], cwd: string): string[] {
  const files = readAdrSets(paths, { cwd }).flatMap((set) => set.files);
  return files.map(({ path, findings: [finding] }) =>
    finding === undefined ? path : `${path}: ${finding.severity}: ${finding.message}`,
  );
}

test('a folder gives one set per directory, in order, without what is no ADR', () => {
  const cwd = folderWith({
    'adr/0002-b.md': '',
    'adr/0001-a.markdown': '',
    'adr/README.md': '',
    'adr/template.md': '',
    'adr/notes.txt': '',
    'adr/_draft.md': '',
    'adr/sub/0003-c.md': '',
    'adr/.hidden/0004-d.md': '',
    'adr/node_modules/x/0005-e.md': '',
  });
  const sets = readAdrSets(['adr'], { cwd });
  expect(sets.map(({ directory, whole, files }) => [directory, whole, files.map(({ path }) => path)])).toEqual([
    ['adr', true, ['adr/0001-a.markdown', 'adr/0002-b.md']],
    ['adr/sub', true, ['adr/sub/0003-c.md']],
  ]);
});

test('files given by name are one set, which knows the ADRs beside them', () => {
  const cwd = folderWith({ 'a/1.md': 'one', 'a/2.md': 'two', 'b/3.md': 'three', 'b/README.md': '', 'b/x.txt': 'x' });
  const [set, ...others] = readAdrSets(['a/1.md', 'b/x.txt', './a/1.md'], { cwd });
  expect(others).toEqual([]);
  expect(set?.whole).toBe(false);
  expect(set?.files.map(({ path, text }) => [path, text])).toEqual([
    ['a/1.md', 'one'],
    ['b/x.txt', 'x'],
  ]);
  expect(set?.beside(() => true).map(({ path }) => path)).toEqual(['a/2.md', 'b/3.md']);
});

test('a file named beside its folder is read once', () => {
  const cwd = folderWith({ 'adr/1.md': '', 'adr/2.md': '' });
  expect(told(['adr/1.md', 'adr', 'adr/'], cwd)).toEqual(['adr/1.md', 'adr/2.md']);
});

test.each([
  ['0001-use-postgres.md', true],
  ['0012-email-template.md', true],
  ['ADR-012-template-engine.md', true],
  ['use-template-engine.md', true],
  ['20240105-template.md', true],
  ['0000-template.md', false],
  ['adr-template.md', false],
  ['adr-template-minimal.md', false],
  ['template_bare.md', false],
  ['CHANGELOG.md', false],
  ['Index.md', false],
  ['README.md', false],
  ['.md', false],
])('%s is an ADR by its name: %s', (name, expected) => {
  expect(isAdrFileName(name)).toBe(expected);
});

test('a README is an ADR where each one has a folder of its own', () => {
  expect(isAdrFileName('README.md', '2022-02-14-helm-chart')).toBe(true);
  expect(isAdrFileName('index.md', '0007-use-x')).toBe(true);
  expect(isAdrFileName('README.md', 'adr')).toBe(false);
});

test('links are followed inside the folder once; all others are findings', () => {
  const cwd = folderWith({ 'adr/1.md': '', 'adr/sub/2.md': '', 'out/3.md': '' });
  const link = (target: string, path: string) => symlinkSync(target, join(cwd, path));
  link('1.md', 'adr/0-latest.md');
  link('gone.md', 'adr/broken.md');
  link('self.md', 'adr/self.md');
  link('..', 'adr/sub/loop');
  link('../out/3.md', 'adr/out.md');
  link('../out', 'adr/outside');
  link('gone.png', 'adr/picture.png');
  expect(told(['adr'], cwd)).toEqual([
    'adr/1.md',
    'adr/broken.md: error: the link leads to nothing that can be read',
    'adr/out.md: error: the link leads out of the folder; it is not followed',
    'adr/outside: warning: the link leads out of the folder; it is not followed',
    'adr/self.md: error: the link leads back to itself',
    'adr/sub/2.md',
    'adr/sub/loop: warning: the link leads to a folder that is read already; it is not followed',
  ]);
});

test('a name with a line break in it is a name', () => {
  expect(told(['adr'], folderWith({ 'adr/0001-a.md': '', 'adr/0002-b\nc.md': '' }))).toEqual([
    'adr/0001-a.md',
    'adr/0002-b\nc.md',
  ]);
});

test('what cannot be read is a finding, and the rest is read', () => {
  const cwd = folderWith({
    'adr/1.md': 'fine',
    'adr/binary.md': Buffer.from([0x23, 0x20, 0, 1]),
    'adr/huge.md': Buffer.alloc(5 * 1024 * 1024, 'fünfzehn Zeichen\n'),
    'adr/line.md': Buffer.alloc(5 * 1024 * 1024, 'ü'),
    'adr/late.md': Buffer.concat([Buffer.from('# A\n'), Buffer.alloc(3 * 1024 * 1024, 'ü')]),
    'adr/latin.md': Buffer.from('\ufffd\nK\u00e4se', 'utf8').subarray(0, 6),
    'adr/wide.md': Buffer.from('\ufeff# A', 'utf16le'),
  });
  expect(spawnSync('mkfifo', [join(cwd, 'adr/pipe.md')]).status).toBe(0);
  expect(told(['adr'], cwd)).toEqual([
    'adr/1.md',
    'adr/binary.md: error: the file is no text: it has bytes that are zero',
    'adr/huge.md: error: the file has 5.0 MB; only its first 2.0 MB were checked',
    'adr/late.md: error: the file has 3.0 MB; only its first 2.0 MB were checked',
    'adr/latin.md: error: the file is not written in UTF-8: here is the first byte that does not belong there',
    'adr/line.md: error: the file has 5.0 MB; only its first 2.0 MB were checked',
    'adr/pipe.md: error: this is no plain file but a pipe, socket or device',
    'adr/wide.md: error: the file is written in UTF-16',
  ]);
  const [set] = readAdrSets(['adr/latin.md'], { cwd });
  expect(set?.files[0]?.findings[0]?.location).toEqual({ file: 'adr/latin.md', line: 2, column: 2 });
  expect(set?.files[0]?.text).toBe('\ufffd\nK\ufffd');
});

test.skipIf(process.getuid?.() === 0)('a file or folder without permission is a finding', () => {
  const cwd = folderWith({ 'adr/1.md': '', 'adr/2.md': '', 'adr/sub/3.md': '' });
  chmodSync(join(cwd, 'adr/2.md'), 0);
  chmodSync(join(cwd, 'adr/sub'), 0);
  onTestFinished(() => chmodSync(join(cwd, 'adr/sub'), 0o700));
  expect(told(['adr'], cwd)).toEqual([
    'adr/1.md',
    'adr/2.md: error: the file cannot be read: you may not read it',
    'adr/sub: error: the folder cannot be read: you may not read it',
  ]);
});

test('a path that does not exist, and a folder without ADRs, are refused', () => {
  const cwd = folderWith({ 'docs/adr/1.md': '', 'docs/other/README.md': '' });
  expect(() => readAdrSets(['docs/adrr'], { cwd })).toThrow('there is no "docs/adrr"');
  try {
    readAdrSets(['docs/adrr'], { cwd });
  } catch (error) {
    expect(error).toMatchObject({ code: 'not_found', hint: 'did you mean "docs/adr"?' });
  }
  expect(() => readAdrSets(['docs/adr', 'docs/other'], { cwd })).toThrow('there is no ADR in "docs/other"');
});

test('the folder with the ADRs is found from anywhere in a repository, and not above it', () => {
  const cwd = folderWith({
    'repo/.git/HEAD': '',
    'repo/doc/decisions/1.md': '',
    'repo/src/deep/x.ts': '',
    'adr/1.md': '',
  });
  expect(findAdrDirectory(join(cwd, 'repo/src/deep'))).toBe('../../doc/decisions');
  expect(findAdrDirectory(join(cwd, 'repo'))).toBe('doc/decisions');
  expect(findAdrDirectory(cwd)).toBe('adr');
  writeFileSync(join(cwd, 'repo/.adr-dir'), 'src/deep\n');
  expect(findAdrDirectory(join(cwd, 'repo'))).toBe('src/deep');
  rmSync(join(cwd, 'repo/.adr-dir'));
  rmSync(join(cwd, 'repo/doc'), { recursive: true });
  expect(findAdrDirectory(join(cwd, 'repo/src'))).toBeUndefined();
});
