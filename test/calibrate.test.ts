import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readShippedApproval } from '../src/adapters/disk/shipped-config.ts';
import { openUserSeal } from '../src/adapters/secrets/user-seal.ts';
import { parseDefects } from '../src/approval/calibration/parse-defects.ts';
import { planTrials, type Trial } from '../src/approval/calibration/plan-trials.ts';
import { seededRandom } from '../src/approval/calibration/seeded-random.ts';
import { makePlace, type Place } from '../src/cli/helix.fixture.ts';
import { CalibrationDocument } from '../src/domain/documents/calibration-document.ts';
import type { ApprovalResult } from '../src/domain/judge/approval.ts';
import type { Move } from '../src/domain/plan/script.ts';
import { sha256 } from '../src/text/digest.ts';
import { HELIX, startHelix } from './helix-process.ts';
import { eventually } from './robust-project.ts';
import { put, scratch } from './scratch.ts';

const adr = (number: number, subject: string) => `---
adr_id: "00${number}"
status: accepted
related_to: ["00${number + 1}"]
files:
  create: [src/${subject}.ts]
  modify: [src/main.ts]
---

# 00${number}: The ${subject} is stored first

## Context

The ${subject} is lost when the queue restarts, which it does each night.

## Decision

The ${subject} is stored in the database before it is put into the queue.

## Migration

### Rollback

The old queue is kept for a week and switched back on if the ${subject} is late.

## Consequences

Taking the ${subject} is slower by some milliseconds, and nothing is lost.

## Acceptance criteria

- [ ] 1000 entries survive a restart
`;
const ADRS = {
  'docs/adr/001.md': adr(1, 'order'),
  'docs/adr/002.md': adr(2, 'invoice'),
  'docs/adr/003.md': adr(3, 'bill'),
};
const FILES = Object.keys(ADRS);
const CHECKS = ['acceptance', 'completeness', 'conflicts', 'migration', 'references'];

/** The trials that the command asks for a seed, in its order. */
function trialsFor(seed: number, trials: number): readonly Trial[] {
  const { defects } = parseDefects(readShippedApproval('adr')?.get('defects.yaml') ?? '', 'defects.yaml');
  const documents = Object.entries(ADRS).map(([path, text]) => ({ path, text }));
  return planTrials(documents, defects, { trials, seed }).trials;
}

/** A judge that finds an error under a check and quotes the title, which is in every version. */
function accusation({ path, text }: Trial, check: string, quote = /^# .*$/m.exec(text)?.[0] ?? ''): Move {
  const evidence = { file: path, quote };
  const against = { file: path, quote: 'The old queue is kept for a week' };
  const answer = {
    checks: [{ id: check, outcome: 'fail', evidence: [evidence] }],
    findings: [
      { severity: 'error', check, message: 'this is wrong', evidence, ...(check === 'conflicts' && { against }) },
    ],
    recommendations: [],
    result: 'rejected',
    confidence: 0.9,
  };
  return { answer };
}

/** What a judge says who is right, or wrong: a move without an answer finds nothing. */
function verdictOn(trial: Trial, right: boolean): Move {
  if (trial.planted !== undefined) return right ? accusation(trial, trial.planted.check) : {};
  return right ? {} : accusation(trial, 'completeness');
}

/** What lies in `.helix/approvals/` is sealed as if it had been made there. */
function placeWith(moves: readonly Move[], files: Readonly<Record<string, string>> = {}): Place {
  const place = makePlace();
  const env = { XDG_STATE_HOME: join(dirname(place.dir), 'state') };
  const seal = openUserSeal(env, place.dir);
  const macs = Object.entries(files).flatMap(([path, text]) => {
    const [, kept] = /^\.helix\/approvals\/(.+)$/.exec(path) ?? [];
    return kept === undefined ? [] : [[`${path}.mac`, seal.of(`helix.kept/1\0${kept}`, Buffer.from(text))]];
  });
  const judge = { 'judge.yaml': JSON.stringify({ approvals: { adr: moves } }) };
  put(place.dir, { ...ADRS, ...files, ...Object.fromEntries(macs), ...judge });
  return { ...place, helix: (args, more) => place.helix(args, { ...more, env }) };
}

