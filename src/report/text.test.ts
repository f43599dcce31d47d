import { describe, expect, it } from 'vitest';
import {
  accepted,
  answered,
  asked,
  ended,
  finished,
  HOSTILE,
  interrupted,
  judged,
  missing,
  samplePhase,
  samplePlan,
  sampleRun,
  started,
  tried,
  verdict,
} from '../../test/sample-run.ts';
import type { NewEvent } from '../domain/facts/run-event.ts';
import type { Finding } from '../domain/finding.ts';
import { sanitise } from '../text/sanitise.ts';
import { questionCard } from './ladder/question-card.ts';
import { attemptsOf } from './ladder/trigger.ts';
import { renderMermaid } from './plan/mermaid.ts';
import type { PhaseView } from './plan/plan-document.ts';
import { renderPlan } from './plan/plan-text.ts';
import { foldEvent, renderEvent } from './run/event-text.ts';
import { runDocument } from './run/run-document.ts';
import { renderStatus } from './run/status-text.ts';
import { columns, cut, fold, pad, wrap } from './words/columns.ts';
import { renderFindings } from './words/findings-text.ts';
import type { Paint } from './words/paint.ts';

const plain: Paint = (_style, text) => text;
const plan = samplePlan([
  samplePhase('01-first'),
  samplePhase('02-second', { dependsOn: ['01-first'] }),
  samplePhase('03-a-phase-with-quite-a-long-identifier-that-does-not-fit-anywhere', { dependsOn: ['02-second'] }),
]);
const stuck = [
  ...tried('01-first', 1, verdict('pass')),
  accepted('01-first'),
  ...[1, 2].flatMap((attempt) => tried('02-second', attempt, verdict('reject', [missing()]))),
  asked('02-second'),
];

