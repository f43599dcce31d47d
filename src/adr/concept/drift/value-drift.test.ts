import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { diffConcept } from '../diff-concept.ts';

function diff(concept: string, adr: string) {
  return diffConcept(parseAdr(concept, 'concept.md'), parseAdr(adr, 'adr.md'));
}

const HEADER = '---\nadr_id: "007"\nstatus: Proposed\n---\n\n# ADR-007: Search for the shop\n';

describe('values that changed', () => {
  function changes(before: string, after: string): string[] {
    const concept = `# C\n\n## Betrieb\n\n${before}\n\nDer Dienst läuft in zwei Zonen und schreibt Protokolle in das Archiv.\n`;
    const adr = `${HEADER}\n## Betrieb\n\n${after}\n\nDer Dienst läuft in zwei Zonen, Protokolle schreibt er in das Archiv.\n`;
    return diff(concept, adr).changed.map((changed) => `${changed.before} → ${changed.after}`);
  }

  it('are found for days, percentages, dates, prices, sizes and counts, in digits and in words', () => {
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Die Übergangsfrist für Kunden beträgt 50 Tage.'),
    ).toEqual(['5 Tage → 50 Tage']);
    expect(
      changes('The grace period for customers is five days.', 'Customers get a grace period of fifty days.'),
    ).toEqual(['five days → fifty days']);
    expect(
      changes('Die zugesagte Verfügbarkeit liegt bei 99,9 %.', 'Die zugesagte Verfügbarkeit liegt bei 99 %.'),
    ).toEqual(['99,9 % → 99 %']);
    expect(changes('Go-live der neuen Abrechnung: 2025-03-01.', 'Go-live der neuen Abrechnung: 2025-04-01.')).toEqual([
      '2025-03-01 → 2025-04-01',
    ]);
    expect(
      changes('The cluster costs $400 a month for each region.', 'The cluster costs $4000 a month for each region.'),
    ).toEqual(['$400 → $4000']);
    expect(
      changes('Uploads sind auf 20 MB je Anhang begrenzt.', 'Uploads sind je Anhang auf 200 MB begrenzt.'),
    ).toEqual(['20 MB → 200 MB']);
    expect(
      changes(
        'Nach drei Versuchen eskaliert der Runner an den Berater.',
        'Nach 5 Versuchen eskaliert der Runner an den Berater.',
      ),
    ).toEqual(['drei Versuchen → 5 Versuchen']);
  });

  it('are not found when they are the same in another form', () => {
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Die Übergangsfrist für Kunden beträgt fünf Tage.'),
    ).toEqual([]);
    expect(
      changes('Go-live der neuen Abrechnung: 2025-03-01.', 'Go-live der neuen Abrechnung am 1. März 2025.'),
    ).toEqual([]);
    expect(
      changes('The quota is 1,000 requests for each tenant.', 'The quota is 1000 requests for each tenant.'),
    ).toEqual([]);
  });

  it('are read whole when blanks or apostrophes part their thousands', () => {
    const outage = (cost: string) => `An outage of the harbour costs about ${cost} for each ferry.`;
    for (const same of ['5 000 EUR', '5\u00a0000 EUR', '5\u202f000 EUR', '5\u2009000 EUR', "5'000 EUR", '5’000 EUR'])
      expect([changes(outage(same), outage('5000 EUR')), changes(outage('5.000 EUR'), outage(same))]).toEqual([[], []]);
    expect(changes(outage('5 000 EUR'), outage('50 000 EUR'))).toEqual(['5 000 EUR → 50 000 EUR']);
    expect(changes(outage('1 200 000 EUR'), outage('1 300 000 EUR'))).toEqual(['1 200 000 EUR → 1 300 000 EUR']);
    expect(changes(outage('€5 000-6 000'), outage('€5000-9000'))).toEqual(['€5 000-6 000 → €5000-9000']);
    const since = (count: string) => `Since 2019 ${count} moor at the northern pier of the harbour.`;
    expect(changes(since('300 boats'), since('400 boats'))).toEqual(['300 boats → 400 boats']);
  });

  it('are not found when the old value stands nearby, or when the words around differ', () => {
    expect(
      changes(
        'Die Übergangsfrist für Kunden beträgt 5 Tage.',
        'Die Übergangsfrist für Kunden beträgt 50 Tage, für Partner gelten 5 Tage.',
      ),
    ).toEqual([]);
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Sicherungen werden 50 Tage lang aufgehoben.'),
    ).toEqual([]);
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Die Testphase für Kunden beträgt 50 Tage.'),
    ).toEqual([]);
    expect(
      changes(
        'Die Übergangsfrist für Kunden beträgt 5 Tage.',
        'Nach der Übergangsfrist für Kunden beträgt die Aufbewahrung der Rechnungen im gesicherten Archiv 50 Tage.',
      ),
    ).toEqual([]);
  });

  it('are found by size, whatever the units are', () => {
    expect(
      changes(
        'Ein kalter Kessel heizt in weniger als 20 Minuten hoch.',
        'Ein kalter Kessel heizt in weniger als 3 Stunden hoch.',
      ),
    ).toEqual(['20 Minuten → 3 Stunden']);
    expect(
      changes('Couriers keep undelivered flowers for 4 days.', 'Couriers keep undelivered flowers for 2 weeks.'),
    ).toEqual(['4 days → 2 weeks']);
    expect(changes('Fotos je Meldung: höchstens 2 GB.', 'Fotos je Meldung: höchstens 300 MB.')).toEqual([
      '2 GB → 300 MB',
    ]);
    expect(changes('Wartung kostet 400 € je Kessel.', 'Wartung kostet $430 je Kessel.')).toEqual([]);
  });

  it('are not found when they are as much in another unit', () => {
    const keeping = (time: string) => `Couriers keep undelivered flowers for ${time}.`;
    for (const same of ['two weeks', '336 hours', 'fourteen days'])
      expect(changes(keeping('14 days'), keeping(same))).toEqual([]);
    expect(changes(keeping('3 months'), keeping('90 days'))).toEqual([]);
    expect(changes(keeping('3 months'), keeping('60 days'))).toEqual(['3 months → 60 days']);
    expect(changes('Der Kessel heizt 90 Minuten lang vor.', 'Der Kessel heizt 1,5 Stunden lang vor.')).toEqual([]);
    expect(changes('Fotos je Meldung: höchstens 2 GB.', 'Fotos je Meldung: höchstens 2048 MB.')).toEqual([]);
  });

  it('are not found when they are parts of an hour or a year in words', () => {
    const back = (time: string) => `The harbour switches back to the old ledger within ${time} of an alarm.`;
    for (const same of ['a quarter of an hour', 'quarter of an hour', 'a quarter-hour', 'einer Viertelstunde'])
      expect([changes(back('15 minutes'), back(same)), changes(back(same), back('15 minutes'))]).toEqual([[], []]);
    for (const same of ['half an hour', 'a half hour', 'einer halben Stunde', 'zwei Viertelstunden'])
      expect([changes(back('30 minutes'), back(same)), changes(back(same), back('30 minutes'))]).toEqual([[], []]);
    expect(changes(back('45 minutes'), back('einer Dreiviertelstunde'))).toEqual([]);
    expect(changes(back('6 months'), back('half a year'))).toEqual([]);
    expect(changes(back('15 minutes'), back('half an hour'))).toEqual(['15 minutes → half an hour']);
    expect(changes(back('einer Viertelstunde'), back('30 minutes'))).toEqual(['einer Viertelstunde → 30 minutes']);
  });

  it('are found for dates however they are written', () => {
    const opening = (date: string) => `The harbour office opens on ${date} for all ferries.`;
    for (const other of ['June 22nd, 2027', '3rd of June 2027', 'Jun. 1st, 2027', '21 May, 2027'])
      expect(changes(opening('2027-06-21'), opening(other))).toEqual([`2027-06-21 → ${other}`]);
    for (const same of ['June 21st, 2027', '21st of June 2027', 'the 21st June 2027', '21. Juni 2027'])
      expect(changes(opening('2027-06-21'), opening(same))).toEqual([]);
    expect(
      changes(
        'Das Hafenamt öffnet am 21. Juni 2027 für alle Fähren.',
        'Das Hafenamt öffnet am 3. Juli 2027 für alle Fähren.',
      ),
    ).toEqual(['21. Juni 2027 → 3. Juli 2027']);
  });

  it('are not found when a range is written in words, and are told whole when one of two is meant', () => {
    const days = (range: string) => `${range}: Fähren entrosten, Schrauben tauschen, Probefahrt im Hafenbecken.`;
    for (const same of ['Zwischen Tag 6 und 9', 'zwischen Tag 6 und Tag 9', 'Von Tag 6 bis 9', 'Von Tag 6 bis Tag 9'])
      expect(changes(days('Tag 6-9'), days(same))).toEqual([]);
    expect(changes(days('Tag 6-9'), days('Zwischen Tag 6 und 12'))).toEqual(['Tag 6-9 → Zwischen Tag 6 und 12']);
    for (const same of ['Tag 6 und 7', 'Tag 6 und Tag 7', 'An den Tagen 6 und 7', 'Days 6 and 7', 'Day 6 and day 7'])
      expect([changes(days('Tag 6-7'), days(same)), changes(days(same), days('Tag 6-7'))]).toEqual([[], []]);
    expect(changes(days('Tag 6-7'), days('Days 7 and 8'))).toEqual(['Tag 6-7 → Days 7 and 8']);
    expect(changes(days('Tag 6-9'), days('Days 6 and 9'))).toEqual(['Tag 6-9 → Days 6']);
    const users = (count: string) => `On day 6 and ${count} of the northern harbour the ferries are derusted.`;
    expect(changes(users('7 skippers'), users('8 skippers'))).toEqual(['7 skippers → 8 skippers']);
    const drying = (range: string) => `Paint on the hull dries ${range} in the dock.`;
    for (const same of ['between 3 and 4 days', '3 to 4 days', 'three to four days', 'between three and four days'])
      expect(changes(drying('3-4 days'), drying(same))).toEqual([]);
    expect(changes(drying('3-4 days'), drying('3 or 4 days'))).toEqual(['3-4 days → 3 or 4 days']);
    expect(changes(drying('3-4 days'), drying('between 3 and 9 days'))).toEqual(['3-4 days → between 3 and 9 days']);
  });

  it('are not versions, ids, links, code or numbers of headings', () => {
    expect(
      changes(
        'Der Build nutzt Node 20 und die Regel ADR-014 für Pakete.',
        'Der Build nutzt Node 24 und die Regel ADR-015 für Pakete.',
      ),
    ).toEqual([]);
    expect(
      changes(
        'Die Regel steht in [der Norm](https://example.org/2020/5-days).',
        'Die Regel steht in [der Norm](https://example.org/2024/9-days).',
      ),
    ).toEqual([]);
    expect(
      changes('Der Aufruf `wait 5 days` startet die Frist.', 'Der Aufruf `wait 9 days` startet die Frist.'),
    ).toEqual([]);
  });

  it('are found when only the unit is another one of its kind', () => {
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Die Übergangsfrist für Kunden beträgt 5 Wochen.'),
    ).toEqual(['5 Tage → 5 Wochen']);
    expect(
      changes('Die Übergangsfrist für Kunden beträgt 5 Tage.', 'Die Übergangsfrist für Kunden beträgt 5 Anrufe.'),
    ).toEqual([]);
  });

  it('are found where one text parts with a semicolon what the other one joins, each once', () => {
    expect(
      changes(
        'Ask for all 26 teams and show a refusal with the name of whoever can raise the quota.',
        'All 6 teams are asked for; a refusal is shown with the name of whoever can raise the quota.',
      ),
    ).toEqual(['26 teams → 6 teams']);
    expect(
      changes(
        'The flag returns to the old table within 5 minutes; orders are copied back by the mover.',
        'The flag returns to the old table within 50 minutes; orders are copied back by the mover.',
      ),
    ).toEqual(['5 minutes → 50 minutes']);
  });

  it('are found between the same words in a sentence that says more', () => {
    expect(
      changes(
        'The scheduler asks before admitting a build, and admits it when there is no answer within 50 milliseconds.',
        'The scheduler asks before admission and lets builds pass when it gets no answer within 500 milliseconds, because a stopped pipeline costs more than a few free minutes.',
      ),
    ).toEqual(['50 milliseconds → 500 milliseconds']);
  });

  it('are found whether a word is in the singular or in the plural', () => {
    expect(
      changes(
        'Upload tokens are valid for 15 minutes and one product.',
        'A token is valid for 150 minutes and one product.',
      ),
    ).toEqual(['15 minutes → 150 minutes']);
  });

  it('are found in a sentence that was turned around', () => {
    const plan = '# C\n\n## Rollout\n\nFor 3 days the harbour stamps both ledgers and inspects seals nightly.\n';
    const turned = (time: string) =>
      `${HEADER}\n## Rollout\n\nAt first both ledgers are stamped for ${time} and seals are inspected every night.\n`;
    expect(diff(plan, turned('thirty days')).changed).toMatchObject([{ before: '3 days', after: 'thirty days' }]);
    expect(diff(plan, turned('72 hours'))).toMatchObject({ changed: [], missing: [], thinned: [] });
  });

  it('are told with both places', () => {
    const concept =
      '# C\n\n## Migration\n\nDer Parallelbetrieb beider Fassungen dauert fünf Tage, dann wird die alte gelöscht.\n';
    const adr = `${HEADER}\n## Migration\n\nDer Parallelbetrieb beider Fassungen dauert fünfzig Tage, dann wird die alte gelöscht.\n`;
    expect(diff(concept, adr).changed).toMatchObject([
      {
        title: 'Migration',
        obligation: 'migration',
        line: 5,
        before: 'fünf Tage',
        after: 'fünfzig Tage',
        best: { section: 'Migration', line: 10 },
      },
    ]);
  });
});