async function measured(place: Place, args: readonly string[]): Promise<CalibrationDocument> {
  const scripted = ['--agent', 'scripted', '--script', 'judge.yaml', '--format', 'json'];
  const { code, out, err } = await place.helix(['calibrate', 'adr', ...args, ...scripted]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return CalibrationDocument.parse(JSON.parse(out));
}

describe('a scripted judge', () => {
  test.each([
    [0.03, 31],
    [0.1, 101],
  ])('that is wrong with probability %d is measured so: the intervals contain it', async (error, seed) => {
    const trials = trialsFor(seed, 300);
    const random = seededRandom(seed);
    const wrong = trials.map(() => random() < error);
    const place = placeWith(trials.map((trial, turn) => verdictOn(trial, !wrong[turn])));
    const document = await measured(place, [...FILES, '--trials', '300', '--seed', String(seed)]);
    const [all] = document.overall;
    const errors = (of: (trial: Trial) => boolean) => trials.filter((trial, turn) => of(trial) && wrong[turn]).length;
    expect(document).toMatchObject({ simulated: true, seed, trials: 300, interrupted: 0, documents: FILES });
    expect(all).toMatchObject({ model: 'scripted', planted: 150, clean: 150 });
    expect(all?.missed).toBe(errors(({ planted }) => planted !== undefined));
    expect(all?.alarms).toBe(errors(({ planted }) => planted === undefined));
    for (const { low, high } of [
      all?.falseNegative ?? { low: 1, high: 0 },
      all?.falsePositive ?? { low: 1, high: 0 },
    ]) {
      expect(low).toBeLessThanOrEqual(error);
      expect(high).toBeGreaterThanOrEqual(error);
      expect(high - low).toBeLessThan(0.15);
    }
    expect(document.checks.map(({ check }) => check)).toEqual(CHECKS);
    for (const { check, planted, missed } of document.checks) {
      const own = trials.filter((trial) => trial.planted?.check === check);
      expect([planted, missed]).toEqual([own.length, errors((trial) => trial.planted?.check === check)]);
    }
  });

  test('misses a defect that it finds under another check, or with a quote that stands nowhere', async () => {
    const trials = trialsFor(1, 40);
    const moves = trials.map((trial, turn): Move => {
      const { check = 'completeness' } = trial.planted ?? {};
      if (turn % 2 === 0) return accusation(trial, check === 'conflicts' ? 'migration' : 'conflicts');
      return accusation(trial, check, 'words that stand in no version');
    });
    const [all] = (await measured(placeWith(moves), [...FILES, '--seed', '1'])).overall;
    expect(all).toMatchObject({ planted: 20, missed: 20, clean: 20 });
    expect(all?.alarms).toBe(trials.filter(({ planted }, turn) => planted === undefined && turn % 2 === 0).length);
  });

  test('that is cut short has no opinion', async () => {
    const trials = trialsFor(2, 40);
    const moves = trials.map((trial, turn): Move => (turn % 4 === 0 ? { result: 'network' } : verdictOn(trial, true)));
    const document = await measured(placeWith(moves), [...FILES, '--seed', '2']);
    const [all] = document.overall;
    expect(document).toMatchObject({ trials: 40, interrupted: 10 });
    expect([(all?.planted ?? 0) + (all?.clean ?? 0), all?.missed, all?.alarms]).toEqual([30, 0, 0]);
  });

  test('that never answers ends the calibration, which measured nothing', async () => {
    const place = placeWith([{ result: 'auth' }]);
    const { code, out } = await place.helix([
      'calibrate',
      'adr',
      ...FILES,
      '--agent',
      'scripted',
      '--script',
      'judge.yaml',
    ]);
    expect(code).toBe(1);
    expect(out).toContain('no judge answered');
    expect(out).toContain('5 judges in a row gave no answer');
  });

  test('costs no more than the budget', async () => {
    const document = await measured(placeWith([{ cost: 0.5 }]), [...FILES, '--budget', '3']);
    expect(document).toMatchObject({ trials: 6, cost: { usd: 3, unknown: 0 } });
    expect(document.stopped).toBe('the budget of 3.00 USD is enough for 6 of 40 trials');
  });

  test('is said to be simulated, in words that nobody takes for a measurement', async () => {
    const args = ['calibrate', 'adr', ...FILES, '--agent', 'scripted', '--trials', '8', '--seed', '3'];
    const { code, out, err } = await placeWith([{}]).helix(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(
      'The judges were simulated: this shows that the statistics work, and nothing about any model.',
    );
    expect(out).toContain('Clopper and Pearson');
    expect(out).toContain('seed 3');
    expect(out).toMatch(
      /^all +scripted +4 of 4 +100\.0 % \(39\.8 % to 100\.0 %\) +0 of 4 +0\.0 % \(0\.0 % to 60\.2 %\)$/m,
    );
  });
});

describe('without files', () => {
  const kept = (id: string, change: Partial<ApprovalResult>): Record<string, string> => {
    const result: ApprovalResult = {
      ...{ approval_id: id, approval_type: 'adr', timestamp: '2026-01-01T00:00:00.000Z', result: 'approved' },
      ...{ confidence: 1, findings: [], recommendations: [], definition_sha256: '', cached: false, stage: 'agent' },
      agent_context: { duration_seconds: 1, cost_basis: 'reported', simulated: false },
      inputs: Object.entries(ADRS).map(([path, text]) => ({ path, sha256: sha256(text) })),
      checks: [],
      ...change,
    };
    return { [`.helix/approvals/${id}/approval-result.json`]: JSON.stringify(result) };
  };

  test('those are taken that were approved last and are unchanged', async () => {
    const later = { result: 'rejected', timestamp: '2026-02-01T00:00:00.000Z' } as const;
    const place = placeWith([{}], {
      ...kept('a', {}),
      ...kept('b', { ...later, inputs: [{ path: 'docs/adr/001.md', sha256: 'x' }] }),
      'docs/adr/002.md': `${ADRS['docs/adr/002.md']}changed\n`,
    });
    expect((await measured(place, ['--trials', '4'])).documents).toEqual(['docs/adr/003.md']);
  });

  test('what somebody put there does not count as accepted', async () => {
    const place = placeWith([{}]);
    put(place.dir, kept('ffff', {}));
    const { code, err } = await place.helix(['calibrate', 'adr', '--agent', 'scripted']);
    expect({ code, err }).toMatchObject({
      code: 2,
      err: expect.stringContaining('nothing in this project was approved'),
    });
  });

  test('a type there is none of is named as such before anything is looked for', async () => {
    const { code, err } = await placeWith([{}]).helix(['calibrate', 'nope', '--agent', 'scripted']);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('unknown approval type "nope"') });
  });

  test('and without anything approved it says what to do', async () => {
    for (const files of [
      {},
      kept('a', { approval_type: 'code' }),
      kept('a', { inputs: [{ path: 'gone.md', sha256: 'x' }] }),
    ]) {
      const { code, out, err } = await placeWith([{}], files).helix(['calibrate', 'adr', '--agent', 'scripted']);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('nothing in this project was approved as adr');
      expect(err).toContain('helix calibrate adr <files…>');
    }
  });
});

