import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, utimesSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Repository, words } from './repository.ts';
import { boundByPermissions, giveAway } from './robust-project.ts';
import { put } from './scratch.ts';

const PASSED = /^run +passed$/m;
const THROUGH = boundByPermissions();

/** Runs HELIX, which must pass, leave all of the user's as it was, and change nothing but this. */
async function passes(repository: Repository, changed = ['A out.txt'], args: readonly string[] = []) {
  const before = repository.digest();
  const run = await repository.run(args);
  expect(run.said).toMatch(PASSED);
  expect(words(run)).toEqual([]);
  expect(await repository.changed()).toEqual(changed);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  repository.git('fsck', '--connectivity-only', '--no-dangling');
  return run;
}

describe('a repository', () => {
  it('without any commit is started from nothing, and the work can be merged', async () => {
    const repository = new Repository({ files: false, agent: 'test ! -e phases.yaml; echo done > out.txt' });
    const run = await passes(repository);
    expect(run.said).toContain('the repository has no commit yet: the run starts from nothing');
    repository.git('merge', '-q', `helix/${run.run}`);
    expect(repository.read('out.txt')).toBe('done\n');
  });

  it('on no branch, with locks left over', async () => {
    const repository = new Repository();
    repository.git('checkout', '-q', '--detach');
    const locks = ['index', 'HEAD', 'config', 'packed-refs', 'shallow'].map((name) => [`.git/${name}.lock`, '']);
    put(repository.top, Object.fromEntries(locks));
    await passes(repository);
  });

  it('that is bare is refused, and a worktree of it is not', async () => {
    const repository = new Repository();
    repository.gitIn(repository.root, 'clone', '-q', '--bare', 'repository', 'bare.git');
    const bare = repository.beside('bare.git');
    for (const dir of [bare, `${bare}/below`]) {
      for (const plan of [
        repository.read('phases.yaml'),
        repository.read('phases.yaml').replace(/"workspace": .*/, ''),
      ]) {
        put(dir, { 'phases.yaml': plan, 'helix.yaml': repository.read('helix.yaml') });
        const refused = await repository.helix(['run', '--trust', dir]);
        const said = /bare\.git is a bare repository: it has no work tree[\s\S]*git worktree add/;
        expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(said) });
      }
    }
    expect(existsSync(`${bare}/phases`) || existsSync(`${bare}/below/phases`)).toBe(false);
    repository.gitIn(bare, 'worktree', 'add', '-q', '../linked', 'main');
    const before = repository.digest();
    const end = await repository.helix(['run', '--trust', repository.beside('linked')]);
    expect(end.stderr).toMatch(PASSED);
    expect(repository.gitIn(bare, 'branch', '--list', 'helix/*')).toMatch(/^ {2}helix\/\S+$/);
    expect(repository.digest()).toEqual(before);
  });

  it('of which the project is a folder, with an odd name', async () => {
    const below = "päck age's/[x]";
    const repository = new Repository({
      below,
      agent: 'cat ../../readme.md; echo done > out.txt',
    });
    repository.git('config', 'core.quotePath', 'false');
    await passes(repository, [`A ${below}/out.txt`]);
    repository.agent('echo up > ../up.txt; echo again > out.txt');
    expect(await repository.run()).toMatchObject({ said: expect.stringContaining('What it changed: "../up.txt"') });
  });

  it('of which the project is a linked worktree', async () => {
    const repository = new Repository();
    repository.git('worktree', 'add', '-q', '../linked');
    const before = repository.digest();
    const end = await repository.helix(['run', '--trust', repository.beside('linked')]);
    expect(end.stderr).toMatch(PASSED);
    expect(repository.digest()).toEqual(before);
    expect(repository.gitIn(repository.beside('linked'), 'status', '--porcelain')).toBe('');
  });

  it('with another repository inside', async () => {
    const repository = new Repository({ agent: 'test ! -e nested; echo done > out.txt' });
    repository.git('init', '-q', 'nested');
    put(repository.path('nested'), { 'x.txt': 'x' });
    await passes(repository);
    put(repository.top, { 'new.txt': 'new' });
    const run = await passes(repository, ['A out.txt'], ['--include-dirty']);
    expect(run.said).toContain('nested is a git repository of its own; it was not kept');
  });

  it('of which a gate sees the history', async () => {
    const gate = { type: 'custom', command: ['git', 'log', '-1'] };
    await passes(
      new Repository({ phases: [{ id: 'one', type: 'development', output: ['out.txt'], quality_gate: gate }] }),
    );
  });

  it('with sha256 objects', async () => {
    const phases = ['a', 'b'].map((id) => ({ id, type: 'development', output: [`${id}.txt`] }));
    const repository = new Repository({ init: ['--object-format=sha256'], phases, agent: 'echo x > $HELIX_PHASE.txt' });
    await passes(repository, ['A a.txt', 'A b.txt']);
  });

  it('of which the history is cut off', async () => {
    const repository = new Repository({ agent: 'git log --oneline | wc -l > out.txt; git fsck' });
    for (const message of ['two', 'three', 'four']) repository.commit(message);
    repository.gitIn(repository.root, 'clone', '-q', '--depth', '2', `file://${repository.top}`, 'shallow');
    const shallow = repository.beside('shallow');
    const end = await repository.helix(['run', '--trust', shallow]);
    expect(end.stderr).toMatch(PASSED);
    const branch = repository.gitIn(shallow, 'for-each-ref', '--format=%(refname)', 'refs/heads/helix');
    expect(repository.gitIn(shallow, 'show', `${branch}:out.txt`)).toBe('2');
    expect(repository.gitIn(shallow, 'rev-list', '--count', branch)).toBe('3');
    repository.gitIn(shallow, 'fsck');
  });

  it('of which only a part is checked out, or the index is split', async () => {
    const repository = new Repository({ files: { 'a/a.txt': 'a', 'b/b.txt': 'b' }, agent: 'cat b/b.txt > out.txt' });
    repository.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
    await passes(repository);
    repository.git('sparse-checkout', 'disable');
    repository.git('update-index', '--split-index');
    put(repository.top, { 'a/new.txt': 'new' });
    await passes(repository, ['A out.txt'], ['--include-dirty']);
    expect(await repository.files()).toContain('a/new.txt');
  });

  it('in the middle of a merge', async () => {
    const repository = new Repository({ files: { 'a.txt': 'a\n' } });
    for (const branch of ['other', 'mine']) {
      repository.git('switch', '-q', '-c', branch, 'main');
      repository.write({ 'a.txt': `${branch}\n` });
      repository.commit(branch);
    }
    expect(() => repository.git('merge', 'other')).toThrow();
    expect((await passes(repository)).said).toContain('without 1 uncommitted change (a.txt)');
    const refused = await repository.run(['--include-dirty']);
    expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('conflicts you have not resolved: a.txt') });
  });

  it('with uncommitted changes of every kind, which are named or taken along', async () => {
    const repository = new Repository({ files: { 'a.txt': 'a', 'gone.txt': 'g', 's.txt': 's', 'touched.txt': 't' } });
    put(repository.top, { 'a.txt': 'A', 's.txt': 'S', 'new\u001b[31m\n.txt': 'n' });
    utimesSync(repository.path('touched.txt'), 1, 1);
    repository.git('add', 's.txt');
    repository.git('rm', '-q', 'gone.txt');
    const from = await passes(repository);
    expect(from.said).toMatch(
      /your last commit \w{12}, without 4 uncommitted changes \(a\.txt, gone\.txt, new \.txt, …\)/,
    );
    expect(from.said).not.toContain('\u001b');
    const along = await passes(repository, ['A out.txt'], ['--include-dirty']);
    expect(along.said).toContain('4 uncommitted changes are taken along');
    const merged = (await repository.files()).filter((name) => !/phases|helix|out/.test(name));
    expect(merged).toEqual(['a.txt', 'new\u001b[31m\n.txt', 'readme.md', 's.txt', 'touched.txt']);
  });

  it('with settings for line ends and file modes, which are kept to', async () => {
    const repository = new Repository({ files: { 'a.txt': 'a\nb\n', 'a.sh': 'a\n' } });
    repository.git('config', 'core.autocrlf', 'true');
    repository.git('config', 'core.fileMode', 'false');
    repository.agent('grep -c "$(printf "\\r")" a.txt > out.txt; printf "x\\r\\ny\\r\\n" > crlf.txt; chmod +x a.sh');
    await passes(repository, ['A crlf.txt', 'A out.txt']);
    expect(await repository.result('out.txt')).toBe('2');
    expect(await repository.result('crlf.txt')).toBe('x\ny');
  });

  it('is found by its place alone, whatever the environment says', async () => {
    const repository = new Repository();
    const names = [
      'DIR',
      'WORK_TREE',
      'INDEX_FILE',
      'OBJECT_DIRECTORY',
      'COMMON_DIR',
      'NAMESPACE',
      'CEILING_DIRECTORIES',
    ];
    const env = Object.fromEntries(names.map((name) => [`GIT_${name}`, '/nowhere']));
    const run = await repository.run([], { env });
    expect(run.said).toMatch(PASSED);
  });
});

