import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const CONTEXT = '## Context\n\nWe move billing to the cluster because the old machine is slow.\n';

function errors(concept: string, adr: string): string[] {
  const read = parseAdr(
    `---\nadr_id: "007"\nstatus: Proposed\n---\n\n# ADR-007: Billing\n\n${CONTEXT}\n${adr}`,
    'adr.md',
  );
  return checkConcept(diffConcept(parseAdr(`# Concept\n\n${CONTEXT}\n${concept}`, 'concept.md'), read), read)
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => /says "([^"]*)".*says "([^"]*)"/.exec(message)?.slice(1).join(' → ') ?? message);
}

describe('a value that changed', () => {
  const list = '## Migration plan\n\n1. Freeze writes for five days\n2. Copy the data\n3. Switch DNS\n';
  const merged = (freeze: string) => `## Migration plan\n\n${freeze}, copy the data and switch DNS.\n`;

  it('is found where a list became one sentence, or one sentence a list', () => {
    expect(errors(list, merged('Freeze writes for fifty days'))).toEqual(['five days → fifty days']);
    expect(errors(merged('Freeze writes for fifty days'), list)).toEqual(['fifty days → five days']);
    expect(errors(list, merged('Freeze writes for 5 days'))).toEqual([]);
    expect(
      errors(list, merged('Copy the writes, wait for fifty days until all is calm, freeze for five days')),
    ).toEqual([]);
  });

  it('is not found where the steps of two days became one step, or one became two', () => {
    const apart =
      '## Migration plan\n\n- Day 13: wipe the disks of the archive\n- Day 14: check the seals of the ledger\n';
    const joined = (days: string) =>
      `## Migration plan\n\n- ${days}: wipe the disks of the archive and check the seals of the ledger\n`;
    for (const days of ['Days 13 and 14', 'Day 13 and day 14', 'Day 13-14'])
      expect([errors(apart, joined(days)), errors(joined(days), apart)]).toEqual([[], []]);
    expect(errors(apart, joined('Day 13-15'))).toEqual(['Day 13 → Day 13-15', 'Day 14 → Day 13-15']);
  });

  it('is not dropped where a part of an hour tells it', () => {
    const back = (time: string) =>
      `## Rückfallplan\n\nÜber den Schalter geht die Suche binnen ${time} zurück auf SQL.\n`;
    for (const same of ['einer Viertelstunde', 'a quarter of an hour'])
      expect(errors(back('15 Minuten'), back(same))).toEqual([]);
    expect(errors(back('15 Minuten'), back('kurzer Zeit'))).toHaveLength(1);
  });

  it('is found where the sentence moved to another section, or a semicolon became a dot', () => {
    const secured = (version: string) => `Use ${version} for all connections`;
    expect(errors(`## Security\n\n${secured('TLS 1.3')}.\n`, `## Implementation\n\n${secured('TLS 1.1')}.\n`)).toEqual([
      'TLS 1.3 → TLS 1.1',
    ]);
    expect(
      errors(
        `## Security\n\n${secured('TLS 1.3')}; rotate passwords every 90 days.\n`,
        `## Security\n\n${secured('TLS 1.1')}. Rotate passwords every 90 days.\n`,
      ),
    ).toEqual(['TLS 1.3 → TLS 1.1']);
  });

  it('is found with k, M and million, which are the same as their zeros', () => {
    const costs = (sum: string) => `## Migration\n\nThe move costs ${sum} in the first year.\n`;
    expect(errors(costs('5k EUR'), costs('50k EUR'))).toEqual(['5k EUR → 50k EUR']);
    expect(errors(costs('$5M'), costs('$50M'))).toEqual(['$5M → $50M']);
    expect(errors(costs('2 Mio. €'), costs('20 million EUR'))).toEqual(['2 Mio. € → 20 million EUR']);
    for (const same of ['5,000 EUR', '€5k', '5000 €', '5 thousand euros'])
      expect(errors(costs('5k EUR'), costs(same))).toEqual([]);
    expect(errors(costs('5-10k EUR'), costs('5,000-10,000 EUR'))).toEqual([]);
    expect(errors(costs('2.5 million euros'), costs('€2,500,000'))).toEqual([]);
  });

  it('is found in a short line', () => {
    const budget = (sum: string) => `## Rollback\n\nBudget: ${sum} for the move.\n`;
    expect(errors(budget('€5,000'), budget('€50,000'))).toEqual(['€5,000 → €50,000']);
    expect(errors(budget('€5,000'), budget('5000 EUR'))).toEqual([]);
  });

  it('is found in headings, by themselves and against the text of the other', () => {
    const plan = ([write, readers, kept, back]: readonly string[]) =>
      `## Migration plan\n\n### ${write}\n\nThe importer fills both ledgers and compares sums.\n\n### ${readers}\n\nThe new ledger answers, the old one is kept.
\n## Security\n\n### ${kept}\n\nThey lie in the vault of the second site.\n\n## ${back}\n\nThe flag is turned and writers are restarted by hand.\n`;
    const before = [
      'Day 4-10: Double write',
      'Week 2: Switch readers',
      'Backup retention: 30 days',
      'Rollback within 15 minutes',
    ];
    const after = [
      'Day 4-40: Double write',
      'Week 20: Switch readers',
      'Backup retention: 3 days',
      'Rollback within 15 hours',
    ];
    expect(errors(plan(before), plan(after))).toEqual([
      'Day 4-10 → Day 4-40',
      'Week 2 → Week 20',
      '30 days → 3 days',
      '15 minutes → 15 hours',
    ]);
    expect(errors(plan(before), plan(before))).toEqual([]);
    const reworded = ['Double write (day 4 to 10)', 'In week 2 readers switch', 'Backups', 'Rollback'];
    const told = plan(reworded).replace('They lie', 'Their retention is one month, they lie');
    expect(errors(plan(before), told)).toEqual([]);
    const item = (days: string) =>
      `## Migration plan\n\n- ${days}: double write into ledgers\n- Week 9: read the new ledger\n`;
    const heading = (days: string) =>
      `## Migration plan\n\n### ${days}: Double write into ledgers\n\nWriters fill both.\n\n### Week 9\n\nRead the new ledger.\n`;
    expect(errors(item('Day 4-10'), heading('Day 4-40'))).toEqual(['Day 4-10 → Day 4-40']);
    expect(errors(heading('Day 4-10'), item('Day 4-40'))).toEqual(['Day 4-10 → Day 4-40']);
    expect(errors(heading('Day 4-10'), item('Day 4-10'))).toEqual([]);
  });

  it('is not found where another heading of the concept has the other value', () => {
    const text = 'Readers of the ledger are moved by hand.';
    const twice = `## Migration plan\n\n### Week 1: Switch readers\n\n${text}\n\n### Week 2: Switch readers\n\n${text}\n`;
    expect(errors(twice, `## Migration plan\n\n### Week 1: Switch readers\n\n${text}\n`)).toEqual([
      expect.stringMatching(/^"Week 2: Switch readers" of the concept .* is not in this ADR/),
    ]);
  });
});

