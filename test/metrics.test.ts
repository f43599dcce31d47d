import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openUserSeal } from '../src/adapters/secrets/user-seal.ts';
import { makePlace } from '../src/cli/helix.fixture.ts';
import { type ApprovalInterruption, MarkDocument } from '../src/domain/documents/approval-document.ts';
import { MetricsDocument } from '../src/domain/documents/metrics-document.ts';
import type { ApprovalResult } from '../src/domain/judge/approval.ts';
import { sha256 } from '../src/text/digest.ts';
import { answerFor, INJECTED, injectionFound, makeRepository, QUOTE, SAFE } from './approve.fixture.ts';

const SCRIPTED = ['--agent', 'scripted'];
const DAY_MS = 86_400_000;

type Context = Partial<ApprovalResult['agent_context']>;
type Told = Partial<Omit<ApprovalResult, 'agent_context'>> & { agent_context?: Context };

/** A repository in which approvals have been made, as their files tell. */
function withApprovals(files: Readonly<Record<string, string>> = {}) {
  const repository = makeRepository({ 'README.md': '# Users\n', ...files });
  const env = { XDG_STATE_HOME: join(repository.root, 'state') };
  const seal = openUserSeal(env, repository.root);
  const helix: typeof repository.helix = (args) => repository.helix(args, { env });
  const writeSealed = (path: string, text: string) => {
    repository.write(`.helix/approvals/${path}`, text);
    repository.write(`.helix/approvals/${path}.mac`, seal.of(`helix.kept/1\0${path}`, Buffer.from(text)));
  };
  let given = 0;
  const keep = ({ agent_context: context = {}, ...told }: Told) => {
    given += 1;
    const result: ApprovalResult = {
      approval_id: `id-${given}`,
      approval_type: 'code',
      timestamp: `2026-01-01T00:00:${String(given).padStart(2, '0')}.000Z`,
      ...{ result: 'approved', confidence: 0.9, findings: [], recommendations: [] },
      agent_context: {
        model: 'm-1',
        duration_seconds: 10,
        cost_usd: 0.2,
        cost_basis: 'reported',
        simulated: false,
        ...context,
      },
      ...{
        inputs: [{ path: 'a.ts', sha256: `${given}` }],
        checks: [],
        definition_sha256: '',
        cached: false,
        stage: 'agent',
      },
      ...told,
    };
    writeSealed(`id-${given}/approval-result.json`, JSON.stringify(result));
  };
  const metrics = async (...args: string[]) => {
    const { code, out, err } = await helix(['metrics', '--format', 'json', ...args]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return MetricsDocument.parse(JSON.parse(out));
  };
  return { ...repository, helix, keep, metrics, writeSealed };
}

test('where nothing was approved yet it says so, and that is no failure', async () => {
  const { helix } = makePlace();
  expect(await helix(['metrics'])).toMatchObject({ code: 0, out: 'no approval yet\n' });
  const { targets, total } = MetricsDocument.parse(JSON.parse((await helix(['metrics', '--json'])).out));
  expect(targets.map(({ outcome }) => outcome)).toEqual(Array(6).fill('no data'));
  expect(total.approvals).toBe(0);
});

test('approved at once and approved in the end are told apart, by subject', async () => {
  const { keep, metrics } = withApprovals();
  keep({ result: 'rejected' });
  keep({ result: 'needs_revision' });
  keep({});
  keep({ inputs: [{ path: 'b.ts', sha256: 'b' }] });
  const { total } = await metrics();
  expect(total).toMatchObject({ approvals: 4, approved: 2, needsRevision: 1, rejected: 1, subjects: 2 });
  expect(total).toMatchObject({ firstPass: 0.5, final: 1 });
});

test('times are those of judges that were asked: the median, and what 19 of 20 stay below', async () => {
  const { keep, metrics } = withApprovals();
  for (const duration_seconds of [10, 20, 30, 80]) keep({ agent_context: { duration_seconds } });
  keep({ cached: true, agent_context: { duration_seconds: 0.1, cost_usd: 0 } });
  keep({ stage: 'pre_check', result: 'rejected', agent_context: { duration_seconds: 0.2, cost_usd: 0 } });
  const { total, targets } = await metrics();
  expect(total).toMatchObject({ seconds: { median: 25, p95: 80 }, cached: 1, preCheckRejections: 1 });
  expect(targets).toMatchObject([
    { name: 'time', value: 80, outcome: 'not met' },
    { name: 'cost', value: 0.2, outcome: 'met' },
    { name: 'coverage', outcome: 'no data' },
    { name: 'pre_checks', value: 0.2, outcome: 'met' },
    { name: 'false_positives', outcome: 'no data' },
    { name: 'false_negatives', outcome: 'no data' },
  ]);
});

test('what is known, estimated and unknown of the cost is never mixed', async () => {
  const { keep, metrics, writeSealed } = withApprovals();
  keep({});
  keep({ agent_context: { cost_basis: 'estimated', cost_usd: 0.5, model: 'm-2' }, approval_type: 'adr' });
  const { cost_usd: _, ...unknown } = { cost_usd: 0, model: 'm-2', duration_seconds: 1, simulated: false };
  keep({ agent_context: { ...unknown, cost_basis: 'unknown' } });
  const cut: ApprovalInterruption = {
    ...{ approval_id: 'x', approval_type: 'code', timestamp: '2026-01-01T00:00:00.000Z', failure: 'timeout_wall' },
    ...{ message: 'late', agent: 'default', model: 'm-1', simulated: false, duration_seconds: 300 },
    cost: { usd: 0.1, basis: 'reported' },
  };
  writeSealed('x/interruption-1.json', JSON.stringify(cut));
  const { types, models, interruptions } = await metrics();
  expect(types.map(({ type, cost }) => [type, cost.reportedUsd, cost.estimatedUsd])).toEqual([
    ['adr', 0, 0.5],
    ['code', 0.5, 0],
  ]);
  expect(models.map(({ model, cost }) => [model, cost.reportedUsd, cost.estimatedUsd])).toEqual([
    ['m-1', 0.30000000000000004, 0],
    ['m-2', 0.2, 0.5],
  ]);
  expect(interruptions).toEqual([{ failure: 'timeout_wall', count: 1 }]);
});

test('an ADR counts as approved as long as it says what was approved', async () => {
  const adr = '# 1. One\n';
  const { keep, metrics, write } = withApprovals({ 'docs/adr/0001-one.md': adr, 'docs/adr/0002-two.md': '# 2. Two\n' });
  const about = (path: string, text: string): Told => ({
    approval_type: 'adr',
    inputs: [{ path, sha256: sha256(text) }],
  });
  keep(about('docs/adr/0001-one.md', adr));
  keep({ ...about('docs/adr/0002-two.md', '# 2. Two\n'), result: 'rejected' });
  expect((await metrics()).adrs).toMatchObject({
    total: 2,
    approved: 1,
    share: 0.5,
    unapproved: ['docs/adr/0002-two.md'],
  });
  keep(about('docs/adr/0002-two.md', '# 2. Two\n'));
  expect((await metrics()).targets[2]).toMatchObject({ name: 'coverage', value: 1, outcome: 'met' });
  write('docs/adr/0001-one.md', `${adr}\nAnd more.\n`);
  expect((await metrics()).adrs).toMatchObject({ approved: 1, unapproved: ['docs/adr/0001-one.md'] });
});

test('a finding that outlived two attempts to mend it is stuck; asking thrice about the same is no attempt', async () => {
  const { keep, metrics } = withApprovals();
  const findings = [{ severity: 'error', check: 'security', message: 'injection', fingerprint: 'f' } as const];
  const same = { findings: [...findings], result: 'rejected', inputs: [{ path: 'b.ts', sha256: 'b' }] } as const;
  for (let n = 0; n < 3; n += 1) keep({ ...same, findings: [...findings], inputs: [...same.inputs] });
  expect((await metrics()).stuck).toEqual([]);
  for (let n = 0; n < 3; n += 1) keep({ findings: [...findings], result: 'rejected' });
  expect((await metrics()).stuck).toMatchObject([{ type: 'code', check: 'security', fingerprint: 'f', verdicts: 3 }]);
});

test('what is simulated is left out as soon as there is anything real', async () => {
  const { keep, metrics, helix } = withApprovals();
  keep({ agent_context: { simulated: true, cost_basis: 'simulated', cost_usd: 0 } });
  expect(await metrics()).toMatchObject({ simulated: true, simulatedLeftOut: 0, total: { approvals: 1 } });
  expect((await helix(['metrics'])).out).toContain('simulated: nothing here was judged by a real agent');
  keep({ result: 'rejected' });
  expect(await metrics()).toMatchObject({
    simulated: false,
    simulatedLeftOut: 1,
    total: { approvals: 1, rejected: 1 },
  });
});

test('only what happened since a day is counted', async () => {
  const { keep, metrics, helix } = withApprovals();
  keep({ timestamp: '2026-01-31T23:59:59.000Z' });
  keep({ timestamp: '2026-02-01T00:00:00.000Z' });
  keep({ timestamp: new Date(Date.now() - DAY_MS).toISOString() });
  expect((await metrics('--since', '2026-02-01')).total.approvals).toBe(2);
  expect((await metrics('--since', '7d')).total.approvals).toBe(1);
  for (const day of ['2026-02-30', 'yesterday', '7', '-1d', '']) {
    expect(await helix(['metrics', `--since=${day}`])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/is not a day/),
    });
  }
  expect(await helix(['metrics', '--format', 'xml'])).toMatchObject({ code: 2 });
});

