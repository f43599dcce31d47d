import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../domain/finding.ts';
import { AGENT_IDENTITY } from '../agents/agent-identity.ts';
import type { Refs, UserRepository } from './user-repository.ts';

type Snapshot = { readonly refs: Refs; readonly head: string; readonly logged: ReadonlySet<string> };

/**
 * Looks after the user's refs while an agent works. The user may commit, fetch and delete meanwhile; what an agent did is
 * told from that by git's own log of each ref: it names who moved it, and only a ref written past git has no new line.
 */
export class RefGuard {
  readonly #user: UserRepository;
  readonly #before: Snapshot;

  private constructor(user: UserRepository, before: Snapshot) {
    this.#user = user;
    this.#before = before;
  }

  static async watch(user: UserRepository, refs: Refs): Promise<RefGuard> {
    const logged = new Set([...refs.keys()].filter((ref) => existsSync(join(user.commonDir, 'logs', ref))));
    return new RefGuard(user, { refs, head: headOf(user), logged });
  }

  /** Puts back what was moved or deleted; `own` is the run's branch, which is HELIX's to move. */
  async restore(own: string): Promise<Finding[]> {
    const notices = await this.#restoreHead();
    const now = await this.#user.refs();
    for (const [ref, before] of this.#before.refs) {
      const after = now.get(ref);
      if (ref === own || after === before || isNobodys(ref)) continue;
      if (after !== undefined && !this.#wasMovedByAgent(ref, after)) continue;
      notices.push(await this.#putBack(ref, before, after));
    }
    for (const [ref, after] of now) {
      if (!this.#before.refs.has(ref) && ref !== own && this.#isAgents(ref)) notices.push(made(ref, after));
    }
    return notices;
  }

  async #restoreHead(): Promise<Finding[]> {
    const now = headOf(this.#user);
    const before = this.#before.head;
    if (now === before || !before.startsWith('ref: ') || !this.#isAgents('HEAD')) return [];
    const ref = before.slice('ref: '.length).trim();
    await this.#user.git.run(['symbolic-ref', 'HEAD', ref], { gitDir: this.#user.gitDir });
    return [notice(`the agent switched your checkout to another branch; HEAD is back at ${ref}`)];
  }

  async #putBack(ref: string, before: string, after: string | undefined): Promise<Finding> {
    const what = after === undefined ? 'was deleted' : `was moved to ${after.slice(0, 12)}`;
    try {
      await this.#user.moveRef(ref, before, after);
      const message = `your ${ref} ${what} while the agent worked; it is back at ${before.slice(0, 12)}`;
      // A deletion leaves no trace of who did it.
      return { ...notice(message), severity: after === undefined ? 'warning' : 'error' };
    } catch (error) {
      return notice(
        `your ${ref} ${what} while the agent worked and could not be put back at ${before}: ${(error as Error).message}`,
      );
    }
  }

  #wasMovedByAgent(ref: string, after: string): boolean {
    if (ref.startsWith('refs/tags/')) return true;
    if (!this.#before.logged.has(ref)) return false;
    return this.#isAgents(ref) || this.#lastLine(ref)?.includes(` ${after} `) !== true;
  }

  #isAgents(ref: string): boolean {
    return this.#lastLine(ref)?.includes(`<${AGENT_IDENTITY.email}>`) ?? false;
  }

  #lastLine(ref: string): string | undefined {
    const dir = ref === 'HEAD' ? this.#user.gitDir : this.#user.commonDir;
    const log = join(dir, 'logs', ref);
    return existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) : undefined;
  }
}

/** Refs that git itself or HELIX moves. */
function isNobodys(ref: string): boolean {
  return /^refs\/(heads\/helix|helix|stash|remotes|notes|bisect|rewritten|prefetch)(\/|$)/.test(ref);
}

function headOf(user: UserRepository): string {
  const path = join(user.gitDir, 'HEAD');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function made(ref: string, object: string): Finding {
  return notice(`the agent made ${ref} (${object.slice(0, 12)}) in your repository; delete it if you do not want it`);
}

function notice(message: string): Finding {
  return {
    severity: 'error',
    check: 'refs',
    message,
    hint: 'Work in your own directory; the repository it came from is not yours to change.',
  };
}