describe('a repository that is not free to be used', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'because it belongs to somebody else is refused in the words of git',
    async () => {
      const repository = new Repository();
      giveAway(repository.top);
      const run = await repository.run();
      expect(run).toMatchObject({ code: 2, events: [] });
      expect(run.said).toMatch(/git cannot work in .*dubious ownership[\s\S]*safe\.directory/);
    },
  );

  it.skipIf(THROUGH === undefined)('because it cannot be written to is left as it is, until it can', async () => {
    const repository = new Repository();
    repository.git('config', '--global', 'safe.directory', '*');
    giveAway(repository.root);
    const before = repository.digest();
    const mode = (bits: string) =>
      execFileSync('chmod', ['-R', bits, repository.path('.git/objects'), repository.path('.git/refs')]);
    mode('a-w');
    const run = await repository.run([], { through: THROUGH ?? [] });
    expect(run).toMatchObject({
      code: 3,
      said: expect.stringMatching(/stuck: its working directory could not be used: git \S+ failed/),
    });
    mode('u+w');
    expect(repository.digest()).toEqual(before);
    const end = await repository.helix(['decide', `${run.run}-q1`, 'A'], { through: THROUGH ?? [] });
    expect(end.stderr).toMatch(PASSED);
  });
});

describe('commits of accepted work', () => {
  /** Has the user sign commits with a program that signs like this. */
  function signing(script: string): Repository {
    const repository = new Repository();
    put(repository.root, { signer: `#!/bin/sh\ncat > /dev/null\n${script}\n` });
    chmodSync(repository.beside('signer'), 0o755);
    repository.git('config', '--global', 'gpg.program', repository.beside('signer'));
    repository.git('config', '--global', 'commit.gpgSign', 'true');
    return repository;
  }

  it('are signed as the user signs', async () => {
    const repository = signing(`printf '\\n[GNUPG:] SIG_CREATED D\\n' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nstand-in\\n-----END PGP SIGNATURE-----\\n'`);
    const run = await passes(repository);
    expect(repository.git('cat-file', 'commit', `helix/${run.run}`)).toMatch(/^gpgsig -----BEGIN PGP SIGNATURE-----/m);
  });

  it('are not signed where that fails, which is said', async () => {
    const repository = signing('echo "no secret key" >&2; exit 2');
    const run = await passes(repository);
    expect(run.said).toMatch(/the commit is not signed: .*gpg failed to sign/);
    expect(repository.git('cat-file', 'commit', `helix/${run.run}`)).not.toContain('gpgsig');
  });

  it('are by HELIX where the user has no name', async () => {
    const repository = new Repository();
    for (const settings of ['[user]\n\tuseConfigOnly = true\n', '[user]\n\tname =\n\temail =\n']) {
      put(repository.home, { '.gitconfig': settings });
      const run = await passes(repository);
      expect(repository.git('log', '-1', '--format=%an <%ae>', `helix/${run.run}`)).toBe('HELIX <helix@localhost>');
    }
  });
});

