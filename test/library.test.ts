import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ApprovalDocument } from '../src/domain/documents/approval-document.ts';
import * as library from '../src/index.ts';
import {
  type Approval,
  type ApproveOptions,
  approve,
  checkAdr,
  type DecideAnswer,
  decideRequest,
  defineGate,
  type GateAnswer,
  HelixError,
  type ListedRun,
  listRuns,
  loadPlan,
  type Run,
  readRun,
  resumeRun,
  startRun,
} from '../src/index.ts';
import { answerFor, INJECTED, injectionFound, makeRepository, QUOTE, SAFE } from './approve.fixture.ts';
import { eventually } from './robust-project.ts';
import { contents, makeFifo, put, scratch } from './scratch.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Promised =
  | ('approve' | 'checkAdr' | 'decideRequest' | 'defineGate' | 'HelixError' | 'listRuns')
  | ('loadPlan' | 'readRun' | 'resumeRun' | 'startRun');

const HELIX = 'agents: { default: { driver: scripted } }\nallow_simulated: true\n';

/** A project with one phase `a`, its gate as written, and the moves of its agent. */
function project(gate: string, moves = '[{ writes: { output/x.md: made } }]'): string {
  return scratch({
    'helix.yaml': HELIX,
    'phases.yaml': `project: { name: mine, description: A trial }\nworkspace: phase-dirs\nphases:\n  - { id: a, type: development, quality_gate: ${gate} }\n`,
    'scripted.yaml': `phases: { a: ${moves} }\n`,
  });
}

async function refusal(work: Promise<unknown>): Promise<HelixError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HelixError);
  return error as HelixError;
}

function types({ events }: Run): string[] {
  return events.map(({ type }) => type);
}

describe('the library', () => {
  it('has the few names it promises, for programs and for the compiler', () => {
    const forTheCompiler: Same<keyof typeof library, Promised> = true;
    expect(forTheCompiler).toBe(true);
    expect(Object.keys(library).sort()).toEqual([
      'HelixError',
      'approve',
      'checkAdr',
      'decideRequest',
      'defineGate',
      'listRuns',
      'loadPlan',
      'readRun',
      'resumeRun',
      'startRun',
    ]);
  });

  it('has one door: nothing behind it can be imported', () => {
    const { resolve } = createRequire(import.meta.url);
    for (const path of ['dist/engine/run.js', 'src/engine/run.ts', 'dist/index.js', 'package.json']) {
      expect(() => resolve(`helix-run/${path}`)).toThrow(
        expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }),
      );
    }
  });
});

describe('listRuns and decideRequest', () => {
  const GATE = '{ type: files_exist, files: [output/y.md], max_retries: 1, on_failure: escalation }';
  const MOVES = '[{ writes: { output/x.md: made } }, { writes: { output/y.md: made } }]';

  it('a question is found, answered and gone on with', async () => {
    const dir = project(GATE, MOVES);
    put(dir, { 'config/escalation.yaml': 'escalation: { levels: { stufe_1: { max_attempts: 0 } } }\n' });
    expect(await listRuns(dir)).toEqual([]);
    const { document } = await startRun(dir);
    const [listed, ...others]: readonly ListedRun[] = await listRuns(dir);
    expect(others).toEqual([]);
    expect(listed).toMatchObject({ run: document.run, project: 'mine', status: 'waiting', openRequests: 1 });
    const request = document.waitingFor?.request ?? '';
    const retry = document.waitingFor?.options.find(({ description }) => description.startsWith('Try again'));
    const answer: DecideAnswer = { option: retry?.id ?? '', comment: 'ZEBRA-WORDS', actor: 'ada' };
    const decided = await decideRequest(dir, request, answer);
    expect(decided.events.at(-1)).toMatchObject({
      type: 'decision_taken',
      data: { request, actor: 'ada', comment: 'ZEBRA-WORDS' },
    });
    expect((await refusal(decideRequest(dir, request, answer))).message).toContain('answered');
    expect((await resumeRun(dir, document.run)).document.status).toBe('passed');
    expect((await listRuns(dir))[0]).toMatchObject({ status: 'passed', openRequests: 0 });
  });

  it('what cannot be meant is refused', async () => {
    const dir = project(GATE, MOVES);
    expect((await refusal(decideRequest(dir, 'nonsense', { option: 'A' }))).code).toBe('not_found');
    expect((await refusal(decideRequest(dir, '20260101-00000000-q1', { option: 'A' }))).code).toBe('not_found');
  });
});

