import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  accepted,
  answered,
  asked,
  consulted,
  ended,
  finished,
  judged,
  missing,
  samplePhase,
  samplePlan,
  sampleRun,
  started,
  verdict,
} from '../../../test/sample-run.ts';
import { contents, put, scratch } from '../../../test/scratch.ts';
import { unzipped } from '../../../test/unzip.ts';
import { RunFiles } from '../../adapters/journal/run-files.ts';
import { PhaseDirs } from '../../adapters/trees/phase-dirs.ts';
import { gateWords } from '../../brief/gate-words.ts';
import { VerdictsDocument } from '../../domain/documents/documents.ts';
import {
  ConsultantDecisionDocument,
  HilRequestDocument,
  ResolutionDocument,
  TriggerDocument,
  UpdatedConfigDocument,
  UserDecisionDocument,
} from '../../domain/documents/escalation-documents.ts';
import { MetricsDocument } from '../../domain/documents/metrics-document.ts';
import type { NewEvent } from '../../domain/facts/run-event.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Files } from '../../ports/files.ts';
import { publish, publishFinal } from './publish.ts';

const ID = '02-second';
const phase = samplePhase(ID);
const plan = samplePlan([phase]);
const LOG = 'phases/02-second/logs';
const STAGE_1 = 'phases/02-second/escalation/stufe-1';
const STAGE_2 = 'phases/02-second/escalation/stufe-2';

/** A run's directory and a workspace in which attempts leave real trees. */
function place() {
  const dir = scratch();
  const workspace = new PhaseDirs(dir);
  const notices: string[] = [];
  const runDir = join(dir, '.helix/runs/r1');
  const files = new RunFiles(runDir, { redact: (text) => text });
  const desk = (events: ReturnType<typeof sampleRun>['events'], through: Files = files) => ({
    files: through,
    journal: { read: async () => events },
    workspace: async () => workspace,
    project: { read: async () => undefined },
    rules: async (phase: Phase) => gateWords(phase),
    onNotice: (text: string) => void notices.push(text),
  });
  /** Facts of an attempt that wrote `text` and was rejected. */
  const failed = async (attempt: number, text: string, from?: string): Promise<[NewEvent[], string]> => {
    const { dir: at, start } = await workspace.prepare(phase, { start: from, inputs: [], omit: [] });
    put(at, { 'output/other.md': text });
    const { tree } = await workspace.capture(phase, start);
    put(runDir, { [`${LOG}/attempt-${attempt}/transcript.jsonl`]: `{"said":${attempt}}\n` });
    const facts = [
      started(ID, attempt, { start }),
      finished(ID, attempt, { tree: tree.id }),
      judged(ID, attempt, verdict('reject', [missing()])),
    ];
    return [facts, tree.id];
  };
  const publishAll = async (facts: readonly NewEvent[], through?: Files) => {
    const run = sampleRun(plan, facts);
    await publish(run.events, run.state, desk(run.events, through));
    return run;
  };
  const read = (path: string): unknown => JSON.parse(readFileSync(join(runDir, path), 'utf8'));
  return { runDir, files, failed, publishAll, desk, read, notices };
}

type Place = ReturnType<typeof place>;

/** Three attempts, a consultant, and three more. */
async function escalated({ failed }: Place): Promise<NewEvent[]> {
  const facts: NewEvent[] = [];
  let last: string | undefined;
  for (const attempt of [1, 2, 3, 4, 5, 6]) {
    const [made, tree] = await failed(attempt, `${attempt}\n`, last);
    if (attempt === 4) facts.push(...consulted(ID, { changes: { model: 'two', hints: ['h'] } }));
    facts.push(...made);
    last = tree;
  }
  return facts;
}

