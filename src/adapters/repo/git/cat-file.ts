import { once } from 'node:events';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Git } from './git.ts';

type Asked = {
  readonly limit: number;
  readonly resolve: (content: Buffer) => void;
  readonly reject: (why: unknown) => void;
};

type Held = { ref(): unknown; unref(): unknown };

/** Reads objects one after another through a single git process, started when the first one is asked for. */
export class CatFile {
  readonly #start: () => ReturnType<Git['start']>;
  #child: ReturnType<Git['start']> | undefined;
  #asked: Asked[] = [];
  #head = Buffer.alloc(0);
  #body: { left: number; kept: Buffer[]; room: number } | undefined;

  constructor(start: () => ReturnType<Git['start']>) {
    this.#start = start;
  }

  /** The content of an object, at most `limit` bytes of it; throws HelixError `journal` when it is gone. */
  read(id: string, limit: number): Promise<Buffer> {
    const child = this.#open();
    return new Promise((resolve, reject) => {
      this.#asked.push({ limit, resolve, reject });
      this.#keepAlive(child);
      child.stdin.write(`${id}\n`);
    });
  }

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #open(): ReturnType<Git['start']> {
    if (this.#child !== undefined) return this.#child;
    const child = this.#start();
    this.#child = child;
    child.stdout.on('data', (piece: Buffer) => this.#take(piece));
    child.stdin.on('error', () => undefined);
    child.stderr.resume();
    void once(child, 'close').then(
      () => this.#fail(child, 'git cat-file ended'),
      (error) => this.#fail(child, String(error)),
    );
    return child;
  }

  /** HELIX stays for an answer, but not for a git that nobody asks any more. */
  #keepAlive(child: ReturnType<Git['start']>): void {
    const how = this.#asked.length > 0 ? 'ref' : 'unref';
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as Partial<Held>)[how]?.();
  }

  #fail(child: ReturnType<Git['start']>, message: string): void {
    if (this.#child === child) this.#child = undefined;
    const asked = this.#asked;
    this.#asked = [];
    this.#head = Buffer.alloc(0);
    this.#body = undefined;
    for (const { reject } of asked) reject(new HelixError('io', message));
  }

  #take(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0) rest = this.#body === undefined ? this.#takeHead(rest) : this.#takeBody(this.#body, rest);
    if (this.#child !== undefined) this.#keepAlive(this.#child);
  }

  #takeHead(piece: Buffer): Buffer {
    const end = piece.indexOf(10);
    this.#head = Buffer.concat([this.#head, end === -1 ? piece : piece.subarray(0, end)]);
    if (end === -1) return Buffer.alloc(0);
    const line = this.#head.toString();
    this.#head = Buffer.alloc(0);
    const size = /^\S+ blob (\d+)$/.exec(line)?.[1];
    if (size === undefined) {
      const unusual = /^\S+ (?:tree|commit|tag) (\d+)$/.exec(line)?.[1];
      this.#asked.shift()?.reject(new HelixError('journal', `the object ${line.slice(0, 12)} is gone or no file`));
      if (unusual !== undefined) this.#body = { left: Number(unusual) + 1, kept: [], room: -1 };
    } else this.#body = { left: Number(size) + 1, kept: [], room: this.#asked[0]?.limit ?? 0 };
    return piece.subarray(end + 1);
  }

  /** A body ends with a line feed of its own, which is not kept. */
  #takeBody(body: { left: number; kept: Buffer[]; room: number }, piece: Buffer): Buffer {
    const now = piece.subarray(0, body.left);
    const content = now.subarray(0, Math.max(0, Math.min(now.length, body.left - 1)));
    if (body.room > 0 && content.length > 0) {
      body.kept.push(content.subarray(0, body.room));
      body.room -= Math.min(body.room, content.length);
    }
    body.left -= now.length;
    if (body.left > 0) return Buffer.alloc(0);
    this.#body = undefined;
    if (body.room !== -1) this.#asked.shift()?.resolve(Buffer.concat(body.kept));
    return piece.subarray(now.length);
  }
}
