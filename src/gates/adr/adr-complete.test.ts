import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { listDirectory } from '../../adapters/trees/directory-tree.ts';
import { TreeStore } from '../../adapters/trees/tree-store.ts';
import { approver, gateContext, given, said } from '../gate/gates.fixture.ts';
import { adrComplete, adrValid } from './adr-complete.ts';

const HEADER = `---
adr_id: "007"
title: Orders are kept in PostgreSQL
status: Proposed
component_type: SERVICE
classification: UPDATE
change_scope: minor
---

# ADR-007: Orders are kept in PostgreSQL

`;
const SECTIONS = {
  Context:
    'Orders are written by three programs at once, and the files they are kept in have been damaged twice this year.',
  Decision:
    'Orders are kept in one PostgreSQL database, which every program reaches through the API of the order service.',
  Implementation:
    'The order service gets a table for orders and one for their lines; the endpoint /orders reads and writes both.',
  Documentation:
    'The page about running the order service says how the database is set up, backed up and restored by hand.',
  'Acceptance criteria':
    '- [ ] Three programs write at once\n- [ ] A backup restores every order\n- [ ] No file with orders is left behind',
  Consequences:
    'Orders survive a crash of any program. Somebody has to look after a database, which nobody had to until now.',
};

/** A concept that promises what the ADR says. */
const COVERED = `# Orders\n\n## Context\n\n${SECTIONS.Context}\n`;

function adr(change: Partial<Record<keyof typeof SECTIONS, string | undefined>> = {}): string {
  const sections = Object.entries({ ...SECTIONS, ...change }).filter(([, text]) => text !== undefined);
  return HEADER + sections.map(([title, text]) => `## ${title}\n\n${text}\n`).join('\n');
}