it('all of the tree of ADR-004 lies there, each file in its form', async () => {
  const at = place();
  const advised = consulted(ID, { purpose: 'advise', consultation: 'c2', outcome: 'ask', changes: {}, attempt: 6 });
  await at.publishAll([...(await escalated(at)), ...advised, asked(ID), answered('A', 'retry', 'like this')]);
  const found = Object.keys(contents(at.runDir)).filter((path) => path.includes('/escalation/'));
  expect(found.map((path) => path.replace('phases/02-second/escalation/', '')).sort()).toEqual([
    'stufe-1/consultant-decision.json',
    'stufe-1/consultations/c1/consultant-decision.json',
    'stufe-1/consultations/c2/consultant-decision.json',
    ...[4, 5, 6].map((attempt) => `stufe-1/retry-attempts/attempt-${attempt}/verdicts.json`),
    'stufe-1/trigger.json',
    'stufe-1/updated-config.yaml',
    'stufe-2/attachments/all-attempts.zip',
    'stufe-2/attachments/consultant-analysis.md',
    'stufe-2/hil-request.json',
    'stufe-2/resolution.json',
    'stufe-2/trigger.json',
    'stufe-2/user-decision.json',
  ]);
  expect(TriggerDocument.parse(at.read(`${STAGE_1}/trigger.json`))).toMatchObject({ level: 'stufe-1', attempts: 3 });
  expect(TriggerDocument.parse(at.read(`${STAGE_2}/trigger.json`))).toMatchObject({ level: 'stufe-2', attempts: 6 });
  const decision = ConsultantDecisionDocument.parse(at.read(`${STAGE_1}/consultant-decision.json`));
  expect(decision).toMatchObject({ consultation: 'c1', outcome: 'retry', applied: { model: 'two' } });
  const config: unknown = parse(readFileSync(join(at.runDir, STAGE_1, 'updated-config.yaml'), 'utf8'));
  expect(UpdatedConfigDocument.parse(config)).toMatchObject({ agent: 'default', model: 'two', hints: ['h'] });
  expect(VerdictsDocument.parse(at.read(`${STAGE_1}/retry-attempts/attempt-5/verdicts.json`)).outcome).toBe('reject');
  const request = HilRequestDocument.parse(at.read(`${STAGE_2}/hil-request.json`));
  expect(request.summary).toMatchObject({ total_attempts: 6, stufe_1_interventions: 1 });
  expect(UserDecisionDocument.parse(at.read(`${STAGE_2}/user-decision.json`))).toMatchObject({ chosen_option: 'A' });
  expect(ResolutionDocument.parse(at.read(`${STAGE_2}/resolution.json`))).toMatchObject({ outcome: 'in_progress' });
});

it('the zip holds the logs, what each attempt changed, and what consultants said', async () => {
  const at = place();
  await at.publishAll([...(await escalated(at)), asked(ID)]);
  const found = unzipped(join(at.runDir, STAGE_2, 'attachments/all-attempts.zip'));
  expect(Object.keys(found).sort()).toEqual([
    ...[1, 2, 3, 4, 5, 6].flatMap((n) =>
      ['changes.patch', 'transcript.jsonl', 'verdicts.json'].map((name) => `attempt-${n}/${name}`),
    ),
    'consultations/c1/consultant-decision.json',
  ]);
  expect(found['attempt-2/transcript.jsonl']).toBe('{"said":2}\n');
  expect(found['attempt-2/changes.patch']).toContain('--- a/phases/02-second/output/other.md');
  expect(found['attempt-2/changes.patch']).toMatch(/^-1\n\+2$/m);
});

it('a tree that is gone takes only its own patch with it', async () => {
  const at = place();
  const [facts] = await at.failed(1, '1\n');
  await at.publishAll([...facts, started(ID, 2), finished(ID, 2, { tree: 'a'.repeat(64) }), asked(ID)]);
  const found = unzipped(join(at.runDir, STAGE_2, 'attachments/all-attempts.zip'));
  expect(found['attempt-1/changes.patch']).toContain('+1');
  expect(found['attempt-2/changes.patch']).toContain('cannot be shown');
});

it('written fact by fact and written all at once after a crash, the files are the same', async () => {
  const at = place();
  const facts = [...(await escalated(at)), asked(ID), answered('A', 'retry'), ...(await at.failed(7, '7\n'))[0]];
  const whole = sampleRun(plan, facts);
  for (let end = 1; end <= whole.events.length; end += 1) {
    const { state, events } = sampleRun(plan, facts.slice(0, end - 1));
    await publish(events.slice(-1), state, at.desk(events));
  }
  const live = contents(at.runDir);
  await at.publishAll(facts);
  expect(contents(at.runDir)).toEqual(live);
  expect(Object.keys(live).length).toBeGreaterThan(20);
});

