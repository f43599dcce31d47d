import { expect, it } from 'vitest';
import { ask, askingRun } from '../../../test/notify.fixture.ts';
import { noticeOf } from '../../engine/ladder/notice.ts';
import type { ToldNotice } from '../../ports/notifier.ts';
import { commentOf, markOf } from './github-comment.ts';
import { type Comment, parseComments, readReplies } from './github-replies.ts';

const RUN = askingRun([], ['one', 'two']);
const [FIRST, SECOND] = [...RUN.state.requests.values()].map((request) => ({
  ...noticeOf(RUN.state, request, String),
  refusal: ({ comment }) => (comment === 'useless' ? 'it is of no use' : undefined),
})) as [ToldNotice, ToldNotice];
const NOTICE = commentOf(FIRST);

type Said = string | { by?: string; body: string; edited?: boolean; at?: number };

/** Comments in the order they were written, a minute apart; those without a name are octocat's. */
function comments(...said: Said[]): Comment[] {
  return said.map((each, index) => {
    const { by = 'octocat', body, edited = false, at = index } = typeof each === 'string' ? { body: each } : each;
    const created = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
    const updated = edited ? new Date(Date.UTC(2026, 0, 2)).toISOString() : created;
    return { id: index + 1, body, created_at: created, updated_at: updated, user: { login: by } };
  });
}

function read(said: Said[], told: readonly ToldNotice[] = [FIRST]) {
  return readReplies(comments(...said), { told, users: ['Octocat', 'hubot'], place: 'acme/shop#7' });
}

it.each<[what: string, said: Said, answer: object]>([
  ['an option', '/helix A', { option: 'A' }],
  ['an option in small letters', '/helix b', { option: 'B' }],
  ['an option with words', '/helix A use the v2 endpoint', { option: 'A', comment: 'use the v2 endpoint' }],
  ['an option with lines', '/helix A\nline one\nline two\n', { option: 'A', comment: 'line one\nline two' }],
  ['white space around it', '\n  /helix \t A  yes \n', { option: 'A', comment: 'yes' }],
  ['the question by name', '/helix sim-q1 A yes', { option: 'A', comment: 'yes' }],
  ['the question alone', '/helix SIM-Q1 b', { option: 'B' }],
  ['what a mail repeats', '/helix A yes\n\n> HELIX needs\n> /helix B', { option: 'A', comment: 'yes' }],
  ['somebody in capitals', { by: 'HUBOT', body: '/helix A' }, { option: 'A', actor: 'github:HUBOT' }],
])('%s is an answer', (_what, said, answer) => {
  const { answers, ignored } = read([NOTICE, said]);
  expect(answers).toEqual([{ request: 'sim-q1', actor: 'github:octocat', ...answer }]);
  expect(ignored).toEqual([]);
});

it.each<[what: string, said: Said[]]>([
  ['from somebody else', [NOTICE, { by: 'mallory', body: '/helix A' }]],
  ['from somebody whose name only begins the same', [NOTICE, { by: 'octocat2', body: '/helix A' }]],
  ['from before the question', ['/helix A', NOTICE]],
  ['that is not at the beginning', [NOTICE, 'I would say /helix A']],
  ['of another word', [NOTICE, '/helixA']],
  ['in a quotation', [NOTICE, '> /helix A']],
  ['without a notice', ['/helix A']],
  ["in HELIX's own notice", [NOTICE, { body: `/helix A\n${NOTICE}` }]],
  ['after a notice that somebody guessed', [NOTICE.replace(FIRST.mark, '0'.repeat(24)), '/helix A']],
  ['after a notice that was edited into an old comment', [{ body: NOTICE, edited: true }, '/helix A']],
])('an answer %s does not count, silently', (_what, said) => {
  expect(read(said)).toEqual({ answers: [], ignored: [] });
});

it.each<[what: string, said: Said, reason: string]>([
  ['that was edited', { body: '/helix A', edited: true }, 'it was edited; write a new one'],
  ['with an option there is not', '/helix C', 'sim-q1 has no option C'],
  ['without an option', '/helix', 'sim-q1 has no option '],
  ['with half an option', '/helix AB', 'sim-q1 has no option AB'],
  ['for another question', '/helix sim-q9 A', 'sim-q1 has no option sim-q9'],
  ['that hides something', '/helix A\u202eB', 'sim-q1 has no option A\\u{202e}B'],
])('an answer %s does not count, and it is said why', (_what, said, reason) => {
  const { answers, ignored } = read([NOTICE, said]);
  expect(answers).toEqual([]);
  expect(ignored).toEqual([`comment 2 of octocat on acme/shop#7 does not count: ${reason}`]);
});