describe('the branch of a run', () => {
  const PHASES = ['a', 'b'].map((id) => ({ id, type: 'development', output: [`${id}.txt`] }));

  /** A run whose second phase waits while the user does something, and goes on after it. */
  async function meanwhile(act: (repository: Repository, branch: string) => void) {
    const repository = new Repository({ phases: PHASES });
    repository.agent(`if [ $HELIX_PHASE = b ]; then touch ${repository.root}/working
while [ ! -e ${repository.root}/go ]; do sleep 0.02; done; fi
echo x > $HELIX_PHASE.txt`);
    const under = repository.run();
    while (!existsSync(repository.beside('working'))) await pause(20);
    const branch = `helix/${(await repository.journaled()).run}`;
    act(repository, branch);
    const before = repository.digest();
    put(repository.root, { go: '' });
    const run = await under;
    expect(repository.digest()).toEqual(before);
    return { repository, run, branch };
  }

  it('that the user has checked out is left alone until they have left it', async () => {
    const { repository, run, branch } = await meanwhile((at, name) => at.git('switch', '-q', name));
    expect(run.code).toBe(3);
    expect(run.said).toMatch(/the run's branch helix\/\S+ is checked out in .*Switch to another branch there/s);
    repository.git('switch', '-q', 'main');
    expect((await repository.helix(['decide', `${run.run}-q1`, 'A'])).stdout).toContain('passed');
    expect(repository.git('log', '--format=%s', `main..${branch}`)).toBe('b\na');
  });

  it('that the user has moved is left alone until they have given it another name', async () => {
    const { repository, run, branch } = await meanwhile((at, name) => {
      at.git('worktree', 'add', '-q', '../theirs', name);
      at.gitIn(at.beside('theirs'), 'commit', '-q', '--allow-empty', '-m', 'theirs');
      at.git('worktree', 'remove', '../theirs');
    });
    expect(run.code).toBe(3);
    expect(run.said).toMatch(/somebody moved the run's branch helix\/\S+ to \w{12}.*git branch -m helix\/\S+ mine/s);
    repository.git('branch', '-m', branch, 'mine');
    expect((await repository.helix(['decide', `${run.run}-q1`, 'A'])).stdout).toContain('passed');
    expect(repository.git('log', '--format=%s', `main..${branch}`)).toBe('b\na');
    expect(repository.git('log', '--format=%s', 'main..mine')).toBe('theirs\na');
  });

  it('that the user has deleted and cleared away comes again whole', async () => {
    const { repository, run, branch } = await meanwhile((at, name) => {
      at.git('branch', '-q', '-D', name);
      at.git('reflog', 'expire', '--expire=now', '--all');
      at.git('gc', '-q', '--prune=now');
    });
    expect(run.said).toMatch(PASSED);
    expect(repository.git('log', '--format=%s', branch)).toBe('b\na\nfirst');
    repository.git('fsck', '--connectivity-only', '--no-dangling');
  });

  it('grows while others push to the repository and pack it', async () => {
    const { repository, branch, run } = await meanwhile((at) => {
      at.gitIn(at.root, 'clone', '-q', 'repository', 'clone');
      at.gitIn(at.beside('clone'), 'commit', '-q', '--allow-empty', '-m', 'pushed');
      at.gitIn(at.beside('clone'), 'push', '-q', 'origin', 'HEAD:refs/heads/pushed');
      at.git('gc', '-q', '--prune=now');
    });
    expect(run.said).toMatch(PASSED);
    expect(words(run)).toEqual([]);
    expect(repository.git('log', '--format=%s', `main..${branch}`)).toBe('b\na');
    repository.git('fsck', '--connectivity-only', '--no-dangling');
  });
});
