import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';

/** Tells whether something failed for want of permission. */
export function isDenied(error: unknown): boolean {
  const { code } = ((error instanceof HelixError ? error.cause : error) ?? {}) as { code?: unknown };
  return code === 'EACCES' || code === 'EPERM';
}

/** Lets this user read and write all below a path, as far as it is theirs; programs leave read-only directories behind. */
export function makeAccessible(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !(stat.isDirectory() || stat.isFile())) return;
  const wanted = stat.mode | (stat.isDirectory() ? 0o700 : 0o600);
  if (wanted !== stat.mode) chmodSync(path, wanted & 0o7777);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeAccessible(join(path, name));
}

/** Removes a path and all below it, also what was made read-only. */
export function removeTree(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isDenied(error)) throw error;
    makeAccessible(path);
    rmSync(path, { recursive: true, force: true });
  }
}
