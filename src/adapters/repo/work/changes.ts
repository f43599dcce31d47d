import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { present } from '../../../domain/present.ts';
import { globBase, globMatcher, isGlob } from '../../../text/glob.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { nulSeparated } from '../git/git.ts';
import { hasRealFolders } from '../git/real-folders.ts';
import { seenFrom } from '../git/seen-from.ts';
import { trackedChanges } from '../git/tracked-changes.ts';
import type { OwnRepository } from '../own/own-repository.ts';

const LIMITS = { files: 50_000, fileBytes: 256 * 1024 * 1024, bytes: 1024 * 1024 * 1024 };

const OWNER_READS = 0o400;

type Look = {
  readonly root: string;
  readonly index: string;
  readonly repository: OwnRepository;
  readonly declared: readonly string[];
  readonly cache: readonly string[];
  readonly given: ReadonlyMap<string, string>;
};

/** What differs between a worktree and the index it was laid out from, ready to be taken into that index. */
export class Changes {
  readonly notices: Finding[] = [];
  readonly #look: Look;
  readonly #removed: Buffer[] = [];
  readonly #added: Buffer[] = [];
  #bytes = 0;
  #said = '';
  #isClosed = false;

  private constructor(look: Look) {
    this.#look = look;
  }

  static async find(look: Look): Promise<Changes> {
    const changes = new Changes(look);
    const { root, index, repository } = look;
    const [tracked, others, declared] = await Promise.all([
      trackedChanges(repository.git, { gitDir: repository.dir, workTree: root, index }),
      untracked(look),
      ignoredOutputs(look),
    ]);
    changes.#said = tracked.said + others.said;
    for (const { path, gone } of tracked.changed) changes.#consider(path, gone);
    // What was declared comes first, because there is only so much that is kept.
    const names = new Map([...declared, ...others.paths].map((path) => [path.toString('latin1'), path]));
    for (const path of names.values()) changes.#consider(path, false);
    changes.notices.push(...unreadable(changes.#said));
    return changes;
  }

  /** Tells whether something was closed to HELIX that may only need to be opened. */
  get isDenied(): boolean {
    return this.#isClosed || this.#said.includes('Permission denied');
  }

  /** Every path that differs. */
  get paths(): string[] {
    return [...this.#removed, ...this.#added].map((path) => path.toString('utf8'));
  }

  /** For `update-index --index-info`. */
  get removals(): Buffer {
    const zero = '0'.repeat(this.#look.repository.hashLength);
    return Buffer.concat(this.#removed.flatMap((path) => [Buffer.from(`0 ${zero}\t`), path, NUL]));
  }

  /** Paths whose present content is to be taken in. */
  get additions(): readonly Buffer[] {
    return this.#added;
  }

  #consider(path: Buffer, gone: boolean): void {
    const name = path.toString('utf8');
    if (gone) {
      this.#removed.push(path);
    } else if (name.endsWith('/')) {
      this.notices.push(notKept(name.slice(0, -1), 'is a git repository of its own', `Remove ${name}.git.`));
    } else {
      const stat = lstatSync(Buffer.concat([Buffer.from(`${this.#look.root}/`), path]), { throwIfNoEntry: false });
      if (stat === undefined) this.#removed.push(path);
      else if (!stat.isFile() && !stat.isSymbolicLink()) {
        this.#removed.push(path);
        this.notices.push(notKept(name, 'is neither a file nor a link'));
      } else if (stat.isSymbolicLink()) this.#addLink(path, name);
      else if ((stat.mode & OWNER_READS) === 0) this.#close(name);
      else if (!this.#isGiven(name, stat.size)) this.#add(path, name, stat.size);
    }
  }

  #close(name: string): void {
    this.#isClosed = true;
    this.notices.push(notKept(name, 'cannot be read'));
  }

  #addLink(path: Buffer, name: string): void {
    const target = readlinkSync(Buffer.concat([Buffer.from(`${this.#look.root}/`), path]));
    const leads = posix.join(posix.dirname(name), target);
    if (target.startsWith('/') || leads === '..' || leads.startsWith('../')) this.notices.push(leadsOut(name, target));
    this.#add(path, name, 0);
  }

  #add(path: Buffer, name: string, size: number): void {
    this.#bytes += size;
    if (size > LIMITS.fileBytes) {
      this.notices.push(notKept(name, `is larger than ${LIMITS.fileBytes / 1048576} MB`));
    } else if (this.#added.length >= LIMITS.files || this.#bytes > LIMITS.bytes) {
      if (!this.notices.some(({ check }) => check === 'too-much')) this.notices.push(tooMuch());
    } else this.#added.push(path);
  }

  /** Something HELIX put there and nobody changed since is not the phase's work. */
  #isGiven(name: string, size: number): boolean {
    const { repository, root, given } = this.#look;
    const blob = given.get(seenFrom(repository.user.prefix, name));
    return (
      blob !== undefined && size <= LIMITS.fileBytes && blob === blobId(readFileSync(join(root, name)), repository)
    );
  }
}

const NUL = Buffer.from([0]);

/** The id git gives to a content. */
export function blobId(content: Buffer, { hashLength }: OwnRepository): string {
  const hash = createHash(hashLength === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** Files git neither knows nor ignores, but for those in the folders set-up fills. */
export async function untracked({
  root,
  index,
  repository,
  cache,
}: Pick<Look, 'root' | 'index' | 'repository' | 'cache'>): Promise<{ paths: Buffer[]; said: string }> {
  const below = repository.user.prefix.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  const excludes = cache.map((path) => `--exclude=/${posix.join(below, path)}/`);
  const args = ['ls-files', '-z', '--others', '--exclude-standard', ...excludes];
  const { out, said } = await repository.git.run(args, { gitDir: repository.dir, workTree: root, index });
  return { paths: nulSeparated(out), said };
}

/** Declared outputs count even where git ignores them. */
async function ignoredOutputs(look: Look): Promise<Buffer[]> {
  const { root, index, repository, declared } = look;
  const { prefix } = repository.user;
  const found: Buffer[] = [];
  for (const pattern of declared.filter(isGlob)) {
    const base = posix.join(prefix, globBase(pattern));
    const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', base];
    const listed = await repository.git.run(args, { gitDir: repository.dir, workTree: root, index });
    const matches = globMatcher(pattern);
    const inProject = (path: Buffer) => seenFrom(prefix, path.toString('utf8'));
    found.push(...nulSeparated(listed.out).filter((path) => matches(inProject(path)) && !isCached(path, look)));
  }
  const plain = declared.filter((path) => !isGlob(path)).map((path) => posix.join(prefix, path));
  return [...found, ...plain.filter((path) => isFile(root, path)).map((path) => Buffer.from(path))];
}

function isCached(path: Buffer, { cache, repository }: Look): boolean {
  const name = path.toString('utf8');
  return cache.some((folder) => name.startsWith(`${posix.join(repository.user.prefix, folder)}/`));
}

function isFile(root: string, path: string): boolean {
  return hasRealFolders(root, path) && lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
}

/** Says that something did not become part of a tree, and why. */
export function notKept(path: string, what: string, hint?: string): Finding {
  return {
    severity: 'error',
    check: 'workspace',
    message: `${path} ${what}; it was not kept`,
    ...present({ hint }),
    location: { file: path },
  };
}

/** Folders git could not look into, such as those that are too deep; of a long line git prints only the beginning. */
function unreadable(said: string): Finding[] {
  const found = said.matchAll(/^warning: could not open directory '(.*?)(?:': (.*))?$/gm);
  return [...found].map(([, path = '', why = 'its path is too long']) =>
    notKept(excerpt(path, 200), `cannot be looked into (${why})`),
  );
}

function leadsOut(path: string, target: string): Finding {
  const message = `${path} is a link to ${excerpt(target, 200)}, outside the repository`;
  return { severity: 'warning', check: 'link', message, location: { file: path } };
}

function tooMuch(): Finding {
  const message = `more than ${LIMITS.files} files or ${LIMITS.bytes / 1048576} MB were made; the rest was not kept`;
  return { severity: 'error', check: 'too-much', message };
}
