import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { put, scratch } from '../../../../test/scratch.ts';
import { findToolchains } from './toolchains.ts';

function home(...files: string[]): string {
  return put(scratch(), Object.fromEntries(files.map((file) => [file, ''])));
}

/** What is found of a home, relative to it. */
function found(dir: string, env: Readonly<Record<string, string>>): string[] {
  return findToolchains(env, dir).map((path) => (path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : path));
}

it('what is installed beside a directory of programs belongs to it', () => {
  const dir = home('sdk/go/bin/go', 'sdk/go/lib/time', 'sdk/go/src/fmt.go', 'maven/bin/mvn', 'maven/boot/x.jar');
  const PATH = `${dir}/sdk/go/bin:${dir}/maven/bin`;
  expect(found(dir, { PATH })).toEqual(['sdk/go', 'maven']);
});

it('what somebody works on does not, although it has programs', () => {
  const dir = home('mine/bin/x', 'mine/lib/y', 'mine/.git/config', 'mine/notes', 'go/bin/x', 'go/src/mine/x.go');
  const PATH = `${dir}/mine/bin:${dir}/go/bin`;
  expect(found(dir, { PATH })).toEqual(['mine/bin', 'mine/lib', 'go/bin']);
});

it('what lies beside the bin of a home does not', () => {
  const dir = home('bin/x', 'lib/mine', '.local/bin/y', '.local/share/keyrings/z', '.local/lib/python3/site.py');
  const PATH = `${dir}/bin:${dir}/.local/bin`;
  expect(found(dir, { PATH })).toEqual(['bin', '.local/bin', '.local/lib']);
});

it('of the roots of tools only what is needed is taken', () => {
  const dir = home(
    '.cargo/bin/cargo',
    '.cargo/registry/x',
    '.cargo/credentials.toml',
    '.rustup/settings.toml',
    'go/src/mine',
    'go/pkg/x',
  );
  expect(found(dir, { PATH: '' })).toEqual(['.cargo/bin', '.cargo/registry', '.rustup', 'go/pkg']);
});

it('a variable says where a root is', () => {
  const dir = home('x');
  const other = home('cargo/bin/cargo', 'gopath/pkg/x');
  const env = { CARGO_HOME: join(other, 'cargo'), GOPATH: `${dir}:${other}/gopath` };
  expect(findToolchains(env, dir)).toEqual([join(other, 'cargo/bin'), join(other, 'gopath/pkg')]);
});

it('links are followed step by step into what they are installed with', () => {
  const dir = home('opt/node/bin/other', 'opt/node/lib/npm/cli.js', 'opt/tool.sh');
  mkdirSync(join(dir, 'bin'));
  for (const file of ['opt/node/lib/npm/cli.js', 'opt/tool.sh']) chmodSync(join(dir, file), 0o755);
  symlinkSync('../lib/npm/cli.js', join(dir, 'opt/node/bin/npm'));
  symlinkSync('../opt/node/bin/npm', join(dir, 'bin/npm'));
  symlinkSync('../opt/tool.sh', join(dir, 'bin/tool'));
  symlinkSync('loop', join(dir, 'bin/loop'));
  const paths = found(dir, { PATH: join(dir, 'bin') });
  expect(paths).toEqual(expect.arrayContaining(['bin', 'opt/node', 'opt/tool.sh']));
  expect(paths).not.toContain('opt');
});

it('links to what is no program are not followed', () => {
  const dir = home('bin/x', '.ssh/id', 'private.txt', 'opt/tool.sh');
  chmodSync(join(dir, 'opt/tool.sh'), 0o755);
  symlinkSync('../.ssh', join(dir, 'bin/keys'));
  symlinkSync('../private.txt', join(dir, 'bin/p'));
  symlinkSync('p', join(dir, 'bin/q'));
  symlinkSync('../opt/tool.sh', join(dir, 'bin/tool'));
  expect(found(dir, { PATH: join(dir, 'bin') })).toEqual(['bin', 'opt/tool.sh']);
});

it('neither a home nor what holds one is a toolchain', () => {
  const dir = home('.ssh/id');
  const env = { PATH: `${dir}:${join(dir, '..')}:/:relative:`, JAVA_HOME: dir, GOPATH: '/' };
  expect(findToolchains(env, dir)).toEqual([]);
});

it('the system is there already', () => {
  expect(findToolchains({ PATH: '/usr/bin:/bin:/usr/local/sbin', JAVA_HOME: '/usr/lib' }, home())).toEqual([]);
});
