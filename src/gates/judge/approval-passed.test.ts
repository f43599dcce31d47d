import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFifo, put, scratch } from '../../../test/scratch.ts';
import { listDirectory } from '../../adapters/trees/directory-tree.ts';
import { TreeStore } from '../../adapters/trees/tree-store.ts';
import type { ApprovalResult } from '../../domain/judge/approval.ts';
import { sha256 } from '../../text/digest.ts';
import { approvalResult, approver, gateContext, given, said } from '../gate/gates.fixture.ts';
import { approvalPassed } from './approval-passed.ts';

const ADR = '# ADR-1\n';
const RESULT = approvalResult({ inputs: [{ path: 'output/ADR-1.md', sha256: sha256(ADR) }] });
const FILE = 'output/approval-result.json';

type Case = {
  readonly dir: string;
  readonly onRecord?: readonly ApprovalResult[];
  readonly outputs?: readonly string[];
  readonly inputs?: Record<string, string>;
  readonly settings?: { result_file?: string };
  readonly base?: string;
};

async function judge({ dir, onRecord = [RESULT], outputs = [FILE], inputs: files = {}, settings = {}, base }: Case) {
  const { input, inputs } = given(files);
  const before = base && (await new TreeStore(scratch()).capture(base, await listDirectory(base)));
  const asked = approver({}, { given: onRecord.map((result) => ({ result, outputs })), inputs });
  const context = await gateContext(dir, { input, approver: asked, ...(before && { base: before }) });
  return said(await approvalPassed.judge(settings, context));
}

const tree = (text: string, more: Record<string, string> = {}) => scratch({ [FILE]: text, ...more });

describe('a result that is on record', () => {
  const text = JSON.stringify(RESULT, undefined, 2);

  it('passes while what it judged is the same, here or among what was given', async () => {
    expect(await judge({ dir: tree(text, { 'output/ADR-1.md': ADR }) })).toEqual(['pass']);
    expect(await judge({ dir: tree(text), inputs: { 'input/output/ADR-1.md': ADR } })).toEqual(['pass']);
  });

  it('passes however its keys are ordered', async () => {
    const turned = JSON.stringify(Object.fromEntries(Object.entries(RESULT).reverse()));
    expect(await judge({ dir: tree(turned) })).toEqual(['pass']);
  });

  it('passes where the record has a field without a value', async () => {
    const onRecord = [{ ...RESULT, unsure: undefined } as never];
    expect(await judge({ dir: tree(text), onRecord })).toEqual(['pass']);
  });

  it('is found where it was given, where results lie, or anywhere, and by its name', async () => {
    const inputs = { 'input/ok/output/approval-result.json': text };
    expect(await judge({ dir: scratch({ 'old/approval-result.json': '{}' }), inputs })).toEqual(['pass']);
    expect(await judge({ dir: tree(text, { 'old/approval-result.json': '{}' }) })).toEqual(['pass']);
    const deep = 'deep/er/approval-result.json';
    expect(await judge({ dir: scratch({ [deep]: text }), outputs: [deep] })).toEqual(['pass']);
    const settings = { result_file: 'verdict.json' };
    const outputs = ['output/verdict.json'];
    expect(await judge({ dir: scratch({ 'output/verdict.json': text }), outputs, settings })).toEqual(['pass']);
    const given = { dir: scratch(), inputs: { 'input/ok/output/verdict.json': text }, outputs, settings };
    expect(await judge(given)).toEqual(['pass']);
  });

  it('is void when what it judged has changed (S6)', async () => {
    const changed = ['reject', 'error: output/ADR-1.md is no longer what was approved'];
    expect(await judge({ dir: tree(text, { 'output/ADR-1.md': `${ADR}more` }) })).toEqual(changed);
    expect(await judge({ dir: tree(text), inputs: { 'input/output/ADR-1.md': 'other' } })).toEqual(changed);
    const both = { dir: tree(text, { 'output/ADR-1.md': ADR }), inputs: { 'output/ADR-1.md': 'other' } };
    expect(await judge(both)).toEqual(changed);
  });

  it('is void when what it judged was removed', async () => {
    const base = scratch({ 'output/ADR-1.md': ADR });
    expect(await judge({ dir: tree(text), base })).toEqual(['reject', 'error: output/ADR-1.md is gone']);
  });

  it('of two files of one name each must be what was approved (S2)', async () => {
    const two = approvalResult({
      inputs: ['a', 'b'].map((folder) => ({ path: `${folder}/x.md`, sha256: sha256(folder) })),
    });
    const files = (b: string) => tree(JSON.stringify(two), { 'a/x.md': 'a', 'b/x.md': b });
    expect(await judge({ dir: files('b'), onRecord: [two] })).toEqual(['pass']);
    expect((await judge({ dir: files('a'), onRecord: [two] }))[0]).toBe('reject');
  });

  it.each(['rejected', 'needs_revision'] as const)('does not pass when it is %s', async (result) => {
    const refused = approvalResult({ result });
    expect(await judge({ dir: tree(JSON.stringify(refused)), onRecord: [refused] })).toEqual([
      'reject',
      `error: the approval a-1 is ${result}`,
    ]);
  });
});

