import { randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, unlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectory } from '../disk/cache-directory.ts';

const LOOK_MS = 50;
const PIECE = 64 * 1024;
/** Nobody else finds the file; whoever writes to it writes at its end. */
const NEW = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

type StreamName = 'stdout' | 'stderr';
/** Takes a chunk; false once no more is wanted. */
type Listener = (stream: StreamName, chunk: Buffer) => boolean;

/**
 * What a program prints, by way of files without a name. Into a pipe Node writes later what there is no room for at once, and a script
 * that ends itself meanwhile loses its last words, which say why; into a file all of it is written before it goes on.
 */
export class OutputFiles {
  readonly stdout: number;
  readonly stderr: number;
  readonly #read = { stdout: 0, stderr: 0 };
  #timer: NodeJS.Timeout | undefined;
  #isDeaf = false;

  constructor() {
    this.stdout = unnamed();
    this.stderr = unnamed();
  }

  /** Hands on what is printed from now on, until it is closed. */
  listen(onChunk: Listener): void {
    this.#timer = setInterval(() => this.look(onChunk), LOOK_MS);
  }

  /** Hands on what was printed since it was looked last. */
  look(onChunk: Listener): void {
    for (const stream of ['stdout', 'stderr'] as const) this.#readOn(stream, onChunk);
  }

  close(): void {
    clearInterval(this.#timer);
    closeSync(this.stdout);
    closeSync(this.stderr);
  }

  #readOn(stream: StreamName, onChunk: Listener): void {
    const { size } = fstatSync(this[stream]);
    // A program that opens its own output anew empties it.
    if (size < this.#read[stream]) this.#read[stream] = 0;
    while (!this.#isDeaf && this.#read[stream] < size) {
      const piece = Buffer.allocUnsafe(Math.min(PIECE, size - this.#read[stream]));
      const bytes = readSync(this[stream], piece, 0, piece.length, this.#read[stream]);
      if (bytes === 0) return;
      this.#read[stream] += bytes;
      this.#isDeaf = !onChunk(stream, piece.subarray(0, bytes));
    }
  }
}

/** In HELIX's cache or, where that cannot be written, among temporary files. */
function unnamed(): number {
  const cache = cacheDirectory(process.env, homedir());
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    return unnamedIn(cache);
  } catch {
    return unnamedIn(tmpdir());
  }
}

function unnamedIn(dir: string): number {
  const path = join(dir, `output-${randomBytes(16).toString('hex')}`);
  const descriptor = openSync(path, NEW, 0o600);
  unlinkSync(path);
  return descriptor;
}
