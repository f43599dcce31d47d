import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RunDocument } from '../src/domain/documents/documents.ts';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import { openRequests } from '../src/domain/facts/run-state.ts';
import type { JudgeAnswer } from '../src/domain/judge/approval.ts';
import { changing, plain, script } from './do-repository.ts';
import type { Repository } from './repository.ts';
import { section } from './words/told-project.ts';

const SMALL = { 'readme.md': 'hello\n', 'helix.yaml': 'do: { max_files: 2, max_lines: 20 }\n' };
const SPLIT = JSON.stringify({ reason: 'two subjects at once', parts: ['first ZEBRA-1', 'then ZEBRA-2'] });

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `line ${n}\n`).join('');
}

function start(repository: Repository, ...moves: readonly Record<string, unknown>[]) {
  return repository.helix(['do', 'Write many lines', '--no-judge', ...changing(repository, ...moves)]);
}

async function open(repository: Repository) {
  const { state, events } = await repository.journaled();
  const [request] = state === undefined ? [] : openRequests(state);
  return { state, events, request, id: request?.id ?? '' };
}

it.each([
  ['files', { writes: { a: 'a\n', b: 'b\n', c: 'c\n' } }, '3 files and 3 lines'],
  ['lines', { writes: { a: lines(21) } }, '1 file and 21 lines'],
])('more changed %s than one change should have are asked about, and unattended it waits', async (_, move, size) => {
  const repository = plain(SMALL);
  const end = await start(repository, move);
  expect(end.code).toBe(3);
  expect(`${end.stdout}${end.stderr}`).toContain(`has grown to ${size}; you are asked above 2 files and 20 lines`);
  const { request, id, events } = await open(repository);
  expect(request?.options.map(({ decision }) => decision.action)).toEqual(['proceed', 'retry', 'abort', 'abort']);
  expect(events.some(({ type }) => type === 'attempt_judged')).toBe(false);
  expect(repository.git('rev-list', '--count', 'main..helix/write-many-lines')).toBe('0');
  expect((await repository.helix(['decide', id, 'A'])).code).toBe(0);
  expect((await repository.resume()).code).toBe(0);
  expect(repository.git('rev-list', '--count', 'main..helix/write-many-lines')).toBe('1');
});

it('12 files and 400 lines are small enough, and 13 files or 401 lines are not', async () => {
  const files = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 'x\n']));
  const ends = [];
  for (const writes of [{ ...files(11), long: lines(389) }, files(13), { long: lines(401) }])
    ends.push((await start(plain({ 'readme.md': 'hello\n' }), { writes })).code);
  expect(ends).toEqual([0, 3, 3]);
});

it('is asked again only when it has grown by as much again', async () => {
  const repository = plain(SMALL);
  const check = ['--check', 'grep -q done state'];
  const moves = changing(
    repository,
    { writes: { a: lines(21) } },
    { writes: { a: lines(40) } },
    { writes: { a: lines(60), state: 'done\n' } },
  );
  expect((await repository.helix(['do', 'Write', '--no-judge', ...check, ...moves])).code).toBe(3);
  await repository.helix(['decide', (await open(repository)).id, 'A']);
  expect((await repository.resume()).code).toBe(3);
  const second = await open(repository);
  expect(second.request?.question).toContain('61 lines');
  expect(second.events.filter(({ type }) => type === 'human_asked')).toHaveLength(2);
  await repository.helix(['decide', second.id, 'A']);
  expect((await repository.resume()).code).toBe(0);
});

it('an agent that says in the file for it that the task is too large is asked about; the first part can be done alone', async () => {
  const repository = plain(SMALL);
  const end = await start(repository, { writes: { 'helix-split.json': SPLIT } }, { writes: { a: 'a\n' } });
  expect(end.code).toBe(3);
  const { request, id } = await open(repository);
  expect(request?.question).toContain('its agent says that the request is too large: two subjects at once');
  expect(request?.options.find(({ recommended }) => recommended)?.description).toContain('first ZEBRA-1');
  expect((await repository.helix(['decide', id, 'B'])).code).toBe(0);
  const resumed = await repository.resume();
  expect(resumed.code).toBe(0);
  expect(resumed.stdout).toContain('then ZEBRA-2');
  const { state, events } = await repository.journaled();
  expect(state?.specChanges).toMatchObject([{ path: 'scope', by: 'human' }]);
  expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(2);
  expect(repository.git('ls-tree', '--name-only', 'helix/write-many-lines')).not.toContain('helix-split.json');
});

