import { isUtf8 } from 'node:buffer';
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { ZipPart } from '../../ports/files.ts';
import type { ZipEntry } from './write-zip.ts';

/** No file of HELIX's comes near it; what is larger was put there by somebody else. */
const MOST_BYTES = 1024 * 1024 * 1024;
const MOST_DEPTH = 16;
const PIECE_BYTES = 64 * 1024;

type Found = { readonly path: string; readonly plain: boolean };

type Source = { readonly dir: string; readonly secrets: Pick<Redactor, 'redact'> };

/** The parts of a zip entry by entry; what had to be left out is named in a last one. */
export async function* zipEntries(parts: AsyncIterable<ZipPart>, source: Source): AsyncGenerator<ZipEntry> {
  const left: Buffer[] = [];
  const leave: Leave = (name, why) => left.push(Buffer.from(`${name}: ${why}\n`));
  for await (const part of parts) {
    if ('folder' in part) yield* folderEntries(part, source.dir, leave);
    else yield { name: safeName(part.name), content: redacted(part.content, source.secrets) };
  }
  if (left.length > 0) yield { name: 'left-out.txt', content: redacted(left, source.secrets) };
}

type Leave = (name: string, why: string) => void;

async function* folderEntries(
  { folder, as }: Extract<ZipPart, { folder: string }>,
  dir: string,
  leave: Leave,
): AsyncGenerator<ZipEntry> {
  const root = join(dir, folder);
  if (!existsSync(root)) return;
  if ((await realpath(root)) !== join(await realpath(dir), folder)) return leave(as, 'it is reached by a link');
  for await (const { path, plain } of filesBelow(root, '', 0)) {
    const name = safeName(`${as}/${path}`);
    const content = plain ? await opened(join(root, path)) : 'it is a link, a device or lies too deep';
    if (typeof content === 'string') leave(name, content);
    else yield { name, content };
  }
}

async function* redacted(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  secrets: Source['secrets'],
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    // Other encodings come out as they went in.
    const encoding = isUtf8(piece) ? 'utf8' : 'latin1';
    yield Buffer.from(secrets.redact(piece.toString(encoding)), encoding);
  }
}

/** A path that no system reads as another one: what is not plainly a name is written as a number. */
function safeName(path: string): string {
  return path
    .split('/')
    .filter((name) => name !== '')
    .map((name) => name.replace(/[%\\:*?"<>|\p{C}\p{Zl}\p{Zp}]|^\.{1,2}$|[ .]$|^[ ~]/gu, escaped))
    .join('/');
}

function escaped(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Links are never followed, neither to files nor to folders. */
async function* filesBelow(dir: string, below: string, depth: number): AsyncGenerator<Found> {
  const entries = await readdir(join(dir, below), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory() && depth < MOST_DEPTH) yield* filesBelow(dir, path, depth + 1);
    else yield { path, plain: entry.isFile() };
  }
}

/** The bytes of a file as it is now, however it grows meanwhile; or why there are none. */
async function opened(path: string): Promise<AsyncIterable<Buffer> | string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: unknown) => error as NodeJS.ErrnoException);
  if (file instanceof Error) return `it cannot be read: ${file.code ?? 'unknown'}`;
  const { size } = await file.stat();
  if (size <= MOST_BYTES) return piecesOf(file, size);
  await file.close();
  return `it is larger than ${MOST_BYTES / 1024 ** 3} GB`;
}

/** One piece of memory for all of a file: what is thrown away by the megabyte stays for long. */
async function* piecesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
  try {
    for (let left = size; left > 0; ) {
      const { bytesRead } = await file.read(piece, 0, Math.min(left, PIECE_BYTES));
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield piece.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
