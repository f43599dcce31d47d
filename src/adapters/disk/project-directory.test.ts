import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFifo, scratch } from '../../../test/scratch.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { openProject } from './project-directory.ts';

const LIMIT = 1000;

/** A project with everything in it that can go wrong, and something to be left alone beside it. */
function trap(): { dir: string; project: ReturnType<typeof openProject> } {
  const root = scratch({ 'outside/secret.md': 'secret', 'project/docs/a.md': 'a', 'project/AGENTS.md': 'read me' });
  const dir = join(root, 'project');
  symlinkSync('../outside/secret.md', join(dir, 'out.md'));
  symlinkSync('../outside', join(dir, 'outside'));
  symlinkSync('AGENTS.md', join(dir, 'CLAUDE.md'));
  symlinkSync('docs', join(dir, 'linked'));
  symlinkSync('gone', join(dir, 'dangling'));
  symlinkSync('ring', join(dir, 'ring'));
  symlinkSync('/dev/zero', join(dir, 'zero'));
  makeFifo(join(dir, 'pipe'));
  writeFileSync(join(dir, 'huge'), '');
  truncateSync(join(dir, 'huge'), 10 * 1024 ** 3);
  return { dir, project: openProject(dir) };
}

it('a file is read, through links that stay inside as well, and what is not there is undefined', async () => {
  const { project } = trap();
  for (const path of ['AGENTS.md', 'CLAUDE.md', './docs/../AGENTS.md']) {
    expect(await project.read(path, LIMIT), path).toBe('read me');
  }
  expect(await project.read('linked/a.md', LIMIT)).toBe('a');
  for (const path of ['gone', 'gone/deeper', 'AGENTS.md/below', 'docs/gone']) {
    expect(await project.read(path, LIMIT), path).toBeUndefined();
  }
});

it.each([
  ['out.md', /leads out of the project, to .*secret[.]md/],
  ['outside/secret.md', /leads out of the project/],
  ['../outside/secret.md', /leads out of the project/],
  ['../project2', undefined],
  ['zero', /leads out of the project, to \/dev\/zero/],
  ['dangling', /dangling cannot be used/],
  ['ring', /ring cannot be used/],
  ['pipe', /pipe is not a regular file/],
  ['docs', /docs is not a regular file/],
  ['huge', /huge is too large: 10737418240 bytes, the limit is 1000/],
])('reading %s is refused at once', async (path, message) => {
  const { project } = trap();
  const work = workMeter();
  const reading = project.read(path, LIMIT);
  if (message === undefined) expect(await reading).toBeUndefined();
  else await expect(reading).rejects.toMatchObject({ code: 'io', message: expect.stringMatching(message) });
  expect(work()).toBeLessThan(200);
});

it('a directory whose name only begins like that of the project is outside', async () => {
  const root = scratch({ 'base2/secret': 'x' });
  mkdirSync(join(root, 'base'));
  symlinkSync('../base2/secret', join(root, 'base/link'));
  await expect(openProject(join(root, 'base')).read('link', LIMIT)).rejects.toThrow('leads out');
  symlinkSync('..b', join(root, 'base/..a'));
  writeFileSync(join(root, 'base/..b'), 'inside');
  expect(await openProject(join(root, 'base')).read('..a', LIMIT)).toBe('inside');
});

it('text is UTF-8, a byte order mark is not part of it, and anything else is refused', async () => {
  const project = openProject(
    scratch({
      bom: Buffer.from('\ufeffname: x'),
      latin: Buffer.from('gr\xfc\xdfe', 'latin1'),
      utf16: Buffer.from('\ufeffx', 'utf16le'),
      empty: '',
      fits: 'x'.repeat(LIMIT),
    }),
  );
  expect(await project.read('bom', LIMIT)).toBe('name: x');
  expect(await project.read('empty', LIMIT)).toBe('');
  expect(await project.read('fits', LIMIT)).toHaveLength(LIMIT);
  for (const path of ['latin', 'utf16']) {
    await expect(project.read(path, LIMIT)).rejects.toMatchObject({ code: 'io', message: `${path} is not UTF-8 text` });
  }
});

it('a path names a regular file or nothing', async () => {
  const { project } = trap();
  expect(await project.match('AGENTS.md')).toEqual(['AGENTS.md']);
  expect(await project.match('./docs//a.md')).toEqual(['docs/a.md']);
  expect(await project.match('CLAUDE.md')).toEqual(['CLAUDE.md']);
  for (const path of ['docs', 'pipe', 'gone', 'AGENTS.md/below']) expect(await project.match(path), path).toEqual([]);
  await expect(project.match('out.md')).rejects.toMatchObject({ code: 'io' });
  await expect(project.match('../outside/secret.md')).rejects.toMatchObject({ code: 'io' });
});

it('a glob finds regular files, sorted, and follows no link', async () => {
  const { project } = trap();
  expect(await project.match('**/*.md')).toEqual(['AGENTS.md', 'docs/a.md']);
  expect(await project.match('docs/**')).toEqual(['docs/a.md']);
  expect(await project.match('./docs/*.md')).toEqual(['docs/a.md']);
  expect(await project.match('{docs,outside}/*')).toEqual(['docs/a.md']);
  for (const pattern of ['outside/*', 'linked/*', '../outside/*', 'gone/*', 'AGENTS.md/*', '*/secret.md']) {
    expect(await project.match(pattern), pattern).toEqual([]);
  }
});

