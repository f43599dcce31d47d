import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Files, LineWriter } from '../ports.ts';
import { writeAtomic } from './atomic-file.ts';
import { ioError } from './io-error.ts';

const LIMIT = 64 * 1024 * 1024;

/** The files of one run below `.helix/runs/<run>/`. */
export class RunFiles implements Files {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async write(path: string, content: string): Promise<void> {
    writeAtomic(join(this.#dir, path), content);
  }

  async lines(path: string): Promise<LineWriter> {
    return new Lines(join(this.#dir, path));
  }
}

function setAside(path: string): void {
  let n = 1;
  while (existsSync(`${path}.interrupted-${n}`)) n += 1;
  renameSync(path, `${path}.interrupted-${n}`);
}

/** The file is made with its first line: an agent that says nothing leaves none. */
class Lines implements LineWriter {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  #fd: number | undefined;
  #bytes = 0;
  #full = false;

  constructor(path: string) {
    this.#path = path;
    if (existsSync(path)) setAside(path);
  }

  line(text: string): void {
    if (this.#full) return;
    const bytes = Buffer.from(`${text}\n`);
    this.#full = this.#bytes + bytes.length > LIMIT;
    this.#put(this.#full ? Buffer.from('{"helix":"the transcript is cut here: 64 MB"}\n') : bytes);
  }

  async close(): Promise<string> {
    if (this.#fd !== undefined) closeSync(this.#fd);
    return this.#hash.digest('hex');
  }

  #put(bytes: Buffer): void {
    try {
      this.#fd ??= this.#open();
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    } catch (error) {
      throw ioError(error, this.#path);
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return openSync(this.#path, 'w', 0o600);
  }
}
