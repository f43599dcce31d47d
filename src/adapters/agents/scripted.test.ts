import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePhase, UNCONFINED } from '../../../test/sample-start.ts';
import { contents, put, scratch } from '../../../test/scratch.ts';
import { ConsultantAnswer } from '../../domain/facts/consultation.ts';
import { JudgeAnswer } from '../../domain/judge/approval.ts';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Move, Script } from '../../domain/plan/script.ts';
import { FailureClass } from '../../domain/verdict.ts';
import { gateContext } from '../../gates/gate/gates.fixture.ts';
import { GATES } from '../../gates/registry.ts';
import type { CreatorTask, JudgeTask } from '../../ports/agent.ts';
import { systemClock } from '../clock.ts';
import { readVersion } from '../disk/shipped-config.ts';
import { createProcesses } from '../programs/processes.ts';
import { agentContract, type Deed } from './agent.contract.ts';
import { ScriptedAgent } from './scripted.ts';

const world = { processes: createProcesses(), clock: systemClock };

function scripted(...moves: Move[]): ScriptedAgent {
  return new ScriptedAgent({ phases: { one: moves } }, world);
}

function moveOf({ says, writes, leaves, seconds }: Deed): Move {
  return {
    ...(says !== undefined && { prints: [...says] }),
    ...(writes !== undefined && { writes }),
    ...(leaves !== undefined && { forks: leaves }),
    ...(seconds !== undefined && { sleep: seconds }),
  };
}

agentContract('the scripted agent', async (deeds) => scripted(...deeds.map(moveOf)));

function task(dir: string, change: Partial<CreatorTask> = {}): CreatorTask {
  const limits = { wallMs: 240_000, signal: new AbortController().signal, onLine: () => {} };
  const who = {
    role: 'creator',
    ...UNCONFINED,
    phase: samplePhase('one'),
    attempt: 1,
    turn: 0,
    brief: '',
    marker: `scripted-${randomUUID()}`,
  } as const;
  return { ...who, ...limits, dir, ...change };
}

describe('a move', () => {
  it('is simulated and costs what the script says, nothing by default', async () => {
    const agent = scripted({}, { cost: 1.5 });
    expect(agent).toMatchObject({ driver: 'scripted', version: readVersion(), simulated: true });
    expect(await agent.perform(task(scratch()))).toEqual({ kind: 'done', cost: { usd: 0, basis: 'simulated' } });
    expect(await agent.perform(task(scratch(), { turn: 1 }))).toMatchObject({ cost: { usd: 1.5 } });
  });

  it.each(
    FailureClass.options,
  )('that fails as %s is an interruption of that class, and costs as well', async (result) => {
    const end = await scripted({ result, cost: 2 }).perform(task(scratch()));
    expect(end).toMatchObject({ kind: 'interrupted', failure: result });
    expect(end.cost).toEqual(result === 'cancelled' ? undefined : { usd: 2, basis: 'simulated' });
  });

  it('answers with what the script says', async () => {
    const answer = { approved: true, list: [1] };
    expect(await scripted({ answer }).perform(task(scratch()))).toMatchObject({ kind: 'done', answer });
    expect(await scripted({ result: 'ok' }).perform(task(scratch()))).not.toHaveProperty('answer');
  });

  it('deletes before it writes, and writes over what is there', async () => {
    const dir = scratch({ 'old/x': 'x', both: 'old', kept: 'x', replaced: 'old' });
    await scripted({
      deletes: ['old', 'both', 'never/there', 'kept/below/it'],
      writes: { both: 'new', replaced: 'new' },
    }).perform(task(dir));
    expect(contents(dir)).toEqual({ both: 'new', kept: 'x', replaced: 'new' });
  });

  it('floods at full speed, line by line, and stops when it is stopped', async () => {
    let bytes = 0;
    const end = await scripted({ floods: 4 }).perform(task(scratch(), { onLine: (raw) => (bytes += raw.length + 1) }));
    expect(end.kind).toBe('done');
    expect(bytes).toBeGreaterThanOrEqual(4 * 1024 * 1024);
    const abort = new AbortController();
    const onLine = () => abort.abort('enough');
    const stopped = await scripted({ floods: 2000 }).perform(task(scratch(), { signal: abort.signal, onLine }));
    expect(stopped).toMatchObject({ kind: 'interrupted', failure: 'cancelled' });
  });

  it('of a phase the script does not know is the built-in one', async () => {
    const dir = scratch();
    await scripted({ writes: { x: '' } }).perform(task(dir, { phase: samplePhase('other') }));
    expect(Object.keys(contents(dir))).toEqual(['output/result.md']);
  });
});

