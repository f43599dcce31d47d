import { hash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { EXTERNAL_EVENTS, type NewEvent, type Owner, type RunEvent } from '../../domain/facts/run-event.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { EVENT_VERSION, upcast } from '../../domain/facts/upcast.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Redactor } from '../../domain/plan/secret.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Journal, Ownership, RunRow, WaitingRow } from '../../ports/journal.ts';
import { redactValue } from '../../text/secrets/redact-value.ts';
import { ensureDirectory } from '../disk/ensure-directory.ts';
import { ioError } from '../disk/io-error.ts';
import { lockRun } from '../disk/run-lock.ts';
import { sqliteError } from '../disk/sqlite-error.ts';
import { knownSecrets } from '../secrets/known-secrets.ts';
import { checkSchema } from './check-schema.ts';
import { listedRuns } from './listed-runs.ts';
import { fillIndex, REQUESTS_TABLE, RequestIndex } from './request-index.ts';

const APPLICATION_ID = 0x48_45_4c_58;
/** 2 added the index of open questions. */
const SCHEMA_VERSION = 2;
/** What HELIX keeps beside the journal; none of it may be a link to somewhere else. */
const OWN = ['runs', 'trees', 'left', 'aside'];
/** Long enough for somebody who only looks whether the run is owned. */
const PATIENCE_MS = 100;
const SQLITE_BUSY = 5;
const LOCK_MS = 5000;
/** A log written over again in place is flushed without also making the file system record that it grew. */
const LOG_PAGES = 64;
const WORTH_COMPACTING = 1024 * 1024;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS runs (
    run TEXT PRIMARY KEY, project TEXT NOT NULL, created_at TEXT NOT NULL, status TEXT NOT NULL,
    open_requests INTEGER NOT NULL, fence INTEGER NOT NULL, owner TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS events (
    run TEXT NOT NULL, seq INTEGER NOT NULL, type TEXT NOT NULL, v INTEGER NOT NULL, at TEXT NOT NULL,
    data TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  ${REQUESTS_TABLE}
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};`;

type Head = { seq: number; head: string; fence: number; status: string; open_requests: number };
type Row = { seq: number; type: string; v: number; at: string; data: string; hash: string };

type Secrets = Pick<Redactor, 'redact'>;

/** Opens the journal in a project's `.helix` directory, making it when there is none; no secret gets into it. */
export function openSqliteJournal(dir: string, clock: Clock, secrets: Secrets = knownSecrets()): Journal {
  const path = join(dir, 'helix.db');
  try {
    for (const path of [dir, ...OWN.map((name) => join(dir, name))]) ensureDirectory(path);
    chmodSync(dir, 0o700);
    return new SqliteJournal(connect(path), { dir, clock, secrets });
  } catch (error) {
    throw ioError(sqliteError(error, path), path);
  }
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: LOCK_MS });
  // In this order: whoever makes the journal at the same moment sets both at once.
  const tables = db.prepare('SELECT count(*) AS n FROM sqlite_master').get() as { n: number };
  const application = pragma(db, 'application_id');
  if (application !== APPLICATION_ID && tables.n > 0) {
    db.close();
    throw new HelixError('journal', `${path} is a database of another program`, {
      hint: 'Move it away, or use another project directory.',
    });
  }
  if (application === APPLICATION_ID && versionOf(db) > SCHEMA_VERSION) {
    db.close();
    throw new HelixError('journal', `${path} was written by a newer HELIX`, {
      hint: 'Use that version or a later one.',
    });
  }
  checkSchema(db, { schema: SCHEMA, path });
  patiently(() =>
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = ${LOG_PAGES};`),
  );
  if (pragma(db, 'journal_mode') !== 'wal' || pragma(db, 'synchronous') !== 2) {
    db.close();
    throw new HelixError('journal', `${path} lies on a file system where writes cannot be made durable`, {
      hint: 'Keep the project on a local disk.',
    });
  }
  if (application !== APPLICATION_ID) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
  else if (versionOf(db) < SCHEMA_VERSION) lift(db);
  return db;
}

function versionOf(db: DatabaseSync): number {
  return Number(pragma(db, 'user_version'));
}

/** Brings an older journal up to date; whoever comes second finds it done. */
function lift(db: DatabaseSync): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    if (versionOf(db) < SCHEMA_VERSION) {
      fillIndex(db);
      db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.close();
    throw error;
  }
}

