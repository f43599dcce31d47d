import { describe, expect, it } from 'vitest';
import type { AdrFinding } from '../document/adr.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const GERMAN_CONCEPT = `# Konzept: Dokumentation aus einer Quelle

## 1. Problem

Begriffe der Dokumentation stehen in vier Dateien und laufen auseinander. Wer eine Regel ändert, vergisst die anderen drei. Agenten
lesen dann veraltete Anweisungen und bauen falsche Workflows.

## 2. Lösung

Alle Begriffe stehen in YAML unter \`docs/sources/\`. Ein Generator erzeugt daraus CLAUDE.md und die Skills mit Jinja-Vorlagen. Ein
Pre-Commit-Hook prüft, dass niemand erzeugte Dateien von Hand ändert.

## 3. Migrationsplan: 14 Tage

Die Umstellung läuft in vier Phasen neben dem Betrieb; der alte Stand bleibt bis zur letzten Phase lesbar.

| Phase | Tage | Arbeit | Verantwortlich |
|---|---|---|---|
| Vorbereitung | Tag 1–3 | Bestandsaufnahme aller Markdown-Dateien, Sicherung im Branch legacy-docs | Redaktion |
| Extraktion | Tag 4–7 | Begriffe in YAML übertragen, Dubletten auflösen, Schema festlegen | Redaktion und Architektur |
| Parallelbetrieb | Tag 8–12 | beide Fassungen erzeugen, Unterschiede täglich vergleichen, Abweichungen protokollieren | Plattform-Team |
| Abschaltung | Tag 13–14 | alte Dateien löschen, Schulung der Autoren, Abnahme durch die Leitung | Leitung |

Abbruch, wenn nach Tag 10 mehr als 5 % der Abschnitte abweichen: dann wird der Branch legacy-docs wieder eingespielt.

## 4. Risiken

- Autoren ändern erzeugte Dateien von Hand; der Hook verhindert das.
- Vorlagen werden unübersichtlich; sie bleiben unter hundert Zeilen.
`;

function germanAdr(plan: string): string {
  return `---
adr_id: "014"
title: Dokumentation aus einer Quelle
status: Proposed
date: 2026-01-10
project_type: helix_internal
component_type: PROCESS
classification: NEW
change_scope: major
files:
  create: [docs/sources/terms.yaml]
  modify: [CLAUDE.md]
  docs: [docs/README.md]
depends_on: []
---

# ADR-014: Dokumentation aus einer Quelle

## Kontext

Dieselben Begriffe stehen heute in vier Dateien der Dokumentation. Ändert jemand eine Regel, bleiben die anderen drei veraltet, und
Agenten bauen nach falschen Anweisungen ihre Workflows.

## Entscheidung

Begriffe stehen nur noch in YAML unter \`docs/sources/\`; ein Generator erzeugt CLAUDE.md und Skills mit Jinja-Vorlagen. Ein
Pre-Commit-Hook weist Änderungen an erzeugten Dateien zurück.

## Implementation

Der Generator liest das Schema der YAML-Dateien, prüft es und schreibt die Markdown-Dateien. Die Vorlagen liegen in
\`docs/templates/\`, jede hat weniger als hundert Zeilen. Autoren rufen \`docs compile\` auf.
${plan}
## Dokumentation

Die Anleitung für Autoren wird erweitert, das README verweist auf die Quellen.

## Akzeptanzkriterien

### Generator

- [ ] CLAUDE.md entsteht vollständig aus den Quellen
- [ ] Der Hook weist von Hand geänderte Dateien zurück

### Migration

- [ ] Alle Begriffe sind in YAML übertragen
- [ ] Die alten Dateien sind gelöscht
- [ ] Die Migration ist dokumentiert

## Konsequenzen

### Risiken

- Autoren könnten erzeugte Dateien von Hand ändern; der Hook verhindert es.
- Vorlagen können unübersichtlich werden, deshalb höchstens hundert Zeilen.
`;
}

const GERMAN_PLAN = `
## Migrations-Plan

Wir stellen in vier Phasen um, der Betrieb geht weiter; bis zum Ende bleibt der bisherige Stand lesbar.

### Phase 1: Vorbereitung (Tag 1–3)

Die Redaktion nimmt den Bestand an Markdown-Dateien auf und sichert ihn im Branch legacy-docs.

### Phase 2: Extraktion (Tag 4–7)

Redaktion und Architektur übertragen die Begriffe nach YAML, lösen Dubletten auf und legen das Schema fest.

### Phase 3: Parallelbetrieb (Tag 8–12)

Das Plattform-Team erzeugt beide Fassungen und vergleicht täglich; jede Abweichung kommt ins Protokoll. Weichen nach Tag 10 mehr als
5 % der Abschnitte ab, brechen wir ab und spielen legacy-docs wieder ein.

### Phase 4: Abschaltung (Tag 13–14)

Alte Dateien werden gelöscht, Autoren geschult, die Leitung nimmt ab.
`;