describe('a judge', () => {
  function judge(dir: string, change: Partial<JudgeTask> = {}): JudgeTask {
    const readable = [put(scratch(), { 'empty.md': '', 'a.md': '\n \t\n  # Title\r\ntext\n' })];
    const subject = { type: 'adr', checks: ['references', 'conflicts'], inputs: ['no.md', 'empty.md', 'a.md'] };
    const limits = { wallMs: 240_000, signal: new AbortController().signal, onLine: () => {} };
    const sandbox = UNCONFINED.sandbox;
    const asked = { role: 'reviewer', turn: 0, brief: '', instructions: '', marker: `judge-${randomUUID()}` } as const;
    return { ...asked, ...limits, sandbox, dir, subject, readable, answer: JudgeAnswer, ...change };
  }

  const opinion = (message: string): JudgeAnswer => ({
    ...{ checks: [], findings: [], recommendations: [message], result: 'needs_revision', confidence: 0.5 },
  });
  const answering = (...messages: string[]): Move[] => messages.map((message) => ({ answer: opinion(message) }));
  const said = async (script: Script, change: Partial<JudgeTask> = {}) => {
    const end = await new ScriptedAgent(script, world).perform(judge(scratch(), change));
    return end.kind === 'done' ? (end.answer as JudgeAnswer).recommendations[0] : end.failure;
  };

  it('approves without a script, and quotes the first line it can read for every check', async () => {
    const end = await new ScriptedAgent({}, world).perform(judge(scratch()));
    const evidence = [{ file: 'a.md', line: 3, quote: '  # Title' }];
    expect(end).toEqual({
      kind: 'done',
      cost: { usd: 0, basis: 'simulated' },
      answer: {
        checks: ['references', 'conflicts'].map((id) => ({ id, outcome: 'pass', evidence })),
        ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.95 },
      },
    });
  });

  it('quotes nothing that lies outside of what it was given', async () => {
    const root = scratch({ secret: 'theirs', 'given/x': '' });
    symlinkSync('../secret', join(root, 'given/link'));
    const subject = { type: 'adr', checks: ['x'], inputs: ['../secret', 'link', '/etc/hostname', 'x', 'line\nfeed'] };
    const end = await new ScriptedAgent({}, world).perform(
      judge(scratch(), { subject, readable: [join(root, 'given')] }),
    );
    expect(end).toMatchObject({ answer: { checks: [{ id: 'x', outcome: 'pass', evidence: [] }] } });
  });

  it('takes its moves in turn and repeats the last one', async () => {
    const script = { roles: { reviewer: answering('one', 'two'), verifier: answering('verified') } };
    expect(await Promise.all([0, 1, 2, 9].map((turn) => said(script, { turn })))).toEqual(['one', 'two', 'two', 'two']);
    expect(await said(script, { role: 'verifier' })).toBe('verified');
  });

  it('takes the moves of its type before those of its role', async () => {
    const approvals = { adr: answering('about an ADR'), verification: answering('about a phase') };
    const script = { approvals, roles: { reviewer: answering('about anything'), consultant: answering('advice') } };
    const of = (type: string) => ({ subject: { type, checks: [], inputs: [] } });
    expect(await said(script, of('adr'))).toBe('about an ADR');
    expect(await said(script, of('code'))).toBe('about anything');
    expect(await said(script, of('constructor'))).toBe('about anything');
    expect(await said(script, { role: 'verifier', ...of('verification') })).toBe('about a phase');
    expect(await said(script, { role: 'consultant', ...of('adr') })).toBe('advice');
  });

  it('is interrupted as any other where its answer is not what was asked for', async () => {
    const answers = [
      null,
      'approved',
      [],
      { ...opinion('x'), confidence: 1.7 },
      { ...opinion('x'), result: 'Approved ' },
    ];
    for (const answer of answers) expect(await said({ roles: { reviewer: [{ answer }] } })).toBe('schema');
  });

  it('that is a consultant leaves it to a human without a script, and says that it analysed nothing', async () => {
    const ask = (script: Script) =>
      new ScriptedAgent(script, world).perform(judge(scratch(), { role: 'consultant', answer: ConsultantAnswer }));
    expect(await ask({})).toMatchObject({
      answer: { analysis: { root_cause: 'simulated: nothing was analysed' }, decision: { action: 'ask_human' } },
    });
    const analysis = { failure_summary: 'f', root_cause: 'r' };
    const decision = { action: 'retry_with_changes' };
    expect(await ask({ roles: { consultant: [{ answer: { analysis, decision } }] } })).toMatchObject({ kind: 'done' });
    expect(await ask({ roles: { consultant: [{ answer: { decision } }] } })).toMatchObject({
      ...{ kind: 'interrupted', failure: 'schema', message: expect.stringContaining('asked for: analysis: ') },
    });
  });

  it('does what its move says before it answers, and costs what it says', async () => {
    const dir = scratch();
    const script = {
      approvals: { adr: [{ writes: { 'x.json': '{}' }, cost: 0.2 }, { result: 'rate_limit' as const }] },
    };
    const agent = new ScriptedAgent(script, world);
    expect(await agent.perform(judge(dir))).toMatchObject({
      ...{ kind: 'done', answer: { result: 'approved' }, cost: { usd: 0.2 } },
    });
    expect(contents(dir)).toEqual({ 'x.json': '{}' });
    expect(await agent.perform(judge(dir, { turn: 1 }))).toMatchObject({ kind: 'interrupted', failure: 'rate_limit' });
  });

  it('writes nowhere but in its own directory', async () => {
    const task = judge(scratch());
    const [given = ''] = task.readable;
    const before = contents(given);
    const writes = { [join(given, 'a.md')]: 'bent' };
    const end = await new ScriptedAgent({ roles: { reviewer: [{ writes }] } }, world).perform(task);
    expect(end).toMatchObject({ kind: 'interrupted', failure: 'crash' });
    expect(contents(given)).toEqual(before);
  });
});

