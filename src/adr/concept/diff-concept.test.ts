import { describe, expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { parseAdr } from '../document/parse-adr.ts';
import { diffConcept, prepareConcept } from './diff-concept.ts';

function diff(concept: string, adr: string) {
  return diffConcept(parseAdr(concept, 'concept.md'), parseAdr(adr, 'adr.md'));
}

function lost(concept: string, adr: string): string[] {
  return diff(concept, adr).missing.map(({ title }) => title);
}

const CONCEPT = `# Concept: search for the shop

## 1. Background

Customers abandon the shop because the product search returns nothing for typos. Support counts forty complaints a week.

## 2. Indexing

A worker reads change events of the catalogue from the queue and writes documents to the search engine. Deleted products are
removed within two minutes. The worker is idempotent: replaying events gives the same index.

## 3. Ranking

Results are ordered by text relevance, then by stock and margin. Editors may pin up to three products to a phrase. Pins expire after
ninety days.

## 4. Risks

- The search engine needs more memory than the old database query.
- Pinned products may be sold out; the ranking then skips them.

## 5. Rollback

The feature flag \`shop_search\` returns to the database query at once. The index is kept for a week, then deleted by the nightly job.

## 6. Open questions

Who pays for the cluster?
`;

const HEADER = '---\nadr_id: "007"\nstatus: Proposed\n---\n\n# ADR-007: Search for the shop\n';

describe('what is still in the ADR under another name or at another place', () => {
  it('renamed, moved and paraphrased sections are not lost', () => {
    const adr = `${HEADER}
## Decision

### How hits are sorted

Text relevance comes first, stock and margin second. An editor can pin at most three products to a phrase; after ninety days a pin
expires.

### Keeping the documents fresh

Change events of the catalogue arrive on the queue, where an idempotent worker turns them into documents for the search engine; replayed
events lead to the same index. A deleted product is gone from it within two minutes.

## Context

The product search finds nothing when customers make typos, so they abandon the shop; support hears forty complaints a week.

## Consequences

### Fallback plan

Turning off the feature flag \`shop_search\` brings the database query back at once; a nightly job deletes the index after a week.

### Known risks

The search engine takes more memory than the database query did. When pinned products are sold out, the ranking skips them.
`;
    expect(lost(CONCEPT, adr)).toEqual([]);
    expect(diff(CONCEPT, adr)).toMatchObject({ coveragePercent: 100, thinned: [], changed: [] });
  });

  it('sections that were merged into one, without any of the old headings, are not lost', () => {
    const adr = `${HEADER}
## Decision

Customers abandon the shop because the search returns nothing for typos (forty complaints a week at support). A worker reads change
events of the catalogue from the queue and writes documents to the search engine; deleted products are removed within two minutes, and
replaying events gives the same index, as the worker is idempotent. Results are ordered by text relevance, then stock and margin; editors
may pin up to three products to a phrase, and pins expire after ninety days. The engine needs more memory than the old database query;
pinned products that are sold out are skipped by the ranking. The feature flag \`shop_search\` returns to the database query at once; the
index is kept for a week and then deleted by the nightly job.
`;
    expect(lost(CONCEPT, adr)).toEqual([]);
  });

  it('a section that was split over three is not lost', () => {
    const concept = `# C

## Betrieb

Protokolle bleiben dreißig Tage im Archiv, danach löscht sie der Aufräumdienst. Warnungen gehen an den Bereitschaftsdienst per SMS.
Sicherungen laufen stündlich in das zweite Rechenzentrum. Die Wiederherstellung wird jedes Quartal geübt.
`;
    const adr = `${HEADER}
## Aufbewahrung

Protokolle liegen dreißig Tage im Archiv, der Aufräumdienst löscht sie danach.

## Alarmierung

Der Bereitschaftsdienst bekommt Warnungen per SMS.

## Wiederanlauf

Stündlich laufen Sicherungen in das zweite Rechenzentrum; die Wiederherstellung üben wir jedes Quartal.
`;
    expect(diff(concept, adr)).toMatchObject({ missing: [], thinned: [], coveragePercent: 100 });
  });

  it('a heading in another language stands for the same section', () => {
    const concept =
      '# C\n\n## Risiken\n\nDer Broker `kafka-eu` fällt aus, Nachrichten stauen sich in `outbox_events`.\n';
    const adr = `${HEADER}\n## Risks\n\nIf \`kafka-eu\` is down, messages pile up in \`outbox_events\` until it is back again.\n`;
    expect(lost(concept, adr)).toEqual([]);
  });

  it('a text that was translated whole is not lost, but a plan without any counterpart is', () => {
    const concept = `# Konzept

## Problem

Die Kunden verlassen den Laden, weil die Suche bei Tippfehlern nichts findet. Der Support zählt die Beschwerden und leitet sie an das
Team weiter, das sie nicht lösen kann, ohne die Suche zu ersetzen.

## Umstellung

Zuerst wird der Index neben der alten Abfrage aufgebaut. Dann wird die Hälfte der Kunden auf die neue Suche geleitet, und am Ende wird
die alte Abfrage gelöscht, sobald die Beschwerden nicht mehr werden.
`;
    const context = `${HEADER}
## Problem

Customers leave the shop because the search does not find anything when they make typos. Support counts the complaints and hands them
to the team, which cannot solve them without a new search.
`;
    const plan = `
## Migration

First the index is built beside the old query. Then half of the customers are sent to the new search, and in the end the old query is
deleted as soon as the complaints do not grow any more.
`;
    expect(lost(concept, context + plan)).toEqual([]);
    expect(lost(concept, context)).toEqual(['Umstellung']);
  });

  it('numbers of headings, brackets and compounds do not matter', () => {
    const concept =
      '# C\n\n## 4. Workflow-Integration (phases.yaml)\n\nDer neue Phasentyp ruft das Gate nach jedem Schritt auf.\n';
    const adr = `${HEADER}\n## 2. Integration in den Workflow\n\nNach jedem Schritt wird das Gate vom neuen Phasentyp aufgerufen.\n`;
    expect(lost(concept, adr)).toEqual([]);
  });
});

describe('what is lost', () => {
  const KEPT = CONCEPT.replace('# Concept: search for the shop', HEADER);

  it('is told with its place in the concept, the nearest place in the ADR, and the evidence', () => {
    const adr = KEPT.replace(/## 3\. Ranking[\s\S]*?(?=## 4)/, '');
    const { missing, coveragePercent } = diff(CONCEPT, adr);
    expect(missing).toHaveLength(1);
    expect(missing[0]).toMatchObject({ title: '3. Ranking', line: 12, column: 4, obligation: null, below: [] });
    expect(missing[0]?.best?.similarity).toBeLessThan(0.3);
    expect(missing[0]?.evidence.terms).toContain('relevance');
    expect(missing[0]?.evidence.values).toContain('ninety days');
    expect(coveragePercent).toBe(80);
  });

  it('names of its items only those that are nowhere in the ADR, word for word or nearly', () => {
    const ferries = 'Fähren verlieren bei Nebel den Funkkontakt zur Leitstelle.';
    const ropes = 'Alte Taue reißen unter Last und verletzen Matrosen am Kai.';
    const cranes = 'Der Kran blockiert bei Frost die Schleuse bis zum Mittag.';
    const concept = `# C\n\n## Risiken\n\n- ${ferries}\n- ${ropes}\n- ${cranes}\n`;
    const told = (item: string) =>
      diff(concept, `${HEADER}\n## Folgen\n\n### Gefahren\n\n- ${item}\n`).missing[0]?.evidence.items;
    expect(told(ferries)).toEqual([ropes, cranes]);
    expect(told('Bei Nebel verlieren alle Fähren den Funkkontakt zu ihrer Leitstelle.')).toEqual([ropes, cranes]);
    expect(told('Nebel ist im Hafen selten.')).toEqual([ferries, ropes, cranes]);
  });

  it('is an obligation when its heading or one around it says so', () => {
    const adr = KEPT.replace(/## 4\. Risks[\s\S]*?(?=## 6)/, '');
    expect(diff(CONCEPT, adr).missing).toMatchObject([
      { title: '4. Risks', obligation: 'risks' },
      { title: '5. Rollback', obligation: 'rollback' },
    ]);
  });

  it('is told once, at the highest section of which nothing is left', () => {
    const nested = `# C

## Betrieb

### Alarmierung

Warnungen gehen an den Bereitschaftsdienst per SMS, nach zehn Minuten an die Leitung.

### Sicherungen

Sicherungen laufen stündlich in das zweite Rechenzentrum, die Wiederherstellung wird jedes Quartal geübt.

## Oberfläche

Der Assistent führt in fünf Schritten durch die Bestellung und merkt sich Eingaben im Browser.
`;
    const adr = `${HEADER}\n## Oberfläche\n\nEin Assistent führt in fünf Schritten durch die Bestellung, Eingaben merkt sich der Browser.\n`;
    expect(diff(nested, adr).missing).toMatchObject([{ title: 'Betrieb', below: ['Alarmierung', 'Sicherungen'] }]);
    const half = `${adr}\n## Betrieb\n\n### Alarme\n\nDer Bereitschaftsdienst bekommt Warnungen per SMS, nach zehn Minuten die Leitung.\n`;
    expect(lost(nested, half)).toEqual(['Sicherungen']);
  });

  it('is not a status, a summary, a list of references or an open question', () => {
    expect(lost(CONCEPT, KEPT.replace(/## 6[\s\S]*$/, ''))).toEqual([]);
  });

  it('is not an introduction, a placeholder or code that the ADR leaves out', () => {
    const kept = '## Idea\n\nOrders live in one table per tenant.\n';
    const concept = `# C\n\n${kept}\n## Details\n\nSee below.\n\n## Later\n\nTBD\n\n## Sketch\n\n\`\`\`ts\nexport function reindex(all: boolean): void {}\n\`\`\`\n`;
    expect(diff(concept, `${HEADER}\n${kept}`)).toMatchObject({ missing: [], coveragePercent: 100 });
  });

  it('includes a section whose words are spread over the whole ADR only in a comment or in the front matter', () => {
    const adr = `${HEADER}\n## Decision\n\nWe build it.\n\n<!-- ${CONCEPT.replace(/^#.*$/gm, '')} -->\n`;
    expect(lost(CONCEPT, adr)).toHaveLength(5);
  });
});

describe('the whole diff', () => {
  it('names the main sections of the ADR that the concept does not know', () => {
    const adr = `${CONCEPT}\n## Licences\n\nThe engine is under the Apache licence; lawyers approved it in a review of third-party software.\n`;
    expect(diff(CONCEPT, adr).extra.map(({ title }) => title)).toEqual(['Licences']);
  });

  it('is the same for a concept that was prepared once', () => {
    const concept = parseAdr(CONCEPT, 'concept.md');
    const adr = parseAdr(CONCEPT.replace(/## 3[\s\S]*?(?=## 4)/, ''), 'adr.md');
    expect(diffConcept(prepareConcept(concept), adr)).toEqual(diffConcept(concept, adr));
    expect(JSON.parse(JSON.stringify(diffConcept(concept, adr)))).toEqual(diffConcept(concept, adr));
  });

  it('is the same whatever other ADRs the concept was compared with before', () => {
    const prepared = prepareConcept(parseAdr(CONCEPT, 'concept.md'));
    const adr = parseAdr(CONCEPT.replace(/## 3[\s\S]*?(?=## 4)/, ''), 'adr.md');
    const first = diffConcept(prepared, adr);
    for (const other of [CONCEPT, HEADER, `${HEADER}\n## Ranking\n\nPins expire after nine days.\n`])
      diffConcept(prepared, parseAdr(other, 'other.md'));
    expect(diffConcept(prepared, adr)).toEqual(first);
  });

  it('of a concept that says nothing covers nothing', () => {
    expect(diff('', HEADER)).toMatchObject({ concept: 'concept.md', coveragePercent: 0, missing: [] });
  });

  it('of thousands of sections takes time in proportion', () => {
    const text = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `## Service ${at}\n\nThe service number${at} keeps ${at} days of history in table${at}.\n`,
      ).join('\n');
    const time = (count: number) => {
      const documents = Array.from({ length: 2000 / count }, () => parseAdr(text(count), 'concept.md'));
      const work = workMeter();
      for (const document of documents) expect(diffConcept(document, document).coveragePercent).toBe(100);
      return work();
    };
    time(100);
    // As many sections in all; were each as dear as the concept is long, it would be 20 times the work.
    expect(time(2000)).toBeLessThan(6 * time(100));
  });
});
