import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const CONCEPT = `# Concept

## Storage

Orders live in one table per tenant; a nightly job compacts tables that grew beyond the limit of the engine.

## Rollback

The flag \`per_tenant\` returns to the shared table within 5 minutes; orders written meanwhile are copied back by the mover.

## Archive

Closed orders move to cold storage after a year, readable for auditors through the reporting view.
`;

function check(adr: string, minCoverage = 0) {
  const read = parseAdr(adr, 'docs/adr/009.md');
  const diff = diffConcept(parseAdr(CONCEPT, 'docs/concept.md'), read);
  return { diff, findings: checkConcept(diff, read, minCoverage) };
}

function adr(
  waivers: string,
  body = '## Decision\n\nOrders live in one table per tenant, compacted by a nightly job beyond the limit of the engine.\n',
) {
  return `---\nadr_id: "009"\nstatus: Proposed\n${waivers}---\n\n# ADR-009: Partitions\n\n${body}`;
}

describe('findings of the concept layer', () => {
  it('are errors for what must be delivered and warnings for the rest, at the nearest place in the ADR', () => {
    const { findings } = check(adr(''));
    expect(findings).toMatchObject([
      { check: 'concept-lost', severity: 'error', layer: 3, location: { file: 'docs/adr/009.md', line: 8, column: 4 } },
      { check: 'concept-lost', severity: 'warning', layer: 3, location: { file: 'docs/adr/009.md' } },
    ]);
    expect(findings[0]?.message).toContain('"Rollback" of the concept (docs/concept.md:7) is not in this ADR');
    expect(findings[0]?.hint).toContain('concept_waivers: [{section: "Rollback", reason: "…"}]');
    expect(findings[1]?.message).toContain('"Archive" of the concept (docs/concept.md:11)');
  });

  it('stand at the first line when nothing in the ADR comes near', () => {
    const [first] = check(adr('', 'Nothing.\n')).findings;
    expect(first).toMatchObject({ check: 'concept-lost', location: { line: 1, column: 1 } });
  });

  it('are errors for a value that changed where something must be delivered', () => {
    const body = CONCEPT.replace('5 minutes', '50 minutes');
    const { findings } = check(adr('', body));
    expect(findings).toMatchObject([{ check: 'concept-value-drift', severity: 'error', location: { line: 16 } }]);
    expect(findings[0]?.message).toContain('says "5 minutes"');
    expect(findings[0]?.message).toContain('this ADR says "50 minutes"');
  });

  it('tell at most three of many lost points, which the diff has all', () => {
    const steps = ['Pumpen abstellen', 'Rohre spülen', 'Kessel heizen', 'Ventile tauschen', 'Druck prüfen'];
    const concept = `# K\n\n## Rollback\n\n${steps.map((step) => `- ${step}, Meister rufen`).join('\n')}\n`;
    const read = parseAdr(adr(''), 'docs/adr/009.md');
    const diff = diffConcept(parseAdr(concept, 'docs/concept.md'), read);
    expect(diff.missing[0]?.evidence.items).toHaveLength(5);
    const [found] = checkConcept(diff, read, 0);
    expect(found?.message).toContain('Rohre spülen, Meister rufen · Kessel heizen, Meister rufen · and 2 more');
    expect(found?.message).not.toContain('Ventile');
  });

  it('have an error first where less of the concept is carried on than is asked for, waived sections counted as kept', () => {
    const waived = 'concept_waivers:\n  - {section: Rollback, reason: none is possible}\n';
    const { findings, diff } = check(adr(waived), 67);
    expect(diff.coveragePercent).toBe(66.7);
    expect(findings).toMatchObject([
      { check: 'concept-lost', severity: 'error', layer: 3, location: { line: 1, column: 1 } },
      { check: 'concept-lost', severity: 'warning' },
    ]);
    expect(findings[0]?.message).toBe(
      'this ADR carries on 66.7 % of the concept docs/concept.md; at least 67 % is asked for',
    );
    expect(findings[0]?.hint).toMatch(/min_coverage/);
    expect(check(adr(waived), 66).findings.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('are none for an ADR that carries everything', () => {
    expect(check(adr('', CONCEPT)).findings).toEqual([]);
  });
});

describe('waivers', () => {
  it('with a reason take a section out, by its name whatever its number and case', () => {
    const { diff, findings } = check(
      adr(
        'concept_waivers:\n  - section: "2. rollback"\n    reason: decided in ADR-010\n  - {section: Archive, reason: later}\n',
      ),
    );
    expect(findings).toEqual([]);
    expect(diff).toMatchObject({
      coveragePercent: 100,
      missing: [],
      waived: [
        { title: 'Rollback', line: 7, reason: 'decided in ADR-010' },
        { title: 'Archive', line: 11, reason: 'later' },
      ],
    });
  });

  it('without a reason waive nothing and are warned about', () => {
    const { diff, findings } = check(
      adr('concept_waivers:\n  - section: Rollback\n  - {section: Archive, reason: " "}\n'),
    );
    expect(diff.missing.map(({ title }) => title)).toEqual(['Rollback', 'Archive']);
    expect(findings.filter(({ message }) => message.includes('waiver for'))).toMatchObject([
      { message: 'the concept waiver for "Rollback" gives no reason, so it waives nothing', location: { line: 5 } },
      { message: 'the concept waiver for "Archive" gives no reason, so it waives nothing', location: { line: 6 } },
    ]);
  });

  it('that name no section of the concept, or nothing at all, are warned about', () => {
    const { findings } = check(adr('concept_waivers:\n  - {section: Rollbak, reason: typo}\n  - Rollback\n', CONCEPT));
    expect(findings).toMatchObject([
      { severity: 'warning', message: 'the concept has no section "Rollbak" that could be waived' },
      { severity: 'warning', message: 'this concept waiver names no section' },
    ]);
  });

  it('of a section cover what stands below it', () => {
    const concept = parseAdr(
      '# C\n\n## Plan\n\n### Migration\n\nMove all tables in four nights, one region each, with the mover.\n',
      'c.md',
    );
    const read = parseAdr(adr('concept_waivers: [{section: Plan, reason: done}]\n'), 'a.md');
    expect(checkConcept(diffConcept(concept, read), read)).toEqual([]);
  });
});
