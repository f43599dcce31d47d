import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
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
    return join(this.#dir, `${sha256(realpathSync(project)).slice(0, 32)}.json`);
  }
}

/** The trust this user has given so far. */
export function openTrustStore(env: Readonly<Record<string, string | undefined>>, home: string): Trust {
  return new TrustStore(stateDirectory(env, home));
}

/** Where HELIX keeps what belongs to the user and not to a project. */
export function stateDirectory(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return join(env.XDG_STATE_HOME?.startsWith('/') ? env.XDG_STATE_HOME : join(home, '.local', 'state'), 'helix');
}