test('what cannot be read is named, and the rest is counted', async () => {
  const { keep, metrics, writeSealed } = withApprovals();
  keep({});
  writeSealed('broken/approval-result.json', '{');
  writeSealed('foreign/approval-result.json', '{"result":"approved"}');
  const { total, unreadable } = await metrics();
  expect(total.approvals).toBe(1);
  expect(unreadable.map(({ name, why }) => `${name}: ${why}`)).toEqual([
    '.helix/approvals/broken/approval-result.json: it is not JSON',
    '.helix/approvals/foreign/approval-result.json: it is not in the format of HELIX',
  ]);
});

test('what was not made here is left out and counted: put there, changed since, copied or sealed by somebody else', async () => {
  const adr = '# 1. One\n';
  const { keep, metrics, helix, write, read, root } = withApprovals({ 'docs/adr/0001-one.md': adr });
  keep({});
  keep({ approval_type: 'adr', inputs: [{ path: 'docs/adr/0001-one.md', sha256: sha256(adr) }] });
  const own = '.helix/approvals/id-2/approval-result.json';
  const [text, mac] = [read(own), read(`${own}.mac`)];
  expect(await metrics()).toMatchObject({ total: { approvals: 2 }, adrs: { approved: 1 }, unreadable: [] });
  const put = (id: string, said: string, seal?: string) => {
    write(`.helix/approvals/${id}/approval-result.json`, said);
    if (seal !== undefined) write(`.helix/approvals/${id}/approval-result.json.mac`, seal);
  };
  put('ffff', text);
  put('copied', text, mac);
  put('empty', text, '');
  put('id-2', text.replace('0.9', '0.95'), mac);
  const strange = openUserSeal({ XDG_STATE_HOME: join(root, 'elsewhere') }, root);
  put('strange', text, strange.of('helix.kept/1\0strange/approval-result.json', Buffer.from(text)));
  const { total, adrs, unreadable } = await metrics();
  expect({ total, adrs }).toMatchObject({ total: { approvals: 1 }, adrs: { approved: 0 } });
  expect(unreadable).toEqual([{ name: '.helix/approvals', why: '5 files not made here' }]);
  expect((await helix(['metrics'])).out).toContain('Left out\n  .helix/approvals: 5 files not made here\n');
});

