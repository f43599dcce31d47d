import { chmodSync, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findBubblewrap } from '../src/adapters/programs/walls/find-bubblewrap.ts';
import { describeWalled } from '../src/adapters/programs/walls/walled.fixture.ts';
import { startHelix } from './helix-process.ts';
import { Repository, words } from './repository.ts';
import { eventually } from './robust-project.ts';
import { put } from './scratch.ts';

type Gate = Readonly<Record<string, unknown>>;

/** A repository whose one phase is judged by a script of it. */
function judgedBy(check: string, { settings = {}, gate = {} }: { settings?: Gate; gate?: Gate } = {}): Repository {
  const custom = { type: 'custom', command: ['sh', 'check.sh'], ...gate };
  return new Repository({
    files: { 'check.sh': check },
    phases: [{ id: 'work', type: 'development', output: ['out.txt'], quality_gate: custom }],
    settings: { sandbox: 'strict', ...settings },
  });
}

/** Fails, and says so, if one of the commands works that must not. */
function mustFail(...commands: string[]): string {
  return commands
    .map((command) => `if ${command}; then echo "BREACH: ${command.replaceAll(/["$]/g, '')}"; exit 9; fi`)
    .join('\n');
}

/** What starts a program on a machine without bubblewrap: this one, with nothing where it was. */
async function withoutBubblewrap(): Promise<string[]> {
  const bubblewrap = await findBubblewrap();
  if (bubblewrap === undefined) return [];
  return [bubblewrap, '--dev-bind', '/', '/', '--ro-bind', '/dev/null', realpathSync(bubblewrap), '--'];
}

/** The processes whose command line has this text. */
function running(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
    } catch {
      return false;
    }
  });
}

