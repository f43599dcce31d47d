import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Repository } from './repository.ts';
import { put } from './scratch.ts';

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
  expect(run.said).toContain('run   passed');
  expect(run.code).toBe(0);
  expect(repository.digest()).toEqual(before);
  expect(repository.worktrees()).toEqual([]);
  expect(sprung(repository)).toEqual([]);
  repository.git('fsck', '--strict', '--no-dangling');
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
    const repository = new Repository({
      files: { '.gitattributes': '* filter=f diff=d merge=m\n*.p filter=p\n', 'a.txt': 'a\n', 'a.p': 'p\n' },
    });
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
    const { state } = await passes(repository);
    expect(await repository.changed()).toEqual(['A out.txt']);
    expect(state?.phases.get('work')?.status).toBe('passed');
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
    const tree = repository.git('rev-parse', 'HEAD:readme.md');
    renameSync(repository.path('.git/objects', tree.slice(0, 2), tree.slice(2)), repository.beside('taken-away'));
    const run = await repository.run();
    expect(run.said).toMatch(/readme\.md|unable to read|missing/);
    expect(run.code).not.toBe(0);
    expect(sprung(repository)).toEqual([]);
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

function mkdirp(dir: string): string {
  mkdirSync(dir, { recursive: true });
  return dir;
}

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
});
