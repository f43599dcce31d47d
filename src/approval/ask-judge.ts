import type { Cost } from '../domain/facts/run-event.ts';
import { hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import { type ApprovalResult, JudgeAnswer } from '../domain/judge/approval.ts';
import { judgeTools } from '../domain/plan/driver.ts';
import type { Sandbox } from '../domain/plan/sandbox.ts';
import { present } from '../domain/present.ts';
import type { AgentEnd } from '../ports/agent.ts';
import { withoutDirectory } from '../text/without-directory.ts';
import { approvalResult, sumOf } from './approval-documents.ts';
import { cacheEntry, mayBeKept, readCacheEntry } from './cached-approval.ts';
import { type Conclusion, conclude } from './conclude.ts';
import { costOf, elapsed, type Hearing, hearingOf, interrupted, type Limits, limitsOf, recordOf } from './hearing.ts';
import type { Asked, ForeseenJudge, Judge } from './judge.ts';
import type { Question } from './question.ts';

const BEST_WALLS: Sandbox = { level: 'strict', why: 'the answer was given behind these walls' };
const NO_COST: Cost = { usd: 0, basis: 'reported' };

type Done = Extract<AgentEnd, { kind: 'done' }>;
type Concluded = Extract<Conclusion, { kind: 'concluded' }>;
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

/**
 * The answer that the same question had before, from behind the best walls: it holds whichever walls there are now, so none have
 * to be tried out for it. Undefined where there is none, or nobody has to be asked.
 */
export async function recallAnswer(
  question: Question,
  judge: Omit<ForeseenJudge, 'sandbox'>,
): Promise<Asked | undefined> {
  if (hasError(question.found) || question.checks.length === 0) return undefined;
  return remembered(hearingOf(question, { ...judge, sandbox: BEST_WALLS }, judge.model));
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
async function remembered(hearing: Hearing<ForeseenJudge>): Promise<Asked | undefined> {
  const { question, judge, key, brief, spent } = hearing;
  const text = await judge.cache?.get(key);
  const known = text === undefined ? undefined : readCacheEntry(text, key, question);
  if (known === undefined) return undefined;
  const { model, agent, agent_version } = known.agent_context;
  const durationMs = elapsed(hearing);
  const cost = spent ?? { usd: 0, basis: judge.agent.simulated ? 'simulated' : 'reported' };
  const who = { ...present({ model, agent_version }) };
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
    record: recordOf(hearing, { tools: judgeTools(judge.agent.driver), ...who }),
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
    ...present({ model }),
    marker: judge.marker,
    turn: judge.turn,
    ...limitsOf(hearing, reserved),
    sandbox: judge.sandbox,
    signal: judge.signal,
    onLine: (raw, text) => judge.onLine(raw, text && withoutDirectory(text, question.snapshot.dir)),
    ...present({ onSpent: judge.onSpent }),
  });
  if (end.kind === 'interrupted') return interrupted(hearing, end);
  const conclusion = await conclude(end.answer, question);
  if (conclusion.kind === 'concluded') return answered(hearing, end, conclusion);
  const failure = conclusion.tampered === undefined ? 'schema' : 'workspace';
  const said = failure === 'schema' ? 'the answer is not what was asked for: ' : '';
  return interrupted(hearing, { failure, message: `${said}${conclusion.why}`, cost: end.cost });
}

/**
 * Keeps a clean approval for whoever asks the same, and forgets an earlier one that this opinion contradicts. What cannot be
 * remembered is only dearer the next time: the verdict stands.
 */
async function remember({ question, judge, key, model }: Hearing, result: ApprovalResult): Promise<void> {
  const { cache } = judge;
  try {
    if (mayBeKept(result)) return await cache?.put(key, cacheEntry(key, result));
    await cache?.remove(key);
    // It is looked for behind the best walls first, whichever these are.
    await cache?.remove(hearingOf(question, { ...judge, sandbox: BEST_WALLS }, model).key);
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
  }
}

async function answered(hearing: Hearing, end: Done, conclusion: Concluded): Promise<Asked> {
  const { question, judge, brief } = hearing;
  const durationMs = elapsed(hearing);
  const cost = sumOf(hearing.spent, end.cost) ?? end.cost;
  const model = end.model ?? hearing.model;
  const version = end.version ?? judge.version;
  const who = { ...present({ model, agent_version: version }) };
  const { kind: _, noOpinion, ...opinion } = conclusion;
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
  await remember(hearing, own);
  const denied = end.denied ?? [];
  const record = recordOf(hearing, { tools: judgeTools(judge.agent.driver), denied, ...who });
  const result = approvalResult(question, told);
  return { kind: 'answered', result, ...present({ noOpinion }), record, brief, cost, durationMs };
}
