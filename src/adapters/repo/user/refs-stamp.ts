import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where git keeps refs, below the directory of a repository. */
const PLACES = ['packed-refs', 'refs', 'reftable'];
/** From so many files on, git itself is as quick. */
const MOST = 2000;
/** A file that was written twice within a tick of the file system's clock looks the same. */
const TICK_NS = 50_000_000n;

/**
 * What the files of all refs look like: two equal stamps mean that none was written between them. Undefined where that cannot
 * be told: a link leads elsewhere, there are very many, or one was written just now.
 */
export function refsStamp(gitDirs: readonly string[]): string | undefined {
  const lines: string[] = [];
  const latest = BigInt(Date.now()) * 1_000_000n - TICK_NS;
  const waiting = gitDirs.flatMap((dir) => PLACES.map((place) => join(dir, place)));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isSymbolicLink() || stat.ctimeNs > latest || lines.length === MOST) return undefined;
    lines.push(`${path}\0${lookOf(stat)}`);
    if (stat.isDirectory()) for (const name of readdirSync(path)) waiting.push(join(path, name));
  }
  return lines.join('\n');
}

function lookOf({ dev, ino, mode, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, mode, size, mtimeNs, ctimeNs].join(' ');
}
