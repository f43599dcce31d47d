import { expect, it } from 'vitest';
import type { RunEvent } from '../../domain/facts/run-event.ts';
import { shareLines, sharesOf } from './shares.ts';

/** Facts of a run at these seconds, as far as shares are concerned. */
function run(...facts: readonly (readonly [seconds: number, type: string, data?: object])[]): RunEvent[] {
  return facts.map(([seconds, type, data = {}], index) => {
    const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
    return { seq: index + 1, v: 2, hash: '', at, type, data } as unknown as RunEvent;
  });
}

const usd = (amount: number, tokens: number) => ({ cost: { usd: amount, basis: 'reported', tokens } });

it('a run is shared out: waiting for people and for a HELIX that was gone counts for nobody', () => {
  const events = run(
    [0, 'run_started', { preparedMs: 5000 }],
    [2, 'attempt_started', { ownTokens: 700 }],
    [12, 'attempt_finished', { durationMs: 10_000, ...usd(0.4, 80_000) }],
    [13, 'human_asked'],
    [113, 'decision_taken'],
    [150, 'run_resumed'],
    [151, 'attempt_started', { ownTokens: 800 }],
    [155, 'attempt_interrupted', { durationMs: 4000 }],
    [175, 'approval_finished', { durationMs: 12_000, ...usd(0.06, 9000) }],
    [
      176,
      'attempt_judged',
      {
        verdicts: [
          { gate: 'tests_pass', durationMs: 7000 },
          { gate: 'approval', durationMs: 12_000 },
        ],
      },
    ],
  );
  const shares = sharesOf(events);
  expect(shares).toMatchObject({
    preparedMs: 5000,
    waitedMs: 137_000,
    totalMs: 44_000,
    gatesMs: 7000,
    helixMs: 6000,
    helixTokens: 1500,
  });
  expect(shareLines(shares)).toEqual([
    'agent        14s, 0.40 USD, 80,000 tokens',
    'HELIX itself 6s, about 1,500 tokens of its own in briefs · gates 7s · judge 12s, 0.06 USD, 9,000 tokens',
    'before       5s, set-up and first run of the commands',
    'not counted  2m 17s in which it waited for you or was stopped',
  ]);
});

it('what an older journal does not tell is not made up', () => {
  const events = run(
    [0, 'run_started'],
    [1, 'attempt_started'],
    [3, 'attempt_finished', { durationMs: 2000, cost: { basis: 'unknown' } }],
  );
  expect(shareLines(sharesOf(events))).toEqual(['agent        2s, unknown cost', 'HELIX itself 1s · gates 0ms']);
});
