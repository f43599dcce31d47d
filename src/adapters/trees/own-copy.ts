import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { z } from 'zod';
import type { Finding } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import { unsafePath } from '../../text/safe-path.ts';
import { excerpt } from '../../text/sanitise.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { removeTree } from '../disk/make-accessible.ts';
import { ensureParents } from './lay-out.ts';

const Note = z.strictObject({
  request: z.string(),
  start: z.string(),
  base: z.string().optional(),
  /** What was put there beside the tree, by content: as long as nobody changes it, it is nobody's work. */
  given: z.record(z.string(), z.string()),
  /** What was frozen of it when it became an attempt. */
  taken: z.string().optional(),
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

/** Notes what was frozen of a copy, so that it is known to be kept elsewhere. */
export function noteTaken(dir: string, note: CopyNote, tree: string): void {
  writeAtomic(`${dir}.json`, JSON.stringify({ ...note, taken: tree }));
}

type Withdrawal = {
  /** A question whose copy stays. */
  readonly unless: string | undefined;
  /** Tells whether a copy is what was laid out there, or what was taken of it. */
  readonly isKnown: (note: CopyNote) => Promise<boolean>;
};

/** Removes a copy; what a human changed there and nobody took is kept beside it, and its place is the answer. */
export async function withdrawCopy(dir: string, { unless, isKnown }: Withdrawal): Promise<string | undefined> {
  const isThere = lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() === true;
  const note = isThere ? readNote(`${dir}.json`) : undefined;
  if (unless !== undefined && note?.request === unless) return undefined;
  const isTheirs = isThere && !(note !== undefined && (await orUnknown(() => isKnown(note))));
  const kept = isTheirs ? placeFor(dir, note?.request) : undefined;
  if (kept !== undefined) {
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    renameSync(dir, kept);
  }
  removeCopy(dir);
  return kept;
}

/** What cannot be compared may be somebody's work. */
async function orUnknown(compare: () => Promise<boolean>): Promise<boolean> {
  try {
    return await compare();
  } catch (error) {
    if (error instanceof HelixError) return false;
    throw error;
  }
}

function placeFor(dir: string, request = ''): string {
  const place = join(dirname(dir), 'earlier', /^[\w-]+$/.test(request) ? request : 'unknown', 'worktree');
  let free = place;
  for (let n = 2; existsSync(free); n += 1) free = `${place}-${n}`;
  return free;
}

/** Removes a copy and what is known of it; half removed, it must not look like somebody's change. */
function removeCopy(dir: string): void {
  removeTree(`${dir}.new`);
  if (existsSync(dir)) renameSync(dir, `${dir}.new`);
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

/** Gives files of a copy that nobody has worked in another content, or takes them out of it. */
export function changeFiles(dir: string, changes: ReadonlyMap<string, Buffer | undefined>): void {
  for (const [path, content] of changes) {
    if (content !== undefined) put(dir, path, content);
    else rmSync(join(dir, path), { recursive: true, force: true });
  }
}

/** Tells whether a path is none of a phase's work, whatever lies there. */
export function isReserved(path: string): boolean {
  const [first = '', ...rest] = posix.normalize(path).toLowerCase().split('/');
  return first === '.helix' || first === '.git' || rest.includes('.git');
}

function put(dir: string, path: string, text: string | Buffer): void {
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
