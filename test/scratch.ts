import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const FAST = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A directory of the running test, in memory where that is possible, with these files in it. */
export function scratch(files: Readonly<Record<string, string | Buffer>> = {}, below = FAST): string {
  const dir = mkdtempSync(join(below, 'helix-scratch-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return put(dir, files);
}

/** Writes files into a directory, making the folders they need. */
export function put(dir: string, files: Readonly<Record<string, string | Buffer>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

/** Everything in a directory: the text of files, `-> target` for links, `/` for empty folders. */
export function contents(dir: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(join(dir, below), { withFileTypes: true })) {
    const path = join(below, item.name);
    if (item.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(dir, path))}`;
    else if (item.isDirectory()) {
      const inside = contents(dir, path);
      Object.assign(found, Object.keys(inside).length === 0 ? { [path]: '/' } : inside);
    } else found[path] = item.isFile() ? readFileSync(join(dir, path), 'utf8') : 'special';
  }
  return found;
}

/** Makes a FIFO, which Node itself cannot. */
export function makeFifo(path: string): void {
  execFileSync('mkfifo', [path]);
}
