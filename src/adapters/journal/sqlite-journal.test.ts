import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleStart } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import type { HelixError } from '../../domain/helix-error.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { systemClock } from '../clock.ts';
import { journalContract } from './journal.contract.ts';
import { openSqliteJournal } from './sqlite-journal.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'helix-journal-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

journalContract('the SQLite journal', async () => openSqliteJournal(dir, systemClock));

const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as HelixError).code;
  }
};

describe('the SQLite journal on disk', () => {
  it('refuses a database of another program and leaves it as it was', () => {
    const foreign = new DatabaseSync(join(dir, 'helix.db'));
    foreign.exec('CREATE TABLE cats (name TEXT)');
    foreign.close();
    expect(codeOf(() => openSqliteJournal(dir, systemClock))).toBe('journal');
    const again = new DatabaseSync(join(dir, 'helix.db'));
    expect(again.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'cats' }]);
    again.close();
  });

  it('gives the space of a forgotten run back', async () => {
    const journal = openSqliteJournal(dir, systemClock);
    const { ownership } = await journal.create('r1', sampleStart('r1'));
    await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [
      { type: 'phase_skipped', data: { phase: 'one', reason: 'x'.repeat(4_000_000) } },
      { type: 'run_finished', data: { status: 'passed' } },
    ]);
    ownership.release();
    await journal.remove('r1');
    journal.close();
    expect(statSync(join(dir, 'helix.db')).size).toBeLessThan(100_000);
  });

  it('writes its log over again instead of letting it grow fact by fact', async () => {
    const journal = openSqliteJournal(dir, systemClock);
    const { ownership } = await journal.create('r1', sampleStart('r1'));
    const log = () => statSync(join(dir, 'helix.db-wal')).size;
    const skip = async (seq: number) =>
      journal.append('r1', { expectedSeq: seq, fence: ownership.fence }, [
        { type: 'phase_skipped', data: { phase: 'one', reason: 'x'.repeat(500) } },
      ]);
    for (let seq = 1; seq <= 100; seq += 1) await skip(seq);
    const early = log();
    for (let seq = 101; seq <= 300; seq += 1) await skip(seq);
    expect(log()).toBeLessThan(2 * early);
    ownership.release();
    journal.close();
  });

  it('refuses a file that is no database', () => {
    writeFileSync(join(dir, 'helix.db'), 'this is not a database at all, '.repeat(200));
    expect(codeOf(() => openSqliteJournal(dir, systemClock))).toBe('journal');
  });

  it('refuses a journal of a newer HELIX', () => {
    openSqliteJournal(dir, systemClock).close();
    const raw = new DatabaseSync(join(dir, 'helix.db'));
    raw.exec('PRAGMA user_version = 99');
    raw.close();
    expect(codeOf(() => openSqliteJournal(dir, systemClock))).toBe('journal');
  });

  it('finds the open questions of a journal that was written before there was an index of them', async () => {
    const before = openSqliteJournal(dir, systemClock);
    for (const run of ['r1', 'r2']) {
      const { ownership } = await before.create(run, sampleStart(run));
      await before.append(run, { expectedSeq: 1, fence: ownership.fence }, [
        {
          type: 'human_asked',
          data: { request: `${run}-q1`, phase: 'one', level: 'start', reason: 'start', question: '?', options: [] },
        },
      ]);
      ownership.release();
    }
    await before.append('r1', { expectedSeq: 2 }, [
      { type: 'decision_taken', data: { request: 'r1-q1', option: 'A', decision: { action: 'proceed' }, actor: 'me' } },
    ]);
    const expected = await before.waiting();
    before.close();
    const raw = new DatabaseSync(join(dir, 'helix.db'));
    raw.exec('DROP TABLE requests; UPDATE runs SET open_requests = 7; PRAGMA user_version = 1');
    raw.close();
    const journal = openSqliteJournal(dir, systemClock);
    expect(await journal.waiting()).toEqual(expected);
    expect(expected).toMatchObject([{ run: 'r2', request: 'r2-q1' }]);
    expect((await journal.list()).map(({ openRequests }) => openRequests)).toEqual([1, 0]);
    journal.close();
  });

  it('says that a directory cannot be used when a file is in its place', () => {
    mkdirSync(join(dir, 'sub'));
    writeFileSync(join(dir, 'sub', '.helix'), '');
    expect(codeOf(() => openSqliteJournal(join(dir, 'sub', '.helix'), systemClock))).toBe('io');
  });

  it.each([
    ['a fact changed by hand', `UPDATE events SET data = replace(data, 'just so', 'by force') WHERE seq = 2`],
    ['a fact taken out', 'DELETE FROM events WHERE seq = 2'],
    ['a date changed', `UPDATE events SET at = '2001-01-01T00:00:00.000Z' WHERE seq = 3`],
  ])('notices %s', async (_what, sql) => {
    const journal = openSqliteJournal(dir, systemClock);
    const { ownership } = await journal.create('r1', sampleStart('r1'));
    await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [
      { type: 'phase_skipped', data: { phase: 'one', reason: 'just so' } },
      { type: 'cancel_requested', data: { actor: 'me' } },
    ]);
    const raw = new DatabaseSync(join(dir, 'helix.db'));
    raw.exec(sql);
    raw.close();
    await expect(journal.read('r1')).rejects.toMatchObject({ code: 'journal' });
    ownership.release();
    journal.close();
  });

  it('keeps no secret, and returns what it keeps', async () => {
    const value = 'tk_9fK2"mQ7xW4pR8sV1cY6b';
    const journal = openSqliteJournal(dir, systemClock, createRedactor([{ name: 'PLANTED', value }]));
    const start = sampleStart('r1');
    if (start.type !== 'run_started') throw new TypeError('no start');
    const { plan } = start.data;
    const data = { ...start.data, request: value, plan: { ...plan, project: { ...plan.project, name: value } } };
    const { ownership, events } = await journal.create('r1', { type: 'run_started', data });
    const reason = `${value}, ${JSON.stringify(value)} and ${Buffer.from(value).toString('base64')}`;
    const skipped = await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [
      { type: 'phase_skipped', data: { phase: 'one', reason } },
      { type: 'cancel_requested', data: { actor: 'me' } },
    ]);
    expect(await journal.read('r1')).toEqual([...events, ...skipped]);
    expect(skipped[0]?.data).toMatchObject({
      reason: expect.stringMatching(/^\[redacted PLANTED], "\[redacted PLANTED]" and/),
    });
    const files = readdirSync(dir).filter((name) => name.startsWith('helix.db'));
    const stored = files.map((name) => readFileSync(join(dir, name), 'latin1')).join('');
    expect(files).toContain('helix.db-wal');
    expect(stored).toContain('[redacted PLANTED]');
    expect(stored).not.toMatch(/mQ7xW4pR8sV1cY6b|dGtfOWZLMiJtUTd4VzR/);
    ownership.release();
    journal.close();
  });

  it('waits for a short lock and reports a long one instead of hanging', async () => {
    const journal = openSqliteJournal(dir, systemClock);
    const { ownership } = await journal.create('r1', sampleStart('r1'));
    const blocker = new DatabaseSync(join(dir, 'helix.db'));
    blocker.exec('BEGIN IMMEDIATE');
    const refused = journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [
      { type: 'cancel_requested', data: { actor: 'me' } },
    ]);
    await expect(refused).rejects.toMatchObject({ code: 'locked' });
    blocker.exec('ROLLBACK');
    blocker.close();
    await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [
      { type: 'cancel_requested', data: { actor: 'me' } },
    ]);
    ownership.release();
    journal.close();
  });
});

it('is made once by processes that want it at the same moment', async () => {
  for (let round = 0; round < 6; round += 1) {
    const dir = scratch();
    const script = `import { openSqliteJournal } from '${import.meta.resolve('./sqlite-journal.ts')}';
import { systemClock } from '${import.meta.resolve('../clock.ts')}';
process.stdout.write('ready');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.destroy();
openSqliteJournal('${dir}/.helix', systemClock).close();`;
    const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    const ending = children.map(async (child) => {
      let said = '';
      child.stderr.on('data', (piece) => (said += String(piece)));
      const [code] = await once(child, 'close');
      return { code, said: code === 0 ? '' : said };
    });
    await Promise.all(children.map((child) => once(child.stdout, 'data')));
    for (const child of children) child.stdin.write('go');
    const ends = await Promise.all(ending);
    expect(ends).toEqual(Array(3).fill({ code: 0, said: '' }));
  }
});
