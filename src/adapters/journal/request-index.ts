import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Asked, askedRequest } from '../../domain/facts/asked-request.ts';
import type { NewEvent, RunEvent, RunEventType } from '../../domain/facts/run-event.ts';
import { openRequests, type RequestState } from '../../domain/facts/run-state.ts';
import { upcast } from '../../domain/facts/upcast.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { WaitingRow } from '../../ports/journal.ts';

/** The questions nobody has answered yet; their words are read from the facts. */
export const REQUESTS_TABLE = `
  CREATE TABLE IF NOT EXISTS requests (
    run TEXT NOT NULL, request TEXT NOT NULL, phase TEXT NOT NULL, seq INTEGER NOT NULL, asked_at TEXT NOT NULL,
    deadline TEXT, on_timeout TEXT, notify INTEGER NOT NULL, PRIMARY KEY (run, request)
  ) WITHOUT ROWID;`;

const NEWEST_FIRST = 'ORDER BY asked_at DESC, run DESC, seq DESC';
/** Facts after which a question may not be asked any more although nobody has answered it. */
const WITHDRAWING: ReadonlySet<RunEventType> = new Set([
  'run_replanned',
  'plan_grown',
  'phase_sent_back',
  'plan_reverted',
]);

type Stored = { seq: number; type: string; v: number; at: string; data: string; hash: string };
type Place = { readonly run: string; readonly seq: number; readonly at: string };

/** Which questions are open, over all runs: kept in the transaction of the facts it follows from. */
export class RequestIndex {
  readonly #db: DatabaseSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  /** Whether runs tell people elsewhere of their questions, as far as that was looked up. */
  readonly #notify = new Map<string, boolean>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#put = db.prepare('INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#drop = db.prepare('DELETE FROM requests WHERE run = ? AND request = ?');
  }

  /** Takes in a fact that has just been written; by how much the number of the run's open questions changes. */
  follow({ type, data }: NewEvent, place: Place): number {
    if (type === 'run_started' || type === 'run_replanned') this.#notify.delete(place.run);
    if (type === 'human_asked') return this.#insert(data, place);
    if (type === 'decision_taken') return -Number(this.#drop.run(place.run, data.request).changes);
    return type === 'run_finished' ? -this.forget(place.run) : 0;
  }

  /** Tells whether facts may have withdrawn a question, so that the run has to be looked through. */
  mayWithdraw(run: string, events: readonly NewEvent[]): boolean {
    if (events.some(({ type }) => WITHDRAWING.has(type))) return true;
    // Work that comes out differently makes void what was built on it, but only a new plan has accepted work judged again.
    return events.some(({ type }) => type === 'phase_accepted') && this.#wasReplanned(run);
  }

  /** Fills in what is open of a run from its facts; how many questions that is. */
  rebuild(run: string): number {
    const events = this.#db
      .prepare('SELECT seq, type, v, at, data, hash FROM events WHERE run = ? ORDER BY seq')
      .all(run)
      .map((row) => eventOf(row as Stored));
    const state = replay(events);
    const open = new Set(state === undefined ? [] : openRequests(state).map(({ id }) => id));
    this.forget(run);
    for (const event of events)
      if (event.type === 'human_asked' && open.has(event.data.request)) this.#insert(event.data, { ...event, run });
    return open.size;
  }

  /** Forgets the questions of a run; how many there were. */
  forget(run: string): number {
    return Number(this.#db.prepare('DELETE FROM requests WHERE run = ?').run(run).changes);
  }

  waiting(): WaitingRow[] {
    const rows = this.#db.prepare('SELECT run, request, phase, asked_at, deadline, on_timeout, notify FROM requests');
    rows.setReturnArrays(true);
    const found = rows.all() as unknown as [string, string, string, string, string | null, string | null, number][];
    return found.map(([run, request, phase, askedAt, deadline, onTimeout, notify]) => {
      const row = { run, request, phase, askedAt, notify: notify === 1 };
      if (deadline === null) return row;
      return onTimeout === null ? { ...row, deadline } : { ...row, deadline, onTimeout };
    });
  }

  questions(limit: number): { run: string; request: RequestState }[] {
    const rows = this.#db
      .prepare(
        `SELECT run, type, v, at, data FROM (SELECT run, seq, asked_at FROM requests ${NEWEST_FIRST} LIMIT ?)
         JOIN events USING (run, seq) ${NEWEST_FIRST}`,
      )
      .all(limit) as (Stored & { run: string })[];
    return rows.map(({ run, ...row }) => ({ run, request: askedRequest(eventOf(row).data as Asked, row.at) }));
  }

  #insert(data: Asked, { run, seq, at }: Place): number {
    const { id, phase, deadline = null, onTimeout = null } = askedRequest(data, at);
    this.#put.run(run, id, phase, seq, at, deadline, onTimeout, this.#isToldElsewhere(run) ? 1 : 0);
    return 1;
  }

  #isToldElsewhere(run: string): boolean {
    const known = this.#notify.get(run);
    if (known !== undefined) return known;
    const newest = this.#db
      .prepare(
        `SELECT json_array_length(data, '$.notify') AS channels FROM events WHERE run = ? AND channels IS NOT NULL
         AND type IN ('run_started', 'run_replanned') ORDER BY seq DESC LIMIT 1`,
      )
      .get(run) as { channels: number } | undefined;
    const told = (newest?.channels ?? 0) > 0;
    this.#notify.set(run, told);
    return told;
  }

  #wasReplanned(run: string): boolean {
    return (
      this.#db.prepare("SELECT 1 FROM events WHERE run = ? AND type = 'run_replanned' LIMIT 1").get(run) !== undefined
    );
  }
}

/** Makes the index of a journal that was written before there was one. */
export function fillIndex(db: DatabaseSync): void {
  db.exec(REQUESTS_TABLE);
  const index = new RequestIndex(db);
  const runs = db.prepare("SELECT run FROM runs WHERE status = 'open'").all() as { run: string }[];
  const count = db.prepare('UPDATE runs SET open_requests = ? WHERE run = ?');
  for (const { run } of runs) count.run(index.rebuild(run), run);
}

function eventOf({ seq, type, v, at, data, hash }: Stored): RunEvent {
  return { ...upcast({ type, v, data: JSON.parse(data) }), seq, v, at, hash };
}