it('a zip is not packed again where nothing new was asked, and is after another question', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID)];
  await at.publishAll(facts);
  const zip = join(at.runDir, STAGE_2, 'attachments/all-attempts.zip');
  const packed: string[] = [];
  const { files } = at;
  const watched: Files = {
    write: (path, text) => files.write(path, text),
    lines: (path) => files.lines(path),
    readLines: (path) => files.readLines(path),
    lastLines: (path, bytes, digest) => files.lastLines(path, bytes, digest),
    read: (path, limit) => files.read(path, limit),
    changedAt: (path) => files.changedAt(path),
    writtenAt: (path) => files.writtenAt(path),
    remove: (path) => files.remove(path),
    zip: async (path) => void packed.push(path),
  };
  await at.publishAll([...facts, answered('A', 'retry')], watched);
  expect(packed).toEqual([]);
  const again = [...facts, answered('A', 'retry'), ...(await at.failed(2, '2\n'))[0], asked(ID, { request: 'r1-q2' })];
  utimesSync(zip, new Date('2026-11-03T10:00:04Z'), new Date('2026-11-03T10:00:04Z'));
  await at.publishAll(again, watched);
  expect(packed).toEqual([`${STAGE_2}/attachments/all-attempts.zip`]);
});

it('earlier questions and answers are kept beside the newest one', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID)];
  await at.publishAll(facts);
  const byHand = { chosen_option: 'a', user_comment: 'so', additional_input: { priority_change: 'P2' } };
  const answer = answered('A', 'retry', 'so\nPriority: P2');
  put(at.runDir, { [`${STAGE_2}/user-decision.json`]: JSON.stringify(byHand) });
  await at.publishAll([...facts, answer]);
  expect(at.read(`${STAGE_2}/user-decision.json`)).toMatchObject({
    request: 'r1-q1',
    additional_input: { priority_change: 'P2' },
  });
  const again = [...facts, answer, ...(await at.failed(2, '2\n'))[0], asked(ID, { request: 'r1-q2' })];
  await at.publishAll(again);
  for (const gone of ['user-decision.json', 'resolution.json'])
    expect(existsSync(join(at.runDir, STAGE_2, gone))).toBe(false);
  expect(at.read(`${STAGE_2}/hil-request.json`)).toMatchObject({ request: 'r1-q2' });
  const kept = `${STAGE_2}/earlier/r1-q1`;
  expect(at.read(`${kept}/hil-request.json`)).toMatchObject({ request: 'r1-q1' });
  expect(at.read(`${kept}/resolution.json`)).toMatchObject({ outcome: 'asked_again' });
  expect(at.notices).toEqual([]);
  await at.publishAll(again);
  expect(at.read(`${kept}/user-decision.json`)).toMatchObject({ additional_input: { priority_change: 'P2' } });
});

it('what is written into the answer afterwards changes nothing, is set aside and told of', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID), answered('A', 'retry', 'so')];
  await at.publishAll(facts);
  const path = `${STAGE_2}/user-decision.json`;
  const written = readFileSync(join(at.runDir, path), 'utf8');
  for (const [text, name] of [
    [written.replace('"so"', '"never said"'), 'user-decision.not-taken.json'],
    ['{"chosen_option":"A","user_comment":"late"}', 'user-decision.not-taken-2.json'],
  ] as const) {
    put(at.runDir, { [path]: text });
    await at.publishAll(facts);
    await at.publishAll(facts);
    expect(readFileSync(join(at.runDir, path), 'utf8')).toBe(written);
    expect(readFileSync(join(at.runDir, STAGE_2, name), 'utf8')).toBe(text);
    expect(at.notices.splice(0)).toEqual([
      expect.stringMatching(
        `^.helix/runs/r1/${path} came too late: r1-q1 was already answered with A by ann at .+; it is kept as ${name}$`,
      ),
    ]);
  }
});

