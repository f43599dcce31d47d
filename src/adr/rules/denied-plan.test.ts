import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkRules } from './check-rules.ts';
import { findSections } from './find-section.ts';
import { shippedRules } from './load/shipped-rules.ts';

const PATH = 'config/adr-completeness-rules.yaml';
const shipped = shippedRules(readFileSync(PATH, 'utf8'), PATH);

const STEPS =
  'Phase 1: both queues get every message for one week. Phase 2: consumers move over one by one, and a rollback is one switch away.';
const CRITERIA = '## Acceptance criteria\n\n- [ ] The migration of all consumers is finished\n';

function failed(heading: string, text: string): string[] {
  const body = `# ADR-900: Queue\n\nA rollback is tested.\n\n## ${heading}\n\n${text}\n\n${CRITERIA}`;
  const adr = parseAdr(`---\nadr_id: "900"\nchange_scope: major\n---\n\n${body}`, 'adr.md');
  return checkRules(adr, shipped, { profile: 'helix' }).findings.map(({ check }) => check);
}

describe('a heading', () => {
  it.each([
    'Out of scope: migration',
    'Non-goals: migration',
    'Nicht-Ziele: Migration',
    'Migration (out of scope)',
    'Migration: out of scope',
    'No migration',
    '5. No data migration',
    'Keine Migration',
    'Keine Migration nötig',
    'Ohne Migration',
    'Aucune migration',
    'Pas de migration',
    'Why no migration',
    'Warum keine Migration?',
    'Kein Rollout',
    'No upgrade guide',
    'Not migrating the archive',
    'No migration and no rollout',
    'Migration: none',
    'Migration: ❌',
    'Migration – nicht vorgesehen',
    'Migration (entfällt)',
    'Migration entfällt',
    'Migration is not needed',
    'Upgrade guide: n/a',
    'Migration risks',
    'Migration: risks',
    'Migration risks and mitigations',
    'Migrationsrisiken',
    'Migrations-Risiken',
    'Risks of the migration',
    'Risiken der Migration',
    'Risiken bei der Umstellung',
    'Rollout: open questions',
    'Alternatives to migration',
    'Migration costs',
  ])('is no plan when it denies one or is about something else: %s', (heading) => {
    expect(failed(heading, STEPS)).toEqual(['major-needs-migration']);
  });

  it.each([
    'Migration: risks and steps',
    'Migration risks and plan',
    'Migration costs and schedule',
    'Migration: Fragen und Ablauf',
    'Rejected orders: migration',
    'Rollout plan: in three phases',
    'Migrations-Plan',
    'Upgrade guide',
    'Rollout plan',
    'Zero-downtime migration',
    'Zero downtime migration',
    'No-downtime rollout',
    'Migration without downtime',
    'Migration without risks',
    'Migration ohne Ausfallzeit',
    'Migration ohne Risiko',
    'Migration: no downtime',
    'Migration (no downtime required)',
    'Low-risk migration',
    'Risikoarme Migration',
    'Migration and risks',
    'Risiken und Migration',
    'Migration, risks and rollback',
    'Migration / Versioning',
    'Migration & Rollback',
    'Non-breaking migration',
    'Not a big bang: phased rollout',
    'No rollback: phased migration',
    'Migration without rollback',
    'Migration Plan (14 Tage)',
    'Migration steps',
    'Migration considerations',
    'Datenmigration',
    'Migration des données',
  ])('is a plan: %s', (heading) => {
    expect(failed(heading, STEPS)).toEqual([]);
  });

  it('is passed over for a plan that stands elsewhere', () => {
    expect(failed('Migration risks', `They are small.\n\n## Rollout\n\n${STEPS}`)).toEqual([]);
  });

  it('counts as it stands where nobody asks for a plan, or what is denied counts, too', () => {
    const found = (wanted: string, title: string, negation: boolean): number =>
      findSections(parseAdr(`# T\n\n## ${title}\n`, 'a.md'), wanted, negation).length;
    expect(found('Security', 'Security risks', true)).toBe(1);
    expect(found('Risiken', 'Migrationsrisiken', true)).toBe(1);
    expect(found('Anforderungen', 'Nicht-funktionale Anforderungen', true)).toBe(1);
    expect(found('Migration', 'No migration', false)).toBe(1);
    expect(found('Rollback', 'Rollback risks', true)).toBe(0);
    expect(found('Rollback', 'Rollback plan', true)).toBe(1);
  });
});

describe('a text', () => {
  it.each([
    'Eine Migration ist nicht vorgesehen. Es gibt keine Altdaten und keine Nutzer; das Produkt ist neu, und zunächst arbeitet niemand damit, so dass nichts umzustellen ist.',
    'Eine Migration ist nicht vorgesehen.\n\nEs gibt keine Altdaten und keine Nutzer; das Produkt ist neu, und zunächst arbeitet niemand damit, so dass nichts geschehen muss.',
    'No migration is needed. There is nothing to move over: the first version of this product has no users and no data at all, so that nobody has to do anything.',
    'There is nothing to migrate. The first version of this product has no users and no data at all, so that nobody who works with it has to do anything.',
    'Es gibt keine Migration. Das Produkt ist neu, und zunächst arbeitet niemand damit, so dass auch niemand etwas umzustellen hat, weder hier noch anderswo.',
    'Not applicable. The first version of this product has no users and no data at all, so that nobody who works with it has to do anything about it.',
    'Entfällt, weil das Produkt neu ist und zunächst niemand damit arbeitet, so dass auch niemand etwas umzustellen hat, weder hier noch bei anderen Teams.',
  ])('that only denies the plan is none: %s', (text) => {
    expect(failed('Migration', text)).toEqual(['major-needs-migration']);
  });

  it.each([
    `A migration of the archive is not planned. ${STEPS}`,
    'Eine Migration der Altdaten ist nicht vorgesehen. Zunächst laufen beide Systeme nebeneinander, anschließend werden die Clients umgestellt, und am Ende wird das alte System abgeschaltet.',
    'There is no downtime. In step 1 both queues get every message, then all consumers move over to the new queue and the old queue is switched off for good.',
    'No data migration is needed.\n\n1. Export the list of consumers of the former queue\n2. Point each of them at the new queue and compare the counts\n3. Remove the former queue',
    'Keine Big-Bang-Migration: die Clients werden schrittweise umgestellt, zuerst die internen und danach alle anderen, bis niemand mehr das alte System aufruft.',
    'Nothing is lost in this migration: first both queues get every message, and as soon as their counts are the same all consumers move over to the new one.',
    'Both queues get every message at first; a migration of the archive is not needed. All consumers move over to the new queue, and then the old one is switched off.',
  ])('that denies a part and then tells the steps is one: %s', (text) => {
    expect(failed('Migration', text)).toEqual([]);
  });

  it('is told that it begins with a denial', () => {
    const text = `---\nchange_scope: major\n---\n\n# T\n\n## Migration\n\nEine Migration ist nicht vorgesehen. Zunächst arbeitet niemand damit.\n`;
    const { findings } = checkRules(parseAdr(text, 'a.md'), shipped, { profile: 'helix' });
    expect(findings[0]?.message).toContain('the section "Migration" begins with a denial and lacks "Phase"');
    expect(findings[0]?.location).toMatchObject({ line: 7 });
  });
});
