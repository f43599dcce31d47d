import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const GERMAN_PLAN = `- Woche 1: Bienenstöcke wiegen, Sensoren an den Deckeln verschrauben
- Woche 2: Messwerte mit der Waage des Imkers vergleichen
- Woche 3: Papierbuch schließen, Honigertrag aus den Messwerten schätzen`;

const ENGLISH_PLAN = `1. Weigh the hives, screw sensors to the lids
2. Compare readings with the scale of the keeper
3. Close the paper book, estimate the honey from readings`;

const GERMAN = `# Konzept

## Idee

Jeder Bienenstock meldet sein Gewicht über Funk; der Imker sieht Schwärme, bevor sie ausziehen.

## Umstellungsplan

${GERMAN_PLAN}
`;

const ENGLISH = `# Concept

## Idea

Every hive reports its weight by radio, so that the keeper sees a swarm before it leaves.

## Migration plan

${ENGLISH_PLAN}
`;

function asAdr(concept: string): string {
  return concept.replace(/^# .*/, '---\nadr_id: "031"\nstatus: Proposed\n---\n\n# ADR-031: Hives on the radio');
}

function check(concept: string, adr: string) {
  const read = parseAdr(adr, 'adr.md');
  const diff = diffConcept(parseAdr(concept, 'concept.md'), read);
  return { ...diff, findings: checkConcept(diff, read).map(({ severity, check: id }) => `${severity} ${id}`) };
}

const fenced = (text: string, info = '') => `\`\`\`${info}\n${text}\n\`\`\``;
const quoted = (text: string) => text.replace(/^/gm, '> ');

describe('what must be delivered, in an ADR that has it only in a fence or quote,', () => {
  const hidden = (text: string) => [fenced(text, 'markdown'), fenced(text), fenced(text, 'yaml'), quoted(text)];

  it('is lost with its heading', () => {
    for (const [concept, plan] of [
      [GERMAN, `## Umstellungsplan\n\n${GERMAN_PLAN}`],
      [ENGLISH, `## Migration plan\n\n${ENGLISH_PLAN}`],
    ] as const) {
      expect(check(concept, asAdr(concept)).findings).toEqual([]);
      for (const text of hidden(plan)) {
        const { findings, coveragePercent } = check(concept, asAdr(concept).replace(plan, text));
        expect(findings, text).toEqual(['error concept-lost']);
        expect(coveragePercent).toBe(50);
      }
    }
  });

  it('is lost below its heading, too', () => {
    for (const text of hidden(GERMAN_PLAN))
      expect(check(GERMAN, asAdr(GERMAN).replace(GERMAN_PLAN, text)).findings, text).toEqual(['error concept-lost']);
    for (const text of hidden(ENGLISH_PLAN))
      expect(check(ENGLISH, asAdr(ENGLISH).replace(ENGLISH_PLAN, text)).findings, text).toEqual(['error concept-lost']);
  });

  it('is thinned when only some of it is hidden, even right after a paragraph', () => {
    for (const hide of [quoted, (text: string) => fenced(text, 'markdown')]) {
      const german = GERMAN.replace(/^- Woche 3.*$/m, hide);
      expect(check(GERMAN, asAdr(german)).thinned).toMatchObject([{ title: 'Umstellungsplan', lostItems: 1 }]);
    }
    const english = ENGLISH.replace(/^2\. .*$/m, quoted);
    expect(check(ENGLISH, asAdr(english)).thinned).toMatchObject([{ title: 'Migration plan', lostItems: 1 }]);
  });

  it('does not keep its old value there', () => {
    const concept = ENGLISH.replace('lids\n', 'lids within 4 days\n');
    const adr = concept.replace('within 4 days\n', 'within 9 days\n').concat('\n> It was to take 4 days.\n');
    expect(check(concept, asAdr(adr)).changed).toMatchObject([{ before: '4 days', after: '9 days' }]);
  });
});

describe('what a concept itself has in fences and quotes', () => {
  it('may stand there in the ADR', () => {
    for (const hide of [fenced, quoted]) {
      const concept = GERMAN.replace(
        GERMAN_PLAN,
        `Der Plan ist mit allen Imkern des Tals abgestimmt.\n\n${hide(GERMAN_PLAN)}`,
      );
      expect(check(concept, asAdr(concept)).findings).toEqual([]);
      expect(check(concept, asAdr(GERMAN)).findings).not.toContain('error concept-lost');
    }
  });

  it('is kept by code where nothing must be delivered', () => {
    const english = ENGLISH.replace(
      /Every hive.*/,
      fenced('Every hive reports its weight, the keeper sees a swarm', 'text'),
    );
    expect(check(ENGLISH, asAdr(english)).findings).toEqual([]);
  });
});
