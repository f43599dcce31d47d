import { z } from 'zod';
import { ApprovalResult } from '../domain/judge/approval.ts';
import type { Question } from './question.ts';

const Entry = z.strictObject({ key: z.string(), result: ApprovalResult });

/** What is kept of an approval, under its key. */
export function cacheEntry(key: string, result: ApprovalResult): string {
  return JSON.stringify({ key, result } satisfies z.infer<typeof Entry>);
}

/** Tells whether a result may answer the same question again: only a clean approval by a judge may. */
export function mayBeKept({ result, stage, findings, checks, unsure }: ApprovalResult): boolean {
  const answered = checks.every(({ outcome }) => outcome === 'pass' || outcome === 'not_applicable');
  const clean = findings.every(({ severity }) => severity !== 'error');
  return result === 'approved' && stage === 'agent' && answered && clean && unsure !== true;
}

/** The approval an entry holds; undefined unless it is whole, clean, and the answer to exactly this question. */
export function readCacheEntry(text: string, key: string, question: Question): ApprovalResult | undefined {
  const entry = Entry.safeParse(parsed(text)).data;
  if (entry === undefined || entry.key !== key || !mayBeKept(entry.result)) return undefined;
  const { result } = entry;
  const same =
    result.approval_type === question.type &&
    result.definition_sha256 === question.definition.sha256 &&
    result.confidence >= question.settings.requiredConfidence &&
    equal(result.inputs, question.inputs) &&
    equal(
      result.checks.filter(({ by }) => by === undefined).map(({ id, sha256 }) => [id, sha256]),
      question.checks.map(({ id, sha256 }) => [id, sha256]),
    );
  return same ? result : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function equal(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
