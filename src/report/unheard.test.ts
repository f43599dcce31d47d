import { expect, it } from 'vitest';
import { asked, finished, interrupted, sampleRun, started, tried, verdict } from '../../test/sample-run.ts';
import type { NewEvent } from '../domain/facts/run-event.ts';
import { noticeOf } from '../engine/ladder/notice.ts';
import { hilRequest } from './ladder/hil-request.ts';
import { trigger } from './ladder/trigger.ts';
import { renderStatus } from './run/status-text.ts';
import { plan } from './two-phases.fixture.ts';

const STALE = verdict('reject', [{ severity: 'error', check: 'custom', message: 'ZEBRA-STALE' }], 'custom');
const before = [...tried('01-first', 1, STALE), started('01-first', 2)];
const cut: NewEvent = {
  type: 'judging_interrupted',
  data: {
    ...{ phase: '01-first', attempt: 2, gate: 'approval', failure: 'schema', message: 'ZEBRA-CUT', final: true },
  },
};
const question = asked('01-first', { reason: 'blocked', question: 'How should HELIX go on?' });

it.each<[string, NewEvent[], RegExp]>([
  [
    'judging was cut short',
    [...before, finished('01-first', 2), cut, question],
    /judging was interrupted: approval: .*ZEBRA-CUT/,
  ],
  [
    'the attempt was cut short',
    [...before, interrupted('01-first', 2), question],
    /the last attempt was interrupted: its program crashed/,
  ],
])('where %s, people are told so, and not what was found wrong with the work before', (_what, facts, why) => {
  const { state, events } = sampleRun(plan, facts);
  const [request] = state.requests.values();
  if (request === undefined) throw new TypeError('nothing is asked');
  const told = {
    status: renderStatus(state, { owned: false, width: 120, paint: (_style, text) => text }),
    notice: JSON.stringify(noticeOf(state, request, String)),
    trigger: JSON.stringify(trigger(request, events)),
  };
  for (const [what, text] of Object.entries(told)) {
    expect(text, what).toMatch(why);
    expect(text, what).not.toContain('ZEBRA-STALE');
  }
  expect(JSON.stringify(hilRequest(state, request, events))).not.toContain('ZEBRA-STALE');
});