describe('a result that somebody else wrote', () => {
  it.each<[string, Partial<Record<keyof ApprovalResult, unknown>>, RegExp]>([
    ['never given (S6)', { approval_id: 'a-2' }, /the approval a-2 is not on record/],
    ['with a verdict turned round (S6)', { result: 'approved' }, /was edited/],
    ['with other inputs (S6)', { inputs: [] }, /was edited/],
    ['with more confidence (S7)', { confidence: 1 }, /was edited/],
    ['without its findings (S8)', { findings: [] }, /was edited/],
    ['with an enum nobody knows (S20)', { result: 'Approved ' }, /is not an approval result: result: /],
    ['with confidence in words (R4)', { confidence: 'high' }, /is not an approval result: confidence: /],
    ['with confidence above one (R4)', { confidence: 1.7 }, /is not an approval result: confidence: /],
    ['with findings null (R4)', { findings: null }, /is not an approval result: findings: /],
    [
      'with a severity nobody knows',
      { findings: [{ severity: 'critical' }] },
      /is not an approval result: findings\.0/,
    ],
    ['without inputs', { inputs: undefined }, /is not an approval result: inputs: /],
    ['with a key of its own', { nonce: 'x' } as never, /is not an approval result: /],
  ])('%s rejects', async (_what, change, why) => {
    const fingerprint = 'f';
    const findings = [{ severity: 'warning' as const, check: 'c', message: 'm', fingerprint }];
    const real = approvalResult({ result: 'needs_revision', confidence: 0.4, inputs: RESULT.inputs, findings });
    const [outcome, message] = await judge({ dir: tree(JSON.stringify({ ...real, ...change })), onRecord: [real] });
    expect([outcome, message]).toEqual(['reject', expect.stringMatching(why)]);
  });

  it.each([
    ['no JSON', 'approved', /is not JSON/],
    ['nothing', '', /is not JSON/],
    ['a list (R4)', JSON.stringify([RESULT]), /is not an approval result: the document/],
    ['null', 'null', /is not an approval result/],
    ['10 MB', JSON.stringify({ ...RESULT, recommendations: ['x'.repeat(10_000_000)] }), /is larger than 4 MB/],
  ])('%s rejects', async (_what, text, why) => {
    const [outcome, message] = await judge({ dir: tree(text) });
    expect([outcome, message]).toEqual(['reject', expect.stringMatching(why)]);
  });

  it('a stale one from before is not on record any more (S5)', async () => {
    const [, message] = await judge({ dir: tree(JSON.stringify(RESULT)), onRecord: [] });
    expect(message).toMatch(/a-1 is not on record: it was never given in this run, or what it judged has changed/);
  });

  it('of several each must be on record', async () => {
    const dir = tree(JSON.stringify(RESULT), {
      'approval-result.json': JSON.stringify(approvalResult({ approval_id: 'b' })),
    });
    expect(await judge({ dir })).toEqual(['reject', expect.stringMatching(/the approval b is not on record/)]);
  });
});

describe('the result of another approval', () => {
  const text = JSON.stringify(RESULT);
  const outputs = ['output/tone.json'];
  const settings = { result_file: 'output/law.json' };
  const copied = (path: string) => [
    'reject',
    `error: ${path} is a copy: the approval a-1 of type adr was never written there`,
  ];

  it('does not count where a phase copied it to, in its tree or over what it was given', async () => {
    const dir = scratch({ 'output/law.json': text, 'output/tone.json': text });
    expect(await judge({ dir, outputs, settings })).toEqual(copied('output/law.json'));
    const over = scratch({ 'input/law.json': text });
    const named = { result_file: 'input/law.json' };
    expect(await judge({ dir: over, outputs, settings: named })).toEqual(copied('input/law.json'));
  });

  it('does not count as an input under a name it was not written to', async () => {
    const inputs = { 'input/copy/output/law.json': text };
    expect(await judge({ dir: scratch(), inputs, outputs, settings })).toEqual(copied('input/copy/output/law.json'));
    const ending = {
      dir: scratch(),
      inputs: { 'input/half-tone.json': text },
      settings: { result_file: 'half-tone.json' },
    };
    expect(await judge({ ...ending, outputs })).toEqual(copied('input/half-tone.json'));
  });

  it('does not count where the plan names no file, and one that was written nowhere never does', async () => {
    expect(await judge({ dir: tree(text), outputs })).toEqual(copied(FILE));
    expect(await judge({ dir: tree(text), outputs: [] })).toEqual(copied(FILE));
  });

  it('counts as an input under the whole or the end of the path it was written to', async () => {
    for (const path of ['input/tone.json', 'input/output/tone.json', 'input/tone/output/tone.json']) {
      const inputs = { [path]: text };
      const named = { result_file: 'tone.json' };
      expect(await judge({ dir: scratch(), inputs, outputs, settings: named })).toEqual(['pass']);
    }
  });
});

describe('what is no file', () => {
  const settings = { result_file: FILE };

  it('a missing one rejects, named or not (S3)', async () => {
    expect(await judge({ dir: scratch() })).toEqual(['reject', 'error: there is no approval-result.json']);
    expect(await judge({ dir: scratch(), settings })).toEqual(['reject', `error: ${FILE} is missing`]);
  });

  it('a directory, a FIFO or a link out of the phase rejects (S5)', async () => {
    const outside = join(scratch({ 'result.json': JSON.stringify(RESULT) }), 'result.json');
    const make: ((path: string) => void)[] = [
      (path) => mkdirSync(path),
      (path) => put(path, { 'x.json': JSON.stringify(RESULT) }),
      makeFifo,
      (path) => symlinkSync(outside, path),
      (path) => symlinkSync('/dev/zero', path),
      (path) => symlinkSync('nowhere.json', path),
    ];
    for (const each of make) {
      const dir = scratch({ 'output/a.md': 'a' });
      each(join(dir, FILE));
      expect((await judge({ dir, settings }))[0]).toBe('reject');
      expect((await judge({ dir }))[0]).toBe('reject');
    }
  });
});

it('where nobody keeps a record it is a matter of set-up', async () => {
  const context = await gateContext(tree(JSON.stringify(RESULT)));
  expect(said(await approvalPassed.judge({}, context))[0]).toBe('setup');
});
