import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { contents, makeFifo, put, scratch } from '../../../test/scratch.ts';
import { sha256 } from '../../text/digest.ts';
import { openProject } from '../disk/project-directory.ts';
import { createProcesses } from '../programs/processes.ts';
import { RepoWorkspace } from '../repo/repo-workspace.ts';
import { PhaseDirs } from './phase-dirs.ts';
import { CopyWriter, isCopied, PinnedCopy } from './pinned-copy.ts';

const PHASE = samplePhase('one');

const FILES = {
  'a.md': 'one\n',
  'src/b.ts': 'two\n',
  'src/deep/empty': '',
  '-rf': 'dash',
  'line\nfeed': 'name',
  'src/ä ö': 'utf',
};

async function copyOf(files: Readonly<Record<string, string>> = FILES): Promise<PinnedCopy> {
  const copy = await PinnedCopy.make(mkdtempSync(join(scratch(), 'place-')), async (writer) => {
    for (const [path, text] of Object.entries(files)) writer.put(path, Buffer.from(text));
  });
  onTestFinished(() => copy.dispose());
  return copy;
}

describe('a pinned copy', () => {
  it('holds every file by the digest of its own bytes, and nobody can write to it', async () => {
    const copy = await copyOf();
    expect(contents(copy.dir)).toEqual(FILES);
    expect(Object.fromEntries(copy.files.map(({ path, sha256: digest }) => [path, digest]))).toEqual(
      Object.fromEntries(Object.entries(FILES).map(([path, text]) => [path, sha256(text)])),
    );
    const modes = ['', 'src', 'src/deep', 'a.md', '-rf'].map((path) => lstatSync(join(copy.dir, path)).mode & 0o777);
    expect(modes).toEqual([0o555, 0o555, 0o555, 0o444, 0o444]);
    expect(lstatSync(dirname(copy.dir)).mode & 0o777).toBe(0o700);
    expect(await copy.changed()).toEqual([]);
  });

  it('is read as it was pinned, up to a limit, and has nothing else to read', async () => {
    const copy = await copyOf();
    expect((await copy.read('src/b.ts', 100))?.toString()).toBe('two\n');
    expect((await copy.read('./src/b.ts', 2))?.toString()).toBe('tw');
    expect((await copy.read('src/deep/empty', 100))?.length).toBe(0);
    for (const path of ['no', 'src', '../x', '', '/etc/hostname']) expect(await copy.read(path, 9)).toBeUndefined();
  });

  const at = (copy: PinnedCopy, path: string) => join(copy.dir, path);
  it.each<[string, (copy: PinnedCopy) => void, string[]]>([
    ['a file with other content', (copy) => writeFileSync(at(copy, 'a.md'), 'One\n'), ['a.md']],
    ['a file that is gone', (copy) => rmSync(at(copy, 'src/b.ts')), ['src/b.ts']],
    ['a new file', (copy) => writeFileSync(at(copy, 'src/new'), ''), ['src/new']],
    ['a new folder', (copy) => mkdirSync(at(copy, 'src/more/deep'), { recursive: true }), ['src/more']],
    ['a new link', (copy) => symlinkSync('a.md', at(copy, 'link')), ['link']],
    ['a new FIFO', (copy) => makeFifo(at(copy, 'pipe')), ['pipe']],
    [
      'a link to the same content in place of a file',
      (copy) => {
        renameSync(at(copy, 'a.md'), join(dirname(copy.dir), 'elsewhere'));
        symlinkSync('../elsewhere', at(copy, 'a.md'));
      },
      ['a.md'],
    ],
    [
      'a FIFO in place of a file',
      (copy) => {
        rmSync(at(copy, 'a.md'));
        makeFifo(at(copy, 'a.md'));
      },
      ['a.md'],
    ],
    [
      'a folder in place of a file',
      (copy) => {
        rmSync(at(copy, 'a.md'));
        mkdirSync(at(copy, 'a.md'));
      },
      ['a.md'],
    ],
    [
      'a link in place of a folder',
      (copy) => {
        renameSync(at(copy, 'src'), join(dirname(copy.dir), 'src'));
        symlinkSync('../src', at(copy, 'src'));
      },
      ['src', 'src/b.ts', 'src/deep/empty', 'src/ä ö'],
    ],
    ['all of it gone', (copy) => rmSync(copy.dir, { recursive: true }), ['.', ...Object.keys(FILES)].sort()],
  ])('tells of %s', async (_, tamper, expected) => {
    const copy = await copyOf();
    for (const dir of ['', 'src', 'src/deep']) chmodSync(at(copy, dir), 0o755);
    for (const path of Object.keys(FILES)) chmodSync(at(copy, path), 0o644);
    expect(await copy.changed()).toEqual([]);
    tamper(copy);
    expect(await copy.changed()).toEqual(expected);
  });

  it('is not read where it is not what was pinned any more', async () => {
    const copy = await copyOf();
    chmodSync(at(copy, 'a.md'), 0o644);
    writeFileSync(at(copy, 'a.md'), 'One\n');
    await expect(copy.read('a.md', 10)).rejects.toMatchObject({ code: 'io' });
    rmSync(at(copy, '-rf'), { force: true });
    await expect(copy.read('-rf', 10)).rejects.toThrow('not what was pinned');
  });

  it('is removed with everything somebody put there, whatever the modes, and twice without harm', async () => {
    const copy = await copyOf();
    chmodSync(at(copy, 'src'), 0o000);
    await copy.dispose();
    await copy.dispose();
    expect(existsSync(dirname(copy.dir))).toBe(false);
  });

  it('leaves nothing behind where it cannot be made', async () => {
    const place = mkdtempSync(join(scratch(), 'place-'));
    const failing = PinnedCopy.make(place, async (writer) => {
      writer.put('a', Buffer.from('a'));
      writer.put('a', Buffer.from('b'));
    });
    await expect(failing).rejects.toMatchObject({ code: 'io' });
    expect(existsSync(place)).toBe(false);
  });

  it('takes no path that leads out, and nothing that git keeps for itself', () => {
    for (const path of ['../x', 'a/../../x', 'a//b', '/etc/x', './a', ''])
      expect(() => isCopied(path)).toThrow('no path');
    expect(['.git/config', 'a/.GIT/x', '.gitignore', 'a.git/x'].map(isCopied)).toEqual([false, false, true, true]);
  });

  it('knows which paths are taken by a file or a folder', () => {
    const writer = new CopyWriter(scratch());
    writer.put('a/b', Buffer.from(''));
    expect(['a/b', 'a', 'a/b/c', 'a/c', 'ab'].map((path) => writer.isFree(path))).toEqual([
      ...[false, false, false, true, true],
    ]);
  });
});

