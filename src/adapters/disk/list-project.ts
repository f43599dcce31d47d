import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { HelixError } from '../../domain/helix-error.ts';

/** How much of a project without git is copied for a judge. */
export const PROJECT_LIMITS = { files: 20_000, bytes: 200 * 1024 * 1024, fileBytes: 10 * 1024 * 1024 };

/** What programs put beside the work and can make anew; git would ignore it. */
const HEAPS = new Set([
  ...['.git', '.hg', '.svn', '.helix', 'node_modules', '.venv', 'venv', '__pycache__', '.tox', '.nox', '.gradle'],
  ...['.mypy_cache', '.pytest_cache', '.ruff_cache', '.cache', '.next', '.terraform', '.idea', '.DS_Store'],
]);

/** The regular files of a project that is in no repository, as many as can be looked at; no link is followed. */
export async function listSome(dir: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [''];
  for (let below = queue.pop(); below !== undefined && found.length < PROJECT_LIMITS.files; below = queue.pop()) {
    for (const item of namesIn(join(dir, below))) {
      if (HEAPS.has(item.name)) continue;
      const path = posix.join(below, item.name);
      if (item.isDirectory()) queue.push(path);
      else if (item.isFile() && !item.name.includes('\ufffd')) found.push(path);
    }
    await breathe();
  }
  return found.sort();
}

function namesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The regular files of a project that is in no repository; no link is followed. Throws HelixError `config` where there are too many. */
export async function listProject(dir: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [''];
  let bytes = 0;
  for (let below = queue.pop(); below !== undefined; below = queue.pop()) {
    for (const item of readdirSync(join(dir, below), { withFileTypes: true })) {
      if (HEAPS.has(item.name)) continue;
      const path = posix.join(below, item.name);
      if (item.isDirectory()) queue.push(path);
      else if (item.isFile() && !item.name.includes('\ufffd')) {
        bytes += sizeOf(join(dir, path), path);
        found.push(path);
      }
    }
    if (found.length > PROJECT_LIMITS.files) throw tooMuch(dir, `more than ${PROJECT_LIMITS.files} files`);
    if (bytes > PROJECT_LIMITS.bytes) throw tooMuch(dir, `more than ${PROJECT_LIMITS.bytes / 1024 / 1024} MB`);
    await breathe();
  }
  return found.sort();
}

function sizeOf(full: string, path: string): number {
  const size = lstatSync(full, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= PROJECT_LIMITS.fileBytes) return size;
  throw new HelixError('config', `${path} is larger than ${PROJECT_LIMITS.fileBytes / 1024 / 1024} MB`, {
    hint: 'Move it out of the project; or make the project a git repository that ignores it: git init',
  });
}

function tooMuch(dir: string, what: string): HelixError {
  return new HelixError('config', `${dir} has ${what}, too much to copy for a judge`, {
    hint: 'Choose a smaller directory with -C, or make it a git repository that ignores what is not judged: git init',
  });
}