it('what was decided about the scope holds for the task that goes on from it, too', async () => {
  const repository = plain(SMALL);
  expect((await start(repository, { writes: { 'helix-split.json': SPLIT } }, { writes: { a: 'a\n' } })).code).toBe(3);
  expect((await repository.helix(['decide', (await open(repository)).id, 'B'])).code).toBe(0);
  expect((await repository.resume()).code).toBe(0);
  const more = changing(repository, { writes: { b: 'b\n' } });
  await repository.helix(['do', '--again', 'and this ZEBRA-9', '--no-judge', ...more]);
  const { state } = await repository.journaled();
  expect(state?.request).toMatch(
    /Only this part of the request is wanted now: .*ZEBRA-1[\s\S]*Not now: .*ZEBRA-2[\s\S]*ZEBRA-9/,
  );
});

it('who wants the whole in one change is not asked again', async () => {
  const repository = plain(SMALL);
  const moves = [{ writes: { 'helix-split.json': SPLIT } }, { writes: { a: lines(60), 'helix-split.json': SPLIT } }];
  expect((await start(repository, ...moves)).code).toBe(3);
  await repository.helix(['decide', (await open(repository)).id, 'A']);
  const end = await repository.resume();
  expect(end.code).toBe(0);
  expect(end.findings.map(({ message }) => message).join()).toContain('was taken out and not read');
});

it('says what is wrong with a proposal in another form, and takes words elsewhere for none', async () => {
  const repository = plain(SMALL);
  const moves = [
    { writes: { 'helix-split.json': '{"parts": "two"}' } },
    { prints: 'This is too large, I stop. helix-split.json', writes: { a: 'a\n' } },
  ];
  expect((await start(repository, ...moves)).code).toBe(0);
  const { events } = await repository.journaled();
  const judged = events.find((event) => event.type === 'attempt_judged');
  expect(JSON.stringify(judged?.data)).toContain('is not in the form that a proposal has');
  expect(events.some(({ type }) => type === 'human_asked')).toBe(false);
});

it('takes a folder in the place of a proposal out, too, and says that it is none', async () => {
  const repository = plain(SMALL);
  const moves = [{ writes: { 'helix-split.json/run.sh': 'ZEBRA\n', a: 'a\n' } }, { writes: { a: 'b\n' } }];
  expect((await start(repository, ...moves)).code).toBe(0);
  const { events } = await repository.journaled();
  const judged = events.find((event) => event.type === 'attempt_judged');
  expect(JSON.stringify(judged?.data)).toContain('is not in the form that a proposal has');
  expect(repository.git('ls-tree', '-r', '--name-only', 'helix/write-many-lines')).not.toContain('helix-split.json');
});

it('leaves a file of that name alone that the project had', async () => {
  const repository = plain({ ...SMALL, 'helix-split.json': '{}\n' });
  expect((await start(repository, { writes: { 'helix-split.json': SPLIT } })).code).toBe(0);
  expect(repository.git('show', 'helix/write-many-lines:helix-split.json')).toBe(SPLIT);
});

it('can be stopped, and nothing is accepted', async () => {
  const repository = plain(SMALL);
  await start(repository, { writes: { a: lines(21) } });
  await repository.helix(['decide', (await open(repository)).id, 'D']);
  expect((await repository.resume()).code).toBe(1);
  expect(repository.git('rev-list', '--count', 'main..helix/write-many-lines')).toBe('0');
});

/** The brief of an attempt, as its agent had it. */
function briefOf(repository: Repository, run: string, attempt: number): string {
  return readFileSync(repository.path('.helix/runs', run, `phases/change/logs/attempt-${attempt}/brief.md`), 'utf8');
}

const WRONG_LAST_TIME = 'What was wrong last time';