describe('a snapshot of a phase with a directory of its own', () => {
  it('holds what was captured and its inputs, lies outside the project, and knows nothing of what comes later', async () => {
    const project = put(scratch(), { 'spec.md': 'spec' });
    const workspace = new PhaseDirs(project);
    const given = await workspace.pin(['spec.md']);
    const inputs = ['input/spec.md', 'output/taken'].map((path) => ({
      ...{ path, digest: given.files[0]?.digest ?? '', from: { tree: given.id, path: 'spec.md' } },
    }));
    const { dir, start } = await workspace.prepare(PHASE, { start: undefined, inputs, omit: [] });
    put(dir, { 'output/x.sh': 'made', 'output/taken': 'changed', '.git/config': '[core]' });
    chmodSync(join(dir, 'output/x.sh'), 0o755);
    symlinkSync('x.sh', join(dir, 'output/link'));
    symlinkSync('/etc/hostname', join(dir, 'output/out'));
    makeFifo(join(dir, 'output/pipe'));
    const { tree } = await workspace.capture(PHASE, start);
    const snapshot = await workspace.snapshot(PHASE, tree.id, inputs);
    onTestFinished(() => snapshot.dispose());
    put(dir, { 'output/x.sh': 'later' });
    expect(contents(snapshot.dir)).toEqual({
      'input/spec.md': 'spec',
      'output/link': 'made',
      'output/taken': 'changed',
      'output/x.sh': 'made',
    });
    expect(snapshot.files.find(({ path }) => path === 'output/x.sh')?.sha256).toBe(sha256('made'));
    expect(snapshot.dir.startsWith(project)).toBe(false);
    const again = await workspace.snapshot(PHASE, tree.id, inputs);
    expect(again.dir).not.toBe(snapshot.dir);
    await again.dispose();
    expect(await snapshot.changed()).toEqual([]);
  });

  it('is not made where nobody waits for it any more', async () => {
    const workspace = new PhaseDirs(put(scratch(), { 'phases/one/x': 'x' }));
    const { start } = await workspace.prepare(PHASE, { start: undefined, inputs: [], omit: [] });
    await expect(workspace.snapshot(PHASE, start, [], AbortSignal.abort())).rejects.toMatchObject({ code: 'stopped' });
  });
});