/** SQLite does not wait by itself for somebody else who is just turning the log on. */
function patiently(work: () => void): void {
  for (const began = performance.now(); ; ) {
    try {
      work();
      return;
    } catch (error) {
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY || performance.now() - began > LOCK_MS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function pragma(db: DatabaseSync, name: string): unknown {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return row === undefined ? undefined : Object.values(row)[0];
}

/** The hash that chains an event to the one before it. */
export function chainHash(previous: string, event: Omit<Row, 'hash'>): string {
  const text = `${previous}\n${event.seq}\n${event.type}\n${event.v}\n${event.at}\n${event.data}`;
  return hash('sha256', text);
}

class SqliteJournal implements Journal {
  readonly #db: DatabaseSync;
  readonly #dir: string;
  readonly #clock: Clock;
  readonly #secrets: Secrets;
  readonly #head: StatementSync;
  readonly #insert: StatementSync;
  readonly #index: StatementSync;
  readonly #requests: RequestIndex;

  constructor(db: DatabaseSync, { dir, clock, secrets }: { dir: string; clock: Clock; secrets: Secrets }) {
    this.#db = db;
    this.#dir = dir;
    this.#clock = clock;
    this.#secrets = secrets;
    this.#head = db.prepare(
      `SELECT fence, status, open_requests, coalesce(e.seq, 0) AS seq, coalesce(e.hash, '') AS head
       FROM runs LEFT JOIN events e ON e.run = runs.run AND e.seq = (SELECT max(seq) FROM events WHERE run = runs.run)
       WHERE runs.run = ?`,
    );
    this.#insert = db.prepare('INSERT INTO events (run, seq, type, v, at, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#index = db.prepare('UPDATE runs SET status = ?, open_requests = ? WHERE run = ?');
    this.#requests = new RequestIndex(db);
  }

  async create(run: string, first: NewEvent): Promise<{ ownership: Ownership; events: RunEvent[] }> {
    if (first.type !== 'run_started') throw new TypeError('a run begins with run_started');
    const { owner, plan } = first.data;
    const release = this.#lock(run);
    try {
      const events = this.#transaction(() => {
        this.#db
          .prepare("INSERT INTO runs VALUES (?, ?, ?, 'open', 0, 1, ?)")
          .run(run, this.#secrets.redact(plan.project.name), this.#clock.now(), JSON.stringify(owner));
        return this.#write(run, { seq: 0, head: '', fence: 1, status: 'open', open_requests: 0 }, [first]);
      });
      return { ownership: { fence: 1, release }, events };
    } catch (error) {
      release();
      throw error;
    }
  }

  async own(run: string, owner: Owner): Promise<Ownership> {
    this.#headOf(run);
    const release = this.#lock(run);
    try {
      const row = this.#transaction(() =>
        this.#db
          .prepare('UPDATE runs SET fence = fence + 1, owner = ? WHERE run = ? RETURNING fence')
          .get(JSON.stringify(owner), run),
      ) as { fence: number } | undefined;
      if (row === undefined) throw this.#notFound(run);
      return { fence: row.fence, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async owner(run: string): Promise<Owner | undefined> {
    const row = this.#guard(() => this.#db.prepare('SELECT owner FROM runs WHERE run = ?').get(run)) as
      | { owner: string }
      | undefined;
    if (row === undefined || !existsSync(this.#lockPath(run))) return undefined;
    const release = this.#tryLock(run, 0);
    if (release === undefined) return JSON.parse(row.owner) as Owner;
    release();
    return undefined;
  }

  async append(
    run: string,
    at: { expectedSeq: number; fence?: number },
    events: readonly NewEvent[],
  ): Promise<RunEvent[]> {
    return this.#transaction(() => {
      const head = this.#headOf(run);
      if (at.fence === undefined && events.some((event) => !EXTERNAL_EVENTS.has(event.type))) {
        throw new HelixError('fenced', `only the owner of run ${run} may record that`);
      }
      if (at.fence !== undefined && at.fence !== head.fence) {
        throw new HelixError('fenced', `run ${run} has another owner by now`, {
          hint: `See who works on it: helix status ${run}`,
        });
      }
      if (at.expectedSeq !== head.seq) {
        throw new HelixError('conflict', `run ${run} moved on: expected fact ${at.expectedSeq}, found ${head.seq}`);
      }
      return this.#write(run, head, events);
    });
  }

  async read(run: string, afterSeq = 0): Promise<RunEvent[]> {
    const rows = this.#guard(() => {
      this.#headOf(run);
      return this.#db
        .prepare('SELECT seq, type, v, at, data, hash FROM events WHERE run = ? AND seq >= ? ORDER BY seq')
        .all(run, afterSeq) as Row[];
    });
    let previous = afterSeq === 0 ? run : (rows.shift()?.hash ?? '');
    return rows.map((row, index) => {
      if (row.seq !== afterSeq + index + 1 || row.hash !== chainHash(previous, row)) {
        throw new HelixError(
          'journal',
          `the journal of run ${run} is damaged at fact ${row.seq}: its hash does not fit`,
          {
            hint: 'Somebody changed helix.db by hand, or the disk is failing. Restore it from a backup.',
          },
        );
      }
      previous = row.hash;
      const event = upcast({ type: row.type, v: row.v, data: JSON.parse(row.data) });
      return { ...event, seq: row.seq, v: row.v, at: row.at, hash: row.hash };
    });
  }

  async headSeq(run: string): Promise<number> {
    return this.#headOf(run).seq;
  }

  async list(): Promise<RunRow[]> {
    return this.#guard(() => listedRuns(this.#db));
  }

  async waiting(): Promise<WaitingRow[]> {
    return this.#guard(() => this.#requests.waiting());
  }

  async questions(limit = -1): Promise<{ run: string; request: RequestState }[]> {
    return this.#guard(() => this.#requests.questions(limit));
  }

  async remove(run: string): Promise<void> {
    this.#headOf(run);
    const release = this.#lock(run);
    try {
      this.#transaction(() => {
        if (this.#headOf(run).status === 'open')
          throw new HelixError('conflict', `run ${run} has not ended`, { hint: `End it first: helix cancel ${run}` });
        for (const table of ['requests', 'events', 'runs'])
          this.#db.prepare(`DELETE FROM ${table} WHERE run = ?`).run(run);
      });
      this.#compact();
    } finally {
      release();
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Gives space back once half of the file is empty; while others read, that waits for the next time. */
  #compact(): void {
    const [pages, empty, size] = ['page_count', 'freelist_count', 'page_size'].map((name) =>
      Number(pragma(this.#db, name)),
    );
    if (pages === undefined || empty === undefined || size === undefined) return;
    if (empty * 2 < pages || empty * size < WORTH_COMPACTING) return;
    try {
      this.#db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);');
    } catch (error) {
      if ((error as { errcode?: number }).errcode === undefined) throw error;
    }
  }

  #write(run: string, head: Head, events: readonly NewEvent[]): RunEvent[] {
    const at = this.#clock.now();
    let { seq, head: hash, status, open_requests: open } = head;
    if (seq === 0) hash = run;
    const written = events.map((said) => {
      seq += 1;
      // Before it is hashed and returned: what is believed is what can be read again.
      const { value, json: data } = redactValue(said.data, this.#secrets.redact);
      const event = value === said.data ? said : ({ ...said, data: value } as NewEvent);
      hash = chainHash(hash, { seq, type: event.type, v: EVENT_VERSION, at, data });
      this.#insert.run(run, seq, event.type, EVENT_VERSION, at, data, hash);
      open += this.#requests.follow(event, { run, seq, at });
      if (event.type === 'run_finished') status = event.data.status;
      return { ...event, seq, v: EVENT_VERSION, at, hash };
    });
    if (open > 0 && this.#requests.mayWithdraw(run, written)) open = this.#requests.rebuild(run);
    if (status !== head.status || open !== head.open_requests) this.#index.run(status, open, run);
    return written;
  }

  #headOf(run: string): Head {
    const head = this.#guard(() => this.#head.get(run)) as Head | undefined;
    if (head === undefined) throw this.#notFound(run);
    return head;
  }

  #notFound(run: string): HelixError {
    return new HelixError('not_found', `there is no run ${run} in ${this.#dir}`, { hint: 'List the runs: helix list' });
  }

  #transaction<T>(work: () => T): T {
    return this.#guard(() => {
      this.#db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        this.#db.exec('COMMIT');
        return result;
      } catch (error) {
        if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, join(this.#dir, 'helix.db'));
    }
  }

  #lockPath(run: string): string {
    return join(this.#dir, 'runs', run, 'owner.lock');
  }

  #tryLock(run: string, patienceMs: number): (() => void) | undefined {
    const path = this.#lockPath(run);
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      return lockRun(path, patienceMs);
    } catch (error) {
      throw ioError(sqliteError(error, path), path);
    }
  }

  #lock(run: string): () => void {
    const release = this.#tryLock(run, PATIENCE_MS);
    if (release !== undefined) return release;
    const row = this.#guard(() => this.#db.prepare('SELECT owner FROM runs WHERE run = ?').get(run)) as
      | { owner: string }
      | undefined;
    const owner = row && (JSON.parse(row.owner) as Owner);
    throw new HelixError(
      'run_owned',
      `run ${run} is being worked on by another helix${owner ? ` (process ${owner.pid} on ${owner.host})` : ''}`,
      { hint: `Watch it: helix status ${run} --watch. Stop it: helix cancel ${run}.` },
    );
  }
}
