import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32, createDeflateRaw } from 'node:zlib';
import { ioError } from '../disk/io-error.ts';
import { centralHeader, endRecords, LOCAL_BYTES, localHeader, type PackedEntry } from './zip-records.ts';

/** A file for a zip: a safe relative name, and its bytes, less than 4 GB of them; a piece may be written over once the next is asked for. */
export type ZipEntry = { readonly name: string; readonly content: AsyncIterable<Buffer> };

/** Whoever is asked waits for it, so quick is better than small. */
const LEVEL = 1;

/** Writes a zip whole or not at all; never more of it than a few pieces lies in memory. */
export async function writeZip(path: string, entries: AsyncIterable<ZipEntry>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(temporary, 'wx', 0o600);
    try {
      const zip = new Zip(file);
      for await (const entry of entries) await zip.add(entry);
      await zip.end();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw ioError(error, path);
  }
}

class Zip {
  readonly #file: FileHandle;
  readonly #list: Buffer[] = [];
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The header comes last, because only then its numbers are known. */
  async add({ name, content }: ZipEntry): Promise<void> {
    const title = Buffer.from(name);
    const offset = this.#at;
    this.#at += LOCAL_BYTES + title.length;
    const begin = this.#at;
    let [crc, bytes] = [0, 0];
    const deflate = createDeflateRaw({ level: LEVEL });
    const packed: Buffer[] = [];
    deflate.on('data', (piece: Buffer) => packed.push(piece));
    const end = once(deflate, 'end');
    for await (const piece of content) {
      crc = crc32(piece, crc);
      bytes += piece.length;
      await new Promise((resolve) => deflate.write(piece, resolve));
      for (const each of packed.splice(0)) await this.#put(each);
    }
    deflate.end();
    await end;
    for (const each of packed) await this.#put(each);
    const entry: PackedEntry = { name: title, crc, bytes, packedBytes: this.#at - begin, offset };
    await this.#write(localHeader(entry), offset);
    this.#list.push(centralHeader(entry));
  }

  async end(): Promise<void> {
    const offset = this.#at;
    for (const header of this.#list) await this.#put(header);
    await this.#put(endRecords({ entries: this.#list.length, bytes: this.#at - offset, offset }));
  }

  async #put(bytes: Buffer): Promise<void> {
    await this.#write(bytes, this.#at);
    this.#at += bytes.length;
  }

  async #write(bytes: Buffer, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
    }
  }
}