describe('a snapshot of a repository', () => {
  function git(cwd: string, ...args: string[]): string {
    const who = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
    return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8' }).trim();
  }

  async function repository(files: Readonly<Record<string, string | Buffer>>, prefix = '') {
    const root = scratch();
    const top = put(join(root, 'repo'), files);
    git(top, 'init', '-q');
    git(top, 'config', 'filter.evil.smudge', `touch ${join(root, 'ran')}; cat`);
    git(top, 'config', 'filter.evil.clean', 'cat');
    git(top, 'config', 'core.autocrlf', 'true');
    git(top, 'add', '-A');
    git(top, 'commit', '-qm', 'files');
    const settings = { mode: 'repo' as const, setup: [], copy: [], cache: [] };
    const scope = { run: 'r1', marker: 'pinned-test', settings, simulated: true };
    const cacheDir = join(root, 'cache');
    const around = { project: openProject(join(top, prefix)), processes: createProcesses(), env: {}, cacheDir };
    const workspace = await RepoWorkspace.open(scope, around);
    onTestFinished(async () => (await workspace.take())());
    return { root, top, workspace, tree: async () => (await workspace.begin(false)).base.tree };
  }

  it('is what git has stored, byte for byte, without .git, filters, conversions and links', async () => {
    const big = Buffer.alloc(300_000, 'x\n');
    const { root, top, workspace, tree } = await repository({
      ...{
        '.gitattributes': '* filter=evil\n',
        'line\nfeed': 'name',
        '-rf': 'dash',
        'src/empty': '',
        big,
        'b.bin': '\0\r\n',
      },
    });
    writeFileSync(join(top, 'run.sh'), 'echo\n', { mode: 0o755 });
    symlinkSync('/etc/hostname', join(top, 'out'));
    symlinkSync('src', join(top, 'folder'));
    git(top, 'add', '-A');
    git(top, 'commit', '-qm', 'more');
    rmSync(join(root, 'ran'), { force: true });
    const snapshot = await workspace.snapshot(PHASE, await tree(), []);
    const found = Object.keys(contents(snapshot.dir)).sort();
    expect(found).toEqual(['-rf', '.gitattributes', 'b.bin', 'big', 'line\nfeed', 'run.sh', 'src/empty']);
    expect(await snapshot.read('big', big.length)).toEqual(big);
    expect(readFileSync(join(snapshot.dir, 'b.bin'), 'latin1')).toBe('\0\r\n');
    expect(lstatSync(join(snapshot.dir, 'run.sh')).mode & 0o777).toBe(0o444);
    expect(snapshot.files.find(({ path }) => path === 'big')?.sha256).toBe(sha256(big));
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(snapshot.dir.startsWith(top)).toBe(false);
    expect(await snapshot.changed()).toEqual([]);
    await snapshot.dispose();
    expect(readdirSync(join(root, 'cache/work/r1')).filter((name) => name.startsWith('pinned-'))).toEqual([]);
  });

  it('has the paths of the project, also below the top, and inputs where the tree has nothing', async () => {
    const { top, workspace, tree } = await repository({ 'above.md': 'no', 'app/a.md': 'tree', 'app/b.md': 'b' }, 'app');
    put(top, { 'app/a.md': 'present', 'app/new.md': 'new' });
    const pinned = await workspace.pin(['a.md', 'new.md']);
    const inputs = pinned.files.map(({ path, digest }) => ({ path, digest, from: { tree: pinned.id, path } }));
    const snapshot = await workspace.snapshot(PHASE, await tree(), inputs);
    expect(contents(snapshot.dir)).toEqual({ 'a.md': 'tree', 'b.md': 'b', 'new.md': 'new' });
    await snapshot.dispose();
  });

  it('is refused where a tree has names that no file can have', async () => {
    const { top, workspace } = await repository({ a: 'a' });
    const blob = git(top, 'rev-parse', 'HEAD:a');
    const make = (input: string) =>
      execFileSync('git', ['mktree'], { cwd: top, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] }).trim();
    const inner = make(`100644 blob ${blob}\tescaped\n`);
    const up = make(`040000 tree ${inner}\t..\n`);
    await expect(workspace.snapshot(PHASE, up, [])).rejects.toThrow('no path of a file');
    const hidden = make(`040000 tree ${inner}\t.git\n100644 blob ${blob}\tb\n`);
    const snapshot = await workspace.snapshot(PHASE, hidden, []);
    expect(contents(snapshot.dir)).toEqual({ b: 'a' });
    await snapshot.dispose();
  });

  it('is not made without all of its files, nor where nobody waits for it', async () => {
    const { top, workspace, tree } = await repository({ a: 'a', b: 'other' });
    const id = await tree();
    const stopped = workspace.snapshot(PHASE, id, [], AbortSignal.abort());
    await expect(stopped).rejects.toMatchObject({ code: 'stopped' });
    const blob = git(top, 'rev-parse', 'HEAD:b');
    await workspace.tree(id);
    rmSync(join(top, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    await expect(workspace.snapshot(PHASE, id, [])).rejects.toMatchObject({ code: 'journal' });
  });
});