test('approvals made by the command are counted, with their free checks and interruptions', async () => {
  const { helix, write, metrics, script } = withApprovals({ 'src/db.ts': SAFE });
  const approve = async (...args: string[]) =>
    (await helix(['approve', 'code', 'src/db.ts', ...SCRIPTED, ...args])).code;
  expect(await approve()).toBe(0);
  write('src/db.ts', INJECTED);
  const moves = [{ result: 'crash', cost: 0.1 } as const, { answer: injectionFound(), cost: 0.2 }];
  expect(await approve('--script', script(moves))).toBe(1);
  write('src/db.ts', 'export function (\n');
  expect(await approve()).toBe(1);
  const { total, interruptions, simulated, types } = await metrics();
  expect(simulated).toBe(true);
  expect(total).toMatchObject({ approvals: 3, approved: 1, rejected: 2, cached: 0, preCheckRejections: 1 });
  expect(total).toMatchObject({ subjects: 1, firstPass: 1, final: 0, interruptions: 1 });
  expect(types[0]?.cost.simulatedUsd).toBeCloseTo(0.3);
  expect(interruptions).toEqual([{ failure: 'crash', count: 1 }]);
  expect((await helix(['metrics'])).out).toMatch(/^ {2}code +3 +100 % +0 %/m);
});

