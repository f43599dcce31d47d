import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../domain/finding.ts';
import { AGENT_IDENTITY } from '../../agents/agent-environment.ts';
import { writeAtomic } from '../../disk/atomic-file.ts';
import { cannotPutBack, doubtful, made, movedBy, switched, wasPutBack } from './ref-notices.ts';
import { changedSettings, type Settings, settingsOf } from './settings-watch.ts';
import type { Refs, UserRepository } from './user-repository.ts';

type Snapshot = {
  readonly refs: Refs;
  readonly head: string;
  readonly logged: ReadonlySet<string>;
  readonly settings: Settings;
};
type Judgement = 'put-back' | 'doubtful' | 'theirs' | 'nothing';

/**
 * Looks after the user's refs, and at what their git would run, while an agent works. The user may commit, fetch and delete meanwhile; what an agent did is
 * told from that by git's own log of each ref: it names who moved it, and only a ref written past git has no new line.
 */
export class RefGuard {
  readonly #user: UserRepository;
  readonly #before: Snapshot;
  readonly #file: string;
  /** The user has had time of their own since. */
  readonly #late: boolean;

  private constructor(user: UserRepository, before: Snapshot, { file, late }: { file: string; late: boolean }) {
    this.#user = user;
    this.#before = before;
    this.#file = file;
    this.#late = late;
  }

  /** Takes a snapshot, in a file too: whoever ends HELIX must not end its memory. */
  static watch(user: UserRepository, refs: Refs, file: string): RefGuard {
    const logged = [...refs.keys(), 'HEAD'].filter((ref) => existsSync(logOf(user, ref)));
    const facts = { head: headOf(user), settings: settingsOf(user) };
    writeAtomic(file, JSON.stringify({ refs: [...refs], logged, ...facts }));
    return new RefGuard(user, { refs, logged: new Set(logged), ...facts }, { file, late: false });
  }

  /** Takes up the snapshot that a HELIX left which did not live to compare it. */
  static takeUp(user: UserRepository, file: string): RefGuard {
    const { refs, logged, ...facts } = JSON.parse(readFileSync(file, 'utf8')) as Omit<Snapshot, 'refs' | 'logged'> & {
      refs: [string, string][];
      logged: string[];
    };
    return new RefGuard(user, { refs: new Map(refs), logged: new Set(logged), ...facts }, { file, late: true });
  }

  /** Puts back what an agent moved or deleted and tells what else moved; `own` is the run's branch, which is HELIX's to move. */
  async restore(own: string): Promise<Finding[]> {
    const now = await this.#user.refs();
    const notices: Finding[] = [];
    for (const [ref, before] of this.#before.refs) {
      const after = now.get(ref);
      if (ref !== own && after !== before) notices.push(...(await this.#restore(ref, before, after)));
    }
    for (const [ref, after] of now) {
      if (!this.#before.refs.has(ref) && ref !== own && this.#isAgents(ref)) notices.push(made(ref, after));
    }
    notices.push(...(await this.#restoreHead(now)));
    notices.push(...changedSettings(this.#before.settings, settingsOf(this.#user)));
    rmSync(this.#file, { force: true });
    return notices;
  }

  async #restore(ref: string, before: string, after: string | undefined): Promise<Finding[]> {
    const move = { ref, before, after };
    const judgement = this.#judge(ref, after);
    if (judgement === 'nothing') return [];
    if (judgement === 'doubtful') return [doubtful(move)];
    if (judgement === 'theirs') return [movedBy(move, this.#author(ref))];
    try {
      // What is no ref any more cannot be moved.
      if (after === undefined) removeFile(join(this.#user.commonDir, ref));
      await this.#user.pointRef(ref, before, after);
      return [wasPutBack(move)];
    } catch (error) {
      return [cannotPutBack(move, (error as Error).message)];
    }
  }

  #judge(ref: string, after: string | undefined): Judgement {
    if (after === undefined) {
      if (isGits(ref)) return 'nothing';
      return this.#late || /^refs\/(stash$|heads\/helix\/)/.test(ref) ? 'doubtful' : 'put-back';
    }
    if (this.#isAgents(ref)) return 'put-back';
    if (isGits(ref) || ref.startsWith('refs/heads/helix/')) return 'nothing';
    if (ref.startsWith('refs/tags/')) return this.#late ? 'doubtful' : 'put-back';
    return this.#judgeLog(ref, after);
  }

  #judgeLog(ref: string, after: string | undefined): Judgement {
    const line = this.#lastLine(ref);
    // Who lets git forget its logs is no agent, who removes them is; a branch without a commit yet leaves no line anywhere.
    if (!this.#before.logged.has(ref) || line === '' || after === undefined) return 'doubtful';
    return line?.includes(` ${after} `) ? 'theirs' : 'put-back';
  }

  async #restoreHead(now: Refs): Promise<Finding[]> {
    const { head: before } = this.#before;
    const after = headOf(this.#user);
    if (after === before) return [];
    const at = after.startsWith('ref: ') ? now.get(after.slice('ref: '.length)) : after;
    const judgement = this.#isAgents('HEAD') ? 'put-back' : this.#judgeLog('HEAD', at);
    const move = { ref: 'HEAD', before, after };
    if (judgement === 'theirs') return [movedBy(move, this.#author('HEAD'))];
    if (judgement === 'doubtful') return [doubtful(move)];
    try {
      await this.#user.pointRef('HEAD', before);
      return [switched(move)];
    } catch (error) {
      return [cannotPutBack(move, (error as Error).message)];
    }
  }

  #isAgents(ref: string): boolean {
    const line = this.#lastLine(ref) ?? '';
    return line.includes(` ${AGENT_IDENTITY.name} <`) || line.includes(`<${AGENT_IDENTITY.email}>`);
  }

  #author(ref: string): string {
    return /^\S+ \S+ (.*>) \d+ /.exec(this.#lastLine(ref) ?? '')?.[1] ?? 'somebody';
  }

  #lastLine(ref: string): string | undefined {
    const log = logOf(this.#user, ref);
    return lstatSync(log, { throwIfNoEntry: false })?.isFile()
      ? readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)
      : undefined;
  }
}

/** Refs that git itself moves. */
function isGits(ref: string): boolean {
  return /^refs\/(remotes|bisect|rewritten|prefetch|worktree)\//.test(ref);
}

function logOf({ gitDir, commonDir }: UserRepository, ref: string): string {
  return join(ref === 'HEAD' ? gitDir : commonDir, 'logs', ref);
}

function headOf({ gitDir }: UserRepository): string {
  const path = join(gitDir, 'HEAD');
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}

function removeFile(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isDirectory()) rmSync(path);
}
