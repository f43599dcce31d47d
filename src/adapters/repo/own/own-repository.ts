import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { writeAtomic } from '../../disk/atomic-file.ts';
import { ensureDirectory } from '../../disk/ensure-directory.ts';
import { CatFile } from '../git/cat-file.ts';
import type { Git } from '../git/git.ts';
import type { UserRepository } from '../user/user-repository.ts';
import { removeForeign } from './own-entries.ts';

const MAX_LIST = 1024 * 1024;

/**
 * HELIX's own repository below `.helix`: it reads the user's objects, keeps what attempts make, and knows none of the
 * user's settings that could make git run something. Worktrees belong to neither.
 */
export class OwnRepository {
  readonly git: Git;
  readonly dir: string;
  readonly user: UserRepository;
  readonly contents: CatFile;
  /** `sha1` or `sha256`. */
  readonly format: string;

  private constructor(user: UserRepository, dir: string) {
    this.user = user;
    this.format = user.format;
    this.git = user.git;
    this.dir = dir;
    this.contents = new CatFile(() => this.git.start(['cat-file', '--batch'], { gitDir: dir }));
  }

  /** Opens or makes it; what it takes over from the user's repository is brought up to date. */
  static async open(user: UserRepository, helixDir: string): Promise<OwnRepository> {
    ensureDirectory(helixDir);
    hide(helixDir);
    const dir = join(helixDir, 'repo');
    for (const path of ['', 'objects', 'objects/info', 'objects/pack', 'refs', 'info'])
      ensureDirectory(join(dir, path));
    removeForeign(dir);
    writeIfNew(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
    writeIfNew(join(dir, 'objects/info/alternates'), alternates(objectsOf(user)));
    writeIfNew(join(dir, 'config'), renderConfig(await user.settings(), user));
    for (const name of ['exclude', 'attributes']) {
      writeIfNew(join(dir, 'info', name), textOf(join(user.commonDir, 'info', name)));
    }
    copyShallow(user.commonDir, dir);
    return new OwnRepository(user, dir);
  }

  /** Every place with objects a worktree may need. */
  get objectStores(): string[] {
    return [join(this.dir, 'objects'), ...objectsOf(this.user)];
  }

  /** The length of an object's name. */
  get hashLength(): number {
    return this.format === 'sha256' ? 64 : 40;
  }

  close(): void {
    this.contents.close();
  }
}

/** Where a history was cut off, git must know it; a list of nothing would count as one that was. */
export function copyShallow(from: string, to: string): void {
  const text = textOf(join(from, 'shallow'));
  if (text === '') rmSync(join(to, 'shallow'), { force: true });
  else writeIfNew(join(to, 'shallow'), text);
}

/** Keeps `.helix` out of the user's status and commits without touching any file of theirs. */
function hide(helixDir: string): void {
  writeIfNew(join(helixDir, '.gitignore'), '*\n');
}

/** A small plain file's text; anything else counts as empty. */
function textOf(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size < MAX_LIST ? readFileSync(path, 'utf8') : '';
}

function writeIfNew(path: string, text: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) {
    throw new HelixError('config', `${path} is no plain file`, { hint: 'Remove it: HELIX makes it anew.' });
  }
  if (stat !== undefined && readFileSync(path, 'utf8') === text) return;
  writeAtomic(path, text);
}

/** The list of further object stores, as git reads it. */
export function alternates(dirs: readonly string[]): string {
  return dirs.map((dir) => `${/["\\\n#]/.test(dir) ? quoted(dir) : dir}\n`).join('');
}

/** Where objects of the user's lie; a linked worktree has submodules of its own. */
function objectsOf({ objects, commonDir, gitDir }: UserRepository): string[] {
  return [objects, ...[...new Set([commonDir, gitDir])].flatMap((dir) => submoduleObjects(dir))];
}

/** Where the objects of submodules lie that the user has checked out. */
function submoduleObjects(commonDir: string, below = 'modules', depth = 4): string[] {
  const dir = join(commonDir, below);
  if (depth === 0 || !existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((item) => {
    if (!item.isDirectory()) return [];
    const objects = join(dir, item.name, 'objects');
    if (existsSync(objects)) return [objects, ...submoduleObjects(join(dir, item.name), 'modules', depth - 1)];
    return submoduleObjects(commonDir, join(below, item.name), depth - 1);
  });
}

export function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** A git configuration with the user's harmless settings and nothing else of the repository's. */
export function renderConfig(settings: ReadonlyMap<string, string>, { format, commonDir }: UserRepository): string {
  const known = new Map([
    ['user.name', 'HELIX'],
    ['user.email', 'helix@localhost'],
    ...settings,
    ['core.repositoryformatversion', format === 'sha1' ? '0' : '1'],
    ['core.bare', 'false'],
    ...(format === 'sha1' ? [] : [['extensions.objectformat', format] as const]),
    ['lfs.storage', join(commonDir, 'lfs')],
  ]);
  return [...known]
    .map(([name, value]) => {
      const dot = name.indexOf('.');
      return `[${name.slice(0, dot)}]\n\t${name.slice(dot + 1)} = ${quoted(value)}\n`;
    })
    .join('');
}
