import { expect, it } from 'vitest';
import { ask, askingRun } from '../../../test/notify.fixture.ts';
import { NoticeDocument } from '../../domain/ladder/notice.ts';
import type { Simulation } from '../../domain/run/simulation.fixture.ts';
import { createRedactor } from '../../text/secrets/redact.ts';
import { noticeOf } from './notice.ts';

const KEY = 'kJ8s-very-secret-key';
const { redact } = createRedactor([{ name: 'API_KEY', value: KEY }]);

function noticed(question: string): NoticeDocument {
  const run = askingRun([], ['one']);
  return document(run, ask(run, 'one', question));
}

function document({ state }: Simulation, id: string): NoticeDocument {
  const request = state.requests.get(id);
  if (request === undefined) throw new TypeError('not asked');
  return noticeOf(state, request, redact).document;
}

it('it says who asks what, what can be answered and how', () => {
  const notice = NoticeDocument.parse(document(askingRun([]), 'sim-q1'));
  expect(notice).toMatchObject({
    schema: 'helix.notice/1',
    ...{ run: 'sim', request: 'sim-q1', project: 'sample', phase: 'one', question: 'May one start?' },
    options: [{ id: 'A', description: 'Start', effort: 'none', recommended: true }, { id: 'B' }],
    answer: 'helix decide sim-q1 A --comment "..."',
  });
  expect(notice.text).toContain('A  Start (effort: none; recommended)');
});

it('no secret and nothing that is not seen gets out', () => {
  const { question, text } = noticed(`use ${KEY}\x1b[2J\u202e now`);
  expect(`${question}${text}`).not.toContain(KEY);
  expect(`${question}${text}`).not.toMatch(/[^\P{C}\n]/u);
  expect(question).toContain('[redacted API_KEY]');
});

it('what others wrote is no mention and no link where Slack shows it', () => {
  expect(noticed('<!channel> <https://evil|click> &amp;').text).not.toMatch(/<|>|&(?!amp;|lt;|gt;)/);
});

it.each(['x', '\n', '漢', '"', '😀', '\u202e'])('a flood of %j stays below 64 KB', (piece) => {
  const run = askingRun([]);
  const flood = piece.repeat(20_000);
  const option = { description: flood, effort: flood, recommended: false, decision: { action: 'retry' as const } };
  run.add({
    type: 'human_asked',
    data: {
      ...{ request: 'big', phase: 'one', level: 'stufe-2', reason: 'exhausted', question: flood },
      options: Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, ...option })),
      analysis: { problem: flood, suspected_cause: flood, learning: flood },
    },
  });
  const notice = document(run, 'big');
  expect(Buffer.byteLength(JSON.stringify(notice))).toBeLessThanOrEqual(64 * 1024);
  expect(notice.options.length).toBeGreaterThan(0);
});

it('its mark depends on the question and on what only the run knows', () => {
  const run = askingRun([], ['one', 'two']);
  const marks = [...run.state.requests.values()].map((request) => noticeOf(run.state, request, redact).mark);
  const [first] = [...run.state.requests.values()];
  if (first === undefined) throw new TypeError('not asked');
  const other = noticeOf({ ...run.state, marker: 'another' }, first, redact).mark;
  expect(new Set([...marks, other]).size).toBe(3);
});
