import { isUtf8 } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { Files, LineWriter, ZipPart } from '../../ports/files.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { ioError } from '../disk/io-error.ts';
import { readStable } from '../disk/read-stable.ts';
import { knownSecrets } from '../secrets/known-secrets.ts';

const LIMIT = 64 * 1024 * 1024;
const BLOCK = 64 * 1024;
const LINE_FEED = 0x0a;
const CUT = Buffer.from('{"helix":"the transcript is cut here: 64 MB"}\n');

type Secrets = Pick<Redactor, 'redact'>;

/** The files of one run below `.helix/runs/<run>/`, without secrets. */
export class RunFiles implements Files {
  readonly #dir: string;
  readonly #secrets: Secrets;

  constructor(dir: string, secrets: Secrets = knownSecrets()) {
    this.#dir = dir;
    this.#secrets = secrets;
  }

  async write(path: string, content: string): Promise<void> {
    writeAtomic(join(this.#dir, path), this.#secrets.redact(content));
  }

  async lines(path: string): Promise<LineWriter> {
    return new Lines(join(this.#dir, path), this.#secrets);
  }

  async readLines(path: string): Promise<readonly string[]> {
    const file = join(this.#dir, path);
    try {
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    } catch (error) {
      throw ioError(error, path);
    }
  }

  async lastLines(path: string, bytes: number, sha256?: string): Promise<readonly string[]> {
    const file = join(this.#dir, path);
    let fd: number | undefined;
    try {
      if (!existsSync(file)) return [];
      fd = openSync(file, 'r');
      const { size } = fstatSync(fd);
      const from = Math.max(0, size - bytes);
      const buffer = Buffer.alloc(size - from);
      const before = sha256 === undefined ? undefined : hashOf(fd, from);
      const end = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from));
      if (before !== undefined && before.update(end).digest('hex') !== sha256)
        throw unfit(path, 'is not what was written');
      const lines = end.toString('utf8').split('\n');
      return from === 0 ? lines : lines.slice(1);
    } catch (error) {
      throw ioError(error, path);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  async read(path: string, limit: number): Promise<string | undefined> {
    const file = join(this.#dir, path);
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size;
      if (size === undefined) return undefined;
      if (size > limit) throw unfit(path, `is larger than ${Math.floor(limit / 1024)} KB`);
      if (realpathSync(file) !== join(realpathSync(this.#dir), path)) throw unfit(path, 'is reached by a link');
      const found = readStable(file, limit);
      if (found === undefined) throw unfit(path, 'is no plain file');
      if (!isUtf8(found.content)) throw unfit(path, 'is not written in UTF-8');
      return found.content.toString('utf8');
    } catch (error) {
      throw ioError(error, path);
    }
  }

  async changedAt(path: string): Promise<number | undefined> {
    return this.#stat(path)?.mtimeMs;
  }

  async writtenAt(path: string): Promise<number | undefined> {
    return this.#stat(path)?.ctimeMs;
  }

  #stat(path: string): Stats | undefined {
    try {
      return statSync(join(this.#dir, path), { throwIfNoEntry: false });
    } catch (error) {
      throw ioError(error, path);
    }
  }

  async remove(path: string): Promise<void> {
    try {
      rmSync(join(this.#dir, path), { force: true });
    } catch (error) {
      throw ioError(error, path);
    }
  }

  async zip(path: string, parts: AsyncIterable<ZipPart>): Promise<void> {
    const { writeZip } = await import('./write-zip.ts');
    const { zipEntries } = await import('./zip-entries.ts');
    await writeZip(join(this.#dir, path), zipEntries(parts, { dir: this.#dir, secrets: this.#secrets }));
  }
}

function unfit(path: string, why: string): HelixError {
  return new HelixError('io', `${path} ${why}`);
}

/** What the first bytes of a file have to do with its digest, read piece by piece. */
function hashOf(fd: number, bytes: number): Hash {
  const hash = createHash('sha256');
  const piece = Buffer.alloc(Math.min(bytes, BLOCK));
  for (let at = 0; at < bytes; ) {
    const read = readSync(fd, piece, 0, Math.min(piece.length, bytes - at), at);
    if (read === 0) break;
    hash.update(piece.subarray(0, read));
    at += read;
  }
  return hash;
}

function setAside(path: string): void {
  let n = 1;
  while (existsSync(`${path}.earlier-${n}`)) n += 1;
  renameSync(path, `${path}.earlier-${n}`);
}

/**
 * The file is made with its first line: an agent that says nothing leaves none. What is said in one turn of the event loop
 * is written at once, because a write per line makes a talkative agent a hundred times slower.
 */
class Lines implements LineWriter {
  readonly #path: string;
  readonly #secrets: Secrets;
  readonly #hash = createHash('sha256');
  #fd: number | undefined;
  #bytes = 0;
  #full = false;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK);
  #held = 0;
  #due: NodeJS.Immediate | undefined;
  #failure: { error: unknown } | undefined;

  constructor(path: string, secrets: Secrets) {
    this.#path = path;
    this.#secrets = secrets;
    if (existsSync(path)) setAside(path);
  }

  line(said: string): void {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#full) return;
    const text = this.#secrets.redact(said);
    const most = 3 * text.length + 1;
    if (most > BLOCK - this.#held) this.#write();
    if (most > BLOCK) this.#append(Buffer.from(`${text}\n`));
    else this.#hold(text);
  }

  async close(): Promise<string> {
    try {
      if (this.#failure !== undefined) throw this.#failure.error;
      this.#write();
    } finally {
      if (this.#fd !== undefined) closeSync(this.#fd);
    }
    return this.#hash.digest('hex');
  }

  #hold(text: string): void {
    this.#held += this.#block.write(text, this.#held);
    this.#block[this.#held] = LINE_FEED;
    this.#held += 1;
    this.#due ??= setImmediate(() => this.#writeLater());
  }

  #writeLater(): void {
    try {
      this.#write();
    } catch {
      // Thrown at the next line, or at the end.
    }
  }

  #write(): void {
    clearImmediate(this.#due);
    this.#due = undefined;
    const bytes = this.#block.subarray(0, this.#held);
    this.#held = 0;
    this.#append(bytes);
  }

  #append(bytes: Buffer): void {
    if (this.#full) return;
    const room = bytes.subarray(0, LIMIT - this.#bytes);
    this.#full = room.length < bytes.length;
    this.#put(this.#full ? room.subarray(0, room.lastIndexOf(LINE_FEED) + 1) : bytes);
    if (this.#full) this.#put(CUT);
  }

  #put(bytes: Buffer): void {
    if (bytes.length === 0) return;
    try {
      this.#fd ??= this.#open();
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    } catch (error) {
      this.#failure = { error: ioError(error, this.#path) };
      throw this.#failure.error;
    }
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
  }

  #open(): number {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    return openSync(this.#path, 'w', 0o600);
  }
}
