import { expect, test } from 'vitest';
import { asked, samplePhase, samplePlan, sampleRun } from '../../../test/sample-run.ts';
import type { RequestState } from '../../domain/facts/run-state.ts';
import { renderOpenRequest } from './inbox-text.ts';

function request(change: Parameters<typeof asked>[1] = {}): RequestState {
  const [found] = sampleRun(samplePlan([samplePhase('a')]), [asked('a', change)]).state.requests.values();
  if (found === undefined) throw new Error('nothing is asked');
  return found;
}

function shown(open: RequestState, laterMs: number): string {
  const now = new Date(Date.parse(open.askedAt) + laterMs).toISOString();
  return renderOpenRequest(open, { now, at: ' -C there', width: 60, paint: (_style, text) => text });
}

test('an open question shows its phase, its age, what is advised and how to answer it', () => {
  expect(shown(request(), 7_300_000)).toBe(
    [
      'r1-q1  a, asked 2 h ago',
      '  Phase a is stuck: its gate files_exist failed 3 times. How',
      '  should HELIX go on?',
      '  Recommended: A Try again',
      '  helix decide r1-q1 -C there',
      '',
    ].join('\n'),
  );
});

test.each([
  [0, 'a, asked 0 s ago, answer within 3 h, by 2026-11-03 13:00:01 UTC, else B'],
  [2 * 3_600_000 + 1_800_000, 'a, asked 3 h ago, answer within 30 min, by 2026-11-03 13:00:01 UTC, else B'],
  [3 * 3_600_000, 'a, asked 3 h ago, overdue: B is taken'],
  [3 * 86_400_000, 'a, asked 3 days ago, overdue: B is taken'],
])('%i ms after a question with a deadline it says: %s', (later, says) => {
  const text = shown(request({ waitHours: 3, onTimeout: 'B' }), later);
  expect(text.replaceAll(/\n {2}/g, ' ')).toContain(says);
});

test.each([0, 4 * 3_600_000])('a question that stays open whatever happens shows no deadline %i ms later', (later) => {
  const open = { ...request(), deadline: new Date(Date.parse(request().askedAt) + 3 * 3_600_000).toISOString() };
  expect(shown(open, later).split('\n')[0]).toMatch(/^r1-q1 {2}a, asked \d+ \w+ ago$/);
});

test('what an agent put into a question cannot harm a terminal', () => {
  const text = shown(request({ question: 'Really?\u001b[2J\r\n\u202eno' }), 0);
  for (const harmful of ['\u001b', '\r', '\u202e']) expect(text).not.toContain(harmful);
});