const PLAN = {
  project: { name: 'metrics' },
  workspace: 'phase-dirs',
  phases: [
    {
      id: 'write',
      type: 'development',
      output: { files: ['db.ts'] },
      quality_gate: { type: 'approval', approval_type: 'code', files: ['db.ts'] },
    },
  ],
};

test('approvals of runs are counted by phase, beside what the work itself cost', async () => {
  const { helix, write, metrics } = withApprovals();
  write('phases.yaml', JSON.stringify(PLAN));
  const script = {
    phases: {
      write: [
        { writes: { 'db.ts': INJECTED }, cost: 1 },
        { writes: { 'db.ts': SAFE }, cost: 2 },
      ],
    },
    roles: {
      reviewer: [
        { answer: injectionFound('db.ts', QUOTE), cost: 0.25 },
        { answer: answerFor('db.ts', SAFE.trim().split('\n')[0] ?? ''), cost: 0.25 },
      ],
    },
  };
  write('scripted.yaml', JSON.stringify(script));
  const run = await helix(['run', '--agent', 'scripted', '--trust']);
  expect(run).toMatchObject({ code: 0 });
  const { runs, phases, total } = await metrics();
  expect(runs).toBe(1);
  expect(total).toMatchObject({ approvals: 2, approved: 1, rejected: 1, firstPass: 0, final: 1 });
  expect(phases).toMatchObject([
    { phase: 'write', approvals: 2, attempts: 2, cost: { simulatedUsd: 0.5 }, work: { simulatedUsd: 3 } },
  ]);
});

test('an approval phase of a simulated run is simulated too, and laying out what it judges is no work', async () => {
  const { helix, write, metrics } = withApprovals();
  const [writing] = PLAN.phases;
  const plain = { ...writing, quality_gate: { type: 'files_exist' } };
  const judging = { id: 'judge', type: 'approval', approval_type: 'code', input: ['db.ts'] };
  write('phases.yaml', JSON.stringify({ ...PLAN, phases: [plain, { ...judging, depends_on: 'write' }] }));
  write('scripted.yaml', JSON.stringify({ phases: { write: [{ writes: { 'db.ts': SAFE }, cost: 1 }] } }));
  expect(await helix(['run', '--agent', 'scripted', '--trust'])).toMatchObject({ code: 0 });
  expect(await metrics()).toMatchObject({
    ...{ simulated: true, simulatedLeftOut: 0, total: { approvals: 1, approved: 1 } },
    phases: [
      { phase: 'judge', approvals: 1, attempts: 0 },
      { phase: 'write', approvals: 0, attempts: 1, work: { simulatedUsd: 1 } },
    ],
  });
});

