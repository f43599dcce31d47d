import { randomUUID } from 'node:crypto';
import { samplePhase } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { allowedEnv } from '../../adapters/programs/environment.ts';
import { createProcesses } from '../../adapters/programs/processes.ts';
import { listDirectory } from '../../adapters/trees/directory-tree.ts';
import { type StoredTree, TreeStore } from '../../adapters/trees/tree-store.ts';
import type { ApprovalAnswer, ApprovalRequest, Approver } from '../../approval/approver.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import type { GateAnswer, GateContext } from './gate-context.ts';

/** What a gate sees of a directory: the tree of its files, and the directory itself as the scratch copy. */
export async function gateContext(dir: string, change: Partial<GateContext> = {}): Promise<GateContext> {
  const store = new TreeStore(scratch());
  const capture = async (from: string): Promise<StoredTree> => store.capture(from, await listDirectory(from));
  const base = change.base ?? (await capture(scratch()));
  return {
    phase: samplePhase('one'),
    attempt: 1,
    tree: await capture(dir),
    base,
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
    settingsFile: async (path, limit) => (await base.read(path, limit))?.toString('utf8'),
    shippedConfig: (name) => readShippedConfig(name).text,
    ...change,
  };
}

/** A judgement in short: its outcome and what it says. */
export function said(answer: GateAnswer): [outcome: string, ...messages: string[]] {
  if (answer.kind === 'interrupted') return [answer.failure, answer.message];
  return [answer.outcome, ...answer.findings.map(({ severity, message }) => `${severity}: ${message}`)];
}

/** The result of an approval: clean and sure, but for what is changed. */
export function approvalResult(change: Partial<ApprovalResult> = {}): ApprovalResult {
  return {
    approval_id: 'a-1',
    approval_type: 'adr',
    timestamp: '2026-11-16T09:00:00.000Z',
    result: 'approved',
    confidence: 0.9,
    findings: [],
    recommendations: [],
    agent_context: { duration_seconds: 1, cost_basis: 'simulated', simulated: true },
    inputs: [],
    checks: [],
    definition_sha256: '0'.repeat(64),
    cached: false,
    stage: 'agent',
    ...change,
  };
}

/** An approver that always answers the same, and keeps what it was asked. */
export function approver(
  answer: Partial<ApprovalResult> | Extract<ApprovalAnswer, { kind: 'interrupted' }> = {},
  more: Partial<Pick<Approver, 'given' | 'inputs'>> = {},
): Approver & { readonly asked: ApprovalRequest[] } {
  const asked: ApprovalRequest[] = [];
  return {
    asked,
    given: [],
    inputs: [],
    ask: async (request) => {
      asked.push(request);
      return 'kind' in answer ? answer : { kind: 'answered', result: approvalResult(answer) };
    },
    ...more,
  };
}

/** What an attempt was given, by path: as gates read it, and as the approver lists it. */
export function given(files: Readonly<Record<string, string>>): {
  input: GateContext['input'];
  inputs: readonly string[];
} {
  const read = (path: string) => (Object.hasOwn(files, path) ? Buffer.from(files[path] ?? '') : undefined);
  return { input: async (path) => read(path), inputs: Object.keys(files) };
}
