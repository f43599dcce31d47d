import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import { gateContext, said } from '../gate/gates.fixture.ts';
import { reviewApproved } from './review-approved.ts';

async function judge(review: unknown, file = 'output/review.json', settings: { file?: string } = {}) {
  const text = typeof review === 'string' || Buffer.isBuffer(review) ? review : JSON.stringify(review);
  const context = await gateContext(scratch({ [file]: text }));
  return reviewApproved.judge({ type: 'review_approved', ...settings }, context);
}

it.each<[string, unknown]>([
  ['a bare approval', { approved: true }],
  ['one without findings', { approved: true, findings: [], issues: [], comments: [], suggestions: [] }],
  ['fields nobody knows', { approved: true, reviewer: 'me', score: 10 }],
])('%s passes', async (_what, review) => {
  expect(said(await judge(review))).toEqual(['pass']);
});

it('warnings and remarks pass and are kept', async () => {
  const remarks = [
    { severity: 'warning', message: 'w', file: 'a.ts', line: 3 },
    { severity: 'Info', message: 'i' },
    { severity: 'MEDIUM', message: 'm', line: 2.9 },
    { severity: 'nit', message: 'n', check: 'style' },
  ];
  const answer = await judge({ approved: true, findings: remarks, comments: ['fine'] });
  expect(said(answer)).toEqual(['pass', 'warning: w', 'info: i', 'warning: m', 'info: n', 'info: fine']);
  expect(answer).toMatchObject({
    findings: [{ location: { file: 'a.ts', line: 3 } }, {}, { location: { line: 2 } }, { check: 'style' }, {}],
  });
});

it('what a review suggests is kept for the author and never blocks, whatever shape it has', async () => {
  const suggestions = [
    'ZEBRA-1',
    { severity: 'error', message: 'ZEBRA-2', file: 'a.ts', line: 3 },
    { idea: 'ZEBRA-3' },
    ' ',
  ];
  const told = ['info: ZEBRA-1', 'info: ZEBRA-2', 'info: {"idea":"ZEBRA-3"}'];
  expect(said(await judge({ approved: true, suggestions }))).toEqual(['pass', ...told]);
  const refused = await judge({ approved: false, findings: [{ severity: 'error', message: 'bad' }], suggestions });
  expect(said(refused)).toEqual(['reject', 'error: bad', ...told]);
  expect(refused).toMatchObject({
    findings: [{}, { check: 'recommendation' }, { location: { file: 'a.ts', line: 3 } }, {}],
  });
});

it.each<[string, unknown]>([
  ['an error among the findings', { approved: true, findings: [{ severity: 'error', message: 'bad' }] }],
  ['an error in capitals', { approved: true, findings: [{ severity: 'ERROR', message: 'bad' }] }],
  ['an issue without a severity', { approved: true, issues: [{ message: 'bad' }] }],
  ['an issue in plain text', { approved: true, issues: ['bad'] }],
  ['a severity nobody knows', { approved: true, findings: [{ severity: 'blocker', message: 'bad' }] }],
  ['a critical comment', { approved: true, comments: [{ severity: 'critical', message: 'bad' }] }],
  ['a severity that is empty', { approved: true, findings: [{ severity: '', message: 'bad' }] }],
])('%s outweighs the approval', async (_what, review) => {
  expect(said(await judge(review))).toEqual(['reject', 'error: bad']);
});

it('a refusal with a reason is told by its reason alone: whoever has room for one finding is shown the first', async () => {
  const review = { approved: false, findings: [{ severity: 'info', message: 'by the way' }, { message: 'bad' }] };
  expect(said(await judge(review))).toEqual(['reject', 'info: by the way', 'error: bad']);
});

it.each<[string, unknown, RegExp]>([
  ['a refusal', { approved: false }, /the review does not approve/],
  ['the text "true"', { approved: 'true' }, /is not a review: approved: /],
  ['the text "false"', { approved: 'false' }, /is not a review: approved: /],
  ['a one', { approved: 1 }, /is not a review/],
  ['no opinion', { findings: [] }, /is not a review: approved: /],
  ['a list', [{ approved: true }], /is not a review: the document: /],
  ['null', null, /is not a review/],
  ['findings that are no list', { approved: true, findings: 'none' }, /is not a review: findings: /],
  [
    'a finding without a message',
    { approved: true, findings: [{ severity: 'info' }] },
    /is not a review: findings.0: /,
  ],
  ['half a document', '{"approved": tr', /is not JSON/],
  ['nothing', '', /is not JSON/],
  ['two documents', '{"approved": true}{"approved": false}', /is not JSON/],
  ['a document of 2 MB', { approved: true, notes: 'x'.repeat(2 * 1024 * 1024) }, /larger than 1 MB/],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00]), /is not JSON/],
])('%s is refused', async (_what, review, message) => {
  const [outcome, first] = said(await judge(review));
  expect(outcome).toBe('reject');
  expect(first).toMatch(message);
});

it('a finding keeps its place only if there can be such a place', async () => {
  for (const line of [0, -1, 1e300, 0.5]) {
    const answer = await judge({ approved: true, comments: [{ message: 'x', line }] });
    expect(answer).toMatchObject({ outcome: 'pass', findings: [{ message: 'x' }] });
    expect(JSON.stringify(answer)).not.toContain('location');
  }
});

it('a review that is not there is missing, whatever lies elsewhere', async () => {
  expect(said(await judge({ approved: true }, 'review.json'))).toEqual([
    'reject',
    'error: output/review.json is missing',
  ]);
  expect(said(await judge({ approved: true }, 'review.json', { file: './review.json' }))).toEqual(['pass']);
});

it('only a review of this very attempt counts, so it is removed before one starts', () => {
  const phase = samplePhase('one', { output: { directory: 'checks', files: [] } });
  expect(reviewApproved.fresh({}, phase)).toEqual(['checks/review.json']);
  expect(reviewApproved.fresh({ file: './a/../r.json' }, phase)).toEqual(['r.json']);
});
