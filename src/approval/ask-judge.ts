import { type ApprovalRecord, type ApprovalResult, JudgeAnswer } from '../domain/approval.ts';
import { hasError } from '../domain/finding.ts';
import type { Cost } from '../domain/run-event.ts';
import type { Sandbox } from '../domain/sandbox.ts';
import type { FailureClass } from '../domain/verdict.ts';
import type { Agent, AgentEnd, Cache, Clock } from '../ports.ts';
import { sha256 } from '../text/digest.ts';
import { oneLine } from '../text/sanitise.ts';
import { approvalBrief } from './approval-brief.ts';
import { approvalRecord, approvalResult, sumOf } from './approval-documents.ts';
import { approvalKey } from './approval-key.ts';
import { cacheEntry, mayBeKept, readCacheEntry } from './cached-approval.ts';
import { type Conclusion, conclude } from './conclude.ts';
import type { Question } from './question.ts';

/** What a judge can do: read. */
export const JUDGE_TOOLS: readonly string[] = ['Read', 'Grep', 'Glob'];
const NO_COST: Cost = { usd: 0, basis: 'reported' };

/** Who is asked, and what for. */
export type Judge = {
  readonly agent: Agent;
  /** What the agent is called in helix.yaml. */
  readonly name: string;
  readonly version?: string;
  readonly model?: string;
  readonly fallbackModel?: string;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly marker: string;
  readonly turn: number;
  /** The id of the approval. */
  readonly id: string;
  /** The neutral directory it works in. */
  readonly dir: string;
  readonly cache?: Cache;
  /** Called once, right before an agent is started: what it may spend; undefined when nothing is left. */
  readonly reserve: () => Promise<{ readonly spendUsd?: number; readonly wallMs?: number } | undefined>;
  readonly onLine: (raw: string, text?: string) => void;
  readonly onSpent?: (usd: number) => void;
};

/** What became of asking: an opinion, or why there is none. */
export type Asked =
  | {
      readonly kind: 'answered';
      readonly result: ApprovalResult;
      readonly record: ApprovalRecord;
      /** What the judge was told; empty where none was asked. */
      readonly brief: string;
      readonly cost: Cost;
      readonly durationMs: number;
    }
  | {
      readonly kind: 'interrupted';
      readonly failure: FailureClass;
      readonly message: string;
      readonly cost?: Cost;
      readonly durationMs: number;
      readonly until?: string;
    };

type Done = Extract<AgentEnd, { kind: 'done' }>;
type Interruption = Extract<AgentEnd, { kind: 'interrupted' }>;
type Concluded = Extract<Conclusion, { kind: 'concluded' }>;
type AgentContext = ApprovalResult['agent_context'];
type Limits = { readonly spendUsd?: number; readonly wallMs?: number };

/** One asking of one model: the same question, known by its own key. */
type Hearing = {
  readonly question: Question;
  readonly judge: Judge;
  readonly model?: string;
  readonly key: string;
  readonly brief: string;
  readonly instructions: string;
  readonly started: string;
  readonly startedMs: number;
  /** What an earlier turn of the same approval has cost. */
  readonly spent?: Cost;
};

/** Asks a fresh judge, unless the free checks, an empty list of checks or an earlier answer to the same say enough. */
export async function askJudge(question: Question, judge: Judge): Promise<Asked> {
  const hearing = hearingOf(question, judge, judge.model);
  if (hasError(question.found)) return withoutJudge(hearing, 'rejected');
  if (question.checks.length === 0) return withoutJudge(hearing, 'approved');
  const known = await remembered(hearing);
  if (known !== undefined) return known;
  const limits = await judge.reserve();
  if (limits === undefined)
    return interrupted(hearing, { failure: 'budget', message: 'no budget is left for a judge' });
  const first = await perform(hearing, limits);
  const { fallbackModel } = judge;
  if (first.kind === 'answered' || first.failure !== 'model_unavailable') return first;
  if (fallbackModel === undefined || fallbackModel === judge.model) return first;
  const { started, startedMs } = hearing;
  const spent = first.cost === undefined ? {} : { spent: first.cost };
  const second: Hearing = { ...hearingOf(question, judge, fallbackModel), started, startedMs, ...spent };
  return (await remembered(second)) ?? perform(second, limits);
}

function hearingOf(question: Question, judge: Judge, model: string | undefined): Hearing {
  const identity = {
    driver: judge.agent.driver,
    ...(judge.version !== undefined && { version: judge.version }),
    ...(model !== undefined && { model }),
    tools: JUDGE_TOOLS,
    sandbox: judge.sandbox.level,
  };
  return {
    question,
    judge,
    ...(model !== undefined && { model }),
    key: approvalKey(question, identity),
    ...approvalBrief(question, question.snapshot.dir),
    started: judge.clock.now(),
    startedMs: judge.clock.monotonic(),
  };
}

/** What is known without anybody being asked. */
function withoutJudge(hearing: Hearing, result: 'approved' | 'rejected'): Asked {
  const { question, judge } = hearing;
  const durationMs = elapsed(hearing);
  return {
    kind: 'answered',
    result: approvalResult(question, {
      approval_id: judge.id,
      timestamp: judge.clock.now(),
      result,
      confidence: 1,
      findings: [],
      recommendations: [],
      agent_context: { duration_seconds: durationMs / 1000, ...costOf(NO_COST), simulated: false },
      checks: question.checks.map(({ id, sha256: digest }) => ({ id, sha256: digest, outcome: 'not_asked' })),
      cached: false,
      stage: 'pre_check',
    }),
    record: recordOf({ ...hearing, brief: '' }, { tools: [] }),
    brief: '',
    cost: NO_COST,
    durationMs,
  };
}