describe('approve', () => {
  // What this user trusts and seals with is none of the test's business.
  beforeEach(() => void vi.stubEnv('XDG_STATE_HOME', scratch()));
  afterEach(() => void vi.unstubAllEnvs());

  /** A repository whose scripted judge answers in turn. */
  function judged(
    answers: readonly object[],
    helix = 'allow_simulated: true\nagents: { default: { driver: scripted } }\n',
  ) {
    const moves = answers.map((move) => ({ cost: 0.12, ...move }));
    const script = JSON.stringify({ roles: { reviewer: moves } });
    return makeRepository({ 'src/db.ts': SAFE, 'helix.yaml': helix, 'scripted.yaml': script });
  }
  const LINE = "return db.all('select * from users');";
  const CODE: ApproveOptions = { type: 'code', files: ['src/db.ts'] };
  /** A judge of the repository's own that only plays a script counts for whoever says so. */
  const PLAYED: ApproveOptions = { ...CODE, trust: true };

  it('gives the document that lies in the project, and says whether it is approved', async () => {
    const { dir, approvals, git } = judged([{ answer: answerFor('src/db.ts', LINE) }]);
    const approval: Approval = await approve(dir, PLAYED);
    if (approval.kind !== 'judged') throw new Error(approval.message);
    const { schema, ...result } = ApprovalDocument.parse(approval.document);
    expect(approval).toMatchObject({ approved: true, path: `.helix/approvals/${approvals()[0]}` });
    expect({ schema, ...result }).toMatchObject({
      schema: 'helix.approval/1',
      approval_type: 'code',
      result: 'approved',
    });
    expect(result.agent_context.simulated).toBe(true);
    expect(JSON.parse(readFileSync(join(dir, approval.path, 'approval-result.json'), 'utf8'))).toEqual(result);
    expect(git('status', '--short')).toBe('');
  });

  it('judges what changed since a revision; what is rejected is no error', async () => {
    const { dir, write } = judged([{ answer: injectionFound() }]);
    write('src/db.ts', INJECTED);
    const approval = await approve(dir, { type: 'code', diff: 'main', trust: true });
    expect(approval).toMatchObject({
      ...{ kind: 'judged', approved: false },
      document: { result: 'rejected', findings: [{ check: 'security', evidence: expect.stringContaining(QUOTE) }] },
    });
  });

  it('an approval that is not sure of itself is not approved', async () => {
    const { dir } = judged([{ answer: answerFor('src/db.ts', LINE, { confidence: 0.3 }) }]);
    expect(await approve(dir, PLAYED)).toMatchObject({
      approved: false,
      document: { result: 'needs_revision', unsure: true },
    });
  });

  it('a judge that is cut short gives no verdict: that is told, and is no error', async () => {
    const { dir } = judged([{ result: 'billing' }]);
    const approval = await approve(dir, PLAYED);
    expect(approval).toMatchObject({ kind: 'interrupted', approved: false, failure: 'billing' });
    expect(existsSync(join(dir, approval.path, 'interruption-1.json'))).toBe(true);
  });

  it('is stopped by its signal', async () => {
    const { dir, approvals } = judged([{ answer: answerFor('src/db.ts', LINE) }]);
    expect((await refusal(approve(dir, { ...CODE, signal: AbortSignal.abort() }))).code).toBe('stopped');
    expect(approvals()).toEqual([]);
  });

  it('refuses what helix.yaml wants and nobody trusted, before a judge is asked; trust: true is for this once', async () => {
    const settings =
      'allow_simulated: true\nsandbox: none\nagents: { default: { driver: scripted, env: [MY_TOKEN] } }\n';
    const answer = answerFor('src/db.ts', LINE);
    const { dir, approvals } = judged([{ answer }], settings);
    const wanted = 'sandbox: none';
    expect(await refusal(approve(dir, CODE))).toMatchObject({
      ...{ code: 'not_trusted', hint: 'Pass trust: true.' },
      message: expect.stringContaining(wanted),
    });
    expect((await refusal(approve(dir, { ...CODE, trust: 'yes' as unknown as boolean }))).code).toBe('not_trusted');
    expect(approvals()).toEqual([]);
    expect(await approve(dir, { ...CODE, trust: true })).toMatchObject({ approved: true });
    expect((await refusal(approve(dir, CODE))).code).toBe('not_trusted');
  });

  it('goes by what its user trusted on the command line', async () => {
    const settings = 'allow_simulated: true\nsandbox: none\nagents: { default: { driver: scripted } }\n';
    const { dir, helix } = judged([{ answer: answerFor('src/db.ts', LINE) }], settings);
    const env = { XDG_STATE_HOME: process.env.XDG_STATE_HOME ?? '' };
    expect((await refusal(approve(dir, CODE))).code).toBe('not_trusted');
    expect((await helix(['approve', 'code', 'src/db.ts', '--trust'], { env })).code).toBe(0);
    expect(await approve(dir, CODE)).toMatchObject({ approved: true });
  });

  it('goes by helix.yaml as it was committed, and says where that is wrong', async () => {
    const { dir, write, commit } = judged([], 'allow_simulated: false\nagents: { default: { driver: scripted } }\n');
    write('helix.yaml', 'allow_simulated: true\nagents: { default: { driver: scripted } }\n');
    expect(await refusal(approve(dir, CODE))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('simulated'),
    });
    write('helix.yaml', 'sandbox: perhaps\n');
    commit();
    expect((await refusal(approve(dir, CODE))).message).toMatch(/^helix\.yaml:1:\d+: /);
  });

  it('what cannot be meant is refused before anything is made', async () => {
    const { dir } = judged([]);
    const wrong: readonly unknown[] = [
      ...[undefined, {}, { type: 'code' }, { type: 'code', files: 'src/db.ts' }, { type: 'code', files: [7] }],
      ...[
        { type: '../x', files: ['src/db.ts'] },
        { ...CODE, diff: 7 },
        { ...CODE, agent: ['scripted'] },
      ],
      ...[
        { ...CODE, files: ['src/none.ts'] },
        { ...CODE, files: ['../x'] },
        { ...CODE, diff: '--output=x' },
      ],
      { ...CODE, agent: 'nobody' },
    ];
    for (const options of wrong)
      expect((await refusal(approve(dir, options as ApproveOptions))).code, JSON.stringify(options)).toBe('usage');
    expect(existsSync(join(dir, '.helix'))).toBe(false);
  });
});

