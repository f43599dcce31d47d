import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { globBase, globMatcher, isGlob } from '../../text/glob.ts';
import { nulSeparated } from './git.ts';
import type { OwnRepository } from './own-repository.ts';
import { trackedChanges } from './tracked-changes.ts';

const LIMITS = { files: 50_000, fileBytes: 256 * 1024 * 1024, bytes: 1024 * 1024 * 1024 };

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
    for (const { path, gone } of tracked) changes.#consider(path, gone);
    for (const path of [...others, ...declared]) changes.#consider(path, false);
    return changes;
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

  /** For `update-index --stdin`. */
  get additions(): Buffer {
    return Buffer.concat(this.#added.flatMap((path) => [path, NUL]));
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
      } else if (!this.#isGiven(name, stat.size)) this.#add(path, name, stat.isFile() ? stat.size : 0);
    }
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
    const blob = given.get(posix.relative(repository.user.prefix, name));
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

async function untracked({ root, index, repository, cache }: Look): Promise<Buffer[]> {
  const below = repository.user.prefix.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  const excludes = cache.map((path) => `--exclude=/${posix.join(below, path)}/`);
  const args = ['ls-files', '-z', '--others', '--exclude-standard', ...excludes];
  return nulSeparated((await repository.git.run(args, { gitDir: repository.dir, workTree: root, index })).out);
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
    const inProject = (path: Buffer) => posix.relative(prefix, path.toString('utf8'));
    found.push(...nulSeparated(listed.out).filter((path) => matches(inProject(path)) && !isCached(path, look)));
  }
  const plain = declared.filter((path) => !isGlob(path)).map((path) => posix.join(prefix, path));
  return [...found, ...plain.filter((path) => isPlainFile(root, path)).map((path) => Buffer.from(path))];
}

function isCached(path: Buffer, { cache, repository }: Look): boolean {
  const name = path.toString('utf8');
  return cache.some((folder) => name.startsWith(`${posix.join(repository.user.prefix, folder)}/`));
}

/** A file whose folders are real: what lies behind a link is not in this tree. */
function isPlainFile(root: string, path: string): boolean {
  const parts = path.split('/');
  const stats = parts.map((_, at) => lstatSync(join(root, ...parts.slice(0, at + 1)), { throwIfNoEntry: false }));
  return stats.every((stat, at) => (at === parts.length - 1 ? stat?.isFile() : stat?.isDirectory()));
}

function notKept(path: string, what: string, hint?: string): Finding {
  return {
    severity: 'error',
    check: 'workspace',
    message: `${path} ${what}; it was not kept`,
    ...(hint !== undefined && { hint }),
    location: { file: path },
  };
}

function tooMuch(): Finding {
  const message = `more than ${LIMITS.files} files or ${LIMITS.bytes / 1048576} MB were made; the rest was not kept`;
  return { severity: 'error', check: 'too-much', message };
}
