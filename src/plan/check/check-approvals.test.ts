import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasError } from '../../domain/finding.ts';
import { loadText, shown } from '../memory-project.fixture.ts';

/** What is found in a plan; « stands where a finding is expected. */
async function found(phases: readonly string[], files: Record<string, string> = {}): Promise<string[]> {
  const text = `phases:\n${phases.map((phase) => (phase.endsWith('}') && phase.startsWith('«{') ? `  - ${phase}\n` : `  - { ${phase} }\n`)).join('')}`;
  const { findings, plan } = await loadText(text.replaceAll('«', ''), files);
  expect(plan === undefined).toBe(hasError(findings));
  const marks = text.split('\n').flatMap((line, index) => {
    const columns = [...line.matchAll(/«/g)].map((match, before) => match.index - before + 1);
    return columns.map((column) => `${index + 1}:${column}`);
  });
  const lines = shown(findings);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(marks);
  return lines.map((line) => line.replace(/^\S+ /, ''));
}

const WORK = 'id: z, type: test';
const NAMES = '(use lower-case letters, digits, - and _, at most 64, the first one a letter or digit)';
const gate = (settings: string) => `id: a, type: test, quality_gate: { type: approval, ${settings} }`;

describe('an approval type', () => {
  it.each<[string, string[], string]>([
    [
      'misspelt in a phase',
      [WORK, 'id: a, type: approval, approval_type: «secrity'],
      'error: unknown approval type "secrity": there is no approvals/secrity/ (did you mean "security"?)',
    ],
    [
      'misspelt in a gate',
      [gate('approval_type: «cod')],
      'error: unknown approval type "cod": there is no approvals/cod/ (did you mean "code"?)',
    ],
    ['that is a path (S9)', [gate('approval_type: «../x')], `error: "../x" cannot be an approval type ${NAMES}`],
    ['that is absolute (S9)', [gate('approval_type: «/etc')], `error: "/etc" cannot be an approval type ${NAMES}`],
    ['in capitals', [gate('approval_type: «ADR')], `error: "ADR" cannot be an approval type ${NAMES}`],
    [
      'that is a pattern',
      [gate('approval_type: "«*"').replace('"«', '«"')],
      `error: "*" cannot be an approval type ${NAMES}`,
    ],
    [
      'like a method',
      [gate('approval_type: «constructor')],
      'error: unknown approval type "constructor": there is no approvals/constructor/ (known are: adr, code, docs, architecture, security, compliance, migration, verification, change)',
    ],
  ])('%s is an error', async (_what, phases, expected) => {
    expect(await found(phases)).toEqual([expected]);
  });

  it("misspelt may be one of the project's own", async () => {
    expect(await found([gate('approval_type: «huose')], { 'approvals/house/CLAUDE.md': 'x' })).toEqual([
      'error: unknown approval type "huose": there is no approvals/huose/ (did you mean "house"?)',
    ]);
  });

  it('that the project defines is known', async () => {
    expect(
      await found([WORK, 'id: a, type: approval, approval_type: house'], { 'approvals/house/CLAUDE.md': 'x' }),
    ).toEqual([]);
  });

  it('whose folder does not say what the judge is to do is an error', async () => {
    const files = { 'approvals/adr/checks/mine.md': 'x' };
    expect(await found([gate('approval_type: «adr')], files)).toEqual([
      'error: approvals/adr/CLAUDE.md is missing (write in it what the judge is to do)',
    ]);
    expect(await found([gate('approval_type: adr')], { 'approvals/adr/input/x.md': 'x' })).toEqual([]);
  });
});

describe('the checks of an approval', () => {
  it('that HELIX ships are known, also by the name the seeds use', async () => {
    expect(await found([gate('approval_type: adr, checks: [completeness, migration-plan]')])).toEqual([]);
  });

  it('that nobody wrote are an error', async () => {
    const phases = [gate('approval_type: code, checks: [security, «secrets, "«../x"]').replace('"«', '«"')];
    expect(await found(phases)).toEqual([
      'error: approvals of type "code" have no check "secrets" (known are: security, performance, tests, patterns, style)',
      expect.stringMatching(/^error: approvals of type "code" have no check "\.\.\/x" /),
    ]);
  });

  it("are those of the project's own folder, where there is one", async () => {
    const files = { 'approvals/code/CLAUDE.md': 'x', 'approvals/code/checks/house.md': 'x' };
    expect(await found([gate('approval_type: code, checks: [house, «security]')], files)).toEqual([
      'error: approvals of type "code" have no check "security" (write approvals/code/checks/<check>.md)',
    ]);
  });

  it('of another gate are only names', async () => {
    expect(await found(['id: a, type: test, quality_gate: { type: files_exist, checks: [anything] }'])).toEqual([]);
  });

  it('that are known here are those in the folder approvals', async () => {
    const types = readdirSync('approvals', { withFileTypes: true }).filter((each) => each.isDirectory());
    expect(types.length).toBeGreaterThan(0);
    for (const { name } of types) {
      const checks = readdirSync(`approvals/${name}/checks`).map((file) => file.replace(/\.md$/, ''));
      expect(await found([gate(`approval_type: ${name}, checks: [${checks.join(', ')}]`)])).toEqual([]);
      const [hint = ''] = await found([gate(`approval_type: ${name}, checks: [«none-of-them-at-all]`)]);
      for (const check of checks) expect(hint).toContain(check);
      expect(hint.split(', ')).toHaveLength(checks.length);
    }
  });
});

