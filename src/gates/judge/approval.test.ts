import { describe, expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { put, scratch } from '../../../test/scratch.ts';
import type { Approver } from '../../approval/approver.ts';
import { approver, gateContext, given, said } from '../gate/gates.fixture.ts';
import { approval } from './approval.ts';
// The gate starts a program that has this file: imported, so that these tests run again when it changes.
import '../../text/syntax/check-syntax.ts';

type Asked = ReturnType<typeof approver>;
const finding = (severity: 'error' | 'warning' | 'info', message: string) =>
  ({ severity, check: 'security', message, fingerprint: `f-${message}` }) as const;

/** Judges a tree of these files with an approver, as the engine does: the gate's type is not among its settings. */
async function judge(
  asked: Approver | undefined,
  settings: Record<string, unknown> = {},
  files: Record<string, string> = { 'output/a.txt': 'a' },
) {
  const change = asked === undefined ? {} : { approver: asked };
  return approval.judge({ approval_type: 'security', ...settings }, await gateContext(scratch(files), change));
}

/** The same in an approval phase that was given files. */
async function judgeGiven(
  asked: Asked,
  files: Record<string, string>,
  { settings = {}, own = {} }: { settings?: Record<string, unknown>; own?: Record<string, string> } = {},
) {
  const { input, inputs } = given(files);
  const context = await gateContext(scratch(own), {
    phase: samplePhase('ok', { type: 'approval' }),
    input,
    approver: { ...asked, inputs },
  });
  return approval.judge({ approval_type: 'security', ...settings }, context);
}

describe('what an approval means for its gate', () => {
  it.each([
    ['approved', {}, 'pass'],
    ['needs_revision', {}, 'revise'],
    ['rejected', {}, 'reject'],
    ['approved', { required_result: 'needs_revision' }, 'pass'],
    ['needs_revision', { required_result: 'needs_revision' }, 'pass'],
    ['rejected', { required_result: 'needs_revision' }, 'reject'],
  ] as const)('%s with %j: %s', async (result, settings, outcome) => {
    expect(said(await judge(approver({ result }), settings))).toEqual([outcome]);
  });

  it('an error finding outweighs an approval, and needs_revision that would do (S8, R4)', async () => {
    const findings = [finding('error', 'sql from the address')];
    for (const result of ['approved', 'needs_revision'] as const) {
      expect(said(await judge(approver({ result, findings }), { required_result: 'needs_revision' }))).toEqual([
        'reject',
        'error: sql from the address',
      ]);
    }
  });

  it.each<[string, Parameters<typeof approver>[0]]>([
    ['did not answer a check', { checks: [{ id: 'owasp', sha256: '', outcome: 'unanswered' }] }],
    [
      'names an error that cannot be looked up',
      { findings: [{ ...finding('warning', 'w'), check: 'unproven-error' }] },
    ],
    ['found nothing to check', { findings: [{ ...finding('warning', 'w'), check: 'nothing-checked' }] }],
    ['is not sure of what is wrong', { findings: [{ ...finding('warning', 'w'), check: 'unsure-opinion' }] }],
  ])('a judge who %s has no opinion that needs_revision lets pass', async (_, change) => {
    const asked = approver({ result: 'needs_revision', ...change });
    expect(await judge(asked, { required_result: 'needs_revision' })).toMatchObject({ outcome: 'revise' });
  });

  it('an approval with less confidence than the gate asks for does not pass (S7, R4)', async () => {
    const unsure = approver({ confidence: 0.1 });
    expect(await judge(unsure, { required_confidence: 0.8 })).toMatchObject({ outcome: 'revise', unsure: true });
    expect(unsure.asked[0]?.requiredConfidence).toBe(0.8);
    expect(said(await judge(unsure, { required_confidence: 0.1 }))).toEqual(['pass']);
  });

  it('a judge who is not sure is told on, unless the gate passes', async () => {
    const unsure = approver({ result: 'needs_revision', unsure: true });
    expect(await judge(unsure)).toMatchObject({ outcome: 'revise', unsure: true });
    expect(await judge(unsure, { required_result: 'needs_revision' })).not.toHaveProperty('unsure');
    const found = { findings: [finding('error', 'e')] };
    expect(await judge(approver({ result: 'rejected', unsure: true, ...found }))).not.toHaveProperty('unsure');
  });

  it('findings keep their place, hint and fingerprint, and recommendations are infos', async () => {
    const places = ['src/a.ts:12:3', 'src/a.ts:12', 'a.ts', 'c:d:0', ''];
    const findings = places.map((location) => ({ ...finding('warning', location), location, hint: 'h' }));
    const answer = await judge(approver({ findings, recommendations: ['shorter'] }));
    expect(answer).toMatchObject({
      outcome: 'pass',
      findings: [
        {
          check: 'security',
          hint: 'h',
          fingerprint: 'f-src/a.ts:12:3',
          location: { file: 'src/a.ts', line: 12, column: 3 },
        },
        { location: { file: 'src/a.ts', line: 12 } },
        { location: { file: 'a.ts' } },
        { location: { file: 'c:d' } },
        {},
        { severity: 'info', check: 'recommendation', message: 'shorter' },
      ],
    });
    expect(answer.kind === 'judged' && answer.findings[4]).not.toHaveProperty('location');
  });

  it('an interruption is handed on and is no opinion (R1)', async () => {
    const cut = { kind: 'interrupted', failure: 'timeout_wall', message: 'after 300 s' } as const;
    expect(await judge(approver(cut))).toEqual(cut);
  });

  it('a result HELIX does not know makes the gate break down, not pass (S20)', async () => {
    const odd = approver();
    const ask: Approver['ask'] = async (request) => {
      const answer = await odd.ask(request);
      return JSON.parse(JSON.stringify(answer).replace('"approved"', '"Approved "')) as typeof answer;
    };
    expect(said(await judge({ ...odd, ask }))[0]).toBe('crash');
  });

  it('where nobody can be asked it says what to do', async () => {
    expect(said(await judge(undefined))).toEqual([
      'setup',
      'this gate asks an agent; use helix approve, or run the plan',
    ]);
  });
});

describe('what a judge is asked about', () => {
  it('the settings of the gate go with the question', async () => {
    const asked = approver();
    const settings = { files: ['a.txt'], diff: 'main', checks: ['owasp'], model: 'm', timeout: 60 };
    await judge(asked, { ...settings, required_confidence: 0.7 });
    expect(asked.asked).toEqual([
      {
        type: 'security',
        role: 'reviewer',
        files: ['output/a.txt'],
        found: [],
        diff: 'main',
        checks: ['owasp'],
        model: 'm',
        timeoutSeconds: 60,
        requiredConfidence: 0.7,
      },
    ]);
  });

  it('files of one name in two folders are both judged (S2, R5)', async () => {
    const asked = approver();
    const files = { 'output/a/__init__.py': 'a = 1\n', 'output/b/__init__.py': 'b = 1\n' };
    await judge(asked, { files: ['**/__init__.py'] }, files);
    expect(asked.asked[0]?.files).toEqual(Object.keys(files));
  });

  it('a file that is not there rejects, and no judge is asked about the rest (S3, R5)', async () => {
    const asked = approver();
    const settings = { files: ['a.txt', 'b.txt', 'src/*.ts', 'deep'] };
    expect(said(await judge(asked, settings, { 'output/a.txt': 'a', 'output/deep/c.txt': 'c' }))).toEqual([
      'reject',
      'error: b.txt is missing',
      'error: src/*.ts is missing',
      'error: deep is a directory, not a file',
    ]);
    expect(asked.asked).toEqual([]);
  });

  it('without files it is what the phase declares or, where it declares nothing, what it changed', async () => {
    const asked = approver();
    await judge(asked, {}, { 'output/a.txt': 'a', 'b.txt': 'b' });
    expect(asked.asked[0]?.files).toEqual(['output/a.txt']);
    const dir = scratch({ 'b.txt': 'b' });
    const phase = samplePhase('one', { output: { directory: 'output', files: ['b.txt', 'c.txt'] } });
    const settings = { approval_type: 'security' };
    expect(said(await approval.judge(settings, await gateContext(dir, { phase, approver: asked })))).toEqual([
      'reject',
      'error: c.txt is missing',
    ]);
    put(dir, { 'c.txt': 'c' });
    await approval.judge(settings, await gateContext(dir, { phase, approver: asked }));
    expect(asked.asked[1]?.files).toEqual(['b.txt', 'c.txt']);
  });

  it('an approval phase judges all it was given, by where the judge sees it', async () => {
    const asked = approver();
    await judgeGiven(asked, { 'input/output/a.md': 'a', 'input/b.md': 'b' });
    expect(asked.asked[0]?.files).toEqual(['input/output/a.md', 'input/b.md']);
    await judgeGiven(asked, { 'input/output/a.md': 'a', 'input/b.md': 'b' }, { settings: { files: ['output/*.md'] } });
    expect(asked.asked[1]?.files).toEqual(['input/output/a.md']);
  });

  it('a file in the directory of an approval phase does not stand in for the one it was given', async () => {
    const asked = approver();
    const own = { 'output/a.md': 'planted' };
    await judgeGiven(asked, { 'input/output/a.md': 'a' }, { settings: { files: ['output/a.md'] }, own });
    expect(asked.asked[0]?.files).toEqual(['input/output/a.md']);
  });

  it('an approval phase that was given nothing rejects: an empty review approves nothing (S3)', async () => {
    const asked = approver();
    expect(said(await judgeGiven(asked, {}))).toEqual(['reject', 'error: the phase was given nothing to approve']);
    const settings = { files: ['typo.md'] };
    expect(said(await judgeGiven(asked, { 'input/a.md': 'a' }, { settings }))[0]).toBe('reject');
    expect(asked.asked).toEqual([]);
  });
});

describe('the free checks before a judge is asked', () => {
  it('what they find goes with the question, and an error rejects whatever the judge says', async () => {
    const gullible = approver();
    const files = { 'output/a.py': 'def f(:\n' };
    const [outcome, message] = said(await judge(gullible, { approval_type: 'code' }, files));
    expect([outcome, message]).toEqual(['reject', expect.stringMatching(/^error: /)]);
    expect(gullible.asked[0]?.found).toMatchObject([
      { severity: 'error', check: 'syntax_check', location: { file: 'output/a.py', line: 1 } },
    ]);
  });

  it('what the approval repeats of it is told once', async () => {
    const files = { 'output/a.md': '[x](none.md)\n' };
    const first = approver();
    await judge(first, { approval_type: 'docs' }, files);
    const [found] = first.asked[0]?.found ?? [];
    const repeated = { ...finding('error', found?.message ?? ''), check: 'links', location: 'output/a.md:1:5' };
    const answer = await judge(
      approver({ result: 'rejected', stage: 'pre_check', findings: [repeated] }),
      { approval_type: 'docs' },
      files,
    );
    expect(answer).toMatchObject({ outcome: 'reject', findings: [{ fingerprint: repeated.fingerprint }] });
    expect(answer.kind === 'judged' && answer.findings).toHaveLength(1);
  });

  it('rules with errors are a matter of set-up, and nobody is asked (R7)', async () => {
    const asked = approver();
    const context = await gateContext(scratch({ 'output/ADR-1.md': '# ADR-1' }), {
      approver: asked,
      settingsFile: async () => 'contextual_rules:\n  - idd: x\n',
    });
    expect(said(await approval.judge({ approval_type: 'adr' }, context))[0]).toBe('setup');
    expect(asked.asked).toEqual([]);
  });

  it('files that were given are checked, too', async () => {
    const asked = approver();
    const settings = { approval_type: 'code' };
    expect(said(await judgeGiven(asked, { 'input/a.py': 'x = (\n' }, { settings }))[0]).toBe('reject');
  });
});
