import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { contents, put, scratch } from '../../../../test/scratch.ts';
import { agentWalls } from '../../agents/agent-world.ts';
import { makePrivateDirectory, removeQuietly } from '../../disk/private-directory.ts';
import { openProject } from '../../disk/project-directory.ts';
import { openTrustStore } from '../../secrets/trust-store.ts';
import { describeWalled, shellWalled } from './walled.fixture.ts';

describeWalled('behind open walls a program', () => {
  it('reads everything and changes nothing that is protected, but for its own place inside', async () => {
    const root = scratch({ 'project/file': 'mine', 'project/phases/a/x': 'old', 'beside/y': 'old' });
    const dir = join(root, 'project/phases/a');
    const confine = { kind: 'open', protect: [join(root, 'project')], hidden: [], writable: [dir] } as const;
    const script =
      'echo new > x; echo new > ../../../beside/y; echo evil > ../../file; rm -rf ../../file ../a; cat ../../file';
    const end = await shellWalled(script, dir, { confine });
    expect(end.tail).toMatch(/Read-only file system[\s\S]*mine$/);
    expect(contents(root)).toMatchObject({ 'project/file': 'mine', 'beside/y': 'new\n' });
  });

  it('cannot put another directory in the place of one that holds what is protected', async () => {
    const root = scratch({ 'top/p/repo/readme.md': 'mine', 'top/p/repo/phases/a/deep/kept': 'mine', 'top/beside': '' });
    const dir = join(root, 'top/p/repo/phases/a');
    const protect = [join(root, 'top/p/repo'), join(dir, 'deep/kept')];
    const confine = { kind: 'open', protect, hidden: [], writable: [dir] } as const;
    const moves = [`${root}/top/p`, `${root}/top`, root, `${dir}/deep`].map((path) => `mv ${path} ${path}.gone`);
    const end = await shellWalled(`${moves.join('; ')}; echo x > ../../x; rm ../../../../beside`, dir, { confine });
    expect(end.tail.match(/busy/g)).toHaveLength(moves.length);
    const files = { 'top/p/repo/readme.md': 'mine', 'top/p/repo/phases/a/deep/kept': 'mine' };
    expect(contents(root)).toEqual(files);
  });

  it('still has the devices of its machine', async () => {
    const dir = scratch({}, '/dev/shm');
    const confine = { kind: 'open', protect: [dir], hidden: [], writable: [] } as const;
    expect(await shellWalled('echo x > /dev/null && echo fine', dir, { confine })).toMatchObject({ tail: 'fine\n' });
  });

  it('sees no process but its own', async () => {
    const dir = scratch();
    const confine = { kind: 'open', protect: [], hidden: [], writable: [] } as const;
    const end = await shellWalled(`ls /proc | grep -c '^[0-9]'; kill -9 ${process.pid} || echo alone`, dir, {
      confine,
    });
    expect(end.tail).toMatch(/^[1-6]\n[\s\S]*alone\n$/);
  });

  it('can build walls itself, as the shells of agents do', async () => {
    const dir = scratch();
    const confine = { kind: 'open', protect: [dir], hidden: [], writable: [] } as const;
    const inner =
      'bwrap --ro-bind / / --dev /dev --proc /proc --unshare-pid --unshare-net --die-with-parent echo nested';
    expect(await shellWalled(inner, dir, { confine })).toMatchObject({ exitCode: 0, tail: 'nested\n' });
  });

  it('sees nothing of what HELIX works on or shows a judge, but a judge what it is to read', async () => {
    const root = scratch({ 'project/file': 'mine' });
    const dir = join(root, 'project');
    const [index, copy] = ['index', 'pinned'].map((name) => makePrivateDirectory(name, dir));
    if (index === undefined || copy === undefined) throw new Error('there is no place for them');
    onTestFinished(() => [index, copy].forEach(removeQuietly));
    put(copy, { 'judged.md': 'as it was pinned' });
    const script = `ls ${index}; ls ${copy}; touch ${dir}/file && echo sees`;
    const confine = { kind: 'open', protect: [], hidden: [], writable: [dir] } as const;
    const agent = await shellWalled(script, dir, { confine });
    expect(agent.tail.match(/No such file/g)).toHaveLength(2);
    const judge = { sandbox: { level: 'strict', why: '' }, role: 'reviewer', dir, readable: [copy] } as never;
    const walls = agentWalls(judge, { project: openProject(dir) });
    if (walls === undefined) throw new Error('a judge in strict has walls');
    const seen = await shellWalled(`cat ${copy}/judged.md; echo x > ${copy}/judged.md; ls ${index}`, dir, {
      confine: walls,
    });
    expect(seen.tail).toMatch(/^as it was pinned[\s\S]*Read-only file system[\s\S]*No such file/);
  });

  it('cannot trust a plan in the name of its user', async () => {
    const root = scratch({ 'project/phases.yaml': '' });
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = root;
    onTestFinished(() => {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    });
    await openTrustStore(process.env, root).trust(join(root, 'project'), []);
    const confine = { kind: 'open', protect: [], hidden: [], writable: [] } as const;
    const script = `ls ${root}/helix; mkdir ${root}/helix/trust; echo '{}' > ${root}/helix/trust/x.json; ls ${root}/helix/trust`;
    const end = await shellWalled(script, root, { confine });
    expect(end.tail).toBe('x.json\n');
    expect(readdirSync(join(root, 'helix/trust'))).not.toContain('x.json');
  });

  it('keeps a home that is a repository as its own, but for the history', async () => {
    const home = scratch({ '.git/config': 'old', '.claude/session': 'old' });
    const before = process.env.HOME;
    process.env.HOME = home;
    onTestFinished(() => {
      process.env.HOME = before ?? '';
    });
    mkdirSync(join(home, 'work'));
    const confine = { kind: 'open', protect: [home], hidden: [], writable: [] } as const;
    await shellWalled('echo new > ../.git/config; echo new > ../.claude/session', join(home, 'work'), { confine });
    expect(contents(put(home, {}))).toMatchObject({ '.git/config': 'old', '.claude/session': 'new\n' });
  });
});
