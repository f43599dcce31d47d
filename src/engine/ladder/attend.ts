import type { NewEvent, RunEvent } from '../../domain/facts/run-event.ts';
import { openRequests, type RunState } from '../../domain/facts/run-state.ts';
import { HelixError, type HelixErrorCode } from '../../domain/helix-error.ts';
import { type Answer, decisionOf, whyClosed } from '../../domain/ladder/answer.ts';
import { NO_ANSWER } from '../../domain/ladder/direction.ts';
import { present } from '../../domain/present.ts';
import { workerAt } from '../../domain/run/at-work.ts';
import { STAMP_LAG_MS } from '../../domain/stamp-lag.ts';
import type { Files } from '../../ports/files.ts';
import type { Journal, WaitingRow } from '../../ports/journal.ts';
import type { Tree } from '../../ports/tree.ts';
import { USER_DECISION_BYTES, userDecisionPath } from '../../report/words/run-paths.ts';
import { sha256 } from '../../text/digest.ts';

/** What is wrong with an answer, and not with the journal it would go to. */
const REFUSALS: ReadonlySet<HelixErrorCode> = new Set(['usage', 'io', 'not_found']);

type Decided = Extract<NewEvent, { type: 'decision_taken' }>;

/** How somebody who looks after open questions gets at runs. */
export type AttendPorts = {
  /** The present moment as ISO 8601. */
  readonly now: () => string;
  /** As Files has them, for any run; looked at so often that what is known at once is given at once. */
  readonly writtenAt: (run: string, path: string) => number | undefined | ReturnType<Files['writtenAt']>;
  readonly read: (run: string, ...file: Parameters<Files['read']>) => ReturnType<Files['read']>;
  readonly state: (run: string) => Promise<RunState>;
  readonly tree: (state: RunState, id: string) => Promise<Tree>;
  /** The facts of all runs of the project. */
  readonly journal: () => Promise<Pick<Journal, 'list' | 'read'>>;
  /** Journals what `make` makes of the newest state of a run, unless that is nothing. */
  readonly record: (run: string, make: (state: RunState) => Decided | undefined) => Promise<Decided | undefined>;
  /** Who acts, as far as it is a human. */
  readonly actor: string;
  readonly notice: (text: string) => void;
};

/** Looks after open questions: answers that were laid down as files, and deadlines that have passed. */
export class Attendant {
  readonly #ports: AttendPorts;
  /** When the file that lies there for a question was written, and what it holds. */
  readonly #seen = new Map<string, { readonly changedAt: number; readonly digest: string }>();
  readonly #told = new Set<string>();

  constructor(ports: AttendPorts) {
    this.#ports = ports;
  }

  /** Takes up what has come in for these questions; the decisions that were recorded. */
  async look(rows: readonly WaitingRow[]): Promise<Decided[]> {
    const taken: Decided[] = [];
    const now = Date.parse(this.#ports.now());
    for (const row of rows) {
      const file = this.#ports.writtenAt(row.run, userDecisionPath(row.phase));
      const changedAt = file instanceof Promise ? await file : file;
      const given = changedAt === undefined ? undefined : await this.#fromFile(row, changedAt);
      const decided = given ?? (isOverdue(row, now) ? await this.#fromDeadline(row) : undefined);
      if (decided !== undefined) taken.push(decided);
    }
    return taken;
  }

  /** Takes an answer, however it came; one that cannot be taken is told of, and the question stays open. */
  async take(run: string, answer: Answer & { readonly request: string }, actor: string): Promise<Decided | undefined> {
    try {
      return await this.#ports.record(run, (state) =>
        isOpen(state, answer.request) ? decisionOf(state, answer, actor) : undefined,
      );
    } catch (error) {
      this.#tell(answer.request, error);
      return undefined;
    }
  }

  async #fromDeadline({ run, request, onTimeout = '' }: WaitingRow): Promise<Decided | undefined> {
    return this.take(run, { request, option: onTimeout }, NO_ANSWER);
  }

  async #fromFile(row: WaitingRow, changedAt: number): Promise<Decided | undefined> {
    const { run, request } = row;
    if (this.#seen.get(request)?.changedAt === changedAt) return undefined;
    this.#seen.set(request, { changedAt, digest: '' });
    try {
      const text = await this.#textOf(row);
      if (text === undefined) return undefined;
      this.#seen.set(request, { changedAt, digest: sha256(text) });
      const state = await this.#ports.state(run);
      const answer = isOpen(state, request) ? await this.#answerIn(text, row, state) : undefined;
      if (answer === undefined) return undefined;
      return await this.take(run, { ...answer, request }, `${this.#ports.actor} (file)`);
    } catch (error) {
      this.#tell(request, error);
      return undefined;
    }
  }

