import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Evidence, JudgeAnswer } from '../../src/domain/judge/approval.ts';
import { use } from './loopback/answer.ts';
import type { ModelRequest } from './loopback-model.ts';

/** All the tools a judge may be offered, with what `claude` itself needs to answer by. */
export const JUDGE_OFFER: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'StructuredOutput']);

/** Tells a judge's request from one of those who work. */
export function isJudge({ system }: ModelRequest): boolean {
  return system.includes('You are an independent judge.');
}

/** What judges asked of their model. */
export function judgesOf(requests: readonly ModelRequest[]): readonly ModelRequest[] {
  return requests.filter(isJudge);
}

/** The tools offered in requests; a placeholder that `claude` adds can do nothing. */
export function offered(requests: readonly ModelRequest[]): ReadonlySet<string> {
  return new Set(requests.flatMap(({ tools }) => tools).filter((tool) => tool !== 'DeferredToolPlaceholder'));
}

/** The checks a judge is to answer, as its brief says. */
export function askedChecks({ messages }: ModelRequest): string[] {
  const [, list = ''] = /exactly one entry for each of (.+), with that id/.exec(messages) ?? [];
  return [...list.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id);
}

/** Where a file lies that the judge is to read, as its brief says. */
export function pinnedPath({ messages }: ModelRequest, path: string): string {
  const [, dir = ''] = /These files, below `([^`]+)`/.exec(messages) ?? [];
  return join(dir, path);
}

/** Has a judge read a file of the copy. */
export function readPinned(request: ModelRequest, path: string) {
  return use('Read', { file_path: pinnedPath(request, path) });
}

/** The digest of a file as a judge's copy has it right now. */
export function pinnedDigest(request: ModelRequest, path: string): string {
  return sha256(readFileSync(pinnedPath(request, path)));
}

/** The digest results name a file by. */
export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A judge's answer that passes these checks by one quotation. */
export function passes(checks: readonly string[], evidence: Evidence): JudgeAnswer {
  return {
    checks: checks.map((id) => ({ id, outcome: 'pass', evidence: [evidence] })),
    ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.95 },
  };
}

/** What a judge finds wrong, and where. */
type Objection = {
  readonly check: string;
  readonly message: string;
  readonly hint: string;
  readonly evidence: Evidence;
};

/** A judge's answer that fails one of them for a reason. */
export function fails(checks: readonly string[], { check, message, hint, evidence }: Objection): JudgeAnswer {
  const passed = passes(checks, evidence);
  return {
    ...passed,
    checks: passed.checks.map((each) => (each.id === check ? { ...each, outcome: 'fail' } : each)),
    findings: [{ severity: 'error', check, message, hint, evidence }],
    result: 'rejected',
  };
}