describe('the next brief', () => {
  it('says that a human lets the change be as large as it is, and names no size below that', async () => {
    const repository = plain(SMALL);
    const check = ['--check', 'grep -q done state'];
    const moves = changing(repository, { writes: { a: lines(21) } }, { writes: { state: 'done\n' } });
    expect((await repository.helix(['do', 'Write', '--no-judge', ...check, ...moves])).code).toBe(3);
    const { id, state } = await open(repository);
    await repository.helix(['decide', id, 'A']);
    expect((await repository.resume()).code).toBe(0);
    const brief = briefOf(repository, state?.run ?? '', 2);
    expect(section(brief, 'What a human decided')).toMatch(/lets it become as large as 3 files and 41 lines/);
    expect(brief).not.toContain('growth');
    expect(brief).toContain('more than 3 changed files or 41 changed lines');
    expect(brief).not.toContain('20 changed lines');
  });

  it.each<[string, string, readonly [string, RegExp][]]>([
    ['the whole is wanted', 'A', [['What a human decided', /whole request is wanted in one change/]]],
    [
      'what is wanted now and what is put off',
      'B',
      [
        ['What a human decided', /Only the part of the request that the specification names under scope/],
        ['The specification as it stands now', /wanted now: first ZEBRA-1[\s\S]*Not now: then ZEBRA-2/],
      ],
    ],
  ])('after a proposal to split says that %s, and calls nothing wrong', async (_, option, says) => {
    const repository = plain(SMALL);
    expect((await start(repository, { writes: { 'helix-split.json': SPLIT } }, { writes: { a: 'a\n' } })).code).toBe(3);
    const { id, state } = await open(repository);
    await repository.helix(['decide', id, option]);
    expect((await repository.resume()).code).toBe(0);
    const brief = briefOf(repository, state?.run ?? '', 2);
    for (const [heading, words] of says) expect(section(brief, heading)).toMatch(words);
    expect(section(brief, WRONG_LAST_TIME)).toBe('');
    expect(brief).not.toContain('(growth)');
  });

  it('after a human took the parts that were proposed asks for no proposal any more', async () => {
    const repository = plain(SMALL);
    const moves = [{ writes: { a: lines(21) } }, { writes: { 'helix-split.json': SPLIT } }, { writes: { a: 'a\n' } }];
    expect((await start(repository, ...moves)).code).toBe(3);
    const { id, state } = await open(repository);
    await repository.helix(['decide', id, 'B', '--comment', 'ZEBRA-COMMENT']);
    expect((await repository.resume()).code).toBe(3);
    await repository.helix(['decide', (await open(repository)).id, 'B']);
    expect((await repository.resume()).code).toBe(0);
    const run = state?.run ?? '';
    expect(section(briefOf(repository, run, 2), 'What a human decided')).toContain('Propose how to split it');
    const decided = section(briefOf(repository, run, 3), 'What a human decided');
    expect(decided).not.toContain('Propose how to split it');
    expect(decided).toContain('ZEBRA-COMMENT');
    expect(decided).toContain('Only the part of the request that the specification names under scope');
  });

  it('after a human wants a large change split goes on from it, and calls nothing wrong', async () => {
    const repository = plain(SMALL);
    expect((await start(repository, { writes: { a: lines(21) } }, { writes: { a: 'a\n' } })).code).toBe(3);
    const { id, state } = await open(repository);
    await repository.helix(['decide', id, 'B']);
    expect((await repository.resume()).code).toBe(0);
    const brief = briefOf(repository, state?.run ?? '', 2);
    expect(section(brief, 'What a human decided')).toContain('Propose how to split it');
    expect(section(brief, WRONG_LAST_TIME)).toBe('');
    const { events } = await repository.journaled();
    const [first, second] = events.filter((event) => event.type === 'attempt_finished');
    const begun = events.findLast((event) => event.type === 'attempt_started');
    expect(begun?.data.start).toBe(first?.data.tree);
    expect(second?.data.tree).not.toBe(first?.data.tree);
  });
});