describe('nothing outside the directory is touched', () => {
  /** A directory full of ways out, and what lies beside it. */
  function trap(): { dir: string; outside: string; root: string } {
    const root = scratch({ 'outside/file': 'theirs', 'outside/deep/file': 'theirs', x: 'theirs' });
    const dir = join(root, 'work');
    mkdirSync(dir);
    symlinkSync('../outside', join(dir, 'folder'));
    symlinkSync('../outside/file', join(dir, 'link'));
    symlinkSync(join(root, 'outside'), join(dir, 'absolute'));
    return { dir, outside: join(root, 'outside'), root };
  }

  it.each([
    '../x',
    'a/../../x',
    '/etc/x',
    '..',
    '.',
    './',
    'a/..',
    '',
    'C:/x',
    'a\\..\\x',
    'nul\0byte',
    '~/x',
  ])('by writing or deleting %j: the move is refused', async (path) => {
    for (const move of [{ writes: { [path]: 'mine' } }, { deletes: [path] }]) {
      const { dir, root } = trap();
      const before = contents(root);
      const end = await scripted(move).perform(task(dir));
      expect(end).toMatchObject({ kind: 'interrupted', failure: 'crash', message: expect.stringContaining('script') });
      expect(contents(root)).toEqual(before);
    }
  });

  it.each([
    'folder/file',
    'folder/deep/file',
    'absolute/file',
    'folder/new',
    'link',
    'a/../folder/file',
  ])('by writing %s: the link gives way', async (path) => {
    const { dir, outside } = trap();
    const before = contents(outside);
    expect(await scripted({ writes: { [path]: 'mine' } }).perform(task(dir))).toMatchObject({ kind: 'done' });
    expect(contents(outside)).toEqual(before);
    expect(contents(dir)).toMatchObject({ [join(path)]: 'mine' });
  });

  it.each([
    'folder/file',
    'folder/deep',
    'absolute/file',
    'link',
    'folder',
    'folder/',
  ])('by deleting %s: at most the link goes', async (path) => {
    const { dir, outside } = trap();
    const before = contents(outside);
    expect(await scripted({ deletes: [path] }).perform(task(dir))).toMatchObject({ kind: 'done' });
    expect(contents(outside)).toEqual(before);
    expect(existsSync(join(dir, 'link'))).toBe(path !== 'link');
  });
});

