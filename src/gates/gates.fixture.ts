import { randomUUID } from 'node:crypto';
import { samplePhase } from '../../test/sample-start.ts';
import { scratch } from '../../test/scratch.ts';
import { listDirectory } from '../adapters/directory-tree.ts';
import { allowedEnv } from '../adapters/environment.ts';
import { createProcesses } from '../adapters/processes.ts';
import { readShippedConfig } from '../adapters/shipped-config.ts';
import { type StoredTree, TreeStore } from '../adapters/tree-store.ts';
import type { GateAnswer, GateContext } from '../ports.ts';

/** What a gate sees of a directory: the tree of its files, and the directory itself as the scratch copy. */
export async function gateContext(dir: string, change: Partial<GateContext> = {}): Promise<GateContext> {
  const store = new TreeStore(scratch());
  const capture = async (from: string): Promise<StoredTree> => store.capture(from, await listDirectory(from));
  return {
    phase: samplePhase('one'),
    attempt: 1,
    tree: await capture(dir),
    base: await capture(scratch()),
    project: scratch(),
    programsIn: 'project',
    env: allowedEnv(process.env, []),
    marker: `gate-${randomUUID()}`,
    processes: createProcesses(),
    walls: () => undefined,
    signal: new AbortController().signal,
    directory: async () => dir,
    input: async () => undefined,
    projectFile: async () => undefined,
    shippedConfig: (name) => readShippedConfig(name).text,
    ...change,
  };
}

/** A judgement in short: its outcome and what it says. */
export function said(answer: GateAnswer): [outcome: string, ...messages: string[]] {
  if (answer.kind === 'interrupted') return [answer.failure, answer.message];
  return [answer.outcome, ...answer.findings.map(({ severity, message }) => `${severity}: ${message}`)];
}
