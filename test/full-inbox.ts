import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../src/adapters/clock.ts';
import { openSqliteJournal } from '../src/adapters/journal/sqlite-journal.ts';
import type { NewEvent } from '../src/domain/facts/run-event.ts';
import { sampleStart } from './sample-start.ts';

const OPTIONS = ['A', 'B', 'C', 'D', 'E'].map((id) => ({
  ...{ id, effort: 'low', recommended: id === 'A', decision: { action: 'retry' as const } },
  description: 'Try again; what you write as a comment becomes guidance for the agent, or something of that length',
}));

/** Makes a project in which runs wait, each with some questions; the runs are copies of one another. */
export async function fillInbox(dir: string, { runs, questions }: { runs: number; questions: number }): Promise<void> {
  writeFileSync(join(dir, 'phases.yaml'), 'project: { name: full }\nphases: []\n');
  const home = join(dir, '.helix');
  const journal = openSqliteJournal(home, systemClock);
  const { ownership } = await journal.create(nameOf(0), sampleStart(nameOf(0)));
  const asked = Array.from({ length: questions }, (_, index) => askedIn(nameOf(0), index + 1));
  await journal.append(nameOf(0), { expectedSeq: 1, fence: ownership.fence }, asked);
  ownership.release();
  journal.close();
  copyRun(join(home, 'helix.db'), runs);
  for (let n = 0; n < runs; n += 1) {
    mkdirSync(join(home, 'runs', nameOf(n), 'phases/one/escalation/stufe-2'), { recursive: true });
  }
}

function nameOf(n: number): string {
  return `20261116-${n.toString(16).padStart(8, '0')}`;
}

function askedIn(run: string, number: number): NewEvent {
  const question = 'Phase one is stuck: its gate files_exist failed 6 times. How should HELIX go on?';
  const asked = { request: `${run}-q${number}`, phase: 'one', question, options: OPTIONS };
  return { type: 'human_asked', data: { ...asked, level: 'stufe-2', reason: 'exhausted' } };
}

/** Lists do not verify the chain of hashes, and to write each run as one would takes far longer than what is measured. */
function copyRun(path: string, runs: number): void {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  for (const [table, columns] of [
    ['runs', 'project, created_at, status, open_requests, fence, owner'],
    ['events', "seq, type, v, at, replace(data, 'RUN', :run), hash"],
    ['requests', "replace(request, 'RUN', :run), phase, seq, asked_at, deadline, on_timeout, notify"],
  ] as const) {
    const chosen = columns.replaceAll('RUN', nameOf(0));
    const copy = db.prepare(`INSERT INTO ${table} SELECT :run, ${chosen} FROM ${table} WHERE run = '${nameOf(0)}'`);
    for (let n = 1; n < runs; n += 1) copy.run({ run: nameOf(n) });
  }
  db.exec('COMMIT');
  db.close();
}
