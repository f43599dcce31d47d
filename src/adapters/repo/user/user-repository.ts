import { existsSync, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { present } from '../../../domain/present.ts';
import { isBare, looksBare } from '../../disk/bare-repository.ts';
import { type Git, nulSeparated } from '../git/git.ts';
import { refsStamp } from './refs-stamp.ts';

/** The user's refs by name: the object each points to, or `ref: ` and the name of another. */
export type Refs = ReadonlyMap<string, string>;

type Place = {
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly prefix: string;
  readonly home: string;
  readonly format: string;
};

/** The settings of a repository that may be taken over, because none of them makes git run anything. */
const HARMLESS =
  /^(core\.(autocrlf|eol|filemode|ignorecase|symlinks|precomposeunicode|protecthfs|protectntfs)|user\.(name|email|signingkey)|commit\.gpgsign|gpg\.format|i18n\.commitencoding)$/;

/** The repository a project lies in: read, never written, but for the branch of a run. */
export class UserRepository {
  readonly git: Git;
  /** The top of the work tree. */
  readonly top: string;
  /** Where HEAD and the index are; of a linked worktree, its own place. */
  readonly gitDir: string;
  /** Where objects, refs and settings are. */
  readonly commonDir: string;
  /** The directory that is worked on below the top, `` at the top itself. */
  readonly prefix: string;
  /** The directory of the project below the top; the same, unless its plan names another root. */
  readonly home: string;
  /** How objects are named: `sha1` or `sha256`. */
  readonly format: string;
  #settings: Promise<ReadonlyMap<string, string>> | undefined;
  #known: { readonly stamp: string | undefined; readonly refs: Refs } | undefined;

  private constructor(git: Git, place: Place) {
    this.git = git;
    this.format = place.format;
    this.top = place.top;
    this.gitDir = place.gitDir;
    this.commonDir = place.commonDir;
    this.prefix = place.prefix;
    this.home = place.home;
  }

  /** Finds the repository of a project, which is worked on at `root`; throws HelixError `config` where there is none that can be worked with. */
  static async open(git: Git, projectDir: string, root?: string): Promise<UserRepository> {
    const top = topOf(projectDir);
    const gitDir = gitDirOf(top);
    const common = join(gitDir, 'commondir');
    const commonDir = existsSync(common) ? realpathSync(resolve(gitDir, readFileSync(common, 'utf8').trim())) : gitDir;
    const home = relative(top, projectDir);
    const prefix = root === undefined ? home : relative(top, join(top, root));
    const format = await probe(git, top);
    return new UserRepository(git, { top, gitDir, commonDir, prefix, home, format });
  }

  get objects(): string {
    return join(this.commonDir, 'objects');
  }

  /** The commit the user is on; undefined where there is none yet. */
  async commit(): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', 'HEAD'];
    const { code, out } = await this.git.run(args, { gitDir: this.gitDir, answers: [1, 128] });
    return code === 0 ? out.toString().trim() : undefined;
  }

  /** The commit the user is on and its branch; the branch is absent on a detached HEAD. */
  async head(): Promise<{ commit?: string; branch?: string }> {
    const place = { gitDir: this.gitDir, answers: [1, 128] };
    const [commit, branch] = await Promise.all([
      this.commit(),
      this.git.run(['symbolic-ref', '--quiet', 'HEAD'], place),
    ]);
    return { ...present({ commit }), ...(branch.code === 0 && { branch: branch.out.toString().trim() }) };
  }

  /** All refs by name; git is asked only where one may have been written since it was asked last. */
  async refs(): Promise<Refs> {
    const stamp = refsStamp([...new Set([this.gitDir, this.commonDir])]);
    if (stamp === undefined || stamp !== this.#known?.stamp) this.#known = { stamp, refs: await this.#readRefs() };
    return this.#known.refs;
  }

  async #readRefs(): Promise<Refs> {
    const format = '--format=%(objectname)%00%(refname)%00%(symref)';
    const { out } = await this.git.run(['for-each-ref', format], { gitDir: this.gitDir });
    const lines = out.toString('utf8').split('\n').filter(Boolean);
    return new Map(
      lines.map((line): [string, string] => {
        const [object = '', name = '', target = ''] = line.split('\0');
        return [name, target === '' ? object : `ref: ${target}`];
      }),
    );
  }

  /** The user's settings as far as they may be taken over, the repository's own included; read once. */
  settings(): Promise<ReadonlyMap<string, string>> {
    this.#settings ??= this.#readSettings();
    return this.#settings;
  }

  async #readSettings(): Promise<ReadonlyMap<string, string>> {
    const { out } = await this.git.run(['config', '--null', '--list'], { gitDir: this.gitDir });
    const entries = nulSeparated(out).map((entry): [string, string] => {
      const text = entry.toString('utf8');
      const end = text.indexOf('\n');
      return end === -1 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)];
    });
    return new Map(entries.filter(([name, value]) => HARMLESS.test(name) && value !== ''));
  }

  /** What a branch points to and where it is checked out, as far as there is either. */
  async branch(ref: string): Promise<{ commit?: string; place?: string }> {
    const format = ['for-each-ref', '--format=%(objectname) %(worktreepath)', ref];
    const text = await this.git.text(format, { gitDir: this.gitDir });
    const [commit, place] = [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)];
    return { ...(text !== '' && { commit }), ...(place !== '' && { place }) };
  }

  /**
   * Makes a ref point to an object, or with `ref: ` to another ref; never through one that points elsewhere. `from` is what
   * it is known to point to, undefined where it is not there; throws when it is something else by now.
   */
  async pointRef(ref: string, to: string, from?: string): Promise<void> {
    const place = { gitDir: this.gitDir };
    if (to.startsWith('ref: '))
      return void (await this.git.run(['symbolic-ref', '-m', 'helix', ref, to.slice('ref: '.length)], place));
    const known = from?.startsWith('ref: ') || ref === 'HEAD' ? '' : (from ?? '0'.repeat(to.length));
    const input = `update ${ref}\0${to}\0${known}\0`;
    await this.git.run(['update-ref', '--no-deref', '-m', 'helix', '-z', '--stdin'], { ...place, input });
  }

  /** Takes a ref away; throws when it points to something else than `from` by now. */
  async dropRef(ref: string, from: string): Promise<void> {
    await this.git.run(['update-ref', '--no-deref', '-d', ref, from], { gitDir: this.gitDir });
  }
}

