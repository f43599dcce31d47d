import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contents, put, scratch } from '../../../../test/scratch.ts';
import { ownProgram } from '../own-program.ts';
import { eventually, lives } from '../programs.fixture.ts';
import { closed, describeWalled, runWalled, shellWalled } from './walled.fixture.ts';

const SECRETS = {
  '.ssh/id_x': 'key',
  '.aws/credentials': 'aws',
  '.claude/x.json': 'login',
  '.config/gh/hosts.yml': 'gh',
};

/** A home with secrets in it, and a directory to work in beside it. */
function place(home: Readonly<Record<string, string>> = {}): { root: string; home: string; dir: string } {
  const root = scratch();
  const dir = join(root, 'work');
  mkdirSync(dir);
  return { root, home: put(join(root, 'home'), { ...SECRETS, ...home }), dir };
}

function program(path: string, text: string): void {
  put('/', { [path]: text });
  chmodSync(path, 0o755);
}

describeWalled('behind closed walls a program', () => {
  it('sees an empty home, which is gone afterwards', async () => {
    const { home, dir } = place();
    const end = await shellWalled('ls -A ~; cat ~/.ssh/id_x || echo made > ~/made && cat ~/made', dir, {
      env: { HOME: home },
    });
    expect(end.tail).toMatch(/id_x: No such file or directory\nmade\n$/);
    expect(Object.keys(contents(home)).sort()).toEqual(Object.keys(SECRETS).sort());
  });

  it('writes where it may, and nowhere else', async () => {
    const { root, dir } = place();
    const more = { confine: closed(dir, { readable: [put(join(root, 'given'), { x: 'given' })] }) };
    const end = await shellWalled(
      'cat ../given/x; echo a > a; echo b > ../given/x; echo c > ../c; echo d > /etc/d',
      dir,
      more,
    );
    expect(end.tail.match(/Read-only file system/g)).toHaveLength(2);
    expect(contents(root)).toMatchObject({ 'work/a': 'a\n', 'given/x': 'given' });
    expect(existsSync(join(root, 'c'))).toBe(false);
  });

  it('has directories for temporary files of its own', async () => {
    const { root, home, dir } = place();
    const end = await shellWalled('echo x > $(mktemp) && ls /tmp | wc -l; echo $TMPDIR', dir, {
      env: { TMPDIR: root, HOME: home, PATH: '/usr/bin:/bin' },
    });
    expect(end).toMatchObject({ exitCode: 0, tail: '1\n/tmp\n' });
  });

  it('reads a project without its history and without what HELIX knows', async () => {
    const { root, dir } = place();
    const project = put(join(root, 'project'), {
      'check.sh': 'echo ok',
      '.git/config': 'token',
      '.helix/helix.db': 'db',
    });
    const more = { confine: closed(dir, { readable: [project] }) };
    const end = await shellWalled(
      `sh ${project}/check.sh; cat ${project}/.git/config ${project}/.helix/helix.db`,
      dir,
      more,
    );
    expect(end.tail).toMatch(/^ok\n/);
    expect(end.tail.match(/No such file/g)).toHaveLength(2);
  });

  it('does not see the home of a user whose project it is', async () => {
    const { home, dir } = place();
    const more = { env: { HOME: home }, confine: closed(dir, { readable: [home] }) };
    expect((await shellWalled('cat ~/.ssh/id_x', dir, more)).exitCode).toBe(1);
  });

  it('uses the tools of its user, wherever PATH finds them', async () => {
    const { root, home, dir } = place({ '.cargo/credentials.toml': 'token', '.local/share/secret': 'secret' });
    program(join(home, 'bin/hello'), '#!/bin/sh\necho hello');
    program(join(home, '.local/share/pipx/venvs/tool/bin/tool'), '#!/bin/sh\ncat $(dirname $0)/../pyvenv.cfg');
    put(home, { '.local/share/pipx/venvs/tool/pyvenv.cfg': 'a venv\n' });
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    symlinkSync(join(home, '.local/share/pipx/venvs/tool/bin/tool'), join(home, '.local/bin/tool'));
    program(join(home, '.cargo/bin/cargo-x'), '#!/bin/sh\ncat ~/.cargo/credentials.toml ~/.local/share/secret');
    program(join(root, 'node/bin/run'), '#!/bin/sh\ncat "$(dirname "$0")/../lib/text"');
    put(root, { 'node/lib/text': 'from lib\n' });
    const dirs = ['bin', '.local/bin', '.cargo/bin', '../node/bin'].map((below) => join(home, below));
    const env = { HOME: home, PATH: [...dirs, process.env.PATH].join(':') };
    const end = await shellWalled('hello; $(readlink -f $(command -v tool)); run; cargo-x', dir, { env });
    expect(end.tail).toMatch(/^hello\na venv\nfrom lib\n/);
    expect(end.tail.match(/No such file/g)).toHaveLength(2);
  });

  it('finds what it knows by a path with links', async () => {
    const { root, home, dir } = place();
    program(join(home, 'bin/hello'), '#!/bin/sh\necho hello');
    symlinkSync('home', join(root, 'linked'));
    const env = { HOME: join(root, 'linked'), PATH: `${root}/linked/bin:${process.env.PATH}` };
    const end = await shellWalled('hello; cd ~ && pwd -P; ls -A', dir, { env });
    expect(end.tail).toBe(`hello\n${home}\nbin\n`);
  });

  it('has a home also where that is a link', async () => {
    const { root, home, dir } = place();
    mkdirSync(join(root, 'users'));
    symlinkSync('../home', join(root, 'users/ada'));
    const env = { HOME: join(root, 'users/ada'), PATH: '/usr/bin:/bin' };
    const end = await shellWalled('cd ~ && pwd -P && echo made > ~/made && ls -A', dir, { env });
    expect(end.tail).toBe(`${home}\nmade\n`);
    expect(existsSync(join(home, 'made'))).toBe(false);
  });

  it('never sees the home because it is in PATH', async () => {
    const { root, home, dir } = place();
    const env = { HOME: home, PATH: [home, root, '/', process.env.PATH].join(':') };
    expect((await shellWalled('cat ~/.ssh/id_x', dir, { env })).exitCode).toBe(1);
  });

  it('reaches itself over the network, and nobody else unless it may', async () => {
    const { dir } = place();
    const port = await listening();
    const script = `connect(${port}, () => require('net').createServer().listen(0, '127.0.0.1', function () { connect(this.address().port, () => process.exit()) }));
      function connect(port, then) { require('net').connect(port, '127.0.0.1').on('connect', () => console.log('reached')).on('error', (e) => console.log(e.code)).on('close', then) .on('connect', function () { this.destroy() }) }`;
    const argv = [process.execPath, '-e', script];
    expect((await runWalled(argv, dir)).tail).toBe('ECONNREFUSED\nreached\n');
    expect((await runWalled(argv, dir, { confine: closed(dir, { network: 'open' }) })).tail).toBe('reached\nreached\n');
  });

  it('sees no process but its own, and cannot end HELIX', async () => {
    const { dir } = place();
    const end = await shellWalled(`ls /proc | grep -c '^[0-9]'; kill -9 ${process.pid}; echo $$`, dir);
    expect(end.tail).toMatch(/^[1-6]\n.*No such process\n+2\n$/s);
  });

  it('cannot get at what root could', async () => {
    const { dir } = place();
    const end = await shellWalled(
      'cat /etc/shadow > x; echo 1 > /proc/sys/vm/swappiness; mount -o remount,rw /usr; ls /run',
      dir,
    );
    expect(end.exitCode).toBe(0);
    expect(end.tail.match(/denied|Read-only|not permitted|must be superuser|No such file/g)).toHaveLength(3);
    expect(readFileSync(join(dir, 'x'), 'utf8')).toBe('');
  });

  it.each([
    ['exit 3', { ended: 'exit', exitCode: 3 }],
    ['no-such-program-here', { ended: 'exit', exitCode: 127 }],
    ['/etc/passwd', { ended: 'exit', exitCode: 126 }],
    ['kill -SEGV $$', { ended: 'exit', exitCode: 139 }],
  ])('ends with its own exit code: %s', async (script, expected) => {
    expect(await shellWalled(script, place().dir)).toMatchObject(expected);
  });

  it('that ends by a signal has no exit code', async () => {
    const argv = [process.execPath, '-e', 'process.kill(process.pid, "SIGABRT")'];
    const end = await runWalled(argv, place().dir);
    expect(end).toMatchObject({ ended: 'signal', message: 'ended by SIGABRT' });
    expect(end.exitCode).toBeUndefined();
  });

  it.each([
    ['is not there', ['./none'], /^cannot start \.\/none: there is no such program/],
    ['is not in PATH', ['no-such-program-here'], /no executable program of this name in PATH/],
    ['is not executable', ['./plain'], /not executable/],
    ['is a directory', ['./'], /not executable/],
    ['has no interpreter', ['./script'], /not the interpreter its first line names/],
  ])('that %s is not started', async (_, argv, message) => {
    const { dir } = place();
    put(dir, { plain: 'x' });
    program(join(dir, 'script'), '#!/no/such/interpreter\n');
    const end = await runWalled(argv, dir);
    expect(end).toMatchObject({ ended: 'spawn', message: expect.stringMatching(message) });
    expect(end.tail).toBe('');
  });

  it('whose walls cannot be built is not started', async () => {
    const { root, dir } = place();
    const end = await shellWalled('echo hello', dir, { confine: closed(dir, { writable: [dir, join(root, 'gone')] }) });
    expect(end).toMatchObject({
      ended: 'spawn',
      message: expect.stringMatching(/in the sandbox: Can't find source path/),
    });
  });

  it('may end politely when it is ended', async () => {
    const { dir } = place();
    const polite = 'trap "echo bye > bye; exit 0" TERM; echo ready; sleep 3600 & wait';
    expect((await shellWalled(polite, dir, { endsAt: 'ready' })).ended).toBe('aborted');
    expect(contents(dir)).toEqual({ bye: 'bye\n' });
  });

  it('is killed when it does not, with all that it has started', async () => {
    const { dir } = place();
    const fork = 'setsid sh -c "trap \\"\\" TERM; (env -i sleep 3600 & env -i sleep 3600 & wait) & wait" &';
    const stubborn = `${fork} trap "" TERM; echo ready; sleep 3600; sleep 3600`;
    expect((await shellWalled(stubborn, dir, { endsAt: 'ready' })).ended).toBe('aborted');
    expect(await sleepers(dir)).toEqual([]);
  });

  it('takes with it what it leaves behind', async () => {
    const { dir } = place();
    const end = await shellWalled('setsid env -i sleep 3601 > /dev/null 2>&1 & sleep 0.2; echo done', dir);
    expect(end).toMatchObject({ exitCode: 0, tail: 'done\n' });
    expect(await sleepers(dir)).toEqual([]);
  });

  it('can be a program of HELIX itself', async () => {
    const { dir } = place();
    const end = await runWalled([...ownProgram('syntax')], dir);
    expect(end).toMatchObject({ ended: 'exit', exitCode: 0, tail: '' });
  });
});

/** The processes that still work in a directory. */
async function sleepers(dir: string): Promise<string[]> {
  const works = (pid: string) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).endsWith(dir) && lives(Number(pid));
    } catch {
      return false;
    }
  };
  const found = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && works(name));
  await eventually(() => found().length === 0);
  return found();
}

/** The port of a server outside the walls. */
async function listening(): Promise<number> {
  const server: Server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