describe('loadPlan', () => {
  it('gives the checked plan, and every finding with its place', async () => {
    const { plan, findings } = await loadPlan(project('{ type: files_exist }'));
    expect(plan?.phases.map(({ id }) => id)).toEqual(['a']);
    expect(findings).toEqual([]);
    const broken = await loadPlan(project('{ type: files_exists }'));
    expect(broken.plan).toBeUndefined();
    expect(broken.findings).toMatchObject([{ severity: 'error', location: { file: 'phases.yaml', line: 4 } }]);
  });

  it('touches nothing', async () => {
    const dir = project('{ type: files_exist }');
    const before = contents(dir);
    await loadPlan(dir);
    expect(contents(dir)).toEqual(before);
  });

  it('says that there is no such directory', async () => {
    expect((await refusal(loadPlan('/no/such/project'))).code).toBe('not_found');
  });
});

describe('startRun', () => {
  it('carries a run to its end and gives its document and every fact', async () => {
    const seen: string[] = [];
    const run = await startRun(project('{ type: files_exist }'), { onEvent: ({ type }) => seen.push(type) });
    expect(run.document).toMatchObject({ status: 'passed', phases: [{ id: 'a', status: 'passed', attempts: 1 }] });
    expect(types(run)).toEqual(seen);
    expect(types(run).at(-1)).toBe('run_finished');
  });

  it('runs no command of a plan without trust, and leaves nothing behind', async () => {
    const dir = project('{ type: custom, command: [touch, ran] }');
    const error = await refusal(startRun(dir));
    expect(error).toMatchObject({ code: 'not_trusted', hint: 'Pass trust: true.' });
    expect(error.message).toContain('gate command of a: ["touch","ran"]');
    expect(existsSync(join(dir, '.helix'))).toBe(false);
    expect((await startRun(dir, { trust: true })).document.status).toBe('passed');
  });

  it('refuses a plan with errors, before anything is written', async () => {
    const dir = project('{ type: files_exists }');
    expect(await refusal(startRun(dir))).toMatchObject({ code: 'plan', hint: 'loadPlan gives all findings.' });
    expect(existsSync(join(dir, '.helix'))).toBe(false);
  });

  it('hands on what the agent says, and keeps it in the transcript', async () => {
    const dir = project('{ type: files_exist }', '[{ prints: [hello, world], writes: { output/x: x } }]');
    const heard: string[] = [];
    const { document } = await startRun(dir, { onText: (phase, text) => heard.push(`${phase}: ${text}`) });
    expect(heard).toEqual(['a: hello', 'a: world']);
    const transcript = join(dir, '.helix/runs', document.run, 'phases/a/logs/attempt-1/transcript.jsonl');
    expect(readFileSync(transcript, 'utf8')).toBe('{"type":"text","text":"hello"}\n{"type":"text","text":"world"}\n');
  });

  it('hands on paths as seen from where the agent works', async () => {
    const dir = project('{ type: files_exist }');
    const says = `reading ${dir}/phases/a/notes.md in ${dir}/phases/a`;
    put(dir, { 'scripted.yaml': `phases: { a: [{ prints: ["${says}"], writes: { output/x.md: x } }] }\n` });
    const heard: string[] = [];
    await startRun(dir, { onText: (_phase, text) => heard.push(text) });
    expect(heard).toEqual(['reading notes.md in .']);
  });

  it('tells with the first verdict what of the directory could not be kept', async () => {
    const dir = put(project('[{ type: files_exist }, { type: files_exist }]'), { 'phases/a/mine': 'x' });
    makeFifo(join(dir, 'phases/a/pipe'));
    const { events, document } = await startRun(dir);
    const verdicts = events.flatMap((event) => (event.type === 'attempt_judged' ? event.data.verdicts : []));
    const message = 'pipe is a FIFO, not a regular file; it was not kept';
    expect(verdicts).toMatchObject([
      { outcome: 'pass', findings: [{ severity: 'warning', message }] },
      { findings: [] },
    ]);
    expect(document.status).toBe('passed');
    expect(contents(join(dir, 'phases/a'))).toEqual({ 'output/x.md': 'made', mine: 'x', pipe: 'special' });
  });

  it('stays where a human is asked, and says what is waited for', async () => {
    const run = await startRun(project('{ type: files_exist, max_retries: 1 }', '[{}]'));
    expect(run.document).toMatchObject({
      status: 'waiting',
      waitingFor: { options: [{ id: 'A' }, { id: 'B' }, { id: 'C' }, { id: 'D' }] },
    });
  });
});