const ENGLISH_CONCEPT = `# Concept: one ledger for all invoices

## Problem

Invoices are booked by three services, each with a table of its own. Totals differ, and auditors ask for explanations every month.

## Proposed solution

One ledger service owns all bookings. Services send commands to it and read balances from a projection; nobody writes tables directly.

## Delivery

### Order of the teams

Teams move one after the other, starting with the smallest.

### Migration plan

The move takes 14 days and keeps the old tables writable until the last step.

1. Days 1-2: freeze schema changes, snapshot all three databases to the vault.
2. Days 3-6: backfill historic bookings with the importer, reconcile sums per customer.
3. Days 7-11: dual writes behind the flag ledger_dual, nightly comparison, on-call from the payments team.
4. Days 12-14: switch reads, revoke grants on old tables, archive the snapshots for ten years.

If the nightly comparison differs by more than 0.1 %, the flag is turned off and the backfill starts again.

## Risks

- The ledger becomes a single point of failure; it runs in two zones with automatic failover.
`;

function englishAdr(plan: string): string {
  return `---
adr_id: "021"
title: One ledger for all invoices
status: Proposed
date: 2026-02-01
change_scope: major
---

# ADR-021: One ledger for all invoices

## Context

Three services book invoices into tables of their own. Their totals differ, which auditors question every month.

## Decision

A ledger service owns every booking. Other services send it commands and read balances from its projection; direct writes to tables end. Teams move one after the
other, the smallest first.
${plan}
## Acceptance criteria

- [ ] Totals of all services agree
- [ ] No service writes booking tables directly

### Migration

- [ ] Historic bookings are in the ledger
- [ ] Old tables are read-only

## Consequences

The ledger is a single point of failure, so it runs in two zones with automatic failover.
`;
}

const ENGLISH_PLAN = `
## Migration strategy

We move within 14 days; old tables stay writable up to the final step.

- **Days 1-2** Schema changes are frozen and a snapshot of the three databases goes to the vault.
- **Days 3-6** The importer backfills historic bookings; sums are reconciled for each customer.
- **Days 7-11** Dual writes run behind \`ledger_dual\`, compared nightly, with the payments team on call.
- **Days 12-14** Reads are switched, grants on the old tables revoked, snapshots archived for ten years.

Should a nightly comparison differ by over 0.1 %, we turn the flag off and start the backfill again.
`;

function findings(concept: string, adr: string): AdrFinding[] {
  const read = parseAdr(adr, 'adr.md');
  return checkConcept(diffConcept(parseAdr(concept, 'concept.md'), read), read);
}

function errors(concept: string, adr: string): string[] {
  return findings(concept, adr)
    .filter(({ severity }) => severity === 'error')
    .map(({ check, message }) => `${check}: ${message}`);
}

describe('a migration plan that vanished between concept and ADR', () => {
  it('is an error that names the plan, though a checklist among the acceptance criteria is called Migration', () => {
    const found = errors(GERMAN_CONCEPT, germanAdr(''));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('concept-lost: "3. Migrationsplan: 14 Tage" of the concept (concept.md:13)');
    expect(found[0]).toContain('Tag 1–3');
  });

  it('is lost however much that checklist repeats of its words', () => {
    const checklist = germanAdr('').replace(
      '- [ ] Die Migration ist dokumentiert',
      '- [ ] Vorbereitung, Extraktion, Parallelbetrieb und Abschaltung sind beendet\n- [ ] Schulung der Autoren und Abnahme durch die Leitung sind erfolgt',
    );
    const found = errors(GERMAN_CONCEPT, checklist);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('concept-lost: "3. Migrationsplan: 14 Tage"');
  });

  it('is no error when the plan is there in other words', () => {
    expect(errors(GERMAN_CONCEPT, germanAdr(GERMAN_PLAN))).toEqual([]);
    expect(findings(GERMAN_CONCEPT, germanAdr(GERMAN_PLAN))).toEqual([]);
  });

  it('is no error when the plan in other words has another heading or none', () => {
    const flat = GERMAN_PLAN.replace(/^#.*$/gm, '');
    for (const plan of [GERMAN_PLAN.replace('Migrations-Plan', 'Ablauf'), GERMAN_PLAN.replace(/^## .*$/m, ''), flat])
      expect(errors(GERMAN_CONCEPT, germanAdr(plan))).toEqual([]);
    expect(errors(ENGLISH_CONCEPT, englishAdr(ENGLISH_PLAN.replace('Migration strategy', 'Schedule')))).toEqual([]);
    expect(errors(ENGLISH_CONCEPT, englishAdr(ENGLISH_PLAN.replace(/^#.*$/m, '')))).toEqual([]);
  });

  it('is found in English, and below a section that is kept', () => {
    const found = errors(ENGLISH_CONCEPT, englishAdr(''));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('concept-lost: "Migration plan" of the concept (concept.md:17)');
  });

  it('is no error in English when the plan is there under another name', () => {
    expect(errors(ENGLISH_CONCEPT, englishAdr(ENGLISH_PLAN))).toEqual([]);
  });

  it('is still lost when only its heading came over', () => {
    for (const body of ['TBD', '', '_to be defined_', '...']) {
      const found = errors(GERMAN_CONCEPT, germanAdr(`\n## Migrationsplan\n\n${body}\n`));
      expect(found, body).toHaveLength(1);
      expect(found[0]).toContain('concept-lost: "3. Migrationsplan: 14 Tage"');
    }
  });

  it('is thinned when phases are gone', () => {
    const half = GERMAN_PLAN.replace(/### Phase 3[\s\S]*$/, '');
    const [found, ...more] = errors(GERMAN_CONCEPT, germanAdr(half));
    expect(more).toEqual([]);
    expect(found).toMatch(/^concept-thinned: \d of 6 points of "3. Migrationsplan: 14 Tage"/);
    expect(found).toContain('Parallelbetrieb');
  });
});