/** Lets git itself look: it refuses what belongs to somebody else, and says what it does not understand. Gives the object format. */
async function probe(git: Git, top: string): Promise<string> {
  const args = ['rev-parse', '--show-object-format', '--is-inside-work-tree', '--show-cdup'];
  const said = await git.text(args, { cwd: top }).catch((cause: Error) => {
    throw new HelixError('config', `git cannot work in ${top}: ${cause.message}`, { cause });
  });
  const [format = '', ...place] = said.split('\n');
  if (place.join('\n') === 'true\n') return format;
  throw new HelixError('config', `${top} is not the work tree of its own repository`, {
    hint: 'core.worktree or core.bare is set there. See it with: git config --show-origin --get-regexp "core.(worktree|bare)"',
  });
}

function topOf(dir: string): string {
  for (let at = dir; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
    if (looksBare(at)) throw isBare(at);
    if (at === dirname(at)) break;
  }
  throw new HelixError('config', `${dir} is not in a git work tree`, {
    hint: 'Make it one with git init, or write workspace: phase-dirs in phases.yaml.',
  });
}

/** A `.git` file is believed only where the repository it names knows of this directory. */
function gitDirOf(top: string): string {
  const dot = join(top, '.git');
  const stat = lstatSync(dot);
  if (stat.isDirectory()) {
    if (existsSync(join(dot, 'commondir'))) throw foreign(dot, 'takes its settings from elsewhere (commondir)');
    return dot;
  }
  const target =
    stat.isFile() && stat.size < 8192 ? /^gitdir: (.+)\n?$/s.exec(readFileSync(dot, 'utf8'))?.[1] : undefined;
  if (target === undefined) throw foreign(dot, 'is neither a directory nor a file that names one');
  const gitDir = resolve(top, target.replace(/\n$/, ''));
  if (!lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory())
    throw foreign(dot, `names ${gitDir}, which is not there`);
  if (!knows(gitDir, top)) throw foreign(dot, `names ${gitDir}, which belongs to another directory`);
  return realpathSync(gitDir);
}

/** A linked worktree's place names its `.git` file, a submodule's its work tree. */
function knows(gitDir: string, top: string): boolean {
  const back = join(gitDir, 'gitdir');
  if (existsSync(back)) return sameFile(resolve(gitDir, readFileSync(back, 'utf8').trim()), join(top, '.git'));
  const config = join(gitDir, 'config');
  const worktree = existsSync(config) ? /^\s*worktree\s*=\s*(.+)$/m.exec(readFileSync(config, 'utf8'))?.[1] : undefined;
  if (worktree === undefined) return false;
  const path = worktree.trim().replace(/^"(.*)"$/, '$1');
  return sameFile(isAbsolute(path) ? path : resolve(gitDir, path), top);
}

function sameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function foreign(path: string, what: string): HelixError {
  return new HelixError('config', `${path} ${what}`, {
    hint: 'HELIX does not work in it. If you moved the repository, mend it with: git worktree repair',
  });
}
