import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePhase, UNCONFINED } from '../../../test/sample-start.ts';
import { contents, scratch } from '../../../test/scratch.ts';
import type { Agent, CreatorTask } from '../../ports/agent.ts';

/** What an agent is to do when it is its turn: say and write this, leave processes behind, and take so many seconds. */
export type Deed = {
  readonly says?: readonly string[];
  readonly writes?: Readonly<Record<string, string>>;
  readonly leaves?: number;
  readonly seconds?: number;
};

/** For as long no test waits: whoever is not stopped is noticed. */
const HOUR = 3600;

type Said = { raw: string; text: string | undefined }[];

function task(change: Partial<CreatorTask> = {}): CreatorTask & { said: Said } {
  const said: Said = [];
  return {
    role: 'creator',
    ...UNCONFINED,
    phase: samplePhase('one'),
    attempt: 1,
    turn: 0,
    brief: 'Do it.',
    dir: change.dir ?? scratch(),
    marker: `contract-${randomUUID()}`,
    wallMs: 240_000,
    signal: new AbortController().signal,
    onLine: (raw, text) => said.push({ raw, text }),
    ...change,
    said,
  };
}

/** Living processes that carry a marker, looked up without HELIX's own code. */
function carrying(marker: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const alive = !readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z ');
      return alive && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
    } catch {
      return false;
    }
  });
}

/** What every agent must do; `open` gives one that does the deeds of phase `one` in order, the last again and again. */
export function agentContract(name: string, open: (deeds: readonly Deed[]) => Promise<Agent>): void {
  describe(name, () => {
    it('is done with a cost once its work lies in its directory', async () => {
      const agent = await open([{ writes: { 'output/x.md': 'made', 'deep/er/y': '' } }]);
      const asked = task();
      const end = await agent.perform(asked);
      expect(end).toMatchObject({ kind: 'done', cost: { basis: expect.any(String) } });
      expect(contents(asked.dir)).toEqual({ 'output/x.md': 'made', 'deep/er/y': '' });
      expect(agent.driver).not.toBe('');
    });

    it('lets its turn decide what it does', async () => {
      const agent = await open(['first', 'second'].map((text) => ({ writes: { x: text } })));
      for (const [turn, text] of [
        [1, 'second'],
        [0, 'first'],
        [7, 'second'],
      ] as const) {
        const asked = task({ turn });
        await agent.perform(asked);
        expect(contents(asked.dir)).toEqual({ x: text });
      }
    });

    it('hands on everything it says, in order, as raw lines without a line feed and as text for people', async () => {
      const says = ['first', 'with "quotes" and ümläuts', '', 'several\nlines', 'last'];
      const asked = task();
      await (await open([{ says }])).perform(asked);
      expect(asked.said.flatMap(({ text }) => text ?? []).join('\n')).toBe(says.join('\n'));
      for (const { raw } of asked.said) expect(raw).not.toContain('\n');
    });

    it('does nothing when it is aborted before it starts', async () => {
      const asked = task({ signal: AbortSignal.abort('stop') });
      const end = await (await open([{ writes: { x: 'x' }, seconds: HOUR }])).perform(asked);
      expect(end).toMatchObject({ kind: 'interrupted', failure: 'cancelled' });
      expect(contents(asked.dir)).toEqual({});
    });

    it('stops when it is aborted at work, and leaves no process behind', async () => {
      const abort = new AbortController();
      const asked = task({ signal: abort.signal });
      const working = (await open([{ says: ['working'], leaves: 2, seconds: HOUR }])).perform(asked);
      while (carrying(asked.marker).length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
      abort.abort('stop');
      expect(await working).toMatchObject({ kind: 'interrupted', failure: 'cancelled' });
      expect(carrying(asked.marker)).toEqual([]);
    });

    it('is cut off when its time is used up, and leaves no process behind', async () => {
      const asked = task({ wallMs: 300 });
      const end = await (await open([{ leaves: 1, seconds: HOUR }])).perform(asked);
      expect(end).toMatchObject({ kind: 'interrupted', failure: 'timeout_wall' });
      expect(carrying(asked.marker)).toEqual([]);
    });

    it('leaves no process behind when it is done', async () => {
      const asked = task();
      const end = await (await open([{ leaves: 3, writes: { x: 'x' } }])).perform(asked);
      expect(end.kind).toBe('done');
      expect(carrying(asked.marker)).toEqual([]);
    });

    it.each([
      'that does not exist',
      'that is a file',
    ])('does not throw in a directory %s, and makes none', async (what) => {
      const root = scratch({ 'a-file': 'x' });
      const before = contents(root);
      const dir = join(root, what === 'that is a file' ? 'a-file' : 'gone');
      const asked = task({ dir });
      const end = await (await open([{ writes: { x: 'x', 'deep/y': 'x' } }])).perform(asked);
      expect(end).toMatchObject({ kind: 'interrupted', message: expect.stringMatching(/./) });
      expect(contents(root)).toEqual(before);
      expect(existsSync(join(root, 'gone'))).toBe(false);
    });

    it('does not throw when its listener does', async () => {
      const onLine = () => {
        throw new Error('the disk is full');
      };
      const end = await (await open([{ says: ['x'] }])).perform(task({ onLine }));
      expect(end).toMatchObject({ kind: 'interrupted', message: expect.stringContaining('the disk is full') });
    });
  });
}
