import type { NewEvent, Owner, RunEvent } from '../domain/facts/run-event.ts';
import type { RequestState } from '../domain/facts/run-state.ts';

/** What is known of a run without reading its events. */
export type RunRow = {
  readonly run: string;
  readonly project: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: 'open' | 'passed' | 'failed' | 'cancelled';
  readonly openRequests: number;
  /** What a `helix do` was asked for, in a line, and the branch it works for. */
  readonly task?: string;
  readonly branch?: string;
};

/** A question that nobody has answered yet, without its words. */
export type WaitingRow = {
  readonly run: string;
  readonly request: string;
  readonly phase: string;
  readonly askedAt: string;
  readonly deadline?: string;
  /** The option that is taken when the deadline has passed. */
  readonly onTimeout?: string;
  /** Its run tells people elsewhere of its questions. */
  readonly notify: boolean;
};

/** The right to write a run's facts. */
export interface Ownership {
  readonly fence: number;
  /** Gives the run back; never throws. */
  release(): void;
}

/**
 * The append-only list of a run's facts, durable before `append` resolves.
 * Throws HelixError: `conflict` (not the expected sequence number), `fenced` (somebody else owns the run by now),
 * `run_owned`, `not_found`, `journal` (damaged or foreign), `locked`, `disk_full`.
 */
export interface Journal {
  /** Opens a run with its first fact and makes the caller its owner. */
  create(run: string, first: NewEvent): Promise<{ ownership: Ownership; events: RunEvent[] }>;
  /** Makes the caller the only owner, or throws `run_owned` naming the one there is. */
  own(run: string, owner: Owner): Promise<Ownership>;
  /** Tells who owns the run right now, if anybody does. */
  owner(run: string): Promise<Owner | undefined>;
  /** Adds facts after `expectedSeq`. Without a fence only facts of EXTERNAL_EVENTS are taken. */
  append(run: string, at: { expectedSeq: number; fence?: number }, events: readonly NewEvent[]): Promise<RunEvent[]>;
  /** The facts after `afterSeq`, their hash chain verified. */
  read(run: string, afterSeq?: number): Promise<RunEvent[]>;
  /** The sequence number of the newest fact; cheap enough to poll. */
  headSeq(run: string): Promise<number>;
  /** All runs, newest first. */
  list(): Promise<RunRow[]>;
  /** The questions nobody has answered yet, over all runs, in no order; from an index that is kept with the facts. */
  waiting(): Promise<WaitingRow[]>;
  /** The same questions with their words, newest first, at most `limit` of them. */
  questions(limit?: number): Promise<{ readonly run: string; readonly request: RequestState }[]>;
  /** Forgets a run with all its facts; throws `run_owned` while somebody works on it, `conflict` while it has not ended. */
  remove(run: string): Promise<void>;
  close(): void;
}
