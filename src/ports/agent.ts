import type { ZodType } from 'zod';
import type { Cost, InputFile } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import type { Role } from '../domain/plan/driver.ts';
import type { Phase } from '../domain/plan/plan.ts';
import type { Sandbox } from '../domain/plan/sandbox.ts';
import type { FailureClass } from '../domain/verdict.ts';
import type { Layer } from './processes.ts';

type Asked = {
  readonly brief: string;
  /** Where it works: a creator in its workspace, a judge in a neutral, empty directory. */
  readonly dir: string;
  readonly model?: string;
  readonly marker: string;
  readonly wallMs: number;
  readonly idleMs?: number;
  /** What it may spend, in dollars; stopped as soon as more is known to be spent. */
  readonly spendUsd?: number;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Everything the agent says: the raw line for the transcript and, where there is one, the text for people. */
  readonly onLine: (raw: string, text?: string) => void;
  /** What it is known or estimated to have spent so far, in dollars. */
  readonly onSpent?: (usd: number) => void;
};

/** What a creator is asked to do. */
export type CreatorTask = Asked & {
  readonly role: 'creator';
  readonly phase: Phase;
  readonly attempt: number;
  /** How many of its tries at this phase have ended by themselves. */
  readonly turn: number;
  /** What it was given, by content. */
  readonly inputs: readonly Pick<InputFile, 'path' | 'digest'>[];
  /** What it may see and change of the work where walls hide the rest: its directory, or the worktree that lies in. */
  readonly writable: readonly string[];
  /** What its shell may not write to, whatever else it may do. */
  readonly protect: readonly string[];
  /** What it sees in its directory that does not lie there. */
  readonly layers?: readonly Layer[];
  /** Folders with programs that set-up installed for it; they come first in its PATH. */
  readonly binaries?: readonly string[];
  /** The domains its shell may reach. */
  readonly network: readonly string[];
};

/** What a judge is to judge. */
type JudgeSubject = {
  readonly type: string;
  readonly checks: readonly string[];
  /** Paths below the first readable directory. */
  readonly inputs: readonly string[];
};

/** What a judge is asked: always of a fresh process, which can read what it is given and do nothing else. */
export type JudgeTask = Asked & {
  readonly role: Exclude<Role, 'creator'>;
  /** What it is asked about, for agents that do not read: the type of approval, its checks, and what is judged. */
  readonly subject: JudgeSubject;
  /** How many judges of this role answered before it about the same: the move of a scripted one. */
  readonly turn: number;
  /** What it is, beside what it is asked. */
  readonly instructions: string;
  /** The directories it may read beside its own. */
  readonly readable: readonly string[];
  /** What its answer must look like; the driver asks for it and checks it again. */
  readonly answer: ZodType;
};

/** What an agent is asked. */
export type AgentTask = CreatorTask | JudgeTask;

/** Who worked, as far as the agent itself says. */
export type Worker = { readonly model?: string; readonly version?: string };

/** How an agent's turn ended. Only `done` leads to a judgement. */
export type AgentEnd =
  | (Worker & {
      readonly kind: 'done';
      readonly cost: Cost;
      /** A judge's answer, which fits the schema it was given. */
      readonly answer?: unknown;
      /** What it tried and was not allowed to do. */
      readonly denied?: readonly string[];
      /** What its user should know about the attempt. */
      readonly notices?: readonly Finding[];
    })
  | (Worker & {
      readonly kind: 'interrupted';
      readonly failure: FailureClass;
      readonly message: string;
      readonly cost?: Cost;
      /** What a judge answered that does not fit the schema it was given; never a verdict. */
      readonly refusedAnswer?: unknown;
      readonly denied?: readonly string[];
      /** When it is worth another try, in ISO 8601. */
      readonly until?: string;
    });

/**
 * Somebody who can do a phase's work. Must not throw: whatever goes wrong is an interruption with a class. When `perform`
 * resolves, no process it started is left.
 */
export interface Agent {
  readonly driver: string;
  /** Of the program it is, where that is known before it is asked anything. */
  readonly version?: string;
  readonly simulated: boolean;
  perform(task: AgentTask): Promise<AgentEnd>;
  /** What the lines of a transcript that broke off say it has cost. */
  costOf?(transcript: readonly string[]): Cost;
}
