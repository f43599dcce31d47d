import type { Cost } from '../domain/facts/run-event.ts';
import type { ApprovalRecord, ApprovalResult } from '../domain/judge/approval.ts';
import type { Sandbox } from '../domain/plan/sandbox.ts';
import type { FailureClass } from '../domain/verdict.ts';
import type { Agent } from '../ports/agent.ts';
import type { Cache } from '../ports/cache.ts';
import type { Clock } from '../ports/clock.ts';

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
  /** Why the last answer to this question could not be used, in HELIX's words. */
  readonly refused?: string;
  /** The neutral directory it works in. */
  readonly dir: string;
  readonly cache?: Cache;
  /** Called once, right before an agent is started: what it may spend; undefined when nothing is left. */
  readonly reserve: () => Promise<{ readonly spendUsd?: number; readonly wallMs?: number } | undefined>;
  readonly onLine: (raw: string, text?: string) => void;
  readonly onSpent?: (usd: number) => void;
};

/** What is known of a judge before any wall is built and any program started. */
export type ForeseenJudge = Pick<
  Judge,
  'agent' | 'name' | 'version' | 'model' | 'sandbox' | 'clock' | 'id' | 'cache' | 'refused'
>;

/** What became of asking: an opinion, or why there is none. */
export type Asked =
  | {
      readonly kind: 'answered';
      readonly result: ApprovalResult;
      /** Why the answer, such as it is, is none that anybody could go by. */
      readonly noOpinion?: string;
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
