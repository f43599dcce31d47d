import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkConcept } from '../check-concept.ts';
import { diffConcept } from '../diff-concept.ts';

const CONTEXT = '## Context\n\nCustomers wait too long for their exports.\n';

function drifts(before: string, after: string): string[] {
  const adr = parseAdr(
    `# 1. Exports\n\nStatus: accepted\n\n${CONTEXT}\n## Decision\n\nExports are made in the background.\n\n${after}\n`,
    'adr.md',
  );
  return checkConcept(diffConcept(parseAdr(`# Concept: Exports\n\n${CONTEXT}\n${before}\n`, 'concept.md'), adr), adr)
    .filter(({ check, severity }) => check === 'concept-value-drift' && severity === 'error')
    .map(({ message }) => /says "([^"]*)".*says "([^"]*)"/.exec(message)?.slice(1).join(' → ') ?? message);
}

const back = (text: string) => `## Rollback\n\n${text}`;
const move = (text: string) => `## Migration\n\n${text}`;
const criteria = (...texts: readonly string[]) =>
  `## Acceptance criteria\n\n${texts.map((text) => `- ${text}`).join('\n')}`;

describe('the only value of its kind under a heading', () => {
  it.each([
    ['We can go back within five days.', 'We can return within fifty days.', 'five days → fifty days'],
    ['We can go back within five days.', 'Going back is possible for fifty days.', 'five days → fifty days'],
    [
      'A rollback is possible for 5 days after the switch.',
      'For 50 days after switching, we can roll back.',
      '5 days → 50 days',
    ],
    ['A rollback is possible for 5 days after the switch.', 'Rolling back is allowed for 50 days.', '5 days → 50 days'],
    ['Bis zu fünf Tage lang können wir zurück.', 'Die Rückkehr ist 50 Tage möglich.', 'fünf Tage → 50 Tage'],
    ['The way back is open until 2027-03-01.', 'Nobody goes back after 1 August 2027.', '2027-03-01 → 1 August 2027'],
  ])('changed: %s %s', (before, after, change) => {
    expect(drifts(back(before), back(after))).toEqual([change]);
  });

  it('changed in a plan, and under another name of the plan', () => {
    expect(drifts(move('The migration takes five days.'), move('We migrate within fifty days.'))).toEqual([
      'five days → fifty days',
    ]);
    expect(drifts(move('Die Migration dauert fünf Tage.'), '## Rollout\n\nWir migrieren in fünfzig Tagen.')).toEqual([
      'fünf Tage → fünfzig Tagen',
    ]);
    expect(
      drifts(
        move('The migration takes five days and needs two people.'),
        move('We plan fifty days with two people for migrating.'),
      ),
    ).toEqual(['five days → fifty days']);
  });

  it('changed in a list, where some of the words around it are the same', () => {
    const others = ['no export is lost', 'a mail tells when it is done'];
    expect(
      drifts(
        criteria('p99 latency below 150 ms under load', ...others),
        criteria('99th percentile of latency under 1500 ms under load', ...others),
      ),
    ).toEqual(['150 ms → 1500 ms']);
    expect(
      drifts(criteria('Exports start within 150 ms', ...others), criteria('Mails leave after 900 ms', ...others)),
    ).toEqual([]);
  });

  it('is the same in another unit', () => {
    const kept = (time: string) => move(`The old queue stays for ${time}.`);
    const told = (time: string) => move(`We remove the former queue ${time} later.`);
    for (const same of ['two weeks', '14 days', '336 hours']) expect(drifts(kept('14 days'), told(same))).toEqual([]);
    expect(drifts(kept('3 months'), told('90 days'))).toEqual([]);
    expect(drifts(kept('14 days'), told('40 days'))).toEqual(['14 days → 40 days']);
  });

  it('is no other one when the old one stands elsewhere in the ADR, or the new one in the concept', () => {
    const before = 'We can go back within five days.';
    const after = 'We can return within fifty days.';
    expect(drifts(back(before), `${back(after)}\n\n## Notes\n\nThe flag stays for 5 days.`)).toEqual([]);
    expect(drifts(`${back(before)}\n\n## Storage\n\nExports are kept for 50 days.`, back(after))).toEqual([]);
  });

  it('is no other one when there are several of its kind, or when the other one measures something else', () => {
    const before = 'We can go back within five days.';
    expect(drifts(back(before), back('The way back takes fifty days, of which we sleep for ten days.'))).toEqual([]);
    expect(drifts(back(`${before} It takes two days.`), back('Turning the flag lasts fifty days.'))).toEqual([]);
    expect(drifts(back(before), back('The way back costs 50 EUR.'))).toEqual([]);
    expect(drifts(back(before), back('The flag is turned within ten minutes.'))).toEqual([]);
  });

  it('is no other one in a longer plan that tells something else', () => {
    const steps =
      '### Copy\n\n- Copy the tables to the vault\n- Compare the sums\n\n### Switch\n\n- Turn the flag\n- Burn the tapes\n';
    const plan = (title: string, more = '') => `## ${title}\n\n${steps}${more}`;
    expect(
      drifts(plan('Migration plan (14 days)'), plan('Migration plan', '- Auditors look at it for 2 days\n')),
    ).toEqual([]);
  });

  it('is no other one under another heading, or in a section that promises nothing', () => {
    const before = 'We can go back within five days.';
    expect(drifts(back(before), move('We can return within fifty days.'))).toEqual([]);
    const idea = (text: string) => `## Idea\n\n${text}`;
    expect(drifts(idea(before), idea('We can return within fifty days.'))).toEqual([]);
  });
});
