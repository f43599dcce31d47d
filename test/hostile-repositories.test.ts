import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Repository, words } from './repository.ts';
import { contents, put } from './scratch.ts';

const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg'],
  ...['commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update'],
  ...['proc-receive', 'post-receive', 'post-update', 'reference-transaction', 'push-to-checkout', 'pre-auto-gc'],
  ...['post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];

/** A program that leaves a mark when it is run, and otherwise hands on what it reads. */
function trap(repository: Repository, name: string, then = 'cat'): string {
  const path = repository.beside(`traps/${name}`);
  put(repository.root, { [`traps/${name}`]: `#!/bin/sh\ntouch ${repository.root}/sprung-${name}\n${then}\n` });
  chmodSync(path, 0o755);
  return path;
}

/** The traps that were run. */
function sprung(repository: Repository): string[] {
  return readdirSync(repository.root).filter((name) => name.startsWith('sprung-'));
}

/** Runs HELIX, which must pass and change nothing of the user's. */
async function passes(repository: Repository, args: readonly string[] = []) {
  const before = repository.digest();
  const run = await repository.run(args);
  expect(run.said).toMatch(/^run +passed$/m);
  expect(run.code).toBe(0);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  expect(sprung(repository)).toEqual([]);
  repository.git('fsck', '--connectivity-only', '--no-dangling');
  return run;
}

/** Runs HELIX, which must refuse before anything is started. */
async function refuses(repository: Repository, words: RegExp) {
  const run = await repository.run();
  expect(run.said).toMatch(words);
  expect(run).toMatchObject({ code: 2, events: [] });
  expect(sprung(repository)).toEqual([]);
  return run;
}

it('a plain repository is worked in without a trace but the branch of the run', async () => {
  const repository = new Repository();
  expect(await passes(repository)).toMatchObject({ findings: [] });
  expect(await repository.changed()).toEqual(['A out.txt']);
});

describe('programs a repository brings along are not run', () => {
  it('hooks of every kind, in the repository and by core.hooksPath', async () => {
    const repository = new Repository();
    for (const hook of HOOKS) {
      trap(repository, hook);
      symlinkSync(repository.beside(`traps/${hook}`), repository.path('.git/hooks', hook));
    }
    await passes(repository);
    put(repository.root, {
      'repository/.git/config': `${repository.read('.git/config')}[core]\n\thooksPath = ${repository.root}/traps\n`,
    });
    await passes(repository);
  });

  it('fsmonitor, filters, drivers, signers, pagers, editors and transports of .git/config', async () => {
    const files = {
      '.gitattributes': '* filter=f diff=d merge=m\n*.p filter=p\n',
      'a.txt': '1\n2\n3\n4\n5\n',
      'a.p': 'p\n',
    };
    const phases = ['1', '5'].map((id) => ({ id, type: 'development', depends_on: [], output: ['a.txt'] }));
    const agent =
      ': > "$0.$HELIX_PHASE"; while [ ! -e "$0.1" ] || [ ! -e "$0.5" ]; do sleep 0.01; done; sed -i "s/^$HELIX_PHASE/changed/" a.txt';
    const repository = new Repository({ files, phases, agent, plan: { concurrency: 2 } });
    const at = (name: string) => trap(repository, name);
    const settings: Record<string, string> = {
      'core.fsmonitor': at('fsmonitor'),
      'filter.f.clean': at('clean'),
      'filter.f.smudge': at('smudge'),
      'filter.f.required': 'true',
      'filter.p.process': at('process'),
      'diff.d.textconv': at('textconv'),
      'diff.d.command': at('diff-driver'),
      'diff.external': at('diff-external'),
      'merge.m.driver': at('merge-driver'),
      'core.sshCommand': at('ssh'),
      'core.gitProxy': at('proxy'),
      'core.askPass': at('ask-pass'),
      'core.alternateRefsCommand': at('alternate-refs'),
      'core.pager': at('pager'),
      'core.editor': at('editor'),
      'sequence.editor': at('sequence-editor'),
      'credential.helper': at('credentials'),
      'gpg.program': at('gpg'),
      'gpg.ssh.program': at('gpg-ssh'),
      'gpg.ssh.defaultKeyCommand': at('gpg-key'),
      'log.showSignature': 'true',
      'commit.gpgSign': 'true',
      'user.signingKey': '-x',
      'uploadpack.packObjectsHook': at('pack-objects'),
      'trailer.helix-run.command': at('trailer'),
      'alias.commit-tree': `!${at('alias')}`,
      'core.hooksPath': repository.beside('traps'),
      'protocol.allow': 'always',
      'gc.auto': '1',
    };
    for (const [name, value] of Object.entries(settings)) repository.git('config', name, value);
    const { events } = await passes(repository);
    expect(events.map(({ type }) => type)).toContain('attempt_joined');
    expect(await repository.result('a.txt')).toBe('changed\n2\n3\n4\nchanged');
  });

  it('an included file and the settings of one worktree are settings of the repository too', async () => {
    const repository = new Repository({ files: { '.gitattributes': '* filter=f\n' } });
    put(repository.root, {
      evil: `[core]\n\tfsmonitor = ${trap(repository, 'fsmonitor')}\n[filter "f"]\n\tsmudge = ${trap(repository, 'smudge')}\n\tclean = ${trap(repository, 'clean')}\n`,
    });
    repository.git('config', 'include.path', repository.beside('evil'));
    repository.git('config', 'extensions.worktreeConfig', 'true');
    put(repository.top, {
      '.git/config.worktree': `[filter "f"]\n\tclean = ${trap(repository, 'clean')}\n[include]\n\tpath = ${repository.beside('evil')}\n`,
    });
    await passes(repository);
  });

  it('the same filter in the configuration of the user themselves runs, there and back', async () => {
    const repository = new Repository({ agent: 'tr a-z A-Z < word.up > seen; echo new > new.up; echo done > out.txt' });
    const up = (name: string, from: string, to: string) => trap(repository, name, `tr ${from} ${to}`);
    repository.git('config', '--global', 'filter.up.clean', up('clean', 'A-Z', 'a-z'));
    repository.git('config', '--global', 'filter.up.smudge', up('smudge', 'a-z', 'A-Z'));
    repository.write({ '.gitattributes': '*.up filter=up\n', 'word.up': 'WORD\n' });
    repository.commit('with a filter');
    repository.agent('grep -q WORD word.up && printf NEW > new.up; echo done > out.txt');
    const before = repository.digest();
    const run = await repository.run();
    expect(run.code).toBe(0);
    expect(sprung(repository)).toEqual(['sprung-clean', 'sprung-smudge']);
    expect(await repository.result('new.up')).toBe('new');
    expect(await repository.changed()).toEqual(['A new.up', 'A out.txt']);
    expect(repository.digest()).toEqual(before);
  });

  it('a remote that promises missing objects is never asked for them', async () => {
    const repository = new Repository();
    repository.git('config', 'extensions.partialClone', 'origin');
    repository.git('config', 'remote.origin.url', `ext::${trap(repository, 'transport')}`);
    repository.git('config', 'remote.origin.promisor', 'true');
    repository.git('config', 'protocol.ext.allow', 'always');
    const head = repository.git('rev-parse', 'HEAD');
    renameSync(repository.path('.git/objects', head.slice(0, 2), head.slice(2)), repository.beside('taken-away'));
    await refuses(repository, /the commit \w{12} that HEAD names is not there/);
  });
});

describe('what .git is', () => {
  it('a file that points to the repository of another directory is refused', async () => {
    const repository = new Repository();
    const other = repository.beside('other');
    renameSync(repository.path('.git'), join(mkdirp(other), '.git'));
    writeFileSync(repository.path('.git'), `gitdir: ${other}/.git\n`);
    await refuses(repository, /\.git names .*other\/\.git, which belongs to another directory/);
    expect(repository.gitIn(other, 'for-each-ref', 'refs/heads/helix')).toBe('');
  });

  it('a link to the repository of another directory is refused', async () => {
    const repository = new Repository();
    const other = repository.beside('other');
    renameSync(repository.path('.git'), join(mkdirp(other), '.git'));
    symlinkSync(join(other, '.git'), repository.path('.git'));
    await refuses(repository, /\.git is neither a directory nor a file that names one/);
  });

  it('a file that names nothing, or something that is not there, is refused', async () => {
    const repository = new Repository();
    renameSync(repository.path('.git'), repository.beside('gone'));
    writeFileSync(repository.path('.git'), 'gitdir: ../nowhere\n');
    await refuses(repository, /which is not there/);
    writeFileSync(repository.path('.git'), 'hello\n');
    await refuses(repository, /neither a directory nor a file that names one/);
  });

  it('one whose work tree is set to another directory is refused', async () => {
    const repository = new Repository();
    mkdirp(repository.beside('elsewhere'));
    repository.git('config', 'core.worktree', repository.beside('elsewhere'));
    await refuses(repository, /core\.worktree/);
    expect(readdirSync(repository.beside('elsewhere'))).toEqual([]);
  });
});

describe('what lies in the history', () => {
  it('odd attributes change nothing that nobody touched', async () => {
    const repository = new Repository({
      files: {
        'crlf.txt': 'one\r\ntwo\r\n',
        'mixed.txt': 'one\r\ntwo\n',
        'ident.txt': '$Id$\n',
        'archive.txt': '$Format:%H$\n',
        'wide.txt': 'w\u0000i\u0000d\u0000e\u0000',
      },
    });
    repository.write({
      '.gitattributes':
        '* text=auto\ncrlf.txt text eol=lf\nmixed.txt text eol=crlf\nident.txt ident\narchive.txt export-subst\nwide.txt working-tree-encoding=nonsense\n[attr]odd -text !eol\nodd.txt odd filter=none diff=none merge=none -text text=maybe\n',
      'odd.txt': 'a\r\nb\n',
    });
    repository.git('config', 'core.safecrlf', 'true');
    repository.git('add', '.gitattributes', 'odd.txt');
    repository.git('commit', '-qm', 'attributes');
    for (let at = 0; at < 2; at += 1) {
      await passes(repository);
      expect(await repository.changed()).toEqual(['A out.txt']);
    }
  });

  it('grafts and replaced objects do not change what a run starts from', async () => {
    const repository = new Repository();
    const [blob, evil] = [repository.git('rev-parse', 'HEAD:readme.md'), repository.beside('evil')];
    writeFileSync(evil, 'evil\n');
    repository.git('replace', blob, repository.git('hash-object', '-w', evil));
    put(repository.top, { '.git/info/grafts': `${repository.git('rev-parse', 'HEAD')} ${'1'.repeat(40)}\n` });
    repository.agent('grep -q hello readme.md; echo done > out.txt');
    const run = await repository.run();
    expect(run.code).toBe(0);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });

  it('objects may lie in other repositories, by alternates of any kind', async () => {
    const repository = new Repository();
    repository.gitIn(repository.root, 'clone', '-q', '--shared', 'repository', 'other');
    repository.gitIn(repository.root, 'clone', '-q', '--shared', 'other', 'third');
    put(repository.root, {
      'third/.git/objects/info/alternates':
        '../../../other/.git/objects\n/nowhere/objects\n../../../third/.git/objects\n',
    });
    const before = repository.gitIn(repository.beside('third'), 'for-each-ref');
    const end = await repository.helix(['run', '--trust', repository.beside('third')]);
    expect(end.stderr).toContain('run   passed');
    expect(repository.gitIn(repository.beside('third'), 'for-each-ref', 'refs/heads/main', 'refs/remotes')).toBe(
      before,
    );
    expect(repository.git('for-each-ref', 'refs/heads/helix')).toBe('');
  });

  it('links out of the tree stay links, and nothing is read or written through them', async () => {
    const repository = new Repository({ agent: 'rm -f file.link; echo mine > file.link; echo done > out.txt' });
    put(repository.root, { 'outside/secret.txt': 'secret\n', 'outside/review.json': '{}' });
    symlinkSync(repository.beside('outside'), repository.path('folder.link'));
    symlinkSync(repository.beside('outside/secret.txt'), repository.path('file.link'));
    symlinkSync('../outside/secret.txt', repository.path('relative.link'));
    symlinkSync('/dev/zero', repository.path('endless.link'));
    symlinkSync('self.link', repository.path('self.link'));
    repository.commit('links');
    await passes(repository);
    expect(await repository.changed()).toEqual(['T file.link', 'A out.txt']);
    expect(contents(repository.beside('outside'))).toEqual({ 'secret.txt': 'secret\n', 'review.json': '{}' });
  });

  it('file names may hold anything but a slash', async () => {
    // A new name with characters that nobody sees is an error, one that only composition tells from another a warning.
    const mistakable = ['new\nline', 'tab\there', 'ä', 'a\u0308', '\u202e.txt', '\u001b[31mred'];
    const plain = [
      'quote"s\'`$(x)',
      '-rf',
      '--cached',
      'back\\slash',
      ' space ',
      '*',
      ':(top)x',
      '!x',
      '#x',
      'C:',
      'aux.txt',
      `${'l'.repeat(250)}.txt`,
      join(...Array<string>(15).fill('d'.repeat(200)), 'deep'),
    ];
    const odd = [...mistakable, ...plain];
    const files = Object.fromEntries([
      ...mistakable.map((name) => [join('old', name), `${name}\n`]),
      ...plain.map((name) => [join('names', name), `${name}\n`]),
    ]);
    const repository = new Repository({
      files,
      agent:
        'for f in old/* names/*; do [ -f "$f" ] && echo changed >> "$f"; done; mkdir made; cp -R names/* made/; printf x > "made/$(printf \'\\377\\376\')"; echo done > out.txt',
    });
    const run = await passes(repository);
    expect(run.findings).toEqual([]);
    expect(run.said).not.toContain('\u001b');
    const made = (await repository.files()).filter((name) => name.startsWith('made/'));
    expect(made).toHaveLength(plain.length + 1);
    expect(await repository.changed()).toHaveLength(odd.length + plain.length + 1);
  });
});

describe('submodules', () => {
  /** Makes a repository beside that is to be a submodule. */
  function make(repository: Repository, name: string, files: Record<string, string>): string {
    const dir = repository.beside(name);
    repository.gitIn(repository.root, 'init', '-q', name);
    put(dir, files);
    repository.gitIn(dir, 'add', '--all');
    repository.gitIn(dir, 'commit', '-qm', name);
    return dir;
  }

  const ADD = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
  const UPDATE = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive'];

  it('one whose address is a program is never fetched, and one whose commit is not there is named', async () => {
    const repository = new Repository();
    const transport = `ext::${trap(repository, 'transport')}`;
    const option = `[submodule "-u./traps/transport"]\n\tpath = option\n\turl = -u./evil\n\tupdate = !${trap(repository, 'update')}\n`;
    put(repository.top, { '.gitmodules': `[submodule "evil"]\n\tpath = evil\n\turl = ${transport}\n${option}` });
    repository.git('config', 'submodule.evil.url', transport);
    repository.git('config', 'submodule.evil.update', `!${trap(repository, 'update')}`);
    repository.git('config', 'submodule.recurse', 'true');
    repository.git('config', 'protocol.ext.allow', 'always');
    repository.git('add', '.gitmodules');
    for (const path of ['evil', 'option'])
      repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},${path}`);
    repository.git('commit', '-qm', 'submodules');
    const run = await passes(repository);
    expect(words(run)).toEqual([
      'warning: the submodule evil is empty: its commit is not in your checkout, and HELIX fetches nothing',
      'warning: the submodule option is empty: its commit is not in your checkout, and HELIX fetches nothing',
    ]);
    expect(await repository.changed()).toEqual(['A out.txt']);
  });

  it('one that is checked out has its files in the worktree, nested ones and those cloned in place too', async () => {
    const repository = new Repository({ agent: 'cat lib/inner/deep.txt lib/lib.txt placed/placed.txt > out.txt' });
    const inner = make(repository, 'inner', { 'deep.txt': 'inner\n' });
    const lib = make(repository, 'lib', { 'lib.txt': 'lib\n' });
    repository.gitIn(lib, ...ADD, inner, 'inner');
    repository.gitIn(lib, 'commit', '-qm', 'inner');
    repository.git(...ADD, lib, 'lib');
    repository.git(...UPDATE);
    make(repository, 'repository/placed', { 'placed.txt': 'placed\n' });
    repository.git('add', '--all');
    repository.git('commit', '-qm', 'submodules');
    expect(words(await passes(repository))).toEqual([]);
    expect(await repository.changed()).toEqual(['A out.txt']);
    expect(await repository.result('out.txt')).toBe('inner\nlib\nplaced');
  });

  it('one of a linked worktree, and one beside the project', async () => {
    const repository = new Repository({ below: 'app', agent: 'cat ../lib/lib.txt > out.txt' });
    repository.git(...ADD, make(repository, 'lib', { 'lib.txt': 'lib\n' }), 'lib');
    repository.commit('submodules');
    repository.git('submodule', '--quiet', 'deinit', '--all');
    rmSync(repository.path('.git/modules'), { recursive: true });
    repository.git('worktree', 'add', '-q', '../linked');
    repository.gitIn(repository.beside('linked'), ...UPDATE);
    const end = await repository.helix(['run', '--trust', repository.beside('linked/app')]);
    expect(end.stderr).toContain('run   passed');
    expect(end.stderr).not.toContain('is empty');
  });

  it('what an agent changes, adds or puts in its place is not kept, which is said', async () => {
    const repository = new Repository({
      agent: 'echo x > lib/lib.txt; echo x > more/x; rm -r gone; echo x > gone; echo x > out.txt',
    });
    for (const name of ['lib', 'more', 'gone'])
      repository.git(...ADD, make(repository, name, { [`${name}.txt`]: `${name}\n` }), name);
    repository.commit('submodules');
    const before = repository.digest();
    const run = await repository.run();
    expect(run.code).toBe(3);
    expect(words(run).slice(0, 3)).toEqual([
      'error: what was changed in the submodule gone was not kept',
      'error: what was changed in the submodule lib was not kept',
      'warning: what was added in the submodule more was not kept',
    ]);
    expect(repository.digest()).toEqual(before);
  });
});

function mkdirp(dir: string): string {
  mkdirSync(dir, { recursive: true });
  return dir;
}
