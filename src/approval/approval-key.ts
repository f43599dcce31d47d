import { z } from 'zod';
import { JudgeAnswer } from '../domain/judge/approval.ts';
import { judgeTools } from '../domain/plan/driver.ts';
import { present } from '../domain/present.ts';
import { sha256 } from '../text/digest.ts';
import { approvalBrief } from './approval-brief.ts';
import type { Judge } from './judge.ts';
import type { Question } from './question.ts';

/** Grows whenever an equal question would be answered or concluded otherwise. */
const FORMAT = 2;

type Identified = Pick<Judge, 'agent' | 'sandbox'> & {
  readonly version?: string | undefined;
  readonly model?: string | undefined;
};

/** Who answers, as far as it makes a difference. */
export type JudgeIdentity = {
  readonly driver: string;
  readonly version?: string;
  readonly model?: string;
  readonly tools: readonly string[];
  readonly sandbox: string;
};

/** The identity of an agent and model that are asked as a judge. */
export function judgeIdentity({ agent, version, model, sandbox }: Identified): JudgeIdentity {
  return {
    driver: agent.driver,
    ...present({ version, model }),
    tools: judgeTools(agent.driver),
    sandbox: sandbox.level,
  };
}

/** Identifies a question within a run, however sure its judge must be: an opinion with this key is not asked for again. */
export function questionKey(question: Question, judge: JudgeIdentity): string {
  const settings = { ...question.settings, requiredConfidence: 0, onLowConfidence: 'revise' } as const;
  return cacheKey({ ...question, settings }, judge);
}

/** Identifies a question within a run by all of it but the other files around its inputs, which a merge brings. */
export function mergeKey({ difference: _, ...question }: Question, judge: JudgeIdentity): string {
  return questionKey({ ...question, snapshot: { ...question.snapshot, files: [] } }, judge);
}

/** Identifies a verdict in the cache that runs share: the question, who answers it, and how sure they must be. */
export function cacheKey(question: Question, judge: JudgeIdentity): string {
  const { type, role, definition, checks, settledChecks, settings, inputs, snapshot, language } = question;
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
    settled: settledChecks.map(({ id, sha256: digest }) => [id, digest]),
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