  /** Whoever is told that it cannot be read has to find it. */
  async #textOf({ run, phase }: WaitingRow): Promise<string | undefined> {
    try {
      return await this.#ports.read(run, userDecisionPath(phase), USER_DECISION_BYTES);
    } catch (error) {
      if (!(error instanceof HelixError) || !error.message.startsWith(userDecisionPath(phase))) throw error;
      const hint = error.hint === undefined ? {} : { hint: error.hint };
      throw new HelixError(error.code, `.helix/runs/${run}/${error.message}`, { ...hint, cause: error });
    }
  }

  async #answerIn(text: string, row: WaitingRow, state: RunState): Promise<Answer | undefined> {
    const { request, phase, askedAt } = row;
    // Nearly always there is no such file, and what reads it takes its time to load.
    const { answerFrom, parseUserDecision } = await import('./user-decision.ts');
    const { isTaken } = await import('../../report/ladder/user-decision.ts');
    const name = `.helix/runs/${state.run}/${userDecisionPath(phase)}`;
    const document = parseUserDecision(text, name);
    const { request: named } = document;
    if (named !== undefined && named !== null && named !== request) {
      const other = state.requests.get(named);
      // What HELIX writes after a decision is no answer to the next question, nor is what was taken as one.
      if (other !== undefined && isTaken(other, document)) return undefined;
      const why = other?.phase === phase ? whyClosed(state, named) : undefined;
      throw new HelixError(
        'usage',
        why === undefined
          ? `${name} answers ${named}, which is not what is asked now`
          : `${name} came too late: ${why}`,
      );
    }
    const changedAt = this.#seen.get(request)?.changedAt ?? 0;
    if (changedAt < Date.parse(askedAt)) {
      throw new HelixError('usage', `${name} is older than the question`, { hint: 'Save it again if it is yours.' });
    }
    await this.#refuseUnlessAlone(name, changedAt, request);
    return answerFrom(document, { state, phase, tree: (id) => this.#ports.tree(state, id) });
  }

  /** Without walls whatever runs for any run of the project could have written it. */
  async #refuseUnlessAlone(name: string, stamp: number, request: string): Promise<void> {
    const journal = await this.#ports.journal();
    for (const { run, status, createdAt, updatedAt } of await journal.list()) {
      const isOver = status !== 'open' && Date.parse(updatedAt) < stamp;
      if (isOver || Date.parse(createdAt) > stamp + STAMP_LAG_MS) continue;
      const phase = workerAt(await factsOf(run, journal), stamp);
      if (phase === undefined) continue;
      throw new HelixError(
        'usage',
        `${name} was written while ${phase} of run ${run} was at work, which could do so, too`,
        { hint: `Answer with: helix decide ${request}` },
      );
    }
  }

  /** Says once for each content what is wrong with it. */
  #tell(request: string, error: unknown): void {
    if (!(error instanceof HelixError) || !REFUSALS.has(error.code)) throw error;
    const text = `${request} stays open: ${error.message}. ${error.hint ?? ''}`.trimEnd();
    const key = `${this.#seen.get(request)?.digest} ${text}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#ports.notice(text);
  }
}

/** The open questions of a run, as its index would list them. */
export function waitingIn(state: RunState): WaitingRow[] {
  return openRequests(state).map(({ id, phase, askedAt, deadline, onTimeout }) => ({
    ...{ run: state.run, request: id, phase, askedAt, notify: state.notify.length > 0 },
    ...present({ deadline, onTimeout }),
  }));
}

function isOverdue({ deadline, onTimeout }: WaitingRow, now: number): boolean {
  return deadline !== undefined && onTimeout !== undefined && Date.parse(deadline) <= now;
}

/** A run whose facts cannot be read could have had anything at work. */
async function factsOf(run: string, journal: Pick<Journal, 'read'>): Promise<readonly RunEvent[]> {
  try {
    return await journal.read(run);
  } catch (error) {
    if (!(error instanceof HelixError)) throw error;
    throw new HelixError('usage', `what was at work in run ${run} then cannot be told: ${error.message}`, {
      hint: 'Answer with: helix decide',
      cause: error,
    });
  }
}

function isOpen(state: RunState, request: string): boolean {
  return openRequests(state).some(({ id }) => id === request);
}