it('a glob comes neither to what HELIX and git keep nor to installed packages', async () => {
  const project = openProject(
    scratch({
      '.helix/x.md': '',
      '.git/x.md': '',
      'sub/.git/x.md': '',
      'node_modules/p/x.md': '',
      'sub/node_modules/p/x.md': '',
      '.github/x.md': '',
      'sub/x.md': '',
    }),
  );
  expect(await project.match('**/*.md')).toEqual(['.github/x.md', 'sub/x.md']);
  for (const pattern of ['.git/*', '.helix/**', 'node_modules/**', 'sub/.git/*']) {
    expect(await project.match(pattern), pattern).toEqual([]);
  }
  for (const path of ['.git/x.md', '.helix/x.md', 'sub/.git/x.md']) expect(await project.match(path)).toEqual([]);
  expect(await project.match('node_modules/p/x.md')).toEqual(['node_modules/p/x.md']);
});

it('links below a folder are told wherever they lead, and so is the one that leads to the folder', async () => {
  const dir = scratch({ 'a/b/c.md': 'c', 'a/node_modules/x.md': '', 'shared/s.md': 's' });
  symlinkSync('../../shared/s.md', join(dir, 'a/b/in.md'));
  symlinkSync('/etc', join(dir, 'a/out'));
  symlinkSync('nowhere', join(dir, 'a/b/gone'));
  symlinkSync('a', join(dir, 'linked'));
  const project = openProject(dir);
  expect(await project.links('a')).toEqual(['a/b/gone', 'a/b/in.md', 'a/out']);
  expect(await project.links('linked/b')).toEqual(['linked']);
  expect(await project.links('a/out')).toEqual(['a/out']);
  expect(
    await Promise.all(['a/out', 'a/b/gone', 'a/b/c.md', 'a/b/c.md/d', 'none'].map((path) => project.target(path))),
  ).toEqual(['/etc', 'nowhere', undefined, undefined, undefined]);
  for (const folder of ['shared', 'gone', 'a/b/c.md', '..']) expect(await project.links(folder)).toEqual([]);
});

it('directories are told from files, and a link out is refused', async () => {
  const { project } = trap();
  expect(await project.hasDirectory('docs')).toBe(true);
  expect(await project.hasDirectory('linked')).toBe(true);
  expect(await project.hasDirectory('AGENTS.md')).toBe(false);
  expect(await project.hasDirectory('gone')).toBe(false);
  await expect(project.hasDirectory('outside')).rejects.toMatchObject({ code: 'io' });
});

it('a project in or below a repository is in git', async () => {
  const dir = scratch({ 'repository/.git/HEAD': '', 'repository/a/b/x': '' });
  expect(await openProject(join(dir, 'repository/a/b')).inGit()).toBe(true);
  expect(await openProject(join(dir, 'repository')).inGit()).toBe(true);
  expect(await openProject(dir).inGit()).toBe(false);
});

it('a directory of its repository is found from the top, unless a link or another repository is on the way', async () => {
  const dir = scratch({
    'top/.git/HEAD': '',
    'top/plans/x': '',
    'top/app/core/x': '',
    'top/other/.git': '',
    'top/file': '',
  });
  symlinkSync('app', join(dir, 'top/link'));
  const project = openProject(join(dir, 'top/plans'));
  for (const [path, at, home] of [
    ['.', 'top', 'plans'],
    ['app/core', 'top/app/core', '../../plans'],
    ['plans', 'top/plans', ''],
  ] as const) {
    expect(await project.fromTop(path)).toMatchObject({ project: { dir: join(dir, at) }, home });
  }
  for (const path of ['link', 'link/core', 'other', 'file', 'gone', '.git', 'app/.helix'])
    expect(await project.fromTop(path)).toMatchObject({ problem: expect.stringMatching(/^leads to /) });
  expect(await openProject(dir).fromTop('.')).toMatchObject({ problem: expect.stringContaining('in none') });
});

it('a project in or below a bare repository is refused, unless a work tree is in between', async () => {
  const dir = scratch({ 'bare/HEAD': '', 'bare/objects/x': '', 'bare/refs/x': '', 'bare/a/x': '', 'bare/b/.git': '' });
  for (const path of ['bare', 'bare/a']) {
    await expect(openProject(join(dir, path)).inGit()).rejects.toMatchObject({
      code: 'config',
      message: `${join(dir, 'bare')} is a bare repository: it has no work tree`,
      hint: expect.stringContaining('git worktree add'),
    });
  }
  expect(await openProject(join(dir, 'bare/b')).inGit()).toBe(true);
});

it('the directory of a project is its real path; a file or nothing is no project', () => {
  const dir = scratch({ 'real/x': '' });
  symlinkSync('real', join(dir, 'link'));
  expect(openProject(join(dir, 'link')).dir).toBe(join(dir, 'real'));
  for (const path of ['gone', 'real/x']) {
    expect(() => openProject(join(dir, path))).toThrow(expect.objectContaining({ code: 'not_found' }));
  }
});