describeWalled('in the strict sandbox', () => {
  it('a gate sees the judged files and their history, and nothing else of its user', async () => {
    const repository = judgedBy(
      `git log --oneline main | grep -q first && git status --short > /dev/null || exit 8
test "$(pwd -P)" = "$PWD" && test -f readme.md || exit 7
${mustFail(
  'cat ~/.ssh/id_x',
  'cat "$HELIX_PROJECT_DIR/readme.md"',
  'cat "$HELIX_PROJECT_DIR/.git/config"',
  'ls "$HELIX_PROJECT_DIR/.helix/helix.db"',
  'ls /run/user /var/run/docker.sock',
  `kill -0 ${process.pid}`,
)}
touch "$HELIX_PROJECT_DIR/evil" ../evil
echo scribble > readme.md; echo x > ~/x; echo y > /tmp/y`,
    );
    put(repository.home, { '.ssh/id_x': 'key' });
    const before = repository.digest();
    const run = await repository.run();
    expect(run, run.said).toMatchObject({ code: 0 });
    expect(run.said).toMatch(/^sandbox: strict \(bubblewrap [\d.]+\)(, .+ not limited)?$/m);
    expect(run.state?.sandbox).toMatchObject({ level: 'strict' });
    expect(repository.digest()).toEqual(before);
    expect(await repository.result('readme.md')).toBe('hello');
    expect((await repository.helix(['status'])).stdout).toContain('sandbox strict');
    const gate = await repository.helix(['gate', 'work']);
    expect(gate, gate.stdout).toMatchObject({ code: 0 });
  });

  it.each([
    ['reaches itself and not the machine', {}, {}, 0],
    ['reaches the machine if it asks for the network', { network: true }, {}, 9],
    ['reaches the machine if helix.yaml lets gates', {}, { network: { gate: true } }, 9],
    ['reaches nobody if it says so itself', { network: false }, { network: { gate: true } }, 0],
  ])('a gate %s', async (_, gate, settings, expected) => {
    const port = await listening();
    const script = `const net = require('net');
net.connect(${port}, '127.0.0.1').on('connect', () => process.exit(9)).on('error', () => {
  const own = net.createServer().listen(0, '127.0.0.1', () => net.connect(own.address().port, '127.0.0.1').on('connect', () => process.exit(0)));
});`;
    const repository = judgedBy(`cat > /tmp/x.js <<'END'\n${script}\nEND\nexec node /tmp/x.js`, { gate, settings });
    const run = await repository.run();
    if (expected === 0) expect(run, run.said).toMatchObject({ code: 0 });
    else expect(words(run).join('\n')).toMatch(/exit code 9/);
  });

  it('a gate uses the tools of its user, also those below the home', async () => {
    const repository = judgedBy('mytool');
    put(repository.home, { 'bin/mytool': '#!/bin/sh\ntest ! -e ~/.secret\n', '.secret': 'x' });
    chmodSync(join(repository.home, 'bin/mytool'), 0o755);
    const run = await repository.run([], { env: { PATH: `${repository.home}/bin:${process.env.PATH}` } });
    expect(run, run.said).toMatchObject({ code: 0 });
  });

  it('a gate inherits nothing that was open where HELIX was started', async () => {
    const repository = judgedBy(
      'test ! -e /proc/self/fd/200 || cat /proc/self/fd/200/.ssh/id_x; ls /proc/self/fd; exit 5',
    );
    put(repository.home, { '.ssh/id_x': 'the-key' });
    const through = ['bash', '-c', `exec 200<${repository.home} 9<${repository.home}; exec "$@"`, 'bash'];
    const run = await repository.run([], { through });
    expect(words(run).join('\n')).toMatch(/exit(ed with)? code 5/);
    expect(words(run).join('\n')).not.toMatch(/the-key|\b200\b|\b9\b/);
  });

  it('a command that is not there is a set-up error that tells what can be seen', async () => {
    const run = await judgedBy('exit 0', { gate: { command: ['sh', '-c', '/home/nobody/tool'] } }).run();
    expect(run.code).toBe(2);
    expect(run.said).toMatch(
      /cannot run: sh -c \/home\/nobody\/tool: exited with code 127[\s\S]*In the strict sandbox it sees/,
    );
  });

  it('an agent cannot change the project, its history or what HELIX knows', async () => {
    const repository = judgedBy('exit 0');
    repository.agent(`cd "$HELIX_PROJECT_DIR"
${mustFail('touch evil', 'echo x >> readme.md', 'git branch evil', 'touch .git/config', 'rm .helix/helix.db', `kill -0 ${process.pid}`)}
cd - > /dev/null; echo done > out.txt; touch "$HELIX_PROJECT_DIR/../beside"`);
    const before = repository.digest();
    const run = await repository.run();
    expect(run, run.said).toMatchObject({ code: 0, findings: [] });
    expect(repository.digest()).toEqual(before);
    expect(existsSync(repository.beside('beside'))).toBe(true);
  });

  it('where phases have directories, agents write into theirs and gates read the project', async () => {
    const repository = new Repository({
      agent: `${mustFail('touch ../../evil', 'touch ../evil')}\nmkdir -p output; echo done > output/out.txt`,
      files: {
        'tools/check': `#!/bin/sh\ntest -f output/out.txt || exit 1\n${mustFail('ls ../../.git/config', 'ls ../../.helix/helix.db', 'touch ../../evil')}`,
      },
      plan: { workspace: 'phase-dirs' },
      phases: [
        {
          id: 'work',
          type: 'development',
          output: ['output/out.txt'],
          quality_gate: { type: 'custom', command: ['./tools/check'] },
        },
      ],
      settings: { sandbox: 'strict' },
    });
    chmodSync(repository.path('tools/check'), 0o755);
    const run = await repository.run();
    expect(run, run.said).toMatchObject({ code: 0 });
  });

  it('what was wished for when the run began holds when it is resumed', async () => {
    const repository = judgedBy(
      'test ! -e "$HELIX_PROJECT_DIR/readme.md" && { test ! -e out.txt || grep -q 2 out.txt; }',
    );
    repository.agent('echo $HELIX_ATTEMPT > out.txt');
    expect(await repository.run(['--budget', '1attempts'])).toMatchObject({ code: 4 });
    const settings = JSON.parse(repository.read('helix.yaml')) as Record<string, unknown>;
    repository.write({ 'helix.yaml': JSON.stringify({ ...settings, sandbox: 'none' }) });
    const run = await repository.resume(['--budget', '9attempts']);
    expect(run, run.said).toMatchObject({ code: 0 });
    const resumed = run.events.find((event) => event.type === 'run_resumed');
    expect(resumed?.data.sandbox).toMatchObject({ level: 'strict' });
    expect(run.stderr).toContain('helix.yaml changed since this run began; it goes on as it was');
  });

  it.each(['agent', 'gate'])('nothing an %s started survives the sudden death of HELIX', async (who) => {
    const seconds = `3${process.pid}.${who === 'agent' ? 1 : 2}`;
    const stray = `setsid env -i sleep ${seconds} & (setsid sh -c 'env -i sleep ${seconds} & env -i sleep ${seconds}' &) ; sleep ${seconds}`;
    const repository = judgedBy(who === 'gate' ? `test -e out.txt || exit 0\n${stray}` : 'exit 0');
    if (who === 'agent') repository.agent(stray);
    const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
    await eventually(() => running(`sleep\0${seconds}`).length >= 4);
    child.kill('SIGKILL');
    await end;
    await eventually(() => running(`sleep\0${seconds}`).length === 0);
  });

  it('a run that is stopped lets its agent end politely', async () => {
    const repository = judgedBy('exit 0');
    repository.agent(`trap 'echo bye > "$0.bye"; exit 1' TERM; echo on > "$0.on"; sleep 3600 & wait`);
    const { child, end } = startHelix(['run', '--trust'], { cwd: repository.dir, env: repository.env() });
    await eventually(() => existsSync(`${repository.agentPath}.on`));
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 130 });
    expect(existsSync(`${repository.agentPath}.bye`)).toBe(true);
  });
});

