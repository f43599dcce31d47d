import { execFileSync } from 'node:child_process';
import { contents, scratch } from './scratch.ts';

/** What a program that is not HELIX's unpacks from a zip, after it has checked every sum. */
export function unzipped(zip: string): Record<string, string> {
  const dir = scratch();
  for (const args of [
    ['-t', zip],
    ['-e', zip, dir],
  ])
    execFileSync('python3', ['-m', 'zipfile', ...args], { stdio: 'pipe' });
  return contents(dir);
}