describe('the status', () => {
  it('says until when a run is parked, and what of its cost a subscription pays', () => {
    const until = '2026-11-03T15:30:00.000Z';
    const cost = { usd: 1.5, basis: 'reported', equivalent: true } as const;
    const limited = interrupted('01-first', 1, { failure: 'rate_limit', message: 'no more', until, cost });
    const { state } = sampleRun(plan, [started('01-first'), limited], { simulated: false });
    const text = renderStatus(state, { owned: false, width: 100, paint: plain });
    expect(text).toContain('no more; worth another try at 2026-11-03 15:30:00 UTC\n');
    expect(text).toContain('1.50 USD (API-equivalent)');
    expect(renderEvent(limited, plan)).toMatch(
      /interrupted: rate_limit: no more; worth another try at 2026-11-03 15:30:00 UTC; 1.50 USD \(API-equivalent\)$/,
    );
  });

  it('says until when an answer is waited for, and what is done else', () => {
    const { state } = sampleRun(plan, [...stuck.slice(0, -1), asked('02-second', { waitHours: 3, onTimeout: 'B' })]);
    const view = { owned: false, width: 100, paint: plain, now: '2026-11-03T10:02:06.000Z' };
    expect(renderStatus(state, view)).toMatch(/\n {2}answer within \d h, by 2026-11-03 \S+ UTC, else B\n/);
  });

  it('has one line per phase, the question and the command that answers it', () => {
    const { state } = sampleRun(plan, stuck);
    expect(renderStatus(state, { owned: false, width: 100, paint: plain }).split('\n')).toEqual([
      'hello  waiting  run r1  simulated',
      'started 2026-11-03 10:00:00 UTC · 3 attempts · 9s of agent time · 0.00 USD (simulated)',
      '',
      '✖ 02-second: files_exist (output/x.md)',
      '  │ output/x.md is missing',
      '  hint: Write it.',
      '',
      '✔ 01-first                           passed   1 attempt   3s',
      '? 02-second                          waiting  2 attempts  3s',
      '· 03-a-phase-with-quite-a-long-ide…  pending',
      '',
      '? Phase 02-second is stuck: its gate files_exist failed 3 times. How should HELIX go on?',
      '  A  Try again (recommended)',
      '  B  Abort the run',
      '  helix decide r1-q1 A',
      '',
    ]);
  });

  it('and the question count the attempts that people saw begin, those that were never judged among them', () => {
    const cut: NewEvent = {
      type: 'judging_interrupted',
      data: { phase: '02-second', attempt: 2, gate: 'approval', failure: 'schema', message: 'no', final: true },
    };
    const { state, events } = sampleRun(plan, [
      ...stuck.slice(0, -2),
      ...[started('02-second', 2), interrupted('02-second', 2), started('02-second', 2), finished('02-second', 2), cut],
      asked('02-second', { reason: 'blocked' }),
    ]);
    const status = renderStatus(state, { owned: false, width: 100, paint: plain });
    expect(status).toContain(' · 3 attempts · ');
    expect(status).toMatch(/^[?] 02-second +waiting +2 attempts/m);
    const [request] = state.requests.values();
    if (request === undefined) throw new TypeError('nothing is asked');
    const attempts = attemptsOf('02-second', events);
    const card = questionCard({ request, state, attempts, consultations: [], task: '' }, { width: 80, paint: plain });
    expect(card[0]).toContain('stuck after 2 attempts');
    expect(card.join('\n')).toMatch(/^tried +\S+ ×2$/m);
    expect(runDocument(state, false).phases.map((phase) => phase.attempts)).toEqual([1, 1, 0]);
  });

  it('at 80 columns breaks no word of what a gate said or of why the run stopped', () => {
    const message = 'the new test in test/export.test.ts did not fail on the base before anything was changed there';
    const { state } = sampleRun(plan, [
      ...tried('01-first', 1, verdict('reject', [{ severity: 'error', check: 'tests_pass', message }])),
      { type: 'phase_failed', data: { phase: '01-first', reason: 'its gate failed' } },
      ended('failed', message),
    ]);
    const text = renderStatus(state, { owned: false, width: 80, paint: plain });
    expect(text.replaceAll(/\s+(?:│ )?/g, ' ').split(message)).toHaveLength(3);
    expect(text.split('\n').filter((line) => columns(line) > 80)).toEqual([]);
  });

  it('at 80 columns tells a note at the end of a row to its end, below the row', () => {
    const message = `the tests pass also with these lines broken on purpose, ${'and here is another word, '.repeat(4)}ZEBRA`;
    const { state } = sampleRun(plan, [
      ...tried('01-first', 1, verdict('pass', [{ severity: 'warning', check: 'probe', message }])),
      accepted('01-first'),
    ]);
    const text = renderStatus(state, { owned: false, width: 80, paint: plain });
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`1 warning: ${message}`);
    expect(text.split('\n').filter((line) => columns(line) > 80)).toEqual([]);
  });

  const noise = Array.from({ length: 20 }, (_, n) => `line ${n}`).join('\n');
  const broken: Finding = {
    severity: 'error',
    check: 'tests_pass',
    message: `test failed: export › keeps umlauts\n${noise}\nexpected "Müller", got "MÃ¼ller"`,
    location: { file: 'test/export.test.ts', line: 14 },
    output: 'ZEBRA-OUTPUT\nthe end',
  };
  const failed = [
    ...tried('01-first', 1, verdict('pass', [{ severity: 'warning', check: 'flaky', message: 'ZEBRA-WARNING' }])),
    accepted('01-first'),
    ...tried('02-second', 1, verdict('reject', [missing(), broken], 'tests_pass')),
    { type: 'phase_failed', data: { phase: '02-second', reason: 'its gate failed' } } as const,
    ended('failed', '02-second failed'),
  ];

  it('begins with the first failing check of every phase that failed: its place and what it said last', () => {
    const { state } = sampleRun(plan, failed);
    const lines = renderStatus(state, { owned: false, width: 80, paint: plain, at: ' -C there' }).split('\n');
    const from = lines.indexOf('✖ 02-second: files_exist (output/x.md)');
    expect(from).toBeLessThan(lines.findIndex((line) => line.startsWith('✔ 01-first')));
    expect(lines.slice(from, from + 4)).toEqual([
      '✖ 02-second: files_exist (output/x.md)',
      '  │ output/x.md is missing',
      '  hint: Write it.',
      '  and 1 more finding: helix status r1 --findings -C there',
    ]);
    expect(lines).toContain('See more: helix logs r1 02-second -C there');
    expect(lines.join('\n')).not.toContain('ZEBRA-OUTPUT');
  });

  it('keeps the name of a failed test and the end of what it said, and leaves out what lies between', () => {
    const { state } = sampleRun(plan, [
      ...tried('01-first', 1, verdict('reject', [broken], 'tests_pass')),
      { type: 'phase_failed', data: { phase: '01-first', reason: 'its gate failed' } },
    ]);
    const lines = renderStatus(state, { owned: false, width: 80, paint: plain }).split('\n');
    const from = lines.indexOf('✖ 01-first: tests_pass (test/export.test.ts:14)');
    expect(lines.slice(from + 1, from + 4)).toEqual([
      '  │ test failed: export › keeps umlauts',
      '  │ [15 lines left out]',
      '  │ line 15',
    ]);
    expect(lines[from + 8]).toBe('  │ expected "Müller", got "MÃ¼ller"');
  });

  it('with --findings shows all findings of all phases, whole', () => {
    const { state } = sampleRun(plan, failed);
    const text = renderStatus(state, { owned: false, width: 80, paint: plain, findings: true });
    for (const word of ['ZEBRA-WARNING', '01-first: 1 finding', '02-second: 2 findings', 'line 7', '  │ ZEBRA-OUTPUT'])
      expect(text).toContain(word);
  });

  it('shows what the gates warned of though they passed, and of others the error before any warning', () => {
    const warn = (message: string): Finding => ({ severity: 'warning', check: 'flaky', message });
    const { state } = sampleRun(plan, [
      ...tried('01-first', 1, verdict('pass', [{ ...warn('a note'), severity: 'info' }, warn('flaky: a'), warn('b')])),
      accepted('01-first'),
      ...tried('02-second', 1, verdict('pass', [warn('c')]), verdict('reject', [missing()], 'tests_pass')),
    ]);
    const lines = renderStatus(state, { owned: true, width: 120, paint: plain }).split('\n');
    expect(lines[3]).toMatch(/passed +1 attempt +3s {2}2 warnings: flaky: a$/);
    expect(lines[4]).toMatch(/1 attempt +3s {2}output\/x\.md is missing$/);
  });

  it.each([40, 41, 59, 60, 80, 120, 200])('fits %i columns, whatever the findings say', (width) => {
    const wide = { ...missing(), message: `漢字👩‍👩‍👧 e\u0301\u0301 ${'漢'.repeat(200)} ${HOSTILE}` };
    const facts = [
      ...stuck.slice(0, -1),
      ...tried('02-second', 3, verdict('reject', [wide])),
      asked('02-second', { question: `${HOSTILE} `.repeat(9) }),
    ];
    const { state } = sampleRun(
      samplePlan(plan.phases, { project: { name: 'ein 漢字 Projekt '.repeat(20), type: 'x' } }),
      facts,
    );
    const text = renderStatus(state, { owned: false, width, paint: plain });
    for (const line of text.split('\n')) expect(columns(line)).toBeLessThanOrEqual(width);
    expect(text).toBe(sanitise(text));
    expect(text).toContain('helix decide r1-q1 A');
  });

  it('never cuts a colour code', () => {
    const { state } = sampleRun(plan, stuck);
    const text = renderStatus(state, {
      owned: false,
      width: 40,
      paint: (style, part) => `<${style}>${part}</${style}>`,
    });
    for (const line of text.split('\n')) {
      expect(line.match(/<\w+>/g)?.length).toBe(line.match(/<\/\w+>/g)?.length);
    }
  });

  it('shows how long an open attempt has been going on', () => {
    const { state } = sampleRun(plan, [started('01-first')]);
    const text = renderStatus(state, { owned: true, width: 80, paint: plain, now: '2026-11-03T10:02:06.000Z' });
    expect(text).toContain('▶ 01-first');
    expect(text).toContain('2m 05s');
  });

  it('says why a run is over', () => {
    const { state } = sampleRun(plan, [ended('failed', 'the plug was pulled')]);
    expect(renderStatus(state, { owned: false, width: 80, paint: plain })).toContain('\nthe plug was pulled\n');
  });
});

