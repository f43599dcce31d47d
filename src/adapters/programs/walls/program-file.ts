import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';

const LINE = 256;

/** What a program file needs to be started: itself and, where its first line names one, its interpreter. */
export function programFiles(file: string): string[] {
  const interpreter = interpreterOf(file);
  return [file, ...(interpreter === undefined ? [] : [interpreter])];
}

/** Throws what the system would throw for a file that cannot be started, before walls hide the reason. */
export function requireProgram(file: string): void {
  for (const each of programFiles(file)) {
    if (statSync(each).isDirectory()) throw Object.assign(new Error(`${each} is a directory`), { code: 'EACCES' });
    accessSync(each, constants.X_OK);
  }
}

function interpreterOf(file: string): string | undefined {
  return /^#![ \t]*(\/[^\s]+)/.exec(firstBytes(file))?.[1];
}

/** A program that may be run but not read has no script in it. */
function firstBytes(file: string): string {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const bytes = Buffer.alloc(LINE);
    try {
      return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, LINE, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return '';
  }
}
