import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const IDEA = 'Each hive reports its weight by radio; the keeper sees a swarm before it leaves for the forest.';
const IDEE = 'Jeder Bienenstock meldet sein Gewicht über Funk; der Imker sieht Schwärme, bevor sie in den Wald ziehen.';

function compare(idea: string, sections: string) {
  const adr = parseAdr(
    `---\nadr_id: "031"\nstatus: Proposed\n---\n\n# ADR-031: Hives\n\n## Decision\n\n${idea}\n`,
    'a.md',
  );
  const diff = diffConcept(parseAdr(`# Hives\n\n## Proposed solution\n\n${idea}\n\n${sections}\n`, 'c.md'), adr);
  const told = checkConcept(diff, adr, 60).map(({ severity, message }) => `${severity} ${message.slice(0, 30)}`);
  return { coverage: diff.coveragePercent, told, missing: diff.missing.map(({ title }) => title) };
}

const ENGLISH = 'Painted lids, honey labels and garden fences belong to somebody else, next summer at the earliest.';
const GERMAN =
  'Bemalte Deckel, Etiketten für Honig und Gartenzäune gehören jemand anderem, frühestens nächsten Sommer.';

describe('how much of a concept an ADR carries on', () => {
  it.each([
    ...['Out of Scope', '3. Out-of-scope', 'Non-goals', 'Not in scope', 'Testing Approach', 'Test strategy'],
    ...['Additional Context', 'Sub-phase A Additional Context', 'Related Work', 'Future Work'],
  ])('is not less for a lost "%s", of which it is warned', (title) => {
    const { coverage, told, missing } = compare(IDEA, `## ${title}\n\n${ENGLISH}`);
    expect({ coverage, missing }).toEqual({ coverage: 100, missing: [title] });
    expect(told).toEqual([expect.stringMatching(/^warning /)]);
  });

  it.each([
    ...['Nicht im Umfang', 'Nicht-Ziele', 'Abgrenzung', 'Außerhalb des Umfangs', 'Teststrategie', 'Testvorgehen'],
    ...['Zusätzlicher Kontext', 'Weiterer Kontext', 'Verwandte Arbeiten', 'Ausblick'],
  ])('is not less for a lost "%s", of which it is warned', (title) => {
    const { coverage, told, missing } = compare(IDEE, `## ${title}\n\n${GERMAN}`);
    expect({ coverage, missing }).toEqual({ coverage: 100, missing: [title] });
    expect(told).toEqual([expect.stringMatching(/^warning /)]);
  });

  it.each([
    [IDEA, 'Out of Scope', 'Painted lids, honey labels and fences. The radio MUST NOT send names of neighbours.'],
    [IDEA, 'Additional Context', 'Painted lids, honey labels and fences; the radio **must** be silent during harvest.'],
    [IDEE, 'Nicht im Umfang', 'Deckel, Etiketten und Zäune. Namen der Nachbarn DÜRFEN NICHT gesendet werden.'],
    [IDEE, 'Zusätzlicher Kontext', 'Deckel, Etiketten und Zäune; das Funkmodul MUSS während der Ernte schweigen.'],
  ])('is less for an explicit MUST wherever it stands: %#', (idea, title, text) => {
    expect(compare(idea, `## ${title}\n\n${text}`)).toMatchObject({
      coverage: 50,
      told: [expect.stringMatching(/^error this ADR carries on 50 %/), expect.stringMatching(/^warning/)],
    });
  });

  it('is less for requirements, constraints and risks that lack', () => {
    for (const title of [
      'Functional Requirements',
      'Constraints and Assumptions',
      'Scope',
      'Testing of hives',
      'Risks',
    ])
      expect(compare(IDEA, `## ${title}\n\n${ENGLISH}`).coverage, title).toBe(50);
    for (const title of ['Anforderungen', 'Umfang', 'Ziele', 'Risiken'])
      expect(compare(IDEE, `## ${title}\n\n${GERMAN}`).coverage, title).toBe(50);
  });

  it('is less for steps of a plan that are called so', () => {
    const { coverage, told } = compare(IDEA, `## Migration plan\n\n### Test plan\n\n${ENGLISH}`);
    expect(coverage).toBe(50);
    expect(told).toContainEqual(expect.stringMatching(/^error "Migration plan"/));
    expect(compare(IDEA, `## Goals and non-goals\n\n${ENGLISH}`).coverage).toBe(50);
  });

  it('is less for what must be delivered though it stands under such a heading', () => {
    const { coverage, told } = compare(IDEA, `## Additional Context\n\n### Rollback\n\n${ENGLISH}`);
    expect(coverage).toBe(50);
    expect(told).toContainEqual(expect.stringMatching(/^error "Rollback"/));
  });

  it('takes how it is tested and when it is done for process, where criteria of acceptance stand beside them', () => {
    const done = `Code reviewed by two colleagues, changelog written, build is green, tests are passing`;
    const { coverage, told } = compare(
      IDEA,
      `## Acceptance Criteria\n\n### Success Metrics\n\n${IDEA}\n\n### Testing Approach\n\n${ENGLISH}\n\n### Definition of Done\n\n${done}`,
    );
    expect(coverage).toBe(100);
    expect(told).toEqual([
      expect.stringMatching(/^warning "Testing Approach"/),
      expect.stringMatching(/^warning "Definition of Done"/),
    ]);
    expect(compare(IDEA, `## Definition of Done\n\n${done}`)).toMatchObject({
      coverage: 50,
      told: [expect.stringMatching(/^error/), expect.stringMatching(/^error "Definition of Done"/)],
    });
  });

  it('does not count a heading under which only others are announced', () => {
    const english = `## Requirements\n\nThe following requirements were gathered from keepers and their neighbours:\n\n### Radio\n\n${IDEA}`;
    expect(compare(IDEA, english)).toMatchObject({ coverage: 100, told: [] });
    const german = `## Anforderungen\n\nDie folgenden Anforderungen haben Imker und ihre Nachbarn genannt:\n\n### Funk\n\n${IDEE}`;
    expect(compare(IDEE, german)).toMatchObject({ coverage: 100, told: [] });
    expect(compare(IDEA, `## Requirements\n\n### Radio\n\n${IDEA}`).coverage).toBe(100);
  });

  it('is measured by such sections where a concept has no other', () => {
    const adr = parseAdr(`# A\n\n## Decision\n\n${IDEA}\n`, 'a.md');
    const concept = parseAdr(`# Hives\n\n## Out of Scope\n\n${ENGLISH}\n`, 'c.md');
    expect(diffConcept(concept, adr).coveragePercent).toBe(0);
  });
});