describe('a value that was left out', () => {
  it('thins a plan whose words stayed', () => {
    const plan = '## Migration plan\n\n1. Freeze writes for five days\n2. Copy the data\n3. Switch DNS\n';
    const merged = (freeze: string) => `## Migration plan\n\n${freeze}, copy the data and switch DNS.\n`;
    expect(errors(plan, merged('Freeze writes'))).toEqual([
      expect.stringMatching(
        /^1 of 3 points of "Migration plan".* is not in this ADR;.* lost: Freeze writes for five days/,
      ),
    ]);
    expect(errors(plan, '## Migration plan\n\n1. Freeze writes\n2. Copy the data\n3. Switch DNS\n')).toHaveLength(1);
    expect(
      errors('## Rollback\n\nThe flag is turned within 15 minutes.\n', '## Rollback\n\nThe flag is turned.\n'),
    ).toEqual([expect.stringMatching(/^1 of 1 points of "Rollback".* lost: The flag is turned within 15 minutes/)]);
  });

  it('is not left out where it stands elsewhere, in another unit or in other words', () => {
    const plan = '## Migration plan\n\n- Freeze writes for five days\n- Copy the data every day\n';
    const told = (freeze: string) => `## Migration plan\n\n${freeze}\n\nCopy the data daily.\n`;
    for (const freeze of [
      'Freeze writes (120 hours).',
      'Freeze writes. That takes 5 days.',
      'Freeze writes from Monday to Friday: fünf Tage.',
    ])
      expect(errors(plan, told(freeze))).toEqual([]);
    expect(errors(plan.replace('five days', 'one day'), told('Freeze writes for a day.'))).toEqual([]);
  });
});