describe('an event', () => {
  const lines = (...facts: Parameters<typeof renderEvent>[0][]) =>
    facts.map((fact) => renderEvent(fact, samplePlan([samplePhase('02-writer')])));

  it('tells what an attempt changed, and how long its directory took to get ready where that is long', () => {
    expect(
      lines(started('02-writer', 1, { preparedMs: 900 }), started('02-writer', 2, { preparedMs: 65_000 })).concat(
        lines(finished('02-writer', 1, { files: 44, changed: 1 }), finished('02-writer', 2, { files: 44, changed: 0 })),
      ),
    ).toEqual([
      '02-writer  attempt 1 started (scripted)',
      '02-writer  attempt 2 started (scripted), ready after 1m 05s',
      '02-writer  attempt 1 done in 3s: 1 file changed, 0.00 USD (simulated)',
      '02-writer  attempt 2 done in 3s: 0 files changed, 0.00 USD (simulated)',
    ]);
  });

  it('is one plain line', () => {
    expect(
      lines(
        started('02-writer'),
        finished('02-writer', 1, { cost: { basis: 'unknown' }, files: 2 }),
        judged('02-writer', 1, verdict('pass'), verdict('reject', [missing(), missing('b')], 'tests_pass')),
        judged('02-writer', 2, verdict('pass'), verdict('pass', [], 'tests_pass')),
        interrupted('02-writer'),
        accepted('02-writer', 2),
        answered('A', 'retry', 'look\nhere'),
        ended('passed'),
      ),
    ).toEqual([
      '02-writer  attempt 1 started (scripted)',
      '02-writer  attempt 1 done in 3s: a tree of 2 files, unknown cost',
      '02-writer  tests_pass: reject: output/x.md is missing (and 1 more)',
      '02-writer  files_exist, tests_pass: pass',
      '02-writer  attempt 1 interrupted: crash: exit code 1',
      '02-writer  passed with attempt 2',
      'run        r1-q1 answered by ann: A (retry): look here',
      'run        passed',
    ]);
  });

  it('says what gates warn of though they passed, and the first error before any warning', () => {
    const warn = (message: string): Finding => ({ severity: 'warning', check: 'flaky', message });
    const note: Finding = { severity: 'info', check: 'baseline', message: 'a note' };
    expect(
      lines(
        judged('02-writer', 1, verdict('pass', [note, warn('flaky: a\nb')], 'tests_pass')),
        judged('02-writer', 2, verdict('pass', [warn('one')]), verdict('pass', [warn('two')], 'tests_pass')),
        judged('02-writer', 3, verdict('reject', [warn('flaky: a'), missing()], 'tests_pass')),
      ),
    ).toEqual([
      '02-writer  tests_pass: pass, 1 warning: flaky: a b',
      '02-writer  files_exist, tests_pass: pass, 2 warnings: one',
      '02-writer  tests_pass: reject: output/x.md is missing (and 1 more)',
    ]);
  });

  it('of a long message keeps what failed and the reason, which stands last', () => {
    const long: Finding = {
      ...{ severity: 'error', check: 'custom' },
      message: `the command ended with exit code 1:\n${'noise\n'.repeat(200)}ZEBRA-REASON`,
    };
    const [line = ''] = lines(judged('02-writer', 1, verdict('reject', [long, missing()], 'custom')));
    expect(line).toBe('02-writer  custom: reject: the command ended with exit code 1: … ZEBRA-REASON (and 1 more)');
    const longer = { ...long, message: 'it ended:\nthe last words', output: `${'x'.repeat(5000)}\nZEBRA-LAST` };
    expect(lines(judged('02-writer', 1, verdict('reject', [longer], 'custom')))[0]).toContain('it ended: … ZEBRA-LAST');
    const folded = foldEvent(line, 40);
    expect(folded.join(' ').replaceAll(/ +/g, ' ')).toBe(line.replaceAll(/ +/g, ' '));
    expect(folded.filter((each) => columns(each) > 40)).toEqual([]);
  });

  it('stays one safe line, whatever an agent or a human wrote', () => {
    const finding: Finding = { severity: 'error', check: HOSTILE, message: HOSTILE };
    const hostile = lines(
      started('02-writer', 1, { agent: HOSTILE, model: HOSTILE }),
      interrupted('02-writer', 1, { message: HOSTILE }),
      judged('02-writer', 1, verdict('reject', [finding], HOSTILE)),
      judged('02-writer', 2, verdict('pass', [{ ...finding, severity: 'warning' }], HOSTILE)),
      { type: 'phase_failed', data: { phase: '02-writer', reason: HOSTILE } },
      asked('02-writer', { question: HOSTILE }),
      answered('A', 'retry', HOSTILE),
      { type: 'cancel_requested', data: { actor: HOSTILE } },
      { type: 'run_parked', data: { reason: 'budget', message: HOSTILE } },
      { type: 'run_interrupted', data: { signal: HOSTILE } },
      ended('failed', HOSTILE),
    );
    for (const line of hostile) {
      expect(line).toBe(sanitise(line));
      expect(line).not.toContain('\n');
    }
  });
});