describe('an aborted run', () => {
  async function aborted(dir: string, options: { trust?: boolean } = {}): Promise<Run> {
    const abort = new AbortController();
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'attempt_started') abort.abort('enough');
    };
    return startRun(dir, { ...options, signal: abort.signal, onEvent });
  }

  it('is stopped cleanly, read, and taken up where it was', async () => {
    const dir = project('{ type: files_exist }', '[{ sleep: 3600 }]');
    const stopped = await aborted(dir);
    expect(stopped.document.status).toBe('interrupted');
    const { run } = stopped.document;
    expect(await readRun(dir, run)).toEqual(stopped);
    put(dir, { 'scripted.yaml': 'phases: { a: [{ writes: { output/x.md: made } }] }\n' });
    const resumed = await resumeRun(dir, run);
    expect(resumed.document).toMatchObject({ run, status: 'passed', phases: [{ attempts: 1 }] });
    expect(resumed.events.slice(0, stopped.events.length)).toEqual(stopped.events);
    expect(await resumeRun(dir, run)).toEqual(resumed);
  });

  it('leaves nothing that a new run takes for the user’s own', async () => {
    const dir = project('{ type: files_exist }', '[{ writes: { output/half.md: half }, sleep: 3600 }]');
    put(dir, { 'phases/a/before.md': 'mine' });
    const abort = new AbortController();
    const running = startRun(dir, { signal: abort.signal });
    await eventually(() => existsSync(join(dir, 'phases/a/output/half.md')));
    abort.abort('enough');
    expect((await running).document.status).toBe('interrupted');
    expect(contents(join(dir, 'phases/a'))).toEqual({ 'output/half.md': 'half', 'before.md': 'mine' });
    put(dir, {
      'phases/a/after.md': 'mine',
      'scripted.yaml': 'phases: { a: [{ writes: { output/x.md: made } }] }\n',
    });
    expect((await startRun(dir)).document.status).toBe('passed');
    const mine = { 'before.md': 'mine', 'after.md': 'mine' };
    expect(contents(join(dir, 'phases/a'))).toEqual({ ...mine, 'output/x.md': 'made' });
  });

  it('is not resumed without trust in the plan it was started with', async () => {
    const dir = project('{ type: custom, command: [touch, ran] }', '[{ sleep: 3600 }]');
    const { run } = (await aborted(dir, { trust: true })).document;
    put(dir, { 'phases.yaml': 'phases: [{ id: a, type: development }]\n', 'scripted.yaml': 'phases: { a: [{}] }\n' });
    expect((await refusal(resumeRun(dir, run))).message).toContain('["touch","ran"]');
    expect((await resumeRun(dir, run, { trust: true })).document.status).toBe('passed');
  });
});

