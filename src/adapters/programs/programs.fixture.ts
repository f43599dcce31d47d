import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import type { ProcessSpec } from '../../ports/processes.ts';
import { identityOf } from '../disk/process-identity.ts';
import { allowedEnv } from './environment.ts';

type Lines = { stream: 'stdout' | 'stderr'; line: string; truncated: boolean }[];

/** A directory that is gone after the tests of the file. */
export function scratchDirectory(): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'helix-test-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

/** A program with harmless limits and a marker of its own. */
export function program(argv: readonly string[], more: Partial<ProcessSpec> = {}): ProcessSpec {
  return { argv, cwd: tmpdir(), env: allowedEnv(process.env, []), marker: randomUUID(), wallMs: 240_000, ...more };
}

export function shell(script: string, more: Partial<ProcessSpec> = {}): ProcessSpec {
  return program(['sh', '-c', script], more);
}

/** Remembers the lines of a program. */
export function listener(): { lines: Lines; onLine: NonNullable<ProcessSpec['onLine']> } {
  const lines: Lines = [];
  return { lines, onLine: (line, stream, truncated) => lines.push({ stream, line, truncated }) };
}

export function lives(pid: number): boolean {
  return identityOf(pid) !== undefined;
}

/** Polls, because what another process does takes as long as the machine lets it. */
export async function eventually(holds: () => boolean): Promise<boolean> {
  const deadline = performance.now() + 240_000;
  while (!holds() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  return holds();
}
