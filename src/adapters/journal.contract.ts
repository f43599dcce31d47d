import { afterEach, describe, expect, it } from 'vitest';
import { sampleStart } from '../../test/sample-start.ts';
import type { HelixError } from '../domain/helix-error.ts';
import type { NewEvent, Owner } from '../domain/run-event.ts';
import type { Journal } from '../ports.ts';

const OWNER: Owner = { host: 'here', pid: 1, start: '1', boot: 'b' };
const SKIPPED: NewEvent = { type: 'phase_skipped', data: { phase: 'one', reason: 'just so' } };
const CANCEL: NewEvent = { type: 'cancel_requested', data: { actor: 'somebody' } };

const code = (error: unknown) => (error as HelixError).code;

/** What every journal must do; `open` gives another connection to the same journal each time. */
export function journalContract(name: string, open: () => Promise<Journal>): void {
  describe(name, () => {
    const journals: Journal[] = [];
    const connect = async () => {
      const journal = await open();
      journals.push(journal);
      return journal;
    };
    afterEach(() => {
      for (const journal of journals.splice(0)) journal.close();
    });

    it('gives back what was appended, numbered, dated and chained', async () => {
      const journal = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [SKIPPED, CANCEL]);
      const events = await (await connect()).read('r1');
      expect(events.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'run_started'],
        [2, 'phase_skipped'],
        [3, 'cancel_requested'],
      ]);
      expect(new Set(events.map((event) => event.hash)).size).toBe(3);
      expect(await journal.read('r1', 2)).toEqual(events.slice(2));
      expect(await journal.headSeq('r1')).toBe(3);
    });

    it('has what was appended the moment append resolves, for every other connection', async () => {
      const journal = await connect();
      const other = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      for (let seq = 1; seq <= 20; seq += 1) {
        await journal.append('r1', { expectedSeq: seq, fence: ownership.fence }, [SKIPPED]);
        expect(await other.headSeq('r1')).toBe(seq + 1);
      }
    });

    it('refuses an append that does not expect the present sequence number, and writes nothing', async () => {
      const journal = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      const late = journal.append('r1', { expectedSeq: 0, fence: ownership.fence }, [SKIPPED]);
      expect(code(await late.catch((error: unknown) => error))).toBe('conflict');
      expect(await journal.headSeq('r1')).toBe(1);
    });

    it('refuses the fence of a former owner', async () => {
      const journal = await connect();
      const { ownership: former } = await journal.create('r1', sampleStart('r1'));
      former.release();
      const other = await connect();
      const ownership = await other.own('r1', OWNER);
      const stale = journal.append('r1', { expectedSeq: 1, fence: former.fence }, [SKIPPED]);
      expect(code(await stale.catch((error: unknown) => error))).toBe('fenced');
      await other.append('r1', { expectedSeq: 1, fence: ownership.fence }, [SKIPPED]);
      expect(await journal.headSeq('r1')).toBe(2);
    });

    it('takes from others only what people may add', async () => {
      const journal = await connect();
      await journal.create('r1', sampleStart('r1'));
      const other = await connect();
      const foreign = other.append('r1', { expectedSeq: 1 }, [SKIPPED]);
      expect(code(await foreign.catch((error: unknown) => error))).toBe('fenced');
      await other.append('r1', { expectedSeq: 1 }, [CANCEL]);
      expect(await journal.headSeq('r1')).toBe(2);
    });

    it('has one owner per run and names it to the second', async () => {
      const journal = await connect();
      await journal.create('r1', sampleStart('r1'));
      const other = await connect();
      const refusal = await other.own('r1', OWNER).catch((error: unknown) => error);
      expect(code(refusal)).toBe('run_owned');
      expect((refusal as HelixError).message).toContain('process 4711 on testhost');
      expect(await other.owner('r1')).toMatchObject({ pid: 4711 });
    });

    it('is free for the next owner once it was given back', async () => {
      const journal = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      ownership.release();
      expect(await journal.owner('r1')).toBeUndefined();
      const next = await (await connect()).own('r1', OWNER);
      expect(next.fence).toBeGreaterThan(ownership.fence);
    });

    it('does not confuse two runs', async () => {
      const journal = await connect();
      const one = await journal.create('r1', sampleStart('r1'));
      const two = await journal.create('r2', sampleStart('r2'));
      await journal.append('r1', { expectedSeq: 1, fence: one.ownership.fence }, [SKIPPED]);
      await journal.append('r2', { expectedSeq: 1, fence: two.ownership.fence }, [CANCEL]);
      expect((await journal.read('r1')).map(({ type }) => type)).toEqual(['run_started', 'phase_skipped']);
      expect((await journal.list()).map(({ run }) => run).sort()).toEqual(['r1', 'r2']);
    });

    it('forgets a run that has ended, and no other', async () => {
      const journal = await connect();
      const other = await connect();
      for (const run of ['r1', 'r2']) {
        const { ownership } = await journal.create(run, sampleStart(run));
        await journal.append(run, { expectedSeq: 1, fence: ownership.fence }, [
          { type: 'run_finished', data: { status: 'passed' } },
        ]);
        ownership.release();
      }
      const kept = await journal.read('r2');
      await other.remove('r1');
      expect((await journal.list()).map(({ run }) => run)).toEqual(['r2']);
      expect(await journal.read('r2')).toEqual(kept);
      for (const ask of [journal.read('r1'), journal.own('r1', OWNER), journal.remove('r1')]) {
        expect(code(await ask.catch((error: unknown) => error))).toBe('not_found');
      }
    });

    it('does not forget a run that is owned or has not ended', async () => {
      const journal = await connect();
      const other = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      expect(code(await other.remove('r1').catch((error: unknown) => error))).toBe('run_owned');
      ownership.release();
      expect(code(await other.remove('r1').catch((error: unknown) => error))).toBe('conflict');
      expect(await journal.headSeq('r1')).toBe(1);
    });

    it('says that a run does not exist', async () => {
      const journal = await connect();
      for (const ask of [journal.read('nope'), journal.own('nope', OWNER), journal.headSeq('nope')]) {
        expect(code(await ask.catch((error: unknown) => error))).toBe('not_found');
      }
    });

    it('keeps count of open questions and of how a run ended', async () => {
      const journal = await connect();
      const { ownership } = await journal.create('r1', sampleStart('r1'));
      const asked: NewEvent = {
        type: 'human_asked',
        data: { request: 'r1-q1', phase: 'one', level: 'stufe-2', reason: 'exhausted', question: '?', options: [] },
      };
      await journal.append('r1', { expectedSeq: 1, fence: ownership.fence }, [asked]);
      expect(await journal.list()).toMatchObject([{ run: 'r1', status: 'open', openRequests: 1 }]);
      await journal.append('r1', { expectedSeq: 2, fence: ownership.fence }, [
        { type: 'run_finished', data: { status: 'failed' } },
      ]);
      expect(await journal.list()).toMatchObject([{ status: 'failed' }]);
    });
  });
}