describe("the project's own defects", () => {
  const entry = (id: string, find: string) =>
    `{ id: ${id}, check: acceptance, about: it is gone, find: '${find}', replace: '' }`;

  test('go before those of HELIX, and those that do not apply are counted', async () => {
    const shipped = parseDefects(readShippedApproval('adr')?.get('defects.yaml') ?? '', 'x').defects;
    const plain = await measured(placeWith([{}]), [...FILES, '--trials', '2']);
    const own = `defects:\n  - ${entry('revokes-all-en', 'no such words')}\n  - ${entry('mine', 'nor these')}\n`;
    const more = await measured(placeWith([{}], { 'approvals/adr/defects.yaml': own }), [...FILES, '--trials', '2']);
    expect(shipped.map(({ id }) => id)).toContain('revokes-all-en');
    expect(more.skipped - plain.skipped).toBe(2 * FILES.length);
  });

  test('are checked before anybody is asked, with the place of what is wrong', async () => {
    const wrong = `defects:\n  - ${entry('mine', 'a(?=b)')}\n  - { id: two, check: completness, about: a, find: b, replace: c }\n`;
    const place = placeWith([{ prints: 'asked' }], { 'approvals/adr/defects.yaml': wrong });
    const { code, out, err } = await place.helix(['calibrate', 'adr', ...FILES, '--agent', 'scripted']);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/approvals\/adr\/defects\.yaml:2:\d+/);
    expect(err).toMatch(/approvals\/adr\/defects\.yaml:3:\d+/);
    expect(err).toContain('"completeness"');
    expect(existsSync(join(place.dir, '.helix'))).toBe(false);
  });

  test('are needed for a type HELIX ships none for', async () => {
    const files = { 'approvals/prose/CLAUDE.md': 'Judge.', 'approvals/prose/checks/tone.md': 'Friendly?' };
    const { code, err } = await placeWith([{}], files).helix(['calibrate', 'prose', ...FILES, '--agent', 'scripted']);
    expect(code).toBe(2);
    expect(err).toContain('there are no defects to plant for approvals of type prose');
    expect(err).toContain('approvals/prose/defects.yaml');
  });

  test('must fit at least one of the files', async () => {
    const place = placeWith([{}], { 'empty.md': 'nothing to plant in\n' });
    const { code, err } = await place.helix(['calibrate', 'adr', 'empty.md', '--agent', 'scripted']);
    expect(code).toBe(2);
    expect(err).toContain('none of the defects can be planted');
  });
});

