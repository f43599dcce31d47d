import { describe, expect, it } from 'vitest';
import { put, scratch } from '../../../test/scratch.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import { listDirectory } from '../../adapters/trees/directory-tree.ts';
import { TreeStore } from '../../adapters/trees/tree-store.ts';
import type { Finding } from '../../domain/finding.ts';
import { existsAmong } from '../gate/exists-among.ts';
import { gateContext } from '../gate/gates.fixture.ts';
import { preCheck } from './pre-check.ts';
import type { PreCheckSource } from './pre-check-source.ts';
// The gate starts a program that has this file: imported, so that these tests run again when it changes.
import '../../text/syntax/check-syntax.ts';

const ROUNDS = 20;

/** What the free checks say of a directory, outside of any run. */
async function check(
  type: string,
  files: Record<string, string | Buffer>,
  { of = Object.keys(files), ...change }: Partial<PreCheckSource> & { of?: string[] } = {},
): Promise<readonly Finding[]> {
  const dir = put(scratch(), files);
  const context = await gateContext(dir);
  const source: PreCheckSource = {
    read: (path, limit) => context.tree.read(path, limit),
    exists: existsAmong(context.tree.files.map(({ path }) => path)),
    rules: { projectFile: async () => undefined, shippedConfig: (name) => readShippedConfig(name).text },
    program: context,
    ...change,
  };
  return preCheck(type, of, source);
}

const told = (findings: readonly Finding[]) =>
  findings.map(
    ({ severity, message, location }) =>
      `${severity} ${location?.file}:${location?.line}:${location?.column} ${message}`,
  );

const SECTION =
  'Somebody has to say this at some length, so that the rule about short sections has nothing to say here.';
const SECTIONS = ['Context', 'Decision', 'Implementation', 'Documentation', 'Consequences'];

function adr(id: string, { scope = 'minor', without = '' } = {}): string {
  const header = `---\nadr_id: "${id}"\ntitle: Orders\nstatus: Proposed\nclassification: UPDATE\nchange_scope: ${scope}\n---\n\n# ADR-${id}: Orders\n`;
  const sections = SECTIONS.filter((name) => name !== without).map((name) => `\n## ${name}\n\n${SECTION}\n`);
  return `${header + sections.join('')}\n## Acceptance criteria\n\n- [ ] Orders are kept\n- [ ] Orders are read\n- [ ] Orders are told\n`;
}