test('verdicts that people marked as wrong are rates with intervals beside the aims; what nobody marked counts as right', async () => {
  const { keep, metrics, helix } = withApprovals();
  for (let n = 0; n < 40; n += 1) keep({});
  for (let n = 0; n < 10; n += 1) keep({ result: n === 0 ? 'needs_revision' : 'rejected' });
  expect((await metrics()).targets.slice(4)).toMatchObject([{ outcome: 'no data' }, { outcome: 'no data' }]);
  const marked = await helix([
    'approve',
    'mark',
    'id-41',
    'false-positive',
    '--note',
    'the query is constant',
    '--json',
  ]);
  expect(marked).toMatchObject({ code: 0, err: '' });
  expect(MarkDocument.parse(JSON.parse(marked.out))).toEqual({
    ...{ schema: 'helix.approval-mark/1', approval: 'id-41', as: 'false-positive', note: 'the query is constant' },
    ...{ approval_type: 'code', result: 'needs_revision' },
  });
  expect((await helix(['approve', 'mark', 'id-1', 'missed'])).code).toBe(0);
  expect((await metrics()).targets.slice(4)).toMatchObject([
    { name: 'false_positives', happened: 1, trials: 40, value: 0.025, outcome: 'not known yet' },
    { name: 'false_negatives', happened: 1, trials: 10, value: 0.1, outcome: 'not met' },
  ]);
  const { out } = await helix(['metrics']);
  expect(out).toMatch(
    /^ {2}objections to work that was right +< 5 % +2\.5 % \(0\.4 to 12\.9 %\), 1 of 40 +not known yet$/m,
  );
  expect(out).toMatch(/^ {2}approvals of work that was not +< 1 % +10 % \(1\.8 to 40\.4 %\), 1 of 10 +not met$/m);
  expect(out).toContain('helix approve mark');
});

test('a later mark takes the place of an earlier one, and a mark must fit its verdict', async () => {
  const { keep, metrics, helix } = withApprovals();
  keep({});
  keep({ result: 'rejected' });
  const mark = (...args: string[]) => helix(['approve', 'mark', ...args]);
  expect(await mark('id-2', 'missed')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/id-2 was rejected, so it let nothing pass.*\n.*false-positive/s),
  });
  expect(await mark('id-1', 'false-positive')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/id-1 was approved/),
  });
  expect(await mark('id-3', 'missed')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/there is no approval "id-3".*id-2 \(code, rejected/s),
  });
  expect(await mark('id-1', 'wrong')).toMatchObject({ code: 2, err: expect.stringMatching(/false-positive, missed/) });
  expect(await mark('id-1', 'missed', '--note', '')).toMatchObject({ code: 2 });
  expect((await mark('id-1', 'missed', '--note', 'first')).out).toBe('');
  expect((await mark('id-1', 'missed', '--note', 'second')).err).toContain('id-1 (code, approved) is marked as missed');
  expect((await metrics()).targets[5]).toMatchObject({ happened: 1, trials: 2 });
});

test('a mark that was put there by somebody else does not count', async () => {
  const { keep, metrics, write } = withApprovals();
  keep({});
  const forged = { approval: 'id-1', as: 'missed', actor: 'x', timestamp: '2026-01-01T00:00:00.000Z' };
  write('.helix/approvals/id-1/mark.json', JSON.stringify(forged));
  expect(await metrics()).toMatchObject({ unreadable: [{ name: '.helix/approvals', why: '1 file not made here' }] });
  expect((await metrics()).targets[5]).toMatchObject({ outcome: 'no data' });
});

test('a verdict of a run is marked in its journal, after the run has ended, too', async () => {
  const { helix, write, metrics, dir } = withApprovals();
  write('phases.yaml', JSON.stringify(PLAN));
  const answer = answerFor('db.ts', SAFE.trim().split('\n')[0] ?? '');
  const script = { phases: { write: [{ writes: { 'db.ts': SAFE } }] }, roles: { reviewer: [{ answer }] } };
  write('scripted.yaml', JSON.stringify(script));
  expect(await helix(['run', '--agent', 'scripted', '--trust'])).toMatchObject({ code: 0 });
  const status = JSON.parse((await helix(['status', '--json'])).out);
  const [id = ''] = readdirSync(join(dir, '.helix/runs', status.run, 'approvals'));
  expect((await helix(['approve', 'mark', id.slice(0, 6), 'missed', '--note', 'ZEBRA-7'])).err).toContain(
    'is marked as missed',
  );
  expect((await metrics()).targets[5]).toMatchObject({ name: 'false_negatives', happened: 1, trials: 1 });
  expect((await helix(['logs'])).out).toMatch(/marked missed by .*: ZEBRA-7/);
  expect(JSON.parse((await helix(['status', '--json'])).out)).toEqual(status);
});
