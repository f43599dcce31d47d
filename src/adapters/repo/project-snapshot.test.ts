import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { contents, makeFifo, put, scratch } from '../../../test/scratch.ts';
import type { PinnedProject } from '../../ports/pinned-project.ts';
import { sha256 } from '../../text/digest.ts';
import { createProcesses } from '../programs/processes.ts';
import { pinProject } from './project-snapshot.ts';

const tools = { processes: createProcesses(), env: {} };

function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

function repository(files: Readonly<Record<string, string | Buffer>>): string {
  const dir = put(scratch(), files);
  git(dir, 'init', '-q');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'first');
  return dir;
}

async function pin(
  project: string,
  files: readonly string[],
  diff?: string,
  newDefinition?: string,
): Promise<PinnedProject> {
  const more = { ...(diff !== undefined && { diff }), ...(newDefinition !== undefined && { newDefinition }) };
  const pinned = await pinProject({ project, files, ...more }, tools);
  onTestFinished(() => pinned.snapshot.dispose());
  return pinned;
}

const refused = (project: string, files: readonly string[], diff?: string) => expect(pin(project, files, diff)).rejects;
const paths = ({ snapshot }: PinnedProject) => snapshot.files.map(({ path }) => path);

describe('a project in a repository', () => {
  it('is pinned as it lies in the work tree: tracked, new, and what was named though it is ignored', async () => {
    const dir = repository({ 'a.md': 'old', 'gone.md': 'x', '.gitignore': 'dist\n*.log\n', 'src/b.ts': 'b' });
    put(dir, { 'a.md': 'new', 'fresh.md': 'f', 'dist/out.js': 'o', 'x.log': 'l', '.helix/helix.db': 'x' });
    put(dir, { 'line\nfeed': '1', '-rf': '2', 'src/empty': '' });
    rmSync(join(dir, 'gone.md'));
    chmodSync(join(dir, 'src/b.ts'), 0o755);
    symlinkSync('/etc/hostname', join(dir, 'out'));
    symlinkSync('a.md', join(dir, 'in'));
    makeFifo(join(dir, 'pipe'));
    const pinned = await pin(dir, ['a.md', 'dist/out.js']);
    const { snapshot, inputs, difference } = pinned;
    expect(contents(snapshot.dir)).toEqual({
      ...{ '-rf': '2', '.gitignore': 'dist\n*.log\n', 'a.md': 'new', 'dist/out.js': 'o', 'fresh.md': 'f' },
      ...{ 'line\nfeed': '1', 'src/b.ts': 'b', 'src/empty': '' },
    });
    expect([inputs, difference]).toEqual([['a.md', 'dist/out.js'], undefined]);
    expect(snapshot.files.find(({ path }) => path === 'a.md')?.sha256).toBe(sha256('new'));
    put(dir, { 'a.md': 'later' });
    expect((await snapshot.read('a.md', 10))?.toString()).toBe('new');
    expect(await snapshot.changed()).toEqual([]);
    expect(snapshot.dir.startsWith(dir)).toBe(false);
    await snapshot.dispose();
    expect(existsSync(dirname(snapshot.dir))).toBe(false);
  });

  it('is not touched by that, and nothing it brings along is run', async () => {
    const dir = repository({ '.gitattributes': '* filter=evil diff=evil\n', 'a.md': 'a\n' });
    const trap = `touch ${join(dir, 'ran')}; cat`;
    for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'diff.evil.command', 'diff.evil.textconv'])
      git(dir, 'config', name, trap);
    git(dir, 'config', 'core.fsmonitor', `sh -c '${trap}'`);
    put(dir, { 'a.md': 'b\n' });
    const before = contents(join(dir, '.git'));
    await pin(dir, ['a.md']);
    const { difference } = await pin(dir, [], 'HEAD');
    expect(difference).toContain('-a\n+b\n');
    expect(existsSync(join(dir, 'ran'))).toBe(false);
    expect(existsSync(join(dir, '.helix'))).toBe(false);
    expect(contents(join(dir, '.git'))).toEqual(before);
  });

  it('below the top is seen from its own folder', async () => {
    const top = repository({ 'above.md': 'x', 'app/a.md': 'a\n', 'app/src/b.ts': 'b\n' });
    put(top, { 'app/a.md': 'A\n', 'above.md': 'y' });
    const pinned = await pin(join(top, 'app'), [], 'HEAD');
    expect(paths(pinned)).toEqual(['a.md', 'src/b.ts']);
    expect(pinned.inputs).toEqual(['a.md']);
    expect(pinned.difference).toContain('--- a/a.md\n+++ b/a.md\n');
    expect(await pinned.before.read('a.md', 10)).toBe('a\n');
  });

  it('may have no commit yet', async () => {
    const dir = scratch({ 'a.md': 'a', 'CLAUDE.md': 'rules' });
    git(dir, 'init', '-q');
    const pinned = await pin(dir, ['a.md']);
    expect(pinned.uncommitted).toBe('everything');
    expect(paths(pinned)).toEqual(['CLAUDE.md', 'a.md']);
    expect([await pinned.before.read('CLAUDE.md', 10), await pinned.before.read('a.md', 10)]).toEqual([
      'rules',
      undefined,
    ]);
    await refused(dir, [], 'HEAD').toMatchObject({ code: 'usage' });
  });

  it('may be a linked worktree, or one with a sparse checkout', async () => {
    const dir = repository({ 'a/x.md': 'x\n', 'b/y.md': 'y\n' });
    const linked = join(scratch(), 'linked');
    git(dir, 'worktree', 'add', '-q', linked);
    git(linked, 'sparse-checkout', 'set', 'a');
    put(linked, { 'a/x.md': 'X\n' });
    const pinned = await pin(linked, [], 'HEAD');
    expect(pinned.inputs).toEqual(['a/x.md']);
    expect(pinned.difference).not.toContain('b/y.md');
  });

  it('is pinned without a folder that has become a link', async () => {
    const dir = repository({ 'src/a.md': 'a', 'b.md': 'b' });
    rmSync(join(dir, 'src'), { recursive: true });
    symlinkSync(scratch({ 'a.md': 'theirs' }), join(dir, 'src'));
    expect(paths(await pin(dir, ['b.md']))).toEqual(['b.md']);
    await refused(dir, ['src/a.md']).toMatchObject({ code: 'usage', message: expect.stringContaining('leads out') });
  });
});