describe('findings', () => {
  it('start with a place an editor can jump to and end with the hint', () => {
    const finding: Finding = {
      severity: 'error',
      check: 'unknown-gate',
      message: 'no gate is called file_exist',
      hint: 'Did you mean files_exist?',
      location: { file: 'phases.yaml', line: 3, column: 9 },
    };
    expect(renderFindings([finding], { paint: plain, frame: () => '3 |  type: file_exist\n  |        ^\n' })).toBe(
      [
        'phases.yaml:3:9  error  no gate is called file_exist  unknown-gate',
        '  3 |  type: file_exist',
        '    |        ^',
        '  hint: Did you mean files_exist?',
      ].join('\n'),
    );
  });

  it('are safe to show, the lines of the file included', () => {
    const finding: Finding = { severity: 'warning', check: HOSTILE, message: HOSTILE, hint: HOSTILE };
    const text = renderFindings([finding], { paint: plain, frame: () => HOSTILE });
    expect(text).toBe(sanitise(text));
  });

  it('without a place start with the severity', () => {
    expect(renderFindings([{ severity: 'info', check: 'c', message: 'm' }], { paint: plain })).toBe('info  m  c');
  });
});

describe('the plan', () => {
  const view = (id: string, change: Partial<PhaseView> = {}): PhaseView => ({
    id,
    name: id,
    type: 'development',
    dependsOn: [],
    gates: ['files_exist'],
    ...change,
  });
  const phases = [
    view('01-first', { type: 'consultant' }),
    view('02-left', { dependsOn: ['01-first'], agent: 'codex', name: 'The left one' }),
    view('03-right', { dependsOn: ['01-first'], model: 'm' }),
    view('04-approve', { type: 'approval', dependsOn: ['02-left', '03-right'], gates: [] }),
  ];

  it('is a graph of steps, phases that can run together side by side', () => {
    const text = renderPlan({ project: 'hello', phases, findings: [] }, { width: 80, paint: plain });
    expect(text.split('\n')).toEqual([
      'hello  4 phases',
      '',
      '1 ─ 01-first    consultant',
      '      gates: files_exist',
      '2 ┬ 02-left     development  after 01-first',
      '  │   The left one · gates: files_exist · agent: codex',
      '  └ 03-right    development  after 01-first',
      '      gates: files_exist · model: m',
      '3 ─ 04-approve  approval  after 02-left, 03-right',
      '',
    ]);
  });

  it('says what follows a failure: once for most phases, and where it is different', () => {
    const usual = '3 attempts, consultant, 3 attempts, human';
    const ladders = [usual, usual, '1 attempt, human', 'the run ends'];
    const climbing = phases.map((phase, index) => ({ ...phase, ladder: ladders[index] ?? '' }));
    const text = renderPlan({ project: 'hello', phases: climbing, findings: [] }, { width: 80, paint: plain });
    expect(text.split('\n').filter((line) => / fails: /.test(line))).toEqual([
      `if a gate fails: ${usual}`,
      '      if it fails: 1 attempt, human',
      '      if it fails: the run ends',
    ]);
  });

  it('with a cycle, an unknown dependency and a double id is still shown whole', () => {
    const broken = [
      view('a', { dependsOn: ['b'] }),
      view('b', { dependsOn: ['a'] }),
      view('c', { dependsOn: ['nobody'] }),
      view('d'),
      view('d', { dependsOn: ['d'] }),
    ];
    const findings: Finding[] = [{ severity: 'error', check: 'cycle', message: 'a and b wait for each other' }];
    const text = renderPlan({ project: 'x', phases: broken, findings }, { width: 80, paint: plain });
    expect(text.match(/development/g)).toHaveLength(5);
    expect(text).toContain('error  a and b wait for each other');
  });

  it.each([40, 80, 120])('fits %i columns, whatever is written in it', (width) => {
    const names = { name: HOSTILE.repeat(9), type: HOSTILE, agent: HOSTILE, model: HOSTILE, gates: [HOSTILE] };
    const hostile = view(HOSTILE, { ...names, dependsOn: [HOSTILE] });
    const text = renderPlan({ project: HOSTILE, phases: [...phases, hostile], findings: [] }, { width, paint: plain });
    for (const line of text.split('\n')) expect(columns(line)).toBeLessThanOrEqual(width);
    expect(text).toBe(sanitise(text));
  });

  it('as Mermaid numbers its nodes and draws the dependencies', () => {
    expect(renderMermaid(phases).split('\n')).toEqual([
      'flowchart TD',
      '  p1["01-first<br/>consultant<br/>files_exist"]',
      '  p2["02-left<br/>The left one<br/>development<br/>files_exist"]',
      '  p3["03-right<br/>development<br/>files_exist"]',
      '  p4{{"04-approve<br/>approval"}}',
      '  p1 --> p2',
      '  p1 --> p3',
      '  p2 --> p4',
      '  p3 --> p4',
      '',
    ]);
  });

  it('as Mermaid lets no name break out of its label', () => {
    const text = renderMermaid([view('end', { name: `${HOSTILE}"]; click p1 href "javascript:alert(1)"` })]);
    expect(text.split('\n')).toHaveLength(3);
    expect(text.match(/"/g)).toHaveLength(2);
    expect(text.replaceAll('<br/>', '')).not.toMatch(/[<>`]/);
    expect(text).toBe(sanitise(text));
  });
});

describe('columns', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['e\u0301', 1],
    ['👩‍👩‍👧', 2],
    ['⚠️', 2],
    ['한글', 4],
    ['✔ ─ …', 5],
    ['', 0],
  ])('of %j are %i', (text, expected) => {
    expect(columns(text)).toBe(expected);
  });

  it('are cut, filled and broken without splitting a character', () => {
    expect(cut('漢字漢', 4)).toBe('漢…');
    expect(pad('漢字漢', 4)).toBe('漢… ');
    expect(pad('e\u0301', 3)).toBe('e\u0301  ');
    expect(wrap('a bb ccc dddddd', 4)).toEqual(['a bb', 'ccc', 'dddd', 'dd']);
    expect(wrap('漢字漢字', 3)).toEqual(['漢', '字', '漢', '字']);
    expect(fold('\tx  漢字', 5)).toEqual(['    x', ' 漢字']);
    expect(fold('', 5)).toEqual(['']);
  });

  it('of what others said are broken at spaces, and only in a word that fits no line', () => {
    expect(fold('  it did not work', 10)).toEqual(['  it did', 'not work']);
    expect(fold('exactly ten', 7)).toEqual(['exactly', 'ten']);
    expect(fold('a abcdefgh', 4)).toEqual(['a', 'abcd', 'efgh']);
    expect(fold('    abcdef', 6)).toEqual(['    ab', 'cdef']);
  });
});