it('an answer to a question that nobody asks any more is set aside and told of', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID), ended('cancelled')];
  const path = `${STAGE_2}/user-decision.json`;
  put(at.runDir, { [path]: '{"chosen_option":"A"}' });
  await at.publishAll(facts);
  await at.publishAll(facts);
  expect(existsSync(join(at.runDir, path))).toBe(false);
  expect(at.read(`${STAGE_2}/user-decision.not-taken.json`)).toEqual({ chosen_option: 'A' });
  expect(at.notices).toEqual([expect.stringContaining('came too late: run r1 has already ended; it is kept as ')]);
});

it('a late answer to an earlier question is set aside beside that one, also with the same option', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID), answered('A', 'retry')];
  const again = [...facts, ...(await at.failed(2, '2\n'))[0], asked(ID, { request: 'r1-q2' })];
  await at.publishAll(again);
  const text = '{"request":"r1-q1","chosen_option":"A","user_comment":"late"}';
  put(at.runDir, { [`${STAGE_2}/user-decision.json`]: text });
  await at.publishAll(again);
  const kept = `${STAGE_2}/earlier/r1-q1/user-decision.not-taken.json`;
  expect(readFileSync(join(at.runDir, kept), 'utf8')).toBe(text);
  expect(at.notices).toEqual([expect.stringContaining(`it is kept as .helix/runs/r1/${kept}`)]);
  expect(existsSync(join(at.runDir, STAGE_2, 'user-decision.json'))).toBe(false);
});

it.each([
  ['is no JSON', '{ oops'],
  ['answers otherwise', '{"chosen_option":"B"}'],
])('a file by hand that %s is set aside when another answer is taken', async (_what, text) => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID)];
  put(at.runDir, { [`${STAGE_2}/user-decision.json`]: text });
  await at.publishAll(facts);
  expect(readFileSync(join(at.runDir, STAGE_2, 'user-decision.json'), 'utf8')).toBe(text);
  await at.publishAll([...facts, answered('A', 'retry')]);
  expect(readFileSync(join(at.runDir, STAGE_2, 'user-decision.not-taken.json'), 'utf8')).toBe(text);
  expect(at.read(`${STAGE_2}/user-decision.json`)).toMatchObject({ chosen_option: 'A', request: 'r1-q1' });
});

it('a file by hand that nobody can read stops nothing and stays', async () => {
  const at = place();
  const facts = [...(await at.failed(1, '1\n'))[0], asked(ID), answered('A', 'retry')];
  const path = `${STAGE_2}/user-decision.json`;
  put(at.runDir, { [path]: 'x'.repeat(2 * 1024 * 1024) });
  await at.publishAll(facts);
  expect(statSync(join(at.runDir, path)).size).toBe(2 * 1024 * 1024);
  expect(at.read(`${STAGE_2}/resolution.json`)).toMatchObject({ request: 'r1-q1' });
});

it('attempts after a human granted more are not the consultant’s', async () => {
  const at = place();
  const facts = [...(await escalated(at)), asked(ID), answered('A', 'retry'), ...(await at.failed(7, '7\n'))[0]];
  await at.publishAll(facts);
  expect(existsSync(join(at.runDir, STAGE_1, 'retry-attempts/attempt-6'))).toBe(true);
  expect(existsSync(join(at.runDir, STAGE_1, 'retry-attempts/attempt-7'))).toBe(false);
  expect(existsSync(join(at.runDir, STAGE_1, 'retry-attempts/attempt-3'))).toBe(false);
});

it('a phase that was never escalated has no folder for it', async () => {
  const at = place();
  const [facts] = await at.failed(1, '1\n');
  const run = await at.publishAll([
    ...facts,
    started(ID, 2),
    finished(ID, 2),
    judged(ID, 2, verdict('pass')),
    accepted(ID, 2),
  ]);
  expect(Object.keys(contents(at.runDir)).filter((path) => path.includes('escalation'))).toEqual([]);
  await publishFinal(run.state, at.desk(run.events));
  expect(MetricsDocument.parse(at.read('final/metrics.json'))).toMatchObject({ runs: 1 });
});
