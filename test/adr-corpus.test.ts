import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readAdrSets } from '../src/adapters/adrs/adr-files.ts';
import { readShippedConfig } from '../src/adapters/disk/shipped-config.ts';
import type { AdrCheck } from '../src/adr/check-adr.ts';
import { checkAdrSet } from '../src/adr/check-adr-set.ts';
import { checkAgainstConcept } from '../src/adr/check-against-concept.ts';
import { shippedRules } from '../src/adr/rules/load/shipped-rules.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SHARED = fileURLToPath(new URL('../../shared', import.meta.url));
const { text, path } = readShippedConfig('adr-completeness-rules.yaml');
const rules = shippedRules(text, path);

function check(paths: readonly string[], concept?: string): AdrCheck[] {
  const [file] = concept === undefined ? [] : readAdrSets([concept], { cwd: ROOT }).flatMap(({ files }) => files);
  const prepared = file?.text === undefined ? {} : { concept: checkAgainstConcept(file.text, file.path) };
  return readAdrSets(paths, { cwd: ROOT }).flatMap((set) => checkAdrSet(set, { rules: () => rules, ...prepared }));
}

function errors({ findings }: AdrCheck): string[] {
  return findings.filter(({ severity }) => severity === 'error').map(({ check: id }) => id);
}

describe('the plan that was lost between concept and ADR', () => {
  const folder = 'test/adr/lost-plan';
  const run = (name: string, concept?: string) => check([`${folder}/${name}`], concept).flatMap(errors);

  it('is missed by the rules, though a checklist under the acceptance criteria is called Migration', () => {
    expect(run('adr-without-plan.md')).toEqual(['major-needs-migration']);
  });

  it('is missed by the comparison with the concept, too', () => {
    expect(run('adr-without-plan.md', `${folder}/concept.md`).sort()).toEqual([
      'concept-lost',
      'concept-lost',
      'major-needs-migration',
    ]);
  });

  it('is not missed where it stands, under another name and in other words', () => {
    expect(run('adr-with-plan.md', `${folder}/concept.md`)).toEqual([]);
  });
});

describe.skipIf(!existsSync(`${SHARED}/seeds`))('the seeds', () => {
  const seed = (name: string) => `../shared/seeds/${name}`;
  const inLayers = (checks: readonly AdrCheck[]) =>
    checks.map(({ path: file, profile, findings }) => ({
      file: file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('/') + 12),
      profile,
      errors: findings
        .filter(({ severity, layer }) => severity === 'error' && layer !== 'corpus')
        .map(({ check: id }) => id),
    }));

  it('ADR-015 and ADR-025 are rejected for the migration plan they lack, and for nothing else', () => {
    expect(
      inLayers(check([seed('001-ADR-015-approval-validation.md'), seed('002-ADR-025-verification-feedback.md')])),
    ).toEqual([
      { file: '001-ADR-015', profile: 'helix', errors: ['major-needs-migration'] },
      { file: '002-ADR-025', profile: 'helix', errors: ['major-needs-migration'] },
    ]);
  });

  it('ADR-004 and ADR-006 are read through their legacy header', () => {
    const checks = check([seed('003-ADR-004-escalation.md'), seed('004-ADR-006-dynamic-phases.md')]);
    expect(inLayers(checks).flatMap((each) => each.errors)).toEqual([]);
    const header = ['header-yaml', 'missing-id', 'missing-title', 'missing-status', 'invalid-status', 'invalid-date'];
    expect(checks.flatMap(({ findings }) => findings).filter(({ check: id }) => header.includes(id))).toEqual([]);
  });

  it('no section that has text is called empty or short', () => {
    const found = check([seed('')]).flatMap(({ findings }) => findings);
    expect(found.filter(({ check: id }) => /empty-section|short-section|placeholder/.test(id))).toEqual([]);
  });
});

describe.skipIf(!existsSync(`${SHARED}/corpus`))('1,100 real ADRs', () => {
  const checks = existsSync(`${SHARED}/corpus`) ? check(['../shared/corpus']) : [];
  const own = checks.map(({ path: file, findings }) => ({
    file,
    errors: findings.filter(({ severity, layer }) => severity === 'error' && layer !== 'corpus'),
  }));

  it('at most 4 % have an error of layers 1 and 2', () => {
    const failed = own.filter((each) => each.errors.length > 0);
    expect(checks.length).toBeGreaterThan(1000);
    expect(failed.length / checks.length, failed.map(({ file }) => file).join('\n')).toBeLessThanOrEqual(0.04);
  });

  it('outside the helix profile the only errors are about context and decision', () => {
    const kinds = new Set(own.flatMap((each) => each.errors.map(({ check: id, layer }) => `${layer} ${id}`)));
    expect([...kinds].sort()).toEqual(['1 empty-section', '1 missing-section', '1 placeholder']);
  });

  it('each finding has a place in its file', () => {
    const findings = checks.flatMap((each) => each.findings.map((finding) => ({ file: each.path, finding })));
    expect(findings.length).toBeGreaterThan(100);
    expect(
      findings.filter(
        ({ file, finding: { location } }) => location?.file !== file || !location.line || !location.column,
      ),
    ).toEqual([]);
  });
});
