import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { z } from 'zod';
import type { Finding } from '../domain/finding.ts';
import { unsafePath } from '../text/safe-path.ts';
import { excerpt } from '../text/sanitise.ts';
import { writeAtomic } from './atomic-file.ts';
import { ensureParents } from './lay-out.ts';
import { removeTree } from './make-accessible.ts';

const Note = z.strictObject({
  request: z.string(),
  start: z.string(),
  base: z.string().optional(),
  /** What was put there beside the tree, by content: as long as nobody changes it, it is nobody's work. */
  given: z.record(z.string(), z.string()),
});

/** What is known of a directory that was laid out for a human. */
export type CopyNote = z.infer<typeof Note>;

/** What belongs to a copy beside the directory itself. */
const BESIDE = ['.json', '.new', '.index', '.index.taking'];

/** What is known of the copy that lies there for a question; undefined where there is none, or only half of one. */
export function noteOf(dir: string, request: string): CopyNote | undefined {
  if (!lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const note = readNote(`${dir}.json`);
  return note?.request === request ? note : undefined;
}

function readNote(path: string): CopyNote | undefined {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    return Note.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Makes a copy whole or not at all: it is filled beside its place, and what is known of it is written before it gets there. */
export async function makeCopy(dir: string, fill: (dir: string) => Promise<CopyNote>): Promise<CopyNote> {
  removeCopy(dir);
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  const note = await fill(`${dir}.new`);
  writeAtomic(`${dir}.json`, JSON.stringify(note));
  renameSync(`${dir}.new`, dir);
  return note;
}

/** Removes a copy and what is known of it. */
export function removeCopy(dir: string): void {
  removeTree(dir);
  for (const name of BESIDE) removeTree(dir + name);
}

/** Writes files over what lies in a directory and follows no link; says which it did not write, and why. */
export function putFiles(dir: string, files: ReadonlyMap<string, string>): Finding[] {
  const refused: Finding[] = [];
  for (const [path, text] of files) {
    const why = unsafePath(path) ?? (isReserved(path) ? 'belongs to git or to HELIX' : undefined);
    if (why === undefined && !path.endsWith('/')) put(dir, posix.normalize(path), text);
    else refused.push(notWritten(path, why ?? 'is a folder'));
  }
  return refused;
}

/** Tells whether a path is none of a phase's work, whatever lies there. */
export function isReserved(path: string): boolean {
  const [first = '', ...rest] = posix.normalize(path).toLowerCase().split('/');
  return first === '.helix' || first === '.git' || rest.includes('.git');
}

function put(dir: string, path: string, text: string): void {
  ensureParents(dir, path);
  const place = join(dir, path);
  const mode = lstatSync(place, { throwIfNoEntry: false })?.mode ?? 0;
  rmSync(place, { recursive: true, force: true });
  writeFileSync(place, text, { flag: 'wx', mode: (mode & 0o111) === 0 ? 0o644 : 0o755 });
}

function notWritten(path: string, why: string): Finding {
  const message = `the file ${excerpt(path, 200)} of your change ${why}; it was not written`;
  return { severity: 'error', check: 'workspace', message, hint: 'Name files relative to the phase.' };
}