describe('a run nobody knows', () => {
  it.each([readRun, resumeRun])('is not found, and nothing is made to look for it', async (ask) => {
    const dir = project('{ type: files_exist }');
    expect((await refusal(ask(dir, 'nope'))).code).toBe('not_found');
    expect(existsSync(join(dir, '.helix'))).toBe(false);
    await startRun(dir);
    expect((await refusal(ask(dir, 'nope'))).code).toBe('not_found');
  });
});

describe("a gate of one's own", () => {
  /** Passes once the file has at least `words` words. */
  const longEnough = defineGate({
    type: 'long_enough',
    settings: z.strictObject({ file: z.string(), words: z.int().positive() }),
    fresh: ({ file }) => [file],
    judge: async ({ file, words }, { tree }) => {
      const text = (await tree.read(file, 10_000))?.toString() ?? '';
      const found = text.split(/\s+/).filter((word) => word !== '').length;
      if (found >= words) return { kind: 'judged', outcome: 'pass', findings: [] };
      const message = `${found} of ${words} words`;
      return { kind: 'judged', outcome: 'revise', findings: [{ severity: 'error', check: 'long_enough', message }] };
    },
  });
  const gates = [longEnough];
  const GATE = '{ type: long_enough, file: output/x.md, words: 2, max_retries: 5 }';

  it('judges like HELIX’s own: its settings are checked, its findings reach the agent, its files must be fresh', async () => {
    const moves = '[{ writes: { output/x.md: one } }, { writes: { y: "" } }, { writes: { output/x.md: two words } }]';
    const dir = project(GATE, moves);
    const run = await startRun(dir, { gates });
    const said = run.events.flatMap((event) =>
      event.type === 'attempt_judged'
        ? event.data.verdicts.flatMap(({ findings }) => findings.map(({ message }) => message))
        : [],
    );
    expect(said).toEqual(['1 of 2 words', '0 of 2 words']);
    expect(run.document).toMatchObject({ status: 'passed', phases: [{ attempts: 3 }] });
    const brief = join(dir, '.helix/runs', run.document.run, 'phases/a/CLAUDE.md');
    expect(readFileSync(brief, 'utf8')).toContain('0 of 2 words');
  });

  it('is unknown where it is not given, and its settings are checked where it is', async () => {
    expect((await loadPlan(project(GATE))).findings).toMatchObject([{ check: 'unknown-gate-type' }]);
    expect((await loadPlan(project(GATE), { gates })).findings).toEqual([]);
    const wrong = await loadPlan(project('{ type: long_enough, file: x, wordz: 2 }'), { gates });
    expect(wrong.findings.map(({ message }) => message).join('\n')).toContain('wordz');
    expect(wrong.plan).toBeUndefined();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['throws', () => Promise.reject(new Error('out of order'))],
    ['throws something odd', () => Promise.reject('out of order')],
    ['answers nothing', async () => undefined],
    ['answers with something else', async () => ({ kind: 'judged', outcome: 'passed', findings: [] })],
    ['gives no findings', async () => ({ kind: 'judged', outcome: 'pass' })],
  ])('that %s has no opinion: a human is asked in the end', async (_what, judge) => {
    const broken = defineGate({
      type: 'broken',
      settings: z.strictObject({}),
      judge: judge as () => Promise<GateAnswer>,
    });
    const run = await startRun(project('{ type: broken }'), { gates: [broken] });
    expect(run.document).toMatchObject({ status: 'waiting', phases: [{ attempts: 0 }] });
    const cut = run.events.filter(({ type }) => type === 'judging_interrupted');
    expect(cut).toHaveLength(5);
    expect(cut[0]).toMatchObject({
      data: { failure: 'crash', message: expect.stringContaining('the gate broken broke down') },
    });
  });

  it('may write in its scratch copy: neither the judged tree nor the directory changes', async () => {
    const messy = defineGate({
      type: 'messy',
      settings: z.strictObject({}),
      judge: async (_settings, { directory, tree }) => {
        const dir = await directory();
        expect(contents(dir)).toEqual({ 'output/x.md': 'made' });
        put(dir, { 'output/x.md': 'trampled', junk: 'x' });
        expect((await tree.read('output/x.md', 100))?.toString()).toBe('made');
        return { kind: 'judged', outcome: 'pass', findings: [] };
      },
    });
    const dir = project('{ type: messy }');
    expect((await startRun(dir, { gates: [messy] })).document.status).toBe('passed');
    expect(contents(join(dir, 'phases'))).toEqual({ 'a/output/x.md': 'made' });
  });

  it('judges a tree that nobody can change: a writer flips a file 1,000 times, and the judged one is accepted', async () => {
    const dir = project('{ type: patient }');
    const file = join(dir, 'phases/a/output/x.md');
    const read = new Set<string | undefined>();
    const patient = defineGate({
      type: 'patient',
      settings: z.strictObject({}),
      judge: async (_settings, { tree, directory }) => {
        const copy = join(await directory(), 'output/x.md');
        for (let n = 0; n < 1000; n += 1) {
          writeFileSync(file, `flip ${n}`);
          read.add((await tree.read('output/x.md', 100))?.toString());
          read.add(readFileSync(copy, 'utf8'));
        }
        return { kind: 'judged', outcome: 'pass', findings: [] };
      },
    });
    const onEvent = ({ type }: { type: string }) => {
      if (type === 'attempt_judged') put(dir, { 'phases/a/output/x.md': 'flip at last', 'phases/a/output/new': 'x' });
    };
    const { events, document } = await startRun(dir, { gates: [patient], onEvent });
    expect(document.status).toBe('passed');
    expect([...read]).toEqual(['made']);
    const trees = events.flatMap((event) =>
      event.type === 'attempt_finished' || event.type === 'phase_accepted' ? event.data.tree : [],
    );
    expect(trees).toHaveLength(2);
    expect(new Set(trees).size).toBe(1);
    expect(contents(join(dir, 'phases/a'))).toEqual({ 'output/x.md': 'made' });
  });
});

