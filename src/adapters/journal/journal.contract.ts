import { afterEach, describe, expect, it } from 'vitest';
import { samplePhase, samplePlan, sampleStart } from '../../../test/sample-start.ts';
import type { NewEvent, Owner } from '../../domain/facts/run-event.ts';
import type { HelixError } from '../../domain/helix-error.ts';
import { replay } from '../../domain/run/evolve.ts';
import type { Journal } from '../../ports/journal.ts';

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

    describe('knows which questions are open, over all runs:', () => {
      const asked = (
        request: string,
        phase = 'one',
        more: { waitHours?: number; onTimeout?: string } = {},
      ): NewEvent => ({
        type: 'human_asked',
        data: { request, phase, level: 'stufe-2', reason: 'exhausted', question: `${request}?`, options: [], ...more },
      });
      const taken = (request: string): NewEvent => ({
        type: 'decision_taken',
        data: { request, option: 'A', decision: { action: 'retry' }, actor: 'ann' },
      });
      const plan = samplePlan([samplePhase('one'), samplePhase('two', { dependsOn: ['one'] })]);
      /** A run with these facts, and what waits in it then. */
      const waitingAfter = async (...facts: readonly (readonly NewEvent[])[]) => {
        const journal = await connect();
        const { ownership } = await journal.create('r1', sampleStart('r1', plan));
        let seq = 1;
        for (const said of facts)
          seq += (await journal.append('r1', { expectedSeq: seq, fence: ownership.fence }, said)).length;
        const other = await connect();
        const waiting = (await other.questions()).map(({ request }) => request.id);
        expect((await other.waiting()).map(({ request }) => request).sort()).toEqual(waiting.toSorted());
        expect(await other.list()).toMatchObject([{ openRequests: waiting.length }]);
        return waiting;
      };

      it('newest first, with the moment an answer is due', async () => {
        const journal = await connect();
        for (const run of ['r1', 'r2']) {
          const { ownership } = await journal.create(run, sampleStart(run));
          const facts = [asked(`${run}-q1`, 'one', { waitHours: 2, onTimeout: 'B' }), asked(`${run}-q2`)];
          await journal.append(run, { expectedSeq: 1, fence: ownership.fence }, facts);
        }
        const other = await connect();
        const order = (await other.questions()).map(({ request }) => request.id);
        expect(order).toEqual(['r2-q2', 'r2-q1', 'r1-q2', 'r1-q1']);
        const rows = new Map((await other.waiting()).map((row) => [row.request, row]));
        const { askedAt, deadline = '', ...row } = rows.get('r2-q1') ?? { askedAt: '' };
        expect(row).toEqual({ run: 'r2', request: 'r2-q1', phase: 'one', onTimeout: 'B', notify: false });
        expect(Date.parse(deadline) - Date.parse(askedAt)).toBe(7_200_000);
        expect(rows.get('r2-q2')).not.toHaveProperty('deadline');
        const [first, ...others] = await other.questions(1);
        expect(others).toEqual([]);
        const state = replay(await other.read('r2'));
        expect(first).toEqual({ run: 'r2', request: state?.requests.get('r2-q2') });
      });

      it('and whether people elsewhere are told of them, as the newest plan says', async () => {
        const journal = await connect();
        const start = sampleStart('r1', plan);
        if (start.type !== 'run_started') throw new TypeError('no start');
        const { source, agents, creator } = start.data;
        const notify = [{ bell: true as const }];
        const { ownership } = await journal.create('r1', { ...start, data: { ...start.data, notify } });
        const replanned: NewEvent = {
          type: 'run_replanned',
          data: { plan, source, agents, creator, voided: [], rejudged: [], notify: [], actor: 'ann' },
        };
        const { fence } = ownership;
        await journal.append('r1', { expectedSeq: 1, fence }, [asked('r1-q1')]);
        expect(await (await connect()).waiting()).toMatchObject([{ request: 'r1-q1', notify: true }]);
        await (await connect()).append('r1', { expectedSeq: 2, fence }, [replanned]);
        expect(await journal.waiting()).toMatchObject([{ request: 'r1-q1', notify: false }]);
      });

      it('not those that are answered, even twice', async () => {
        expect(await waitingAfter([asked('r1-q1'), asked('r1-q2', 'two')], [taken('r1-q1')], [taken('r1-q1')])).toEqual(
          ['r1-q2'],
        );
      });

      it('none of a run that has ended, even where all happens at once', async () => {
        expect(await waitingAfter([asked('r1-q1'), { type: 'run_finished', data: { status: 'failed' } }])).toEqual([]);
      });

      it('not those of a phase that a changed plan touches', async () => {
        const { data } = sampleStart('r1', plan);
        if (!('creator' in data)) throw new TypeError('no start');
        const { source, agents, creator } = data;
        const replanned: NewEvent = {
          type: 'run_replanned',
          data: { plan, source, agents, creator, voided: ['two'], rejudged: [], actor: 'ann' },
        };
        expect(await waitingAfter([asked('r1-q1'), asked('r1-q2', 'two')], [replanned])).toEqual(['r1-q1']);
      });

      it('not those of phases a run goes back over', async () => {
        const reverted: NewEvent = {
          type: 'plan_reverted',
          data: { phase: 'two', target: 'two', voided: ['two'], by: 'human' },
        };
        expect(await waitingAfter([asked('r1-q1'), asked('r1-q2', 'two')], [reverted])).toEqual(['r1-q1']);
      });
    });
  });
}
