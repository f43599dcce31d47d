import { once } from 'node:events';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Git, GitPlace } from './git.ts';

/** Takes the content of the object that was asked for at this place, piece by piece. */
export type ObjectSink = { readonly write: (piece: Buffer) => void; readonly end: () => void };

/**
 * Hands out the contents of many objects in the order they are named, as they are stored: no filter is asked, nothing is
 * converted. Throws HelixError `journal` for one that is gone, `stopped` by the signal.
 */
export async function readObjects(
  ids: readonly string[],
  open: (at: number) => ObjectSink,
  { git, place, signal }: { git: Git; place: GitPlace; signal?: AbortSignal | undefined },
): Promise<void> {
  if (ids.length === 0) return;
  const child = git.start(['cat-file', '--batch', '--buffer'], place);
  const answers = new Answers(open);
  let failure: unknown;
  const fail = (why: unknown) => {
    failure ??= why;
    child.kill('SIGKILL');
  };
  const stop = () => fail(new HelixError('stopped', 'stopped while files were copied'));
  child.stdout.on('data', (piece: Buffer) => {
    try {
      if (failure === undefined) answers.take(piece);
    } catch (error) {
      fail(error);
    }
  });
  child.stderr.resume();
  child.stdin.on('error', () => undefined);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    child.stdin.end(ids.map((id) => `${id}\n`).join(''));
    await once(child, 'close');
  } finally {
    signal?.removeEventListener('abort', stop);
    answers.close();
  }
  if (failure !== undefined) throw failure;
  if (answers.count < ids.length) throw new HelixError('io', 'git cat-file ended before it had read everything');
}

/** The output of `git cat-file --batch`: a line about each object, its content, a line feed. */
class Answers {
  readonly #open: (at: number) => ObjectSink;
  #head = '';
  #sink: ObjectSink | undefined;
  #left = 0;
  count = 0;

  constructor(open: (at: number) => ObjectSink) {
    this.#open = open;
  }

  take(piece: Buffer): void {
    for (let rest = piece; rest.length > 0; )
      rest = this.#sink === undefined ? this.#takeHead(rest) : this.#takeBody(rest);
  }

  /** Lets go of a file that was not read to its end. */
  close(): void {
    this.#sink?.end();
    this.#sink = undefined;
  }

  #takeHead(piece: Buffer): Buffer {
    const end = piece.indexOf(10);
    this.#head += piece.toString('latin1', 0, end === -1 ? piece.length : end);
    if (end === -1) return piece.subarray(piece.length);
    const size = /^[0-9a-f]+ blob (\d+)$/.exec(this.#head)?.[1];
    if (size === undefined) {
      throw new HelixError('journal', `the object ${this.#head.slice(0, 12)} is gone or no file`, {
        hint: 'See what is missing with: git fsck',
      });
    }
    this.#head = '';
    this.#left = Number(size) + 1;
    this.#sink = this.#open(this.count);
    return piece.subarray(end + 1);
  }

  #takeBody(piece: Buffer): Buffer {
    const now = Math.min(piece.length, this.#left);
    const content = Math.min(now, this.#left - 1);
    if (content > 0) this.#sink?.write(piece.subarray(0, content));
    this.#left -= now;
    if (this.#left === 0) {
      this.close();
      this.count += 1;
    }
    return piece.subarray(now);
  }
}