describe('what an approval phase judges', () => {
  const NOTHING = (id: string) =>
    `error: the approval phase "${id}" has nothing to judge (name the files under input, or the phases that write them under depends_on)`;

  it('cannot be nothing (S3)', async () => {
    expect(await found(['id: «a, type: approval, approval_type: adr'])).toEqual([NOTHING('a')]);
    expect(await found([WORK, 'id: a, type: approval, approval_type: adr, input: «[]'])).toEqual([NOTHING('a')]);
    expect(await found([WORK, 'id: «a, type: approval, approval_type: adr, depends_on: []'])).toEqual([NOTHING('a')]);
  });

  it('is its input, what the phases before it made, or what its gate names', async () => {
    const files = { 'in.md': 'x' };
    for (const phases of [
      ['id: a, type: approval, approval_type: adr, input: [in.md]'],
      [WORK, 'id: a, type: approval, approval_type: adr'],
      [WORK, 'id: a, type: approval, approval_type: adr, input: { from_phase: z }'],
      ['id: a, type: approval, quality_gate: { type: approval, approval_type: adr, files: [in.md] }'],
    ]) {
      expect(await found(phases, files)).toEqual([]);
    }
  });

  it('is named once, however it is spelt', async () => {
    const files = { 'in.md': 'x' };
    const approval = 'id: a, type: approval, approval_type: adr';
    const twice = ['error: "in.md" is named twice (name each file once)'];
    expect(await found([`${approval}, input: [in.md, «./in.md]`], files)).toEqual(twice);
    expect(await found([`${approval}, input: { files: [in.md, «in.md] }`], files)).toEqual(twice);
  });

  it.each([
    ['an input', 'input: [in.md], output: «[./in.md]', 'in.md'],
    [
      'what comes from another phase',
      'input: { from_phase: z, files: [out.md] }, output: «[docs/out.md]',
      'docs/out.md',
    ],
    ['what all phases before it made', 'output: «[docs/out.md]', 'docs/out.md'],
  ])('is not replaced by the result: %s', async (_, settings, file) => {
    const maker = 'id: z, type: test, output: { directory: docs, expected_files: [out.md] }';
    expect(await found([maker, `id: a, type: approval, approval_type: adr, ${settings}`], { 'in.md': 'x' })).toEqual([
      `error: the result would replace "${file}", which this phase approves (let it write the result to a file of its own, such as approval-result.json)`,
    ]);
  });

  it('may lie beside the result, and be the same as that of another approval', async () => {
    const approval = 'type: approval, approval_type: adr, output: [docs/approval-result.json]';
    const maker = 'id: z, type: test, output: [docs/out.md]';
    expect(await found([maker, `id: a, ${approval}`, `id: b, ${approval}, depends_on: [a]`])).toEqual([]);
  });

  it('is the work of an earlier phase, where a rejection sends it back', async () => {
    const later = [
      'id: a, type: approval, approval_type: adr, input: [in.md], on_rejection: { action: retry_phase, target_phase: «z }',
      WORK,
    ];
    expect(await found(later, { 'in.md': 'x' })).toEqual([
      'error: "z" is not an earlier phase that "a" depends on (name a phase whose work this approval judges)',
    ]);
  });
});

describe('settings of approvals', () => {
  it('an approval phase needs a type', async () => {
    expect(await found([WORK, '«{ id: a, type: approval }'])).toEqual([
      expect.stringMatching(
        /^error: "approval_type" is missing in an approval phase \(add approval_type, one of: adr, /,
      ),
    ]);
  });

  it('on_rejection has an effect in a review, which finds its authors itself', async () => {
    const review = 'id: r, type: review, quality_gate: { type: review_approved }';
    expect(await found([WORK, `${review}, on_rejection: { action: retry_phase }`])).toEqual([]);
    expect(await found([WORK, `${review}, on_rejection: { action: retry_phase, target_phase: «nobody }`])).toHaveLength(
      1,
    );
  });

  it('on_rejection has no effect elsewhere', async () => {
    expect(await found(['id: a, type: test, «on_rejection: { action: fail }'])).toEqual([
      'warning: "on_rejection" has no effect in a phase of type "test" (use it in a phase of type approval or review)',
    ]);
  });

  it('other gates and a verifier have no effect in an approval phase', async () => {
    const approval = 'id: a, type: approval, approval_type: adr';
    expect(await found([WORK, `${approval}, quality_gate: «{ type: files_exist, files: [x.md] }`])).toEqual([
      'warning: the gate "files_exist" has no effect in a phase of type "approval" (its approval alone decides; use the gate elsewhere)',
    ]);
    const gates = '[{ type: approval, approval_type: adr }, «{ type: tests_pass, command: [npm, test] }]';
    expect(await found([WORK, `id: a, type: approval, quality_gate: ${gates}, «verify_agent: true`])).toEqual([
      expect.stringMatching(/^warning: the gate "tests_pass" has no effect/),
      expect.stringMatching(/^warning: "verify_agent" has no effect in a phase of type "approval"/),
    ]);
    expect(await found([WORK, `${approval}, verify_agent: false`])).toEqual([]);
    const passed = (file: string) =>
      `output: [ok.json], quality_gate: «{ type: approval_passed, result_file: ${file} }`;
    expect(await found([WORK, `${approval}, ${passed('ok.json').replace('«', '')}`])).toEqual([]);
    expect(await found([WORK, `${approval}, ${passed('other.json')}`])).toEqual([
      expect.stringMatching(/^warning: the gate "approval_passed" has no effect/),
    ]);
  });

  it('an option is no revision', async () => {
    expect(await found([gate('approval_type: code, diff: «--output=x')])).toEqual([
      'error: "--output=x" cannot be a git revision (name a branch, tag or commit)',
    ]);
  });
});