describe('parts of the request that were put off', () => {
  async function split(repository: Repository) {
    expect((await start(repository, { writes: { 'helix-split.json': LATER } }, { writes: { a: 'a\n' } })).code).toBe(3);
    await repository.helix(['decide', (await open(repository)).id, 'B']);
    return repository.resume();
  }
  const LATER = JSON.stringify({ reason: 'two', parts: ['first ZEBRA-1', "then the user's $(ZEBRA-2)"] });
  const COMMAND = "helix do --again 'then the user'\\''s $(ZEBRA-2)'";

  it('stand at the end of the task with the command that goes on with them', async () => {
    const { stdout } = await split(plain(SMALL));
    expect(stdout).toContain("not now      then the user's $(ZEBRA-2)\n");
    expect(stdout).toContain(COMMAND);
  });

  it('stand in the evidence as asked for and not in the result, beside the part that is', async () => {
    const repository = plain(SMALL);
    await split(repository);
    const evidence = EvidenceDocument.parse(JSON.parse((await repository.helix(['evidence', '--json'])).stdout));
    expect(evidence.parts).toEqual([
      { part: 'first ZEBRA-1', of: 'task', state: 'unchecked', by: [] },
      { part: "then the user's $(ZEBRA-2)", of: 'task', state: 'put_off', by: [] },
    ]);
    const text = (await repository.helix(['evidence'])).stdout;
    expect(text).toContain("then the user's $(ZEBRA-2)\n      put off, and not in this result");
    expect(text).toContain(COMMAND);
    const page = (await repository.helix(['evidence', '--format', 'html'])).stdout;
    expect(page).toMatch(/put off[\s\S]*ZEBRA-2/);
    const { run } = await repository.journaled();
    const kept = JSON.parse(readFileSync(repository.path('.helix/runs', run, 'final/evidence.json'), 'utf8'));
    expect(kept.parts).toEqual(evidence.parts);
  });

  it('stand in helix status, as text and as JSON', async () => {
    const repository = plain(SMALL);
    await split(repository);
    const document = RunDocument.parse(JSON.parse((await repository.helix(['status', '--json'])).stdout));
    expect(document.putOff).toEqual(["then the user's $(ZEBRA-2)"]);
    expect((await repository.helix(['status'])).stdout).toContain(COMMAND);
  });
});

const BEYOND: JudgeAnswer = {
  checks: ['task', 'correctness', 'tests', 'safety'].map((id) => ({
    id,
    outcome: id === 'task' ? 'fail' : 'pass',
    evidence: [{ file: 'a.txt', line: 1, quote: 'the zebra module grows' }],
  })),
  findings: [
    {
      severity: 'error',
      check: 'task',
      message: 'Scope exceeded: a zebra module, ZEBRA-3, was not asked for',
      evidence: { file: 'a.txt', line: 1, quote: 'the zebra module grows' },
    },
  ],
  recommendations: [],
  result: 'rejected',
  confidence: 0.9,
};

it.each([
  ['A', 'wanted, too', 1],
  ['B', 'taken back', 2],
])('a judge that finds more than was asked for is asked about: %s, %s', async (option, _, attempts) => {
  const repository = plain(SMALL);
  const moves = script(repository, {
    phases: {
      change: [{ writes: { 'a.txt': 'the zebra module grows\n' } }, { writes: { 'a.txt': 'the word is small\n' } }],
    },
    approvals: { change: [{ answer: BEYOND }, {}] },
  });
  const end = await repository.helix(['do', 'Write a word', ...moves]);
  expect(end.code).toBe(3);
  const { request, id } = await open(repository);
  expect(request).toMatchObject({ reason: 'grown', question: expect.stringContaining('ZEBRA-3') });
  expect((await repository.helix(['decide', id, option])).code).toBe(0);
  expect((await repository.resume()).code).toBe(0);
  const { events, state } = await repository.journaled();
  expect(events.filter(({ type }) => type === 'attempt_started')).toHaveLength(attempts);
  expect(events.filter(({ type }) => type === 'approval_finished')).toHaveLength(2);
  expect(JSON.stringify(state?.specChanges).includes('ZEBRA-3')).toBe(option === 'A');
});
