import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkConcept } from '../check-concept.ts';
import { diffConcept } from '../diff-concept.ts';

const KEPT = 'Harbour pilots sign the ledger of seals before the ferry leaves the dock.';

function compare(before: string, after: string, heading = 'Security') {
  const concept = parseAdr(`# C\n\n## ${heading}\n\n- ${before}\n- ${KEPT}\n`, 'concept.md');
  const header = '---\nadr_id: "007"\nstatus: Proposed\n---\n\n# ADR-007: Ferries\n';
  const adr = parseAdr(`${header}\n## ${heading}\n\n- ${after}\n- ${KEPT}\n`, 'adr.md');
  return checkConcept(diffConcept(concept, adr), adr).filter(({ check }) => check === 'concept-value-drift');
}

function changes(before: string, after: string): string[] {
  return compare(before, after).map(
    ({ severity, message }) => `${severity} ${/says "([^"]*)".*says "([^"]*)"/.exec(message)?.slice(1).join(' → ')}`,
  );
}

describe('values in a sentence that is the same for the rest', () => {
  it('are found when one thing is left of several, or several came from one', () => {
    const release = (who: string) => `${who} before a deletion is carried out in the archive.`;
    expect(changes(release('2 admins approve'), release('1 admin approves'))).toEqual(['error 2 admins → 1 admin']);
    expect(changes(release('Two admins approve'), release('One admin approves'))).toEqual([
      'error Two admins → One admin',
    ]);
    expect(changes('2 admins approve deletions.', '1 admin approves deletions.')).toEqual(['error 2 admins → 1 admin']);
    expect(changes(release('1 admin approves'), release('3 admins approve'))).toEqual(['error 1 admin → 3 admins']);
    expect(
      changes(
        'Zwei Admins müssen jede Löschung im Archiv bestätigen.',
        'Ein Admin muss jede Löschung im Archiv bestätigen.',
      ),
    ).toEqual(['error Zwei Admins → Ein Admin']);
  });

  it('are found for versions and lengths of keys', () => {
    const cases = [
      ['TLS 1.3', 'TLS 1.0'],
      ['AES-256', 'AES-128'],
      ['Node.js 22', 'Node.js 18'],
      ['PostgreSQL 16', 'PostgreSQL 12.4'],
    ];
    for (const [before = '', after = ''] of cases)
      expect(
        changes(`Every ferry connection relies on ${before}.`, `Every ferry connection relies on ${after}.`),
      ).toEqual([`error ${before} → ${after}`]);
    expect(changes('All berths speak TLS 1.3 with AES-256-GCM.', 'All berths speak TLS 1.0 with AES-128-GCM.')).toEqual(
      ['error TLS 1.3 → TLS 1.0', 'error AES-256 → AES-128'],
    );
  });

  it('are found for numbers that count no word, times of day and spans of one', () => {
    const cases = [
      ['in batches of 50', '50', 'in batches of 500', '500'],
      ['in batches of 50, smallest first', '50', 'in batches of 500, smallest first', '500'],
      ['in batches of 50 and by night', '50', 'in batches of 500 and by night', '500'],
      ['in Paketen von 1.000', '1.000', 'in Paketen von 10 000', '10 000'],
      ['at 22:00', '22:00', 'at 10:00', '10:00'],
      ['at 9:30 UTC', '9:30 UTC', 'at 10:30 UTC', '10:30 UTC'],
      ['in a week of calm', 'a week', 'in a day of calm', 'a day'],
      ['100 times per hour', 'per hour', '100 times per day', 'per day'],
    ];
    const moves = (how: string) => `Ferries of the harbour move their berths ${how}.`;
    for (const [before = '', old, after = '', now] of cases)
      expect(changes(moves(before), moves(after))).toEqual([`error ${old} → ${now}`]);
  });

  it('are not found for such numbers, times and spans when they are the same in another form', () => {
    const cases = [
      ['in batches of 5000', 'in batches of 5 000'],
      ['in batches of 5k', 'in batches of 5,000'],
      ['in batches of 50', 'in batches of fifty'],
      ['in batches of 50', 'in batches of 50 ferries'],
      ['in lanes of 5km', 'in lanes of 5000 m'],
      ['for fees of 50 000 €', 'for fees of 50.000 €'],
      ['at 22:00', 'at 10:00 pm'],
      ['at 9:00', 'at 09:00'],
      ['at 22:00 UTC', 'at 23:00 CET'],
      ['in a week of calm', 'in 7 days of calm'],
      ['100 times a day', '100 times per day'],
      ['for a second time', 'for a third time'],
      ['as told by 3.1.2', 'as told by 3.1.3'],
    ];
    const moves = (how: string) => `Ferries of the harbour move their berths ${how}.`;
    for (const [before = '', after = ''] of cases) expect(changes(moves(before), moves(after))).toEqual([]);
  });

  it('are told once for each item, however many sentences tell them', () => {
    const both = (version: string) => `Ferries at berth rely on ${version}. Cranes at berth rely on ${version}.`;
    expect(changes(both('TLS 1.3'), both('TLS 1.0'))).toEqual(['error TLS 1.3 → TLS 1.0']);
  });

  it('are only warnings outside of what must be delivered', () => {
    const found = compare('Every ferry relies on Node.js 22.', 'Every ferry relies on Node.js 18.', 'Operation');
    expect(found.map(({ severity }) => severity)).toEqual(['warning']);
  });

  it('are not found when they are the same in other words or told more closely', () => {
    const relies = (version: string) => `Every ferry connection relies on ${version}.`;
    expect(changes(relies('two admins'), relies('2 admins'))).toEqual([]);
    expect(changes(relies('PostgreSQL 16'), relies('PostgreSQL 16.2'))).toEqual([]);
    expect(changes(relies('OAuth 2.0'), relies('OAuth 2'))).toEqual([]);
    expect(changes(relies('AES-256'), relies('AES 256'))).toEqual([]);
  });

  it('are not ids, places in a list, links or code', () => {
    const follows = (what: string) => `Every ferry connection follows ${what} of the harbour.`;
    const cases = [
      ['ADR-014', 'ADR-015'],
      ['ADR 14', 'ADR 15'],
      ['NODE-14', 'NODE-15'],
      ['RFC 8446', 'RFC 5246'],
      ['Phase 2', 'Phase 3'],
      ['criterion 1.2', 'criterion 1.3'],
      ['Abschnitt 3.1', 'Abschnitt 3.2'],
      ['`TLS 1.3`', '`TLS 1.0`'],
      ['[the norm](https://example.org/TLS 1.3)', '[the norm](https://example.org/TLS 1.0)'],
    ];
    for (const [before = '', after = ''] of cases) expect(changes(follows(before), follows(after))).toEqual([]);
  });

  it('are not found when the sentence says something else, says no, or the old value stands beside', () => {
    const before = 'Clients of the harbour must use TLS 1.3.';
    expect(changes(before, 'Clients of the harbour must not use TLS 1.0.')).toEqual([]);
    expect(changes(before, 'Old printers in the office reach TLS 1.0 at best.')).toEqual([]);
    expect(changes(before, `Clients of the harbour may use TLS 1.2.\n- ${before}`)).toEqual([]);
    expect(
      changes(`${before}\n- Printers of the harbour use TLS 1.2.`, 'Clients of the harbour must use TLS 1.2.'),
    ).toEqual([]);
    expect(
      changes(
        'Two admins approve each deletion in the archive.',
        'One admin approves each deletion in the archive, another one signs the protocol and informs the auditors.',
      ),
    ).toEqual([]);
  });
});