test.each([
  [['../adr', ...FILES], 'cannot be an approval type'],
  [['adrr', ...FILES], 'unknown approval type "adrr"'],
  [['adr', 'docs/adr/004.md'], 'there is no file docs/adr/004.md'],
  [['adr', ...FILES, ...FILES], 'named twice'],
  [['adr', ...FILES, '--trials', '1'], '--trials takes a whole number from 2 to 10000'],
  [['adr', ...FILES, '--seed', '-1'], '--seed'],
  [['adr', ...FILES, '--seed=4294967296'], '--seed takes a whole number from 0 to 4294967295'],
  [['adr', ...FILES, '--budget', '0'], '--budget takes dollars'],
  [['adr', ...FILES, '--format', 'sarif'], 'there is no format "sarif"'],
  [['adr', ...FILES, '--json', '--format', 'text'], 'contradict each other'],
  [['adr', 'long.md'], 'long.md is larger than 512 KB'],
  [['adr', 'latin.md'], 'latin.md is not UTF-8 text'],
  [[], 'something is missing'],
])('called as %j it asks nobody', async (args, message) => {
  const place = placeWith([{}]);
  put(place.dir, { 'long.md': 'x'.repeat(600 * 1024), 'latin.md': Buffer.from([0x68, 0xe4, 0x0a]) });
  const { code, out, err } = await place.helix(['calibrate', ...args, '--agent', 'scripted']);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(message);
});

test('on a terminal it says what it may cost before anybody is asked', () => {
  const { dir } = placeWith([{}]);
  const args = ['calibrate', 'adr', ...FILES, '--agent', 'scripted', '--seed', '9', '--budget', '2'];
  const command = ['stty cols 90;', HELIX, ...args].join(' ');
  const env = { ...process.env, XDG_STATE_HOME: join(dir, '.state'), TERM: 'xterm', NO_COLOR: '1' };
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], { cwd: dir, env, encoding: 'utf8' });
  const said = stdout.indexOf('asks 40 times, 20 times about a planted defect, for at most 2.00 USD; seed 9');
  expect(status).toBe(0);
  expect(said).toBeGreaterThanOrEqual(0);
  expect(said).toBeLessThan(stdout.indexOf(': 40 trials, with 3 documents'));
});

/** What a judge does that has not answered when the signal comes. */
const ASLEEP: Move = { writes: { asleep: '' }, sleep: 3600 };

test('stopped by a signal it tells what it measured so far and leaves nothing behind', async () => {
  const moves = trialsFor(4, 40).map((trial, turn): Move => (turn < 8 ? verdictOn(trial, true) : ASLEEP));
  const { dir } = placeWith(moves);
  const temporary = scratch();
  const args = ['calibrate', 'adr', ...FILES, '--agent', 'scripted', '--script', 'judge.yaml', '--seed', '4', '--json'];
  const { child, end } = startHelix(args, { cwd: dir, env: { XDG_CACHE_HOME: temporary, TMPDIR: temporary } });
  // Asked of find, because folders of trials that are over vanish while somebody goes through them.
  const asleep = () => spawnSync('find', [temporary, '-name', 'asleep', '-printf', '.'], { encoding: 'utf8' }).stdout;
  await eventually(() => asleep() === '....');
  child.kill('SIGINT');
  const { code, stdout } = await end;
  const document = CalibrationDocument.parse(JSON.parse(stdout));
  expect(code).toBe(130);
  expect(document).toMatchObject({ trials: 12, interrupted: 4, stopped: 'stopped before all trials were asked' });
  expect(document.overall).toMatchObject([{ missed: 0, alarms: 0 }]);
  expect(readdirSync(join(temporary, 'helix', 'scratch'))).toEqual([]);
});