describe('checkAdr', () => {
  const adr =
    '# 1. Use X\n\n## Status\n\nAccepted\n\n## Context\n\nTwo programs write at once and lose data.\n\n## Decision\n\nWe use X.\n\n## Consequences\n\nX must be run.\n';

  it('checks a text by its own form and the shipped rules, without a project', () => {
    expect(checkAdr(adr)).toMatchObject({ profile: 'nygard', verdict: 'pass', rules: { checked: 7 } });
    const lost = checkAdr(adr.replace('We use X.', 'TBD'), { path: 'docs/0001.md' });
    expect(lost).toMatchObject({ verdict: 'reject', findings: [{ check: 'placeholder', layer: 1 }] });
    expect(lost.findings[0]?.location).toMatchObject({ file: 'docs/0001.md', line: 11 });
  });

  it('is shown in docs/adrs.md as it works', () => {
    const guide = readFileSync(new URL('../docs/adrs.md', import.meta.url), 'utf8');
    const [, example = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(guide) ?? [];
    expect(example).toContain("from 'helix-run'");
    const dir = scratch({
      'example.ts': example.replace("'helix-run'", `'${new URL('../src/index.ts', import.meta.url).href}'`),
      'docs/adr/007-orders.md': adr,
      'docs/concept.md': '# X\n\n## Security\n\n- Tokens are rotated every 12 hours\n- Keys lie in a vault\n',
    });
    const { status, stdout, stderr } = spawnSync(process.execPath, ['example.ts'], { cwd: dir, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(/^docs\/adr\/007-orders\.md:\d+: error concept-lost: /m);
  });

  it.each<[string, unknown[], RegExp, string]>([
    ['no text', [undefined], /the ADR is to be given as text/, 'readFileSync'],
    ['a buffer', [Buffer.from(adr)], /the ADR is to be given as text/, 'readFileSync'],
    ['no options', [adr, null], /the options are to be an object/, 'checkAdr(text, {'],
    ['a concept as a bare text', [adr, { concept: '# X' }], /concept is to be an object/, '{ concept: { text:'],
    ['an empty concept', [adr, { concept: '' }], /concept is to be an object/, '{ concept: { text:'],
    ['rules as a bare text', [adr, { rules: 'contextual_rules: []' }], /rules is to be an object/, '{ rules: { text:'],
    ['rules without a text', [adr, { rules: { path: 'x' } }], /rules is to be an object/, '{ rules: { text:'],
  ])('says what it expects when it gets %s', (_what, given, message, hint) => {
    const call = checkAdr as (...given: unknown[]) => unknown;
    expect(() => call(...given)).toThrow(
      expect.objectContaining({
        name: 'HelixError',
        code: 'usage',
        message: expect.stringMatching(message),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it('takes rules and a concept as texts, and refuses rules with errors', () => {
    const concept = {
      text: '# X\n\n## Security\n\n- Tokens are rotated every 12 hours\n- Keys lie in a vault\n- Logs hold no payload\n',
    };
    expect(checkAdr(adr, { concept }).findings.map(({ check }) => check)).toContain('concept-lost');
    const rules = (severity: string) => ({
      text: `contextual_rules:\n  - id: needs-owner\n    name: n\n    when: { content_contains: X }\n    require: { content_patterns: [{ pattern: owner }] }\n    severity: ${severity}\n    message: who owns it?\n`,
    });
    expect(checkAdr(adr, { rules: rules('error') })).toMatchObject({ verdict: 'reject' });
    expect(() => checkAdr(adr, { profile: 'zzz' as 'auto' })).toThrow(HelixError);
    expect(() => checkAdr(adr, { rules: rules('fatal') })).toThrow(/rules\.yaml:6:\d+: /);
  });
});