function folder(files: Readonly<Record<string, string>>): string {
  const dir = scratch();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const treeOf = async (dir: string) => new TreeStore(scratch()).capture(dir, await listDirectory(dir));
/** As the engine hands them over: the type is not among them. */
const complete = { file: 'output/ADR-*.md' };

async function judge(files: Record<string, string>, settings: object = complete, before: Record<string, string> = {}) {
  const context = await gateContext(folder(files), { base: await treeOf(folder(before)) });
  return said(await adrComplete.judge(settings, context));
}

describe('the gate adr_complete', () => {
  it('passes an ADR that has everything', async () => {
    expect(await judge({ 'output/ADR-007.md': adr() })).toEqual(['pass']);
  });

  it('rejects an ADR that lacks sections, and names each', async () => {
    const [outcome, ...messages] = await judge({
      'output/ADR-007.md': adr({ Decision: undefined, Documentation: 'TBD' }),
    });
    expect(outcome).toBe('reject');
    expect(messages.join('\n')).toMatch(/"Decision" is missing/);
    expect(messages.join('\n')).toMatch(/"Documentation" has only placeholder/);
  });

  it('asks for no less where the header was left out', async () => {
    const bare = `# Orders\n\n## Context\n\n${SECTIONS.Context}\n\n## Decision\n\n${SECTIONS.Decision}\n`;
    const [outcome, ...messages] = await judge({ 'output/ADR-007.md': bare });
    expect(outcome).toBe('reject');
    expect(messages.join('\n')).toMatch(/no YAML header/);
  });

  it('judges in the form of the ADRs that lay there before', async () => {
    const nygard = `# 2. Orders\n\n## Status\n\nAccepted\n\n## Context\n\n${SECTIONS.Context}\n\n## Decision\n\n${SECTIONS.Decision}\n\n## Consequences\n\n${SECTIONS.Consequences}\n`;
    const settings = { file: 'docs/adr/0002-orders.md' };
    const before = { 'docs/adr/0001-first.md': nygard.replace('# 2.', '# 1.') };
    expect(await judge({ ...before, 'docs/adr/0002-orders.md': nygard }, settings, before)).toEqual(['pass']);
    expect((await judge({ 'docs/adr/0002-orders.md': nygard }, settings))[0]).toBe('reject');
  });

  it('rejects what is not there', async () => {
    expect(await judge({ 'output/other.txt': 'x' })).toEqual(['reject', 'error: output/ADR-*.md is missing']);
  });

  it('rejects when the concept does not exist, or promised what is lost', async () => {
    const settings = { ...complete, concept: 'output/concept.md' };
    expect(await judge({ 'output/ADR-007.md': adr() }, settings)).toEqual([
      'reject',
      'error: the concept output/concept.md does not exist',
    ]);
    const concept = `# Orders\n\n## Rollback plan\n\n1. Stop the importer within 15 minutes\n2. Restore the nightly dump of the ledger\n3. Replay the courier's messages since midnight\n4. Tell the warehouse which parcels to hold\n`;
    const [outcome, ...messages] = await judge({ 'output/ADR-007.md': adr(), 'output/concept.md': concept }, settings);
    expect(outcome).toBe('reject');
    expect(messages.join('\n')).toMatch(/Rollback plan/);
  });

  it('rejects an ADR that carries on less than 60 % of its concept, whatever is lost of it', async () => {
    const settings = { ...complete, concept: 'output/concept.md' };
    const other =
      '## Canteen\n\nLunch is cooked by two chefs from Lyon, who bake their bread before dawn.\n\n## Garden\n\nTulips, roses and an old walnut tree are looked after by volunteers.\n';
    const concept = (more: string) => ({ 'output/ADR-007.md': adr(), 'output/concept.md': `${COVERED}\n${more}` });
    const [outcome, ...messages] = await judge(concept(other), settings);
    expect(outcome).toBe('reject');
    expect(messages[0]).toMatch(/^error: this ADR carries on 33\.3 % of the concept .*; at least 60 % is asked for$/);
    expect(messages.slice(1).map((message) => message.slice(0, 8))).toEqual(['warning:', 'warning:']);
  });

  it('takes the concept as it was before the phase, not as the phase left it', async () => {
    const settings = { ...complete, concept: 'output/concept.md' };
    const concept = `# Orders\n\n## Rollback plan\n\n1. Stop the importer within 15 minutes\n2. Restore the nightly dump of the ledger\n3. Replay the courier's messages since midnight\n4. Tell the warehouse which parcels to hold\n`;
    const emptied = { 'output/ADR-007.md': adr(), 'output/concept.md': COVERED };
    const [outcome, ...messages] = await judge(emptied, settings, { 'output/concept.md': concept });
    expect(outcome).toBe('reject');
    expect(messages).toContain('error: the concept output/concept.md was changed by the work that is held against it');
    expect((await judge(emptied, settings))[0]).toBe('pass');
  });

  it('uses the rules of the project as they were before the phase', async () => {
    const rules = `contextual_rules:\n  - id: minor-needs-owner\n    name: owner\n    when: { change_scope: minor }\n    require: { content_patterns: [{ pattern: "owner" }] }\n    severity: error\n    message: say who owns it\n`;
    const own = { 'config/adr-completeness-rules.yaml': rules };
    const [outcome, message] = await judge({ 'output/ADR-007.md': adr(), ...own }, complete, own);
    expect(outcome).toBe('reject');
    expect(message).toMatch(/say who owns it/);
    expect(await judge({ 'output/ADR-007.md': adr() }, { ...complete, rules: 'config/none.yaml' })).toEqual([
      'setup',
      'the rules config/none.yaml do not exist',
    ]);
    const broken = { 'config/adr-completeness-rules.yaml': 'contextual_rules:\n  - idd: x\n' };
    const [failure, why] = await judge({ 'output/ADR-007.md': adr() }, complete, broken);
    expect([failure, why]).toEqual(['setup', expect.stringMatching(/rules\.yaml:2:\d+ /)]);
  });

  it('looks at the Markdown a phase made where no file is named', async () => {
    expect(await judge({ 'output/ADR-007.md': adr(), 'output/note.txt': 'x' }, {})).toEqual(['pass']);
    expect((await judge({ 'output/note.txt': 'x' }, {}))[0]).toBe('reject');
  });
});

describe('layer 4 of adr_complete', () => {
  const PASSING = { 'output/ADR-007.md': adr() };
  const MAJOR = {
    'output/ADR-007.md': adr({
      'Acceptance criteria':
        '- [ ] The migration moves every order\n- [ ] A rollback restores the files\n- [ ] No order is lost',
    })
      .replace('change_scope: minor', 'change_scope: major')
      .concat(
        '\n## Migration\n\n### Phase 1\n\nSchritt 1: the table is made and filled from the files, which stay as they are. Rollback: the old program is started again.\n',
      ),
  };
  const CONCEPT = { 'output/concept.md': COVERED };
  const concept = 'output/concept.md';

  async function ask(
    files: Record<string, string>,
    settings: object,
    asked: ReturnType<typeof approver> = approver({ recommendations: ['r'] }),
  ) {
    const context = await gateContext(folder(files), { approver: asked });
    return { answer: said(await adrComplete.judge({ ...complete, ...settings }, context)), asked: asked.asked };
  }

  it.each<[string, Record<string, string>, object, boolean]>([
    ['true as YAML reads it (R7)', PASSING, { semantic: true }, true],
    ['"true" as text', PASSING, { semantic: 'true' }, true],
    ['false', MAJOR, { semantic: false, concept }, false],
    ['"false" as text', MAJOR, { semantic: 'false', concept }, false],
    ['auto and a minor change', PASSING, { semantic: 'auto' }, false],
    ['auto and a major change', MAJOR, { semantic: 'auto' }, true],
    ['auto and a concept', PASSING, { semantic: 'auto', concept }, true],
    ['nothing said and a major change', MAJOR, {}, true],
    ['nothing said and a minor change', PASSING, {}, false],
  ])('%s', async (_what, files, settings, expected) => {
    const { answer, asked } = await ask({ ...files, ...CONCEPT }, settings);
    expect(asked).toHaveLength(expected ? 1 : 0);
    expect([answer[0], answer.includes('info: r')]).toEqual(['pass', expected]);
  });

  it('one major ADR among several is enough, and all are judged', async () => {
    const two = { ...MAJOR, 'output/ADR-008.md': adr().replaceAll('007', '008') };
    const { asked } = await ask(two, {});
    expect(asked).toMatchObject([
      { type: 'adr', role: 'reviewer', files: ['output/ADR-007.md', 'output/ADR-008.md'], found: [] },
    ]);
  });

  it('the concept is consulted, from the tree or from what was given, and never judged', async () => {
    const { asked } = await ask({ ...PASSING, ...CONCEPT }, { concept: 'concept.md' });
    expect(asked[0]?.files).toEqual(['output/ADR-007.md']);
    expect(asked[0]?.concept).toEqual({ path: 'output/concept.md', text: COVERED });
    const { input, inputs } = given({ 'input/concept.md': COVERED });
    const judge = { ...approver(), inputs };
    const context = await gateContext(folder(PASSING), {
      approver: judge,
      input: (path, limit) => input(path === 'concept.md' ? 'input/concept.md' : path, limit),
    });
    await adrComplete.judge({ ...complete, concept: 'concept.md' }, context);
    expect(judge.asked[0]?.files).toEqual(['output/ADR-007.md']);
    expect(judge.asked[0]?.concept).toEqual({ path: 'concept.md', text: COVERED });
  });

  it.each([
    ['rejected', 'reject'],
    ['needs_revision', 'revise'],
  ] as const)('a judge who says %s without an error fails the gate (R7)', async (result, outcome) => {
    const { answer } = await ask(PASSING, { semantic: true }, approver({ result }));
    expect(answer).toEqual([outcome]);
  });

  it('findings of all layers stand together', async () => {
    const short = {
      'output/ADR-007.md': adr().replace('component_type: SERVICE', 'component_type: SERVICE\ndepends_on: ["003"]'),
    };
    const findings = [{ severity: 'warning' as const, check: 'conflicts', message: 'see ADR-3', fingerprint: 'f' }];
    const { answer, asked } = await ask(short, { semantic: true }, approver({ findings }));
    expect(answer).toEqual(['pass', expect.stringMatching(/^warning: /), 'warning: see ADR-3']);
    expect(asked[0]?.found).toHaveLength(1);
  });

  it('what the free checks refuse is not put before a judge (R7)', async () => {
    const { answer, asked } = await ask({ 'output/ADR-007.md': adr({ Decision: undefined }) }, { semantic: true });
    expect([answer[0], asked]).toEqual(['reject', []]);
  });

  it('without anybody to ask, true is a matter of set-up and auto says what was left out', async () => {
    expect((await judge(PASSING, { ...complete, semantic: true }))[0]).toBe('setup');
    expect(await judge(MAJOR)).toEqual(['pass', 'info: layer 4 was not asked: only layers 1 to 3 have judged this']);
  });

  it('an interruption is no opinion, and a doubt is told on', async () => {
    const cut = { kind: 'interrupted', failure: 'rate_limit', message: 'later' } as const;
    expect((await ask(PASSING, { semantic: true }, approver(cut))).answer).toEqual(['rate_limit', 'later']);
    const unsure = approver({ result: 'needs_revision', unsure: true });
    const context = await gateContext(folder(PASSING), { approver: unsure });
    expect(await adrComplete.judge({ ...complete, semantic: true }, context)).toMatchObject({ unsure: true });
  });

  it('adr_valid never asks', async () => {
    const asked = approver();
    const context = await gateContext(folder(MAJOR), { approver: asked });
    expect(said(await adrValid.judge({ ...complete, semantic: true }, context))).toEqual(['pass']);
    expect(asked.asked).toEqual([]);
  });
});

describe('acceptance criteria', () => {
  it('that differ in a sign or in letters of another script are different', async () => {
    for (const criteria of [
      ['Latenz < 100 ms', 'Latenz > 100 ms wird gemeldet', 'Latenz = 100 ms'],
      ['API 响应时间', 'API 错误率', 'API 可用性'],
    ]) {
      const list = criteria.map((text) => `- [ ] ${text}`).join('\n');
      expect(
        await judge({
          'output/ADR-007.md': adr({ 'Acceptance criteria': `${list}\n\nAll of them are measured in the first week.` }),
        }),
      ).toEqual(['pass']);
    }
  });
});

describe('the gate adr_valid', () => {
  it('does not look at the concept', async () => {
    const context = await gateContext(folder({ 'output/ADR-007.md': adr() }));
    const settings = { file: 'output/ADR-007.md', concept: 'output/none.md' };
    expect(said(await adrValid.judge(settings, context))).toEqual(['pass']);
  });
});

describe('an ADR that asks less of itself', () => {
  const path = 'output/ADR-007.md';
  const major = adr().replace(/change_scope: \w+/, 'change_scope: major');
  const waiving = adr().replace(
    'component_type: SERVICE',
    'component_type: SERVICE\nconcept_waivers: [{section: Rollback plan, reason: not now}]',
  );
  const asked = async (now: string, before: Record<string, string>, former?: Record<string, string>) => {
    const base = (await gateContext(scratch(before))).tree;
    const last = former === undefined ? {} : { former: (await gateContext(scratch(former))).tree };
    const answer = await adrValid.judge({ file: path }, await gateContext(scratch({ [path]: now }), { base, ...last }));
    if (answer.kind !== 'judged') throw new Error(answer.message);
    return [
      answer.outcome,
      answer.asks,
      ...answer.findings.filter(({ check }) => check === 'eased-adr').map(({ message }) => message),
    ];
  };

  it('asks a human about waivers, also where it is new', async () => {
    const told = expect.stringContaining('it waives "Rollback plan" of its concept: "not now"');
    expect(await asked(waiving, {})).toEqual(['pass', [path], told]);
    expect(await asked(waiving, { [path]: adr() })).toEqual(['pass', [path], told]);
    expect(await asked(waiving, { [path]: waiving })).toEqual(['pass', undefined]);
    expect(await asked(waiving, {}, { [path]: waiving })).toEqual(['pass', [path], told]);
  });

  it('asks a human about a lower change_scope and the rules that are off with it, unless it is new', async () => {
    const minor = major.replace('change_scope: major', 'change_scope: minor');
    const told = expect.stringMatching(
      /change_scope was "major" and is "minor" now; its header switches off major-needs/,
    );
    expect(await asked(minor, {})).toEqual(['pass', undefined]);
    expect(await asked(minor, { [path]: major })).toEqual(['pass', [path], told]);
    expect(await asked(minor, {}, { [path]: major })).toEqual(['pass', [path], told]);
    expect(await asked(minor, { [path]: minor }, { [path]: minor })).toEqual(['pass', undefined]);
  });
});