describe('without bubblewrap', () => {
  it('strict refuses, and says how to get it', async () => {
    const repository = judgedBy('exit 0');
    const run = await repository.run([], { through: await withoutBubblewrap() });
    expect(run).toMatchObject({ code: 2, events: [] });
    expect(run.stderr).toMatch(
      /the strict sandbox does not work here: bubblewrap is not installed\nInstall bubblewrap \(Debian/,
    );
  });

  it('auto is basic, and says why', async () => {
    const repository = judgedBy('test -e "$HELIX_PROJECT_DIR"', { settings: { sandbox: 'auto' } });
    const run = await repository.run([], { through: await withoutBubblewrap() });
    expect(run, run.said).toMatchObject({ code: 0 });
    expect(run.said).toMatch(/^sandbox: basic \(bubblewrap is not installed\)$/m);
    expect(run.state?.sandbox).toEqual({ level: 'basic', why: 'bubblewrap is not installed' });
  });

  it('none is taken from the packages of the project', async () => {
    const repository = judgedBy('exit 0', { settings: { sandbox: 'auto' } });
    const [bin, mark] = [repository.path('node_modules/.bin'), repository.beside('mark')];
    put(bin, { bwrap: `#!/bin/sh\ntouch ${mark}\necho bubblewrap 9.9.9\n` });
    chmodSync(join(bin, 'bwrap'), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    for (const through of [[], await withoutBubblewrap()]) {
      const doctor = await repository.helix(['doctor'], { env, through });
      expect(doctor.stdout).toMatch(/sandbox/);
      expect(doctor.stdout).not.toMatch(/9\.9\.9/);
    }
    expect(existsSync(mark)).toBe(false);
  });

  it('a gate that must not use the network is refused', async () => {
    const repository = judgedBy('exit 0', { settings: { sandbox: 'basic' }, gate: { network: false } });
    const run = await repository.run();
    expect(run).toMatchObject({ code: 2, events: [] });
    expect(run.stderr).toMatch(
      /only the strict sandbox can keep gates from the network[\s\S]*phase work: a gate with network: false/,
    );
  });
});

/** The port of a server of the machine. */
async function listening(): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
