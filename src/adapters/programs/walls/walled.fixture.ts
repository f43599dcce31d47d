import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import type { Confinement, ProcessEnd } from '../../../ports/processes.ts';
import { allowedEnv } from '../environment.ts';
import { createProcesses } from '../processes.ts';
import { findSandbox } from './find-sandbox.ts';

const processes = createProcesses({ graceMs: 5000 });
const env = allowedEnv(process.env, []);
const { level, why } = await findSandbox('auto', { processes, env });

/** Tests that need the strict sandbox; where there is none they are skipped, and their name says why. */
export function describeWalled(name: string, tests: () => void): void {
  if (level === 'strict') describe(name, tests);
  else describe.skip(`${name} (skipped: ${why})`, tests);
}

type More = {
  readonly confine?: Confinement;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends it as soon as it says this. */
  readonly endsAt?: string;
};

/** Closed walls around a directory. */
export function closed(dir: string, more: Partial<Extract<Confinement, { kind: 'closed' }>> = {}): Confinement {
  return { kind: 'closed', writable: [dir], readable: [], network: 'loopback', ...more };
}

/** Runs a program in a directory, by default behind closed walls around it. */
export function runWalled(argv: readonly string[], dir: string, more: More = {}): Promise<ProcessEnd> {
  const { confine = closed(dir) } = more;
  const abort = new AbortController();
  const stop = more.endsAt !== undefined && {
    signal: abort.signal,
    onLine: (line: string) => line === more.endsAt && abort.abort(),
  };
  const spec = { argv, cwd: dir, env: { ...env, ...more.env }, marker: randomUUID(), wallMs: 240_000, confine };
  return processes.run({ ...spec, ...stop });
}

/** Runs a shell script there; all it says comes in order. */
export function shellWalled(script: string, dir: string, more: More = {}): Promise<ProcessEnd> {
  return runWalled(['/bin/sh', '-c', `exec 2>&1\n${script}`], dir, more);
}