describe('what changed since a revision', () => {
  /** A branch with work on it, and a main that went on. */
  function branched(): string {
    const dir = repository({
      'a.md': '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
      'b.md': 'b\n',
      'gone.md': 'gone\n',
      'run.sh': 'x\n',
    });
    git(dir, 'checkout', '-qb', 'work');
    put(dir, { 'a.md': '1\n2\n3\n4\nfive\n6\n7\n8\n9\n', 'committed.md': 'c\n' });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'work');
    git(dir, 'checkout', '-q', 'main');
    put(dir, { 'b.md': 'only on main\n' });
    git(dir, 'commit', '-qam', 'main');
    git(dir, 'checkout', '-q', 'work');
    return dir;
  }

  it('is what was committed and what was not since the common ancestor, new and deleted files too', async () => {
    const dir = branched();
    put(dir, { 'fresh.md': 'new\n', '-dash\nfeed': 'x', '.gitignore': 'ignored\n', ignored: 'i' });
    rmSync(join(dir, 'gone.md'));
    chmodSync(join(dir, 'run.sh'), 0o755);
    const { inputs, difference = '' } = await pin(dir, [], 'main');
    expect(inputs).toEqual(['-dash\nfeed', '.gitignore', 'a.md', 'committed.md', 'fresh.md', 'run.sh']);
    expect(difference).toContain('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n');
    expect(difference).toContain('deleted file mode 100644');
    expect(difference).toContain('-gone\n');
    expect(difference).toContain('old mode 100644\nnew mode 100755\n');
    expect(difference).not.toContain('only on main');
    const elsewhere = put(scratch(), { 'a.md': '1\n2\n3\n4\n5\n6\n7\n8\n9\n', 'gone.md': 'gone\n', 'run.sh': 'x\n' });
    execFileSync('git', ['apply', '-'], { cwd: elsewhere, input: difference });
    expect(contents(elsewhere)).toMatchObject({ '-dash\nfeed': 'x', 'fresh.md': 'new\n', 'committed.md': 'c\n' });
    expect(existsSync(join(elsewhere, 'gone.md'))).toBe(false);
  });

  it('is told of the named files alone where some are named', async () => {
    const dir = branched();
    put(dir, { 'fresh.md': 'new\n' });
    const { inputs, difference } = await pin(dir, ['fresh.md'], 'main');
    expect(inputs).toEqual(['fresh.md']);
    expect(difference).not.toContain('a.md');
  });

  it('is judged itself where it leaves no file behind, under a name no file of the project has', async () => {
    const taken = { '.helix-difference.patch': 'own\n', '2.helix-difference.patch/x': 'own\n' };
    const dir = repository({ 'a.md': 'a\n', 'b.md': 'b\n', ...taken });
    rmSync(join(dir, 'a.md'));
    const { snapshot, inputs, standIn, difference = '' } = await pin(dir, [], 'HEAD');
    expect([inputs, standIn]).toEqual([['3.helix-difference.patch'], '3.helix-difference.patch']);
    expect((await snapshot.read('3.helix-difference.patch', 9999))?.toString()).toBe(difference);
    expect(difference).toContain('-a\n');
    expect(contents(snapshot.dir)).toEqual({ 'b.md': 'b\n', ...taken, '3.helix-difference.patch': difference });
    expect(await snapshot.changed()).toEqual([]);
    put(dir, { 'b.md': 'B\n' });
    expect(await pin(dir, [], 'HEAD')).toMatchObject({ inputs: ['b.md'] });
  });

  it('shows links for what they are, and what they lead to is none of it', async () => {
    const dir = branched();
    symlinkSync('/etc/hostname', join(dir, 'out'));
    const { inputs, difference = '' } = await pin(dir, [], 'work');
    expect(inputs).toEqual(['.helix-difference.patch']);
    expect(difference).toContain('new file mode 120000');
    expect(difference).toContain('+/etc/hostname\n');
  });

  it('is not hidden by what is judged: attributes, assumed files and an index that was told to look away', async () => {
    const dir = branched();
    put(dir, {
      'a.md': 'bent\n',
      'b.md': 'bent too\n',
      '.gitattributes': '* -diff\n',
      '.git/info/attributes': '* -diff\n',
    });
    git(dir, 'update-index', '--assume-unchanged', 'a.md');
    git(dir, 'update-index', '--skip-worktree', 'b.md');
    const { inputs, difference } = await pin(dir, [], 'work');
    expect(inputs).toEqual(['.gitattributes', 'a.md', 'b.md']);
    expect(difference).toContain('+bent\n');
    expect(difference).toContain('+bent too\n');
  });

  it('is not what git merely writes otherwise: line ends and large files', async () => {
    const content = 'large';
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;
    const attributes = 'c.txt text eol=crlf\nbig filter=lfs\n';
    const dir = repository({ '.gitattributes': attributes, 'c.txt': 'x\n', 'd.txt': 'x\n', big: pointer });
    expect(git(dir, 'config', 'filter.lfs.clean', 'git-lfs clean')).toBe('');
    put(dir, { 'c.txt': 'x\r\n', 'd.txt': 'x\r\n', big: content });
    expect((await pin(dir, [], 'HEAD')).inputs).toEqual(['d.txt']);
    put(dir, { big: 'larger' });
    expect((await pin(dir, [], 'HEAD')).inputs).toEqual(['big', 'd.txt']);
  });

  it.each([
    ['has git keep nothing elsewhere', 'big filter=lfs\n', []],
    ['never said that of this file', '*.iso filter=lfs\n', ['config', 'filter.lfs.clean', 'git-lfs clean']],
  ])('is what takes the place of a pointer to a large file where the user %s', async (_, attributes, settings) => {
    const content = 'print("anything")\n';
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256(content)}\nsize ${content.length}\n`;
    const dir = repository({ '.gitattributes': attributes, big: pointer });
    if (settings.length > 0) git(dir, ...settings);
    put(dir, { big: content });
    const { inputs, difference } = await pin(dir, [], 'HEAD');
    expect({ inputs, difference }).toEqual({
      inputs: ['big'],
      difference: expect.stringContaining('+print("anything")'),
    });
  });

  it('is another commit of a repository inside, and nothing else', async () => {
    const dir = repository({ 'a.md': 'a\n' });
    const [one, two] = ['1', '2'].map((digit) => digit.repeat(40));
    git(dir, 'update-index', '--add', '--cacheinfo', `160000,${one},vendor`);
    git(dir, 'commit', '-qm', 'a repository inside');
    git(dir, 'update-index', '--cacheinfo', `160000,${two},vendor`);
    git(dir, 'commit', '-qm', 'another commit of it');
    const { inputs, standIn, difference } = await pin(dir, [], 'HEAD~1');
    expect(inputs).toEqual([standIn]);
    expect(difference).toContain(`-Subproject commit ${one}\n+Subproject commit ${two}\n`);
    await expect(pin(dir, [], 'HEAD')).rejects.toThrow('nothing has changed since HEAD');
  });

  it('names binary files and very large texts without carrying them', async () => {
    const dir = branched();
    put(dir, { 'b.bin': Buffer.from([0, 1, 2]), 'large.txt': 'x\n'.repeat(5_000_000) });
    const { inputs, difference = '' } = await pin(dir, [], 'work');
    expect(inputs).toEqual(['b.bin', 'large.txt']);
    expect(difference).toContain('Binary files /dev/null and b/b.bin differ');
    expect(difference.length).toBeLessThan(2000);
  });

  it.each([
    '-x',
    '--output=/tmp/x',
    'no-such',
    '',
    'HEAD:a.md',
    'a\0b',
    'main\nHEAD',
    'x'.repeat(2000),
  ])('is refused for the revision %j', async (revision) => {
    await refused(branched(), [], revision).toMatchObject({
      code: 'usage',
      message: expect.stringContaining('--diff'),
    });
  });

  it('is refused where nothing has', async () => {
    await refused(branched(), [], 'work').toMatchObject({ code: 'usage', message: 'nothing has changed since work' });
    await refused(scratch({ a: '' }), [], 'HEAD').toMatchObject({ code: 'usage' });
  });
});

describe('what was there before the work', () => {
  it('is what was committed last, and nothing of what never was', async () => {
    const dir = repository({
      'CLAUDE.md': 'rules',
      'approvals/code/CLAUDE.md': 'judge',
      'gone/x.md': 'x',
      large: 'x'.repeat(99),
    });
    symlinkSync('CLAUDE.md', join(dir, 'AGENTS.md'));
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'link');
    put(dir, {
      'CLAUDE.md': 'approve',
      'approvals/code/checks/own.md': 'own',
      'approvals/code/checks/mine.md': 'mine',
    });
    put(dir, { 'config/approvals.yaml': 'defaults: {}', 'helix.yaml': 'agents: {}', 'skills/own.md': 'own' });
    rmSync(join(dir, 'gone'), { recursive: true });
    const { before, uncommitted } = await pin(dir, ['CLAUDE.md'], undefined, 'approvals/code');
    expect(uncommitted).toBeUndefined();
    expect(await before.read('CLAUDE.md', 99)).toBe('rules');
    expect(await before.read('AGENTS.md', 99)).toBe('rules');
    expect(await before.read('gone/x.md', 99)).toBe('x');
    for (const path of [
      'approvals/code/checks/own.md',
      'config/approvals.yaml',
      'helix.yaml',
      'skills/own.md',
      'no.md',
    ])
      expect(await before.read(path, 99)).toBeUndefined();
    expect(await before.list('approvals/code')).toEqual(['approvals/code/CLAUDE.md']);
    expect([await before.list('config'), await before.list('skills')]).toEqual([[], []]);
    expect(await before.list('.')).toContain('gone/x.md');
    await expect(before.read('large', 10)).rejects.toMatchObject({ code: 'io' });
  });

  it('is what lies there for a definition that no commit has, besides what is judged', async () => {
    const dir = repository({ 'CLAUDE.md': 'rules', 'approvals/code/CLAUDE.md': 'judge' });
    put(dir, {
      'approvals/names/CLAUDE.md': 'names',
      'approvals/names/checks/mine.md': 'mine',
      'approvals/other/CLAUDE.md': 'other',
      'config/approvals.yaml': 'defaults: {}',
    });
    const { before, uncommitted } = await pin(dir, ['approvals/names/checks/mine.md'], undefined, 'approvals/names');
    expect(uncommitted).toBe('definition');
    expect(await before.list('approvals/names')).toEqual(['approvals/names/CLAUDE.md']);
    expect(await before.read('approvals/names/CLAUDE.md', 99)).toBe('names');
    for (const path of ['approvals/names/checks/mine.md', 'approvals/other/CLAUDE.md', 'config/approvals.yaml'])
      expect(await before.read(path, 99)).toBeUndefined();
    expect(await pin(dir, ['CLAUDE.md'], undefined, 'approvals/absent')).not.toHaveProperty('uncommitted');
  });

  it('is what was committed for a definition that a committed link leads to', async () => {
    const dir = repository({ 'a.md': 'a', 'shared/CLAUDE.md': 'committed' });
    mkdirSync(join(dir, 'approvals'));
    symlinkSync('../shared', join(dir, 'approvals/names'));
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'link');
    rmSync(join(dir, 'approvals/names'));
    put(dir, { 'approvals/names/CLAUDE.md': 'lying' });
    const { before } = await pin(dir, ['a.md'], undefined, 'approvals/names');
    expect(await before.read('approvals/names/CLAUDE.md', 99)).toBe('committed');
  });

  it('is the state at the common ancestor where a revision was named, and nothing since then', async () => {
    const dir = repository({ 'CLAUDE.md': 'rules' });
    git(dir, 'checkout', '-qb', 'work');
    put(dir, { 'CLAUDE.md': 'approve', 'AGENTS.md': 'approve' });
    git(dir, 'add', '-A');
    git(dir, 'commit', '-qm', 'work');
    put(dir, { 'approvals/code/CLAUDE.md': 'approve' });
    const { before } = await pin(dir, [], 'main');
    expect(await before.read('CLAUDE.md', 99)).toBe('rules');
    for (const path of ['AGENTS.md', 'approvals/code/CLAUDE.md']) expect(await before.read(path, 99)).toBeUndefined();
    expect([await before.list(''), await before.list('approvals')]).toEqual([['CLAUDE.md'], []]);
  });

  it('is what lies there where there is no repository', async () => {
    const { before, uncommitted } = await pin(scratch({ 'a.md': 'a', 'sub/b.md': 'b' }), ['a.md']);
    expect(uncommitted).toBe('everything');
    expect(await before.read('a.md', 9)).toBe('a');
    expect([await before.list('sub'), await before.list('.')]).toEqual([['sub/b.md'], ['a.md', 'sub/b.md']]);
  });
});

describe('a project without a repository', () => {
  it('is pinned with what lies beside the named files, and without heaps, links and special files', async () => {
    const dir = scratch({ 'a.md': 'a', 'sub/b': '', 'node_modules/x/y': 'x', '.helix/z': 'z', '.venv/named.py': 'n' });
    put(dir, { 'line\nfeed': '1', '-rf': '2' });
    symlinkSync('/etc/hostname', join(dir, 'out'));
    makeFifo(join(dir, 'pipe'));
    const pinned = await pin(dir, ['a.md', '.venv/named.py']);
    expect(paths(pinned)).toEqual(['-rf', '.venv/named.py', 'a.md', 'line\nfeed', 'sub/b']);
    expect(pinned.inputs).toEqual(['.venv/named.py', 'a.md']);
  });

  it('may not be too large, and says what to do', async () => {
    const large = scratch({ 'a.md': 'a', big: '' });
    truncateSync(join(large, 'big'), 10 * 1024 * 1024 + 1);
    await refused(large, ['a.md']).toMatchObject({ code: 'config', hint: expect.stringContaining('git init') });
    const many = scratch({ 'a.md': 'a' });
    for (let n = 0; n < 21; n += 1) {
      mkdirSync(join(many, `d${n}`));
      for (let file = 0; file < 1000; file += 1) writeFileSync(join(many, `d${n}`, String(file)), '');
    }
    await refused(many, ['a.md']).toMatchObject({ code: 'config', message: expect.stringContaining('20000 files') });
    const heavy = scratch({ 'a.md': 'a' });
    for (let n = 0; n < 21; n += 1) {
      writeFileSync(join(heavy, String(n)), '');
      truncateSync(join(heavy, String(n)), 10 * 1024 * 1024);
    }
    await refused(heavy, ['a.md']).toMatchObject({ code: 'config', message: expect.stringContaining('200 MB') });
  });
});

describe.each(['a repository', 'a folder'])('files of %s are named', (kind) => {
  function place(): string {
    const files = {
      'docs/adr/001.md': '1',
      'docs/adr/002.md': '2',
      'src/a[1].ts': 'x',
      'src/b.ts': 'b',
      '.hidden': 'h',
    };
    const dir = kind === 'a folder' ? scratch(files) : repository(files);
    mkdirSync(join(dir, 'empty'));
    symlinkSync('docs/adr/001.md', join(dir, 'newest.md'));
    symlinkSync('/etc/hostname', join(dir, 'out'));
    symlinkSync('nowhere', join(dir, 'broken'));
    makeFifo(join(dir, 'pipe'));
    return dir;
  }

  it.each([
    [['docs/adr/001.md'], ['docs/adr/001.md']],
    [['./docs//adr/001.md', 'docs/adr/../adr/001.md'], ['docs/adr/001.md']],
    [['<dir>/src/b.ts'], ['src/b.ts']],
    [['src/a[1].ts'], ['src/a[1].ts']],
    [['docs/adr/*.md'], ['docs/adr/001.md', 'docs/adr/002.md']],
    [['docs'], ['docs/adr/001.md', 'docs/adr/002.md']],
    [['docs/adr/'], ['docs/adr/001.md', 'docs/adr/002.md']],
    [['.'], ['.hidden', 'docs/adr/001.md', 'docs/adr/002.md', 'src/a[1].ts', 'src/b.ts']],
    [['newest.md'], ['newest.md']],
  ])('by %j', async (names, expected) => {
    const dir = place();
    const pinned = await pin(
      dir,
      names.map((name) => name.replace('<dir>', dir)),
    );
    expect(pinned.inputs).toEqual(expected);
    for (const path of expected) expect(await pinned.snapshot.read(path, 10)).toBeDefined();
  });

  it.each([
    ['docs/adr/01.md', 'there is no file', 'docs/adr/001.md'],
    ['b.ts', 'there is no file', 'src/b.ts'],
    ['src/b.ts/x', 'there is no file', ''],
    ['*.rs', 'no file matches', ''],
    ['empty', 'there are no files in', ''],
    ['out', 'leads out of the project', ''],
    ['broken', 'leads nowhere', ''],
    ['pipe', 'not a regular file', ''],
    ['../x', 'outside the project', ''],
    ['/etc/hostname', 'outside the project', ''],
    ['.git/config', "not a file of the project's own", ''],
    ['.helix/helix.db', "not a file of the project's own", ''],
    ['', 'without a name', ''],
    ['a\0b', 'without a name', ''],
  ])('and %j is refused', async (name, message, near) => {
    const temporary = scratch();
    vi.stubEnv('XDG_CACHE_HOME', temporary);
    await refused(place(), ['src/b.ts', name]).toMatchObject({
      ...{ code: 'usage', message: expect.stringContaining(message), hint: expect.stringContaining(near) },
    });
    vi.unstubAllEnvs();
    const made = join(temporary, 'helix', 'scratch');
    expect(existsSync(made) ? readdirSync(made) : []).toEqual([]);
  });

  it('and none of them is refused', async () => {
    await refused(place(), []).toMatchObject({ code: 'usage' });
  });

  it('or nobody waits for them any more', async () => {
    const pinning = pinProject({ project: place(), files: ['src/b.ts'], signal: AbortSignal.abort() }, tools);
    await expect(pinning).rejects.toMatchObject({ code: 'stopped' });
  });
});

it('a file that is rewritten all the time is pinned as it was at one moment, or not at all', async () => {
  const dir = scratch({ 'a.md': 'a'.repeat(3_000_000) });
  const program = `const { writeFileSync } = require('node:fs');
    for (;;)
      for (const text of ['a', 'b']) writeFileSync(process.argv[1], text.repeat(3_000_000));`;
  const writer = spawn(process.execPath, ['-e', program, join(dir, 'a.md')]);
  const ended = once(writer, 'close');
  const seen: string[] = [];
  while (seen.length < 20) {
    try {
      const { snapshot } = await pin(dir, ['a.md']);
      const text = (await snapshot.read('a.md', 4_000_000))?.toString() ?? '';
      seen.push([...new Set(text)].join(''));
      await snapshot.dispose();
    } catch (error) {
      expect(error).toMatchObject({ code: 'io', message: expect.stringContaining('changes while it is read') });
      seen.push('');
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  writer.kill();
  await ended;
  expect(seen.filter((each) => each === 'ab' || each === 'ba')).toEqual([]);
});