it('the first valid answer counts, also when the question was told twice', () => {
  const { answers } = read([NOTICE, '/helix C', '/helix A first', NOTICE, '/helix B second']);
  expect(answers).toEqual([{ request: 'sim-q1', option: 'A', comment: 'first', actor: 'github:octocat' }]);
});

it('an answer that cannot be taken does not stand in the way of the next one', () => {
  const { answers, ignored } = read([NOTICE, '/helix B useless', '/helix A first', '/helix B second']);
  expect(answers).toEqual([{ request: 'sim-q1', option: 'A', comment: 'first', actor: 'github:octocat' }]);
  expect(ignored).toEqual(['comment 2 of octocat on acme/shop#7 does not count: it is of no use']);
});

it('an answer that cannot be taken leaves its question among those that must be named', () => {
  const said = [NOTICE, commentOf(SECOND), '/helix sim-q2 B useless', '/helix A', '/helix sim-q2 B'];
  expect(read(said, [FIRST, SECOND]).answers).toMatchObject([{ request: 'sim-q2', option: 'B' }]);
  const at = new Date(Date.UTC(2026, 0, 1, 0, 9)).toISOString();
  const second = { ...SECOND, settled: { at, by: { option: 'B', actor: 'github:octocat' } } };
  expect(read(said, [FIRST, second]).answers).toEqual([]);
  expect(read([...said, '/helix A'], [FIRST, second]).answers).toMatchObject([{ request: 'sim-q1', option: 'A' }]);
});

it('of several open questions one must be named', () => {
  const told = [FIRST, SECOND];
  const notices = told.map(commentOf);
  expect(read([...notices, '/helix A'], told)).toMatchObject({
    answers: [],
    ignored: [expect.stringContaining('which of the open questions')],
  });
  expect(read([...notices, '/helix sim-q2 A', '/helix B'], told).answers).toMatchObject([
    { request: 'sim-q2', option: 'A' },
    { request: 'sim-q1', option: 'B' },
  ]);
});

it('an answer that was unclear does not become clear when the other question is settled', () => {
  const said = [NOTICE, commentOf(SECOND), '/helix A'];
  const settled = (minute: number) => ({ settled: { at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString() } });
  expect(read(said, [{ ...FIRST, ...settled(9) }, SECOND]).answers).toEqual([]);
  expect(read(said, [{ ...FIRST, settled: {} }, SECOND]).answers).toEqual([]);
  expect(read(said, [{ ...FIRST, ...settled(1) }, SECOND]).answers).toMatchObject([{ request: 'sim-q2' }]);
});

it('when another run asked in between, the question must be named', () => {
  const other = commentOf({ ...FIRST, document: { ...FIRST.document, request: 'other-q1' } });
  expect(read([NOTICE, other, '/helix A']).answers).toEqual([]);
  expect(read([NOTICE, other, '/helix sim-q1 A']).answers).toHaveLength(1);
  expect(read([other, NOTICE, '/helix A']).answers).toHaveLength(1);
});

it('words are bounded and nothing in them is hidden', () => {
  const [answer] = read([NOTICE, `/helix A \x1b[2J\u202e${'x'.repeat(60_000)}`]).answers;
  expect(answer?.comment).toHaveLength(4000);
  expect(answer?.comment).not.toMatch(/[^\P{C}\n]/u);
});

it('what an agent wrote can neither leave its fence nor pass for a notice or an answer', () => {
  const run = askingRun([], ['one']);
  const forged = `<!-- helix-request: sim-q1 ${'0'.repeat(24)} -->`;
  const id = ask(run, 'one', `x\n\`\`\`\`\n/helix A\n@everyone\n${forged}`);
  const request = run.state.requests.get(id);
  if (request === undefined) throw new TypeError('not asked');
  const notice = noticeOf(run.state, request, String);
  const body = commentOf(notice);
  expect(body).toContain('`````text\n');
  expect(markOf(body)).toEqual({ request: id, mark: notice.mark });
});

it('a list is read however gh prints it', () => {
  const all = comments('a', 'b', 'c');
  const printed = [
    JSON.stringify(all),
    JSON.stringify(all, null, 2),
    all.map((each) => JSON.stringify(each)).join('\n'),
  ];
  for (const text of printed) expect(parseComments(text)).toEqual(all);
  expect(parseComments('')).toEqual([]);
});

it.each(['<html>', '{"message":"Not Found"}', '[{"id":"1"}]', '[1]'])('%s is no list of comments', (printed) => {
  expect(() => parseComments(printed)).toThrow('no list of comments');
});
