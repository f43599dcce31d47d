import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A measured claim: how many times `base` the thing takes, and how many times it may. */
export type Claim = { readonly name: string; readonly limit: number; readonly ratio: number; readonly detail: string };

/** Runs `work` in a directory of its own on the disk where temporary files live. */
export async function inDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'helix-bench-'));
  try {
    return await work(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Milliseconds a piece of work takes. */
export async function time(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The middle one of some numbers. */
function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Measures two things in turn, so that both meet the same machine, and gives the median of their ratios. */
export async function compare(
  rounds: number,
  thing: () => Promise<number>,
  base: () => Promise<number>,
): Promise<{ ratio: number; thing: number; base: number }> {
  const pairs: { thing: number; base: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair = { base: await base(), thing: await thing() };
    if (round > 0) pairs.push(pair);
  }
  return {
    ratio: median(pairs.map((pair) => pair.thing / pair.base)),
    thing: median(pairs.map((pair) => pair.thing)),
    base: median(pairs.map((pair) => pair.base)),
  };
}