describe('the free checks of ADRs', () => {
  it('are layers 1 and 2 with the rules HELIX ships, and layer 3 where there is a concept', async () => {
    expect(await check('adr', { 'ADR-1.md': adr('001') })).toEqual([]);
    expect(told(await check('adr', { 'ADR-1.md': adr('001', { without: 'Decision' }) }))).toEqual([
      expect.stringMatching(/^error ADR-1\.md:\d+:\d+ .*"Decision" is missing/),
    ]);
    const major = await check('adr', { 'ADR-1.md': adr('001', { scope: 'major' }) });
    expect(major.map(({ check: id }) => id)).toContain('major-needs-migration');
    const text =
      '# Orders\n\n## Rollback plan\n\n1. Stop the importer within 15 minutes\n2. Restore the nightly dump\n3. Hold the parcels of the day\n';
    const lost = await check('adr', { 'ADR-1.md': adr('001') }, { concept: { path: 'concept.md', text } });
    expect(lost).toMatchObject([
      { severity: 'error', check: 'concept-lost', message: expect.stringContaining('carries on 0 % of the concept') },
      { severity: 'error', check: 'concept-lost', hint: expect.stringContaining('Rollback plan') },
    ]);
  });

  it("use the project's own rules, and refuse to go on with broken ones (R7)", async () => {
    const rules = (text: string) => ({
      rules: { projectFile: async () => text, shippedConfig: () => '' },
    });
    const own = `contextual_rules:\n  - id: owner\n    name: o\n    when: { change_scope: minor }\n    require: { content_patterns: [{ pattern: owner }] }\n    severity: error\n    message: say who owns it\n`;
    expect(told(await check('adr', { 'ADR-1.md': adr('001') }, rules(own)))).toEqual([
      expect.stringMatching(/say who owns it/),
    ]);
    await expect(
      check('adr', { 'ADR-1.md': adr('001') }, rules('contextual_rules: [{ idd: x }]')),
    ).rejects.toMatchObject({
      code: 'setup',
      message: expect.stringMatching(/have errors: config\/adr-completeness-rules\.yaml:1:/),
    });
  });

  it('ask for the form they are told, so that leaving out the header is no way to be asked for less', async () => {
    const bare = { 'notes.md': `# Orders\n\n## Context\n\n${SECTION}\n\n## Decision\n\n${SECTION}\n` };
    expect(told(await check('adr', bare)).filter((line) => line.startsWith('error'))).toEqual([]);
    const strict = await check('adr', bare, { profile: async () => 'helix' });
    expect(told(strict).join('\n')).toMatch(/no YAML header/);
  });

  it('leave papers without an id alone where others have one, and say so', async () => {
    const files = { 'ADR-1.md': adr('001'), 'concept.md': '# Orders\n\nSome words.\n', 'a.py': 'x = (' };
    expect(told(await check('adr', files))).toEqual([
      'info concept.md:undefined:undefined not checked as an ADR: it has no id, and others have one',
    ]);
  });

  it('find an error where there is no ADR, or one that cannot be read (S3)', async () => {
    expect(await check('adr', { 'a.py': '' })).toMatchObject([{ message: 'there is no ADR among the files' }]);
    expect(await check('adr', {}, { of: ['none.md'] })).toMatchObject([{ message: 'none.md is missing' }]);
    const binary = { 'ADR-1.md': Buffer.from([0, 1, 2]) };
    expect(await check('adr', binary)).toMatchObject([{ message: 'ADR-1.md is no text that can be read' }]);
  });

  it('of 20 KB take little work in a running process', async () => {
    const words = SECTION.split(' ');
    const sentence = (at: number) => words.map((_, each) => words[(at * 7 + each * at) % words.length]).join(' ');
    const paragraphs = Array.from({ length: 160 }, (_, at) => `${sentence(at + 1)} ${at}.`);
    const text = adr('001').replace('## Documentation', `${paragraphs.join('\n\n')}\n\n## Documentation`);
    expect(Buffer.byteLength(text)).toBeGreaterThan(18_000);
    const concept = { path: 'concept.md', text: `# Orders\n\n## Context\n\n${paragraphs.slice(0, 20).join('\n\n')}\n` };
    const context = await gateContext(scratch());
    const source: PreCheckSource = {
      read: async () => Buffer.from(text),
      exists: () => true,
      rules: { projectFile: async () => undefined, shippedConfig: (name) => readShippedConfig(name).text },
      concept,
      program: context,
    };
    await preCheck('adr', ['ADR-1.md'], source);
    const work = workMeter();
    for (let round = 0; round < ROUNDS; round += 1) await preCheck('adr', ['ADR-1.md'], source);
    expect(work() / ROUNDS).toBeLessThan(40);
  });
});

describe('the free checks of code', () => {
  it('are the syntax of every file whose language is known', async () => {
    const files = { 'a.py': 'def f(:\n', 'b.ts': 'const a = 1;\n', 'c.txt': '(' };
    const findings = await check('code', files);
    expect(findings).toMatchObject([
      { severity: 'error', check: 'syntax_check', location: { file: 'a.py', line: 1 } },
      { severity: 'info', message: 'not checked: 1 file of a type without a syntax check: c.txt' },
    ]);
  });

  it('count what was wrong before for less, where that is known', async () => {
    const files = { 'a.sh': 'for file do\n  echo "$file"\ndone\n' };
    expect((await check('code', files))[0]?.severity).toBe('error');
    const dir = scratch(files);
    const tree = await new TreeStore(scratch()).capture(dir, await listDirectory(dir));
    expect((await check('code', files, { before: tree }))[0]?.severity).toBe('warning');
  });

  it('that are stopped say so, and are no result', async () => {
    const context = await gateContext(scratch());
    const program = { ...context, signal: AbortSignal.abort(new Error('enough')) };
    await expect(check('code', { 'a.py': 'x = 1\n' }, { program })).rejects.toMatchObject({ code: 'stopped' });
  });
});

it('other types have no free checks, whatever they are called', async () => {
  for (const type of ['security', 'house', 'constructor', '__proto__']) {
    expect(await check(type, { 'a.py': 'x = (', 'a.md': '[x](y)' })).toEqual([]);
  }
});