/** The answer that the same question had before. */
async function remembered(hearing: Hearing): Promise<Asked | undefined> {
  const { question, judge, key, brief, spent } = hearing;
  const text = await judge.cache?.get(key);
  const known = text === undefined ? undefined : readCacheEntry(text, key, question);
  if (known === undefined) return undefined;
  const { model, agent, agent_version } = known.agent_context;
  const durationMs = elapsed(hearing);
  const cost = spent ?? { usd: 0, basis: judge.agent.simulated ? 'simulated' : 'reported' };
  const who = { ...(model !== undefined && { model }), ...(agent_version !== undefined && { agent_version }) };
  const context = { ...who, duration_seconds: durationMs / 1000, ...costOf(cost), simulated: judge.agent.simulated };
  return {
    kind: 'answered',
    result: approvalResult(question, {
      ...known,
      approval_id: judge.id,
      timestamp: judge.clock.now(),
      agent_context: { ...context, agent: agent ?? judge.name },
      cached: true,
    }),
    record: recordOf(hearing, { tools: JUDGE_TOOLS, ...who }),
    brief,
    cost,
    durationMs,
  };
}

async function perform(hearing: Hearing, reserved: Limits): Promise<Asked> {
  const { question, judge, model, brief, instructions } = hearing;
  const end = await judge.agent.perform({
    role: question.role,
    subject: {
      type: question.type,
      checks: question.checks.map(({ id }) => id),
      inputs: question.inputs.map(({ path }) => path),
    },
    brief,
    instructions,
    readable: [question.snapshot.dir],
    answer: JudgeAnswer,
    dir: judge.dir,
    ...(model !== undefined && { model }),
    marker: judge.marker,
    turn: judge.turn,
    ...limitsOf(hearing, reserved),
    sandbox: judge.sandbox,
    signal: judge.signal,
    onLine: judge.onLine,
    ...(judge.onSpent !== undefined && { onSpent: judge.onSpent }),
  });
  if (end.kind === 'interrupted') return interrupted(hearing, end);
  const conclusion = await conclude(end.answer, question);
  if (conclusion.kind === 'concluded') return answered(hearing, end, conclusion);
  const failure = conclusion.tampered === undefined ? 'schema' : 'workspace';
  const said = failure === 'schema' ? 'the answer is not what was asked for: ' : '';
  return interrupted(hearing, { failure, message: `${said}${conclusion.why}`, cost: end.cost });
}

async function answered(hearing: Hearing, end: Done, conclusion: Concluded): Promise<Asked> {
  const { question, judge, key, brief } = hearing;
  const durationMs = elapsed(hearing);
  const cost = sumOf(hearing.spent, end.cost) ?? end.cost;
  const model = end.model ?? hearing.model;
  const version = end.version ?? judge.version;
  const who = { ...(model !== undefined && { model }), ...(version !== undefined && { agent_version: version }) };
  const { kind: _, ...opinion } = conclusion;
  const told = {
    ...opinion,
    approval_id: judge.id,
    timestamp: judge.clock.now(),
    agent_context: {
      ...who,
      duration_seconds: durationMs / 1000,
      ...costOf(cost),
      agent: judge.name,
      simulated: judge.agent.simulated,
    },
    cached: false,
    stage: 'agent',
  } as const;
  // What the free checks found is found anew each time, so it is no part of what is kept.
  const own = approvalResult({ ...question, found: [] }, told);
  if (mayBeKept(own)) await judge.cache?.put(key, cacheEntry(key, own));
  const record = recordOf(hearing, { tools: JUDGE_TOOLS, ...who });
  return { kind: 'answered', result: approvalResult(question, told), record, brief, cost, durationMs };
}

type Cut = Pick<Interruption, 'failure' | 'message' | 'cost' | 'until'>;

function interrupted(hearing: Hearing, { failure, message, cost, until }: Cut): Asked {
  const paid = sumOf(hearing.spent, cost);
  return {
    kind: 'interrupted',
    failure,
    message: oneLine(message, 2000),
    ...(paid !== undefined && { cost: paid }),
    durationMs: elapsed(hearing),
    ...(until !== undefined && { until }),
  };
}

function recordOf(
  hearing: Hearing,
  seen: { tools: readonly string[]; agent_version?: string; model?: string },
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
function limitsOf(
  { question, judge, startedMs, spent }: Hearing,
  reserved: Limits,
): { wallMs: number; spendUsd?: number } {
  const { timeoutSeconds, budgetUsd = Number.POSITIVE_INFINITY } = question.settings;
  const wallMs = Math.min(timeoutSeconds * 1000, reserved.wallMs ?? Number.POSITIVE_INFINITY);
  const spendUsd = Math.min(budgetUsd, reserved.spendUsd ?? Number.POSITIVE_INFINITY) - (spent?.usd ?? 0);
  const used = spent === undefined ? 0 : judge.clock.monotonic() - startedMs;
  return { wallMs: Math.max(wallMs - used, 1), ...(Number.isFinite(spendUsd) && { spendUsd: Math.max(spendUsd, 0) }) };
}

function costOf({ usd, tokens, basis }: Cost): Pick<AgentContext, 'cost_usd' | 'tokens_used' | 'cost_basis'> {
  return {
    ...(usd !== undefined && { cost_usd: usd }),
    ...(tokens !== undefined && { tokens_used: tokens }),
    cost_basis: basis,
  };
}

function elapsed({ judge, startedMs }: Hearing): number {
  return Math.max(judge.clock.monotonic() - startedMs, 0);
}
