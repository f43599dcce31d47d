import { chmodSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { unsafePath } from '../../text/safe-path.ts';
import { ensureParents } from '../trees/lay-out.ts';

/** The one spelling of a path below the working directory; throws for any other path. */
function inside(path: string): string {
  const reason = unsafePath(path) ?? (posix.normalize(`${path}/`) === './' ? 'is the directory itself' : undefined);
  if (reason !== undefined) throw new Error(`it names ${JSON.stringify(path)}, which ${reason}`);
  return posix.normalize(path).replace(/\/$/, '');
}

/** The content of a plain file of the working directory, if there is one; no link is followed. */
export function readOwn(dir: string, path: string): Buffer | undefined {
  const file = realFile(dir, inside(path));
  return file !== undefined && lstatSync(file).isFile() ? readFileSync(file) : undefined;
}

/** Writes a file of the working directory in place of whatever is there. */
export function writeOwn(dir: string, path: string, content: string | Buffer, executable = false): void {
  const own = inside(path);
  ensureParents(dir, own);
  rmSync(join(dir, own), { force: true });
  writeFileSync(join(dir, own), content, { flag: 'wx' });
  if (executable) chmodSync(join(dir, own), 0o755);
}

/** Removes a path of the working directory; what lies behind a link is not the agent's to remove. */
export function removeOwn(dir: string, path: string): void {
  const file = realFile(dir, inside(path));
  if (file !== undefined) rmSync(file, { recursive: true, force: true });
}

/** A path that exists and leads through no link. */
function realFile(dir: string, own: string): string | undefined {
  const folders = own.split('/').slice(0, -1);
  const isReal = folders.every((_, index) =>
    lstatSync(join(dir, ...folders.slice(0, index + 1)), { throwIfNoEntry: false })?.isDirectory(),
  );
  const file = join(dir, own);
  return isReal && lstatSync(file, { throwIfNoEntry: false }) !== undefined ? file : undefined;
}
