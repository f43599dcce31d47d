import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import type { Finding } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';

/** Six times the largest ADR ever seen, and as much as is checked within seconds whatever it holds. */
const LIMIT = 2 * 1024 * 1024;
const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** A file that may be an ADR: its text, as far as it could be read, and what is wrong with it as a file. */
export type AdrFile = {
  /** As seen from the working directory, with `/`. */
  readonly path: string;
  readonly text?: string;
  /** The text is only the beginning of the file. */
  readonly cut?: true;
  readonly findings: readonly Finding[];
};

/** Reads one file; whatever keeps it from being read is a finding. */
export function readAdrFile(file: string, path: string): AdrFile {
  let read: Read | string;
  try {
    read = readPlainFile(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return unreadable(path, { message: `the file cannot be read: ${reasonOf(code)}` });
  }
  if (typeof read === 'string') return unreadable(path, { message: read });
  const { bytes } = read;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) return unreadable(path, { message: 'the file is written in UTF-16', hint: 'Save the file as UTF-8.' });
  if (bytes.includes(0)) return unreadable(path, { message: 'the file is no text: it has bytes that are zero' });
  const text = bytes.toString('utf8');
  if (isUtf8(bytes) && read.size === bytes.length) return { path, text, findings: [] };
  if (isUtf8(bytes)) return { path, text, cut: true, findings: tooLarge(path, read) };
  const message = 'the file is not written in UTF-8: here is the first byte that does not belong there';
  const { findings } = unreadable(path, { message, hint: 'Save the file as UTF-8.', ...firstBadByte(bytes, text) });
  return { path, text, findings };
}

type Read = { readonly bytes: Buffer; readonly size: number };

function tooLarge(path: string, { bytes, size }: Read): readonly Finding[] {
  const message = `the file has ${megabytes(size)}; only its first ${megabytes(bytes.length)} were checked`;
  return unreadable(path, { message, hint: 'Split it: nobody reads an ADR of this size.' }).findings;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The answer for something that cannot be read. */
export function unreadable(
  path: string,
  trouble: { message: string; hint?: string; line?: number; column?: number; severity?: Finding['severity'] },
): AdrFile {
  const { message, hint, severity = 'error', ...place } = trouble;
  const finding: Finding = {
    severity,
    check: 'unreadable-file',
    message,
    ...present({ hint }),
    location: { file: path, line: 1, column: 1, ...place },
  };
  return { path, findings: [finding] };
}

/** What a file system means by a code, in plain words. */
export function reasonOf(code: string): string {
  return REASONS[code] ?? (code || 'the file system refuses it');
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  ENOENT: 'it is gone, or a link to nothing',
  ELOOP: 'it is a link that leads back to itself',
  EISDIR: 'it is a folder',
  ENXIO: 'it is no plain file',
  EIO: 'the disk has an error',
};

/** The content, of a large file its beginning, in whole lines unless one is huge, or why it is not wanted. A pipe without a writer must not make anybody wait, so nothing here does. */
function readPlainFile(file: string): Read | string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile())
      return stat.isDirectory() ? 'this is a folder' : 'this is no plain file but a pipe, socket or device';
    if (stat.size <= LIMIT) {
      const bytes = readFileSync(descriptor);
      return { bytes, size: bytes.length };
    }
    const bytes = Buffer.alloc(LIMIT);
    const whole = bytes.subarray(0, readSync(descriptor, bytes, 0, LIMIT, 0));
    const end = whole.lastIndexOf('\n') + 1;
    return { bytes: whole.subarray(0, end < LIMIT / 2 ? characterEnd(whole) : end), size: stat.size };
  } finally {
    closeSync(descriptor);
  }
}

/** Where the last character ends that is there as a whole; none has more than four bytes. */
function characterEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > bytes.length - 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return Math.max(0, end - 1);
}

/** Before the first bad byte, text and bytes run in step; a replacement character that was written there is not one. */
function firstBadByte(bytes: Buffer, text: string): { line: number; column: number } {
  let index = text.indexOf(REPLACEMENT);
  let offset = Buffer.byteLength(text.slice(0, index));
  while (bytes.subarray(offset, offset + REPLACEMENT_BYTES.length).equals(REPLACEMENT_BYTES)) {
    const next = text.indexOf(REPLACEMENT, index + 1);
    offset += Buffer.byteLength(text.slice(index, next));
    index = next;
  }
  const before = text.slice(0, index);
  const line = before.split('\n').length;
  return { line, column: index - before.lastIndexOf('\n') };
}