describe('the built-in move satisfies the gates', () => {
  const gate = (type: string, settings: Gate['settings'] = {}): Gate => ({
    type,
    settings,
    onFailure: 'retry',
    maxRetries: 1,
  });
  const files = (...patterns: string[]) => ({ files: patterns });
  const both = [gate('files_exist'), gate('review_approved')];
  const PLANS: readonly [what: string, phase: Partial<Phase>][] = [
    ['nothing declared', {}],
    ['a directory declared', { output: { directory: 'src/main', files: [] } }],
    ['the base as directory', { output: { directory: '.', files: [] } }],
    ['files', { output: { directory: 'output', files: ['output/a.md', 'b.json', 'deep/er/c.py'] } }],
    ['a review and nothing else', { gates: both }],
    ['a review elsewhere', { gates: [gate('files_exist'), gate('review_approved', { file: './checks/r.json' })] }],
    ['only a review', { type: 'review', gates: [gate('review_approved')] }],
    ['the review among the outputs', { output: { directory: 'review', files: ['review/review.json'] }, gates: both }],
    ['the review declared without its directory', { output: { directory: 'o', files: ['review.json'] }, gates: both }],
    ['two gates with files', { gates: [gate('files_exist', files('x.md')), gate('files_exist', files('y/*.md'))] }],
    ...[
      'src/*.py',
      '**/*.md',
      'src/**/*',
      'docs/**',
      'docs/',
      '*',
      'a?c/file-??.txt',
      '{a,b}/x.{md,txt}',
      '{a,{b,c}}.md',
      'x{,y}.md',
      '[a-z][0-9].txt',
      '[!a]b.txt',
      '[^a-y]b.txt',
      '.github/*.yml',
      'a{b',
      'a[b',
      'with space/ü.md',
      './x.md',
    ].map((pattern): [string, Partial<Phase>] => [
      `the pattern ${pattern}`,
      { gates: [gate('files_exist', files(pattern))] },
    ]),
  ];

  it.each(PLANS)('of a phase with %s', async (_what, change) => {
    const phase = samplePhase('one', change);
    const dir = scratch();
    const end = await new ScriptedAgent({}, world).perform(task(dir, { phase }));
    expect(end.kind).toBe('done');
    const context = await gateContext(dir, { phase });
    for (const { type, settings } of phase.gates) {
      expect(await GATES.get(type)?.judge(settings, context)).toMatchObject({ outcome: 'pass', findings: [] });
    }
  });

  it('and leaves what is there already as it is, but for the result it has to change', async () => {
    const dir = put(scratch(), { 'src/app.py': 'print(1)\n', 'output/result.md': 'old\n' });
    const named = samplePhase('one', { output: { directory: 'src', files: ['src/app.py'] } });
    await new ScriptedAgent({}, world).perform(task(dir, { phase: named }));
    expect(contents(dir)['src/app.py']).toBe('print(1)\n');
    const any = samplePhase('one', { output: { directory: 'output', files: [] } });
    await new ScriptedAgent({}, world).perform(task(dir, { phase: any }));
    expect(contents(dir)['output/result.md']).toMatch(/^old\n.*Simulated/s);
  });

  const COMMANDS: readonly (readonly [command: unknown, runner: readonly string[]])[] = [
    [undefined, ['npm', 'test']],
    [
      ['npm', 'test'],
      ['npm', 'test'],
    ],
    ['npm test', ['npm', 'test']],
    [
      ['python3', '-m', 'unittest'],
      ['python3', '-m', 'unittest'],
    ],
    [
      ['make', 'check'],
      ['make', 'check'],
    ],
  ];

  it.each(COMMANDS)('on tests run by %j', async (command, [program = '', ...args]) => {
    const dir = scratch();
    const phase = samplePhase('one', { gates: [gate('tests_pass', command === undefined ? {} : { command })] });
    await new ScriptedAgent({}, world).perform(task(dir, { phase }));
    expect(spawnSync(program, args, { cwd: dir }).status).toBe(0);
  });

  it.each([
    [undefined, 'go.mod'],
    [undefined, 'pom.xml'],
    [['npm', 'test'], 'package.json'],
    [['./run-tests'], 'run-tests'],
  ])('and adds no tests for %j to a directory that has its own: %s', async (command, file) => {
    const dir = put(scratch(), { [file]: 'mine' });
    const gates = [gate('tests_pass', command === undefined ? {} : { command })];
    await new ScriptedAgent({}, world).perform(task(dir, { phase: samplePhase('one', { gates }) }));
    expect(contents(dir)).toEqual({ [file]: 'mine', 'output/result.md': expect.any(String) });
  });

  it('and says that it is simulated in every file', async () => {
    const names = ['a.md', 'b.json', 'c.ts', 'd.py', 'e', 'f.yaml', 'g.go', 'h.php', 'i.css', 'j.txt', 'k.html'];
    const dir = put(scratch(), {});
    await new ScriptedAgent({}, world).perform(
      task(dir, { phase: samplePhase('one', { output: { directory: '.', files: names }, gates: both }) }),
    );
    expect(Object.keys(contents(dir)).sort()).toEqual([...names, 'review.json'].sort());
    for (const text of Object.values(contents(dir))) expect(text).toMatch(/simulated/i);
  });
});
