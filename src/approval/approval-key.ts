import { z } from 'zod';
import { JudgeAnswer } from '../domain/judge/approval.ts';
import { sha256 } from '../text/digest.ts';
import { approvalBrief } from './approval-brief.ts';
import type { Question } from './question.ts';

/** Grows whenever an equal question would be answered or concluded otherwise. */
const FORMAT = 1;

/** Who answers, as far as it makes a difference. */
export type JudgeIdentity = {
  readonly driver: string;
  readonly version?: string;
  readonly model?: string;
  readonly tools: readonly string[];
  readonly sandbox: string;
};

/** What a question to a judge is known by: equal keys mean that asking again could tell nothing new. */
export function approvalKey(question: Question, judge: JudgeIdentity): string {
  const { type, role, definition, checks, settings, inputs, snapshot, language } = question;
  // The copy lies somewhere else each time, which says nothing about its content.
  const asked = approvalBrief(question, '.');
  const parts = {
    format: FORMAT,
    type,
    role,
    inputs: digests(inputs),
    files: digests(snapshot.files),
    definition: definition.sha256,
    checks: checks.map(({ id, sha256: digest }) => [id, digest]),
    brief: sha256(asked.brief),
    instructions: sha256(asked.instructions),
    requiredConfidence: settings.requiredConfidence,
    onLowConfidence: settings.onLowConfidence,
    language,
    driver: judge.driver,
    version: judge.version,
    model: judge.model,
    tools: judge.tools.toSorted(),
    sandbox: judge.sandbox,
    answer: z.toJSONSchema(JudgeAnswer, { target: 'draft-7' }),
  };
  return sha256(JSON.stringify(parts));
}

function digests(files: Question['inputs']): string[][] {
  return files.map(({ path, sha256: digest }) => [path, digest]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
