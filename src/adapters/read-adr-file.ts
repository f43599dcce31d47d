import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Finding } from '../domain/finding.ts';

const LIMIT = 10 * 1024 * 1024;
const REPLACEMENT = '\ufffd';
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** A file that may be an ADR: its text, as far as it could be read, and what is wrong with it as a file. */
export type AdrFile = {
  /** As seen from the working directory, with `/`. */
  readonly path: string;
  readonly text?: string;
  readonly findings: readonly Finding[];
};

/** Reads one file; whatever keeps it from being read is a finding. */
export function readAdrFile(file: string, path: string): AdrFile {
  let bytes: Buffer | string;
  try {
    bytes = readPlainFile(file);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    return unreadable(path, { message: `the file cannot be read: ${reasonOf(code)}` });
  }
  if (typeof bytes === 'string') return unreadable(path, { message: bytes });
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (wide) return unreadable(path, { message: 'the file is written in UTF-16', hint: 'Save the file as UTF-8.' });
  if (bytes.includes(0)) return unreadable(path, { message: 'the file is no text: it has bytes that are zero' });
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { path, text, findings: [] };
  const message = 'the file is not written in UTF-8: here is the first byte that does not belong there';
  const { findings } = unreadable(path, { message, hint: 'Save the file as UTF-8.', ...firstBadByte(bytes, text) });
  return { path, text, findings };
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
    ...(hint !== undefined && { hint }),
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

/** The content, or why it is not wanted. A pipe without a writer must not make anybody wait, so nothing here does. */
function readPlainFile(file: string): Buffer | string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile())
      return stat.isDirectory() ? 'this is a folder' : 'this is no plain file but a pipe, socket or device';
    if (stat.size > LIMIT) return `the file is larger than ${LIMIT / 1024 / 1024} MB`;
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
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
