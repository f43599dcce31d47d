import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

const AT_A_TIME = 2000;

/**
 * How everything below a directory lies there, a line each: kind and mode, size, number, and the times of content and change.
 * Whoever writes, replaces or adds something leaves another time of change, which no program can set.
 */
export async function stampsBelow(dir: string): Promise<readonly string[]> {
  const lines: string[] = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const item of readdirSync(join(dir, folder), { withFileTypes: true })) {
      const path = folder === '' ? item.name : `${folder}/${item.name}`;
      if (item.isDirectory()) folders.push(path);
      lines.push(`${stampOf(join(dir, path))} ${JSON.stringify(path)}`);
      if (lines.length % AT_A_TIME === 0) await setImmediate();
    }
  }
  return lines.sort();
}

function stampOf(path: string): string {
  const { mode, size, ino, mtimeMs, ctimeMs } = lstatSync(path);
  return `${mode.toString(8)} ${size} ${ino} ${mtimeMs} ${ctimeMs}`;
}

/** The paths whose stamps are in one list only. */
export function differing(before: readonly string[], after: readonly string[]): string[] {
  // Both are sorted, and nearly always nothing has changed.
  if (before.length === after.length && before.every((line, at) => line === after[at])) return [];
  const [then, now] = [new Set(before), new Set(after)];
  const lines = [...before.filter((line) => !now.has(line)), ...after.filter((line) => !then.has(line))];
  return [...new Set(lines.map((line) => JSON.parse(line.slice(line.indexOf('"'))) as string))].sort();
}
