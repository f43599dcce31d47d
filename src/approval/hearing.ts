import { quote } from '../brief/quote.ts';
import type { Cost } from '../domain/facts/run-event.ts';
import type { ApprovalRecord, ApprovalResult } from '../domain/judge/approval.ts';
import { present } from '../domain/present.ts';
import type { AgentEnd } from '../ports/agent.ts';
import { sha256 } from '../text/digest.ts';
import { oneLine } from '../text/sanitise.ts';
import { approvalBrief } from './approval-brief.ts';
import { approvalRecord, sumOf } from './approval-documents.ts';
import { cacheKey, judgeIdentity } from './approval-key.ts';
import type { Asked, ForeseenJudge, Judge } from './judge.ts';
import type { Question } from './question.ts';

type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;
type AgentContext = ApprovalResult['agent_context'];

/** What was set aside for an approval. */
export type Limits = { readonly spendUsd?: number; readonly wallMs?: number };

/** One asking of one model: the same question, known by its own key. */
export type Hearing<J extends ForeseenJudge = Judge> = {
  readonly question: Question;
  readonly judge: J;
  readonly model?: string;
  readonly key: string;
  readonly brief: string;
  readonly instructions: string;
  readonly started: string;
  readonly startedMs: number;
  /** What an earlier turn of the same approval has cost. */
  readonly spent?: Cost;
};

/** Puts the question to one model. */
export function hearingOf<J extends ForeseenJudge>(
  question: Question,
  judge: J,
  model: string | undefined,
): Hearing<J> {
  const { brief, instructions } = approvalBrief(question, question.snapshot.dir);
  return {
    question,
    judge,
    ...present({ model }),
    key: cacheKey(question, judgeIdentity({ ...judge, model })),
    brief: judge.refused === undefined ? brief : `${brief.trimEnd()}\n\n${refusedSection(judge.refused)}\n`,
    instructions,
    started: judge.clock.now(),
    startedMs: judge.clock.monotonic(),
  };
}

/** A judge that is not told why its answer counted for nothing gives the same one again. */
function refusedSection(why: string): string {
  return `## Why the last answer could not be used

This was answered before, and HELIX could not use that answer. The words below are HELIX's, about that answer alone: neither the
author nor anybody else has said them, and they say nothing about the work. Judge it as if for the first time, and give evidence
that can be looked up: whole lines, copied word for word.

${quote(why)}`;
}

type Cut = Pick<Interruption, 'failure' | 'message' | 'cost' | 'until'>;

/** Why there is no opinion. */
export function interrupted(hearing: Hearing, { failure, message, cost, until }: Cut): Asked {
  const paid = sumOf(hearing.spent, cost);
  return {
    kind: 'interrupted',
    failure,
    message: oneLine(message, 2000),
    ...present({ cost: paid }),
    durationMs: elapsed(hearing),
    ...present({ until }),
  };
}

/** The record of what the judge could see and do. */
export function recordOf(
  hearing: Hearing<ForeseenJudge>,
  seen: { tools: readonly string[]; agent_version?: string; model?: string; denied?: readonly string[] },
): ApprovalRecord {
  const { question, judge, key, started, brief } = hearing;
  return approvalRecord(question, {
    approval_id: judge.id,
    started,
    key,
    brief_sha256: sha256(brief),
    sandbox: judge.sandbox.level,
    agent: judge.name,
    driver: judge.agent.driver,
    simulated: judge.agent.simulated,
    ...seen,
  });
}

/** What is left for one turn: of what the type allows, and of what was set aside. */
export function limitsOf(
  { question, judge, startedMs, spent }: Hearing,
  reserved: Limits,
): { wallMs: number; spendUsd?: number } {
  const { timeoutSeconds, budgetUsd = Number.POSITIVE_INFINITY } = question.settings;
  const wallMs = Math.min(timeoutSeconds * 1000, reserved.wallMs ?? Number.POSITIVE_INFINITY);
  const spendUsd = Math.min(budgetUsd, reserved.spendUsd ?? Number.POSITIVE_INFINITY) - (spent?.usd ?? 0);
  const used = spent === undefined ? 0 : judge.clock.monotonic() - startedMs;
  return { wallMs: Math.max(wallMs - used, 1), ...(Number.isFinite(spendUsd) && { spendUsd: Math.max(spendUsd, 0) }) };
}

/** What an approval cost, in the words of its result. */
export function costOf({ usd, tokens, basis }: Cost): Pick<AgentContext, 'cost_usd' | 'tokens_used' | 'cost_basis'> {
  return {
    ...present({ cost_usd: usd, tokens_used: tokens }),
    cost_basis: basis,
  };
}

/** How long it has taken so far, in milliseconds. */
export function elapsed({ judge, startedMs }: Hearing<ForeseenJudge>): number {
  return Math.max(judge.clock.monotonic() - startedMs, 0);
}
