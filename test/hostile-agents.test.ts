import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Repository, words } from './repository.ts';
import { put } from './scratch.ts';

/** An agent that misbehaves once and then does what it should. */
const once = (evil: string) => `if [ "$HELIX_ATTEMPT" = 1 ]; then\n${evil}\nfi\necho done > out.txt`;

describe('whatever an agent does to the .git of its worktree, only its files count', () => {
  const FILES = { '.gitattributes': '* filter=f\n', 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' };
  const cases: readonly [name: string, evil: string, changed: readonly string[]][] = [
    [
      'it commits and amends',
      'echo one > one.txt; git add -A; git commit -qm one; echo two > two.txt; git add -A; git commit -q --amend -m two',
      ['A one.txt', 'A out.txt', 'A two.txt'],
    ],
    [
      'it rewrites history and clears away what it can',
      'git checkout -q --orphan new; git commit -qm new; git branch -D main; git tag -f v1; git reflog expire --expire=now --all; git gc -q --prune=now; git prune --expire=now',
      ['A out.txt'],
    ],
    ['it deletes .git', 'rm -rf .git', ['A out.txt']],
    ['it makes .git a file of nonsense', 'rm -rf .git; echo nonsense > .git', ['A out.txt']],
    ['it makes .git a link to the one of the user', 'rm -rf .git; ln -s "$USERS/.git" .git', ['A out.txt']],
    [
      'it makes .git a file that names the one of the user',
      'rm -rf .git; echo "gitdir: $USERS/.git" > .git',
      ['A out.txt'],
    ],
    [
      'it sets filters, hooks and a monitor',
      'printf "#!/bin/sh\\ntouch $ROOT/sprung; cat\\n" > "$ROOT/trap"; chmod +x "$ROOT/trap"; for key in filter.f.clean filter.f.smudge core.fsmonitor diff.external; do git config $key "$ROOT/trap"; done; mkdir .git/hooks; cp "$ROOT/trap" .git/hooks/post-index-change; echo "* filter=f" > .git/info/attributes',
      ['A out.txt'],
    ],
    [
      'it hides changes from its index',
      'git update-index --assume-unchanged readme.md; git update-index --skip-worktree src/a.txt; git config core.sparseCheckout true; echo /src/b.txt > .git/info/sparse-checkout; echo "*" > .git/info/exclude; git config core.trustctime false; git config core.checkStat minimal; echo world > readme.md; echo b > src/a.txt; touch -r src/b.txt readme.md src/a.txt',
      ['A out.txt', 'M readme.md', 'M src/a.txt'],
    ],
    [
      'it makes worktrees and stashes',
      'git worktree add -q ../inner; echo x > readme.md; git stash -q; git notes add -m x',
      ['A out.txt'],
    ],
    [
      'it leaves a merge half done, and locks',
      'git switch -qc other; echo other > readme.md; git commit -qam other; git switch -q -; echo mine > readme.md; git commit -qam mine; git merge other || true; touch .git/index.lock .git/HEAD.lock',
      ['A out.txt', 'M readme.md'],
    ],
  ];
  for (const [name, evil, changed] of cases) {
    it(name, async () => {
      const repository = new Repository({ files: FILES });
      repository.git('tag', 'v1');
      repository.agent(`ROOT=${repository.root}\nUSERS=${repository.top}\n${evil}\necho done > out.txt`);
      const before = repository.digest();
      const run = await repository.run();
      expect(run.said).toContain('run   passed');
      const told = words(run).filter(
        (word) => !word.endsWith('who has set up the filter f gets what that makes of it'),
      );
      expect(told).toEqual([]);
      expect(await repository.changed()).toEqual(changed);
      expect(repository.digest()).toEqual(before);
      expect(existsSync(repository.beside('sprung'))).toBe(false);
      expect(repository.worktrees()).toEqual([]);
    });
  }
});

describe("what an agent does to the user's refs is put back and said", () => {
  /** Lets an agent do something in the user's repository, once; it must be told, and all of the user's be as before. */
  async function putBack(evil: string, said: readonly RegExp[], prepare?: (repository: Repository) => void) {
    const repository = withRefs(evil);
    prepare?.(repository);
    const before = repository.digest();
    const run = await repository.run();
    expect(run.said).toContain('run   passed');
    for (const pattern of said) expect(words(run).join('\n')).toMatch(pattern);
    expect(words(run)).toHaveLength(said.length);
    expect(repository.digest()).toEqual(before);
  }

  it('a branch that it moved, through git or past it', () =>
    putBack('git update-ref refs/heads/feature main; git rev-parse v1 > .git/refs/heads/main', [
      /error: your refs\/heads\/feature was moved to [0-9a-f]{12} while the agent worked; it is back at [0-9a-f]{12}/,
      /error: your refs\/heads\/main was moved to [0-9a-f]{12} while the agent worked; it is back at [0-9a-f]{12}/,
    ]));

  it('a branch that it made a name of another one, or nonsense', () =>
    putBack('git symbolic-ref refs/heads/feature refs/heads/main; echo nonsense > .git/refs/tags/v1', [
      /error: your refs\/heads\/feature was moved to refs\/heads\/main/,
      /warning: your refs\/tags\/v1 was deleted/,
    ]));

  it('branches, tags and notes that it deleted or moved', () =>
    putBack(
      'git branch -q -D feature; git tag -d v1; git tag -f v2 main; git update-ref -d refs/notes/commits',
      [
        /warning: your refs\/heads\/feature was deleted while the agent worked; it is back at [0-9a-f]{12}/,
        /warning: your refs\/tags\/v1 was deleted/,
        /error: your refs\/tags\/v2 was moved/,
        /warning: your refs\/notes\/commits was deleted/,
      ],
      (repository) => repository.git('notes', 'add', '-m', 'note'),
    ));

  it('packed refs that it emptied, and the logs it removed', () =>
    putBack(
      'rm -rf .git/logs; git update-ref refs/heads/feature main; : > .git/packed-refs',
      [/feature was moved/, /main was deleted/, /v1 was deleted/, /v2 was deleted/],
      (repository) => repository.git('pack-refs', '--all'),
    ));

  it('a commit on the branch the user is on', () =>
    putBack('git commit -q --allow-empty -m evil; git commit -q --amend --allow-empty -m worse', [
      /error: your refs\/heads\/main was moved/,
    ]));

  it('HEAD that it switched', () =>
    putBack('git symbolic-ref -m x HEAD refs/heads/feature', [
      /error: the agent switched your checkout to refs\/heads\/feature; HEAD is back at refs\/heads\/main/,
    ]));

  it('HEAD that it switched with all files, which git can bring back', async () => {
    const repository = withRefs('git switch -q feature');
    const before = repository.digest();
    const run = await repository.run();
    expect(words(run)).toEqual([
      expect.stringMatching(/HEAD is back at refs\/heads\/main, but files and index may be/),
    ]);
    repository.git('reset', '-q', '--hard');
    expect({ ...repository.digest(), '.git/index': '' }).toEqual({ ...before, '.git/index': '' });
  });

  it('what it commits through a link to the repository of the user', async () => {
    const repository = withRefs('');
    repository.agent(
      once(`rm -rf .git; ln -s ${repository.top}/.git .git; git commit -q --allow-empty -m evil; rm .git`),
    );
    const before = repository.digest();
    const run = await repository.run();
    expect(words(run)).toEqual([expect.stringMatching(/^error: your refs\/heads\/main was moved/)]);
    repository.git('status');
    expect({ ...repository.digest(), '.git/index': '' }).toEqual({ ...before, '.git/index': '' });
  });

  it('HEAD that it switched past git', () =>
    putBack('echo ref: refs/heads/feature > .git/HEAD', [/error: the agent switched your checkout/]));

  it('a detached HEAD that it moved', () =>
    putBack('git commit -q --allow-empty -m evil', [/HEAD is back at [0-9a-f]{12}/], (repository) =>
      repository.git('checkout', '-q', '--detach'),
    ));

  it('what it did before HELIX was killed', async () => {
    const repository = withRefs('git update-ref refs/heads/feature main; kill -9 "$PPID"; sleep 5');
    const before = repository.digest();
    expect(await repository.run()).toMatchObject({ signal: 'SIGKILL' });
    repository.agent('echo done > out.txt');
    const run = await repository.resume();
    expect(run.said).toContain('run   passed');
    expect(words(run)).toEqual([expect.stringMatching(/^error: your refs\/heads\/feature was moved/)]);
    expect(repository.digest()).toEqual(before);
  });
});

describe('what may have been the user is not put back, but told with the way back', () => {
  async function told(evil: string, said: readonly RegExp[], prepare?: (repository: Repository) => void) {
    const repository = withRefs(evil);
    prepare?.(repository);
    const before = repository.digest();
    const run = await repository.run();
    expect(run.said).toContain('run   passed');
    expect(words(run)).toEqual(said.map((pattern) => expect.stringMatching(pattern)));
    for (const { hint } of run.findings.toReversed()) {
      const [, command = 'false'] = /^If it was not you: git (.*)$/.exec(hint ?? '') ?? [];
      repository.git(...command.split(' '));
    }
    expect(repository.digest()).toEqual(before);
  }

  it('a stash or the branch of another run that is gone', () =>
    told(
      'git stash clear; git branch -q -D helix/old',
      [
        /^warning: your refs\/heads\/helix\/old was deleted .* nothing tells who/,
        /^warning: your refs\/stash was deleted/,
      ],
      (repository) => {
        repository.write({ 'readme.md': 'stashed\n' });
        repository.git('stash', '-q');
        repository.git('branch', 'helix/old', 'feature');
      },
    ));

  it('branches without a log', () =>
    told(
      'git update-ref refs/heads/feature main; git rev-parse v1 > .git/refs/heads/main',
      [
        /^warning: your refs\/heads\/feature was moved .* nothing tells who/,
        /^warning: your refs\/heads\/main was moved/,
      ],
      (repository) => {
        repository.git('config', 'core.logAllRefUpdates', 'false');
        rmSync(repository.path('.git/logs'), { recursive: true });
      },
    ));

  it('a branch whose log was let expire', () =>
    told('git update-ref refs/heads/feature main; git reflog expire --expire=now --all', [
      /^warning: your refs\/heads\/feature was moved .* nothing tells who/,
    ]));

  it('a branch that was moved under the name of the user', () =>
    told('GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.org git update-ref refs/heads/feature main', [
      /^info: your refs\/heads\/feature was moved .* its log names Ada <ada@example.org>$/,
    ]));

  it('settings and hooks that would have the git of the user run something', async () => {
    const repository = withRefs(
      'git config core.fsmonitor "touch $PWD/../sprung"; mkdir -p .git/hooks; printf "#!/bin/sh\\ntouch ../sprung" > .git/hooks/post-commit; chmod +x .git/hooks/post-commit',
    );
    const run = await repository.run();
    expect(run.said).toContain('run   passed');
    expect(words(run)).toEqual([
      'warning: .git/config of your repository was changed while the agent worked; your git runs what such files say',
      'warning: .git/hooks/post-commit of your repository was changed while the agent worked; your git runs what such files say',
    ]);
    expect(existsSync(repository.beside('sprung'))).toBe(false);
  });

  it('what the user commits, switches and deletes while the agent works', async () => {
    const repository = withRefs('');
    repository.agent(
      'touch "$HELIX_PROJECT_DIR/../working"; while [ ! -e "$HELIX_PROJECT_DIR/../go" ]; do sleep 0.02; done; echo done > out.txt',
    );
    const under = repository.run();
    while (!existsSync(repository.beside('working'))) await pause(20);
    repository.git('commit', '-q', '--allow-empty', '-m', 'mine');
    repository.git('switch', '-q', '-c', 'topic');
    repository.write({ 'topic.txt': 'topic\n' });
    repository.commit('topic');
    repository.git('gc', '-q', '--prune=now');
    const before = repository.digest();
    put(repository.root, { go: '' });
    const run = await under;
    expect(run.said).toContain('run   passed');
    expect(words(run)).toEqual([
      expect.stringMatching(/^info: your refs\/heads\/main was moved .* its log names Ada/),
      expect.stringMatching(/^info: your HEAD was moved to refs\/heads\/topic .* its log names Ada/),
    ]);
    expect(repository.digest()).toEqual(before);
    repository.git('merge', '-q', '--no-edit', `helix/${run.run}`);
  });
});

/** A repository with a few refs, and an agent that does something there once. */
function withRefs(evil: string): Repository {
  const repository = new Repository();
  repository.git('branch', 'feature');
  repository.git('tag', 'v1');
  repository.git('tag', '-am', 'annotated', 'v2');
  repository.write({ 'second.txt': 'second\n' });
  repository.commit('second');
  repository.agent(once(`cd "$HELIX_PROJECT_DIR"\n${evil}\ncd "$OLDPWD"`));
  return repository;
}

it('what the tests of an agent do to the refs of the user is put back and told', async () => {
  const gate = { type: 'custom', command: ['sh', '-c', '. ./t.sh'] };
  const repository = new Repository({
    files: { 't.sh': 'true\n' },
    phases: [{ id: 'work', type: 'development', output: ['out.txt', 't.sh'], quality_gate: gate }],
    agent: `echo done > out.txt; echo "git -C '$HELIX_PROJECT_DIR' branch -q -D feature" > t.sh`,
  });
  repository.git('branch', 'feature');
  const before = repository.digest();
  const { code, findings, said } = await repository.run();
  expect(code, said).toBe(0);
  expect(repository.digest()).toEqual(before);
  expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('refs/heads/feature was deleted')]);
});
