import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Trust } from '../../ports/trust.ts';
import { sha256 } from '../../text/digest.ts';
import { writeAtomic } from '../disk/atomic-file.ts';

/** Remembers trusted plans outside every project, one file per project, named by its real path. */
class TrustStore implements Trust {
  readonly #dir: string;

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'trust');
  }

  async trusted(project: string): Promise<readonly string[] | undefined> {
    const path = this.#file(project);
    if (!existsSync(path)) return undefined;
    try {
      const { lines } = JSON.parse(readFileSync(path, 'utf8')) as { lines: string[] };
      return lines.map(String);
    } catch (error) {
      throw new HelixError('config', `${path} cannot be read`, {
        hint: 'Remove it and run: helix trust',
        cause: error,
      });
    }
  }

  async trust(project: string, lines: readonly string[]): Promise<void> {
    writeAtomic(this.#file(project), `${JSON.stringify({ project: realpathSync(project), lines }, null, 2)}\n`);
  }

  #file(project: string): string {
    return join(this.#dir, fileOf(project));
  }
}

function fileOf(project: string): string {
  return `${sha256(realpathSync(project)).slice(0, 32)}.json`;
}

/** Tells whether a state directory knows a project as trusted, by whatever name that is called. */
export function knowsProject(stateDir: string, project: string): boolean {
  return existsSync(join(stateDir, 'trust', fileOf(project)));
}

/** The trust this user has given so far. */
export function openTrustStore(env: Readonly<Record<string, string | undefined>>, home: string): Trust {
  return new TrustStore(stateDirectory(env, home));
}

/** The real paths of all projects this user has trusted so far, the latest first. */
export function trustedProjects(env: Readonly<Record<string, string | undefined>>, home: string): string[] {
  const dir = join(stateDirectory(env, home), 'trust');
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.json')) : [];
  const files = names.flatMap((name) => {
    const stat = statSync(join(dir, name), { throwIfNoEntry: false });
    return stat?.isFile() ? [{ file: join(dir, name), since: stat.mtimeMs }] : [];
  });
  return files.sort((a, b) => b.since - a.since).flatMap(({ file }) => projectIn(file));
}

/** A file that nobody can read names no project; whoever works there is told. */
function projectIn(file: string): string[] {
  try {
    const { project } = JSON.parse(readFileSync(file, 'utf8')) as { project?: unknown };
    return typeof project === 'string' && isAbsolute(project) ? [project] : [];
  } catch {
    return [];
  }
}

/** Where HELIX keeps what belongs to the user and not to a project. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_STATE_HOME?.startsWith('/') ? env.XDG_STATE_HOME : join(home, '.local', 'state'), 'helix');
}

/** Tells whether a state directory is another one by whatever name, or leads to what lies in it or above it. */
export function isSameState(own: string, other: string): boolean {
  const theirs = realPath(other);
  const inside = existsSync(own) ? readdirSync(own).map((name) => join(own, name)) : [];
  return (
    own === other || [own, ...inside].map(realPath).some((path) => contains(path, theirs) || contains(theirs, path))
  );
}

function contains(above: string, path: string): boolean {
  return path === above || path.startsWith(`${above}/`);
}

/** Where a path leads, though its last parts may not be there yet. */
function realPath(path: string): string {
  return existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPath(dirname(path)), basename(path));
}
