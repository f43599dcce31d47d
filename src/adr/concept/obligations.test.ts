import { describe, expect, it } from 'vitest';
import { parseAdr } from '../document/parse-adr.ts';
import { checkConcept } from './check-concept.ts';
import { diffConcept } from './diff-concept.ts';

const CONCEPT = `# Concept: parcels

## Idea

A router chooses the depot for each parcel from weight, address and load. Drivers carry a handheld. It shows where the routes
lead, as all can see on the wall. Slow depots lose parcels to their neighbours.

## Rollout plan

| Week | Place | Work |
|---|---|---|
| 1 | Bremen | mirror the scanner traffic into the router, compare chosen depots by hand |
| 2 | Kassel | print labels from the router, keep the paper list beside the belt |
| 3 | Leipzig | move customs parcels, train the night shift on the handheld |
| 4 | Munich | switch the remaining belts, retire the mainframe queue |
| 5 | all | audit invoices against labels, archive scanner traffic |

## Risks

- Labels jam the printers of old belts
- Customs parcels get an address without a broker
- Drivers see slow routes

## Acceptance criteria

- A parcel without address goes to the manual belt
- Labels are printed within two seconds of the scan
- Invoices of a week match the labels of the same week
`;

const ADR = asAdr(CONCEPT);

function asAdr(concept: string): string {
  return concept.replace(/^# .*/, '---\nadr_id: "050"\nstatus: Proposed\n---\n\n# ADR-050: Routers and shelves');
}

function errors(adr: string, concept = CONCEPT): string[] {
  const read = parseAdr(adr, 'adr.md');
  return checkConcept(diffConcept(parseAdr(concept, 'concept.md'), read), read)
    .filter(({ severity }) => severity === 'error')
    .map(({ check, message }) => `${check}: ${message}`);
}

describe('what must be delivered', () => {
  it('is complete when all of it stands under its heading', () => {
    expect(errors(ADR)).toEqual([]);
  });

  it('is thinned by one step that is gone, however many are left', () => {
    const [found, ...more] = errors(ADR.replace(/^\| 3 \| Leipzig.*\n/m, ''));
    expect(more).toEqual([]);
    expect(found).toContain('concept-thinned: 1 of 5 points of "Rollout plan"');
    expect(found).toContain('night shift');
  });

  it('is thinned by one point whose words stand only under other headings', () => {
    const [found, ...more] = errors(ADR.replace('- Drivers see slow routes\n', ''));
    expect(more).toEqual([]);
    expect(found).toContain('concept-thinned: 1 of 3 points of "Risks"');
  });

  it('is not thinned by a point that was moved as a whole', () => {
    const moved = ADR.replace('- Customs parcels get an address without a broker\n', '').replace(
      'neighbours.\n',
      'neighbours.\n\nCustoms parcels may get an address without a broker.\n',
    );
    expect(errors(moved)).toEqual([]);
  });

  it('is thinned by one of two points that is gone from its section, in German and in English', () => {
    const german = `# Konzept: Lager\n\n## Idee\n\nRegale melden ihren Bestand über Funk an die Zentrale, die daraus Bestellungen macht.\n
## Umstellungsplan\n\n- Woche 1: Funkmodule in Halle Nord einbauen, Bestand von Hand gegenprüfen
- Woche 2: Klemmbretter einsammeln, Disposition auf die Zentrale umschulen\n\n## Risiken\n\n- Batterien der Module versagen im Winter
- Die Zentrale verwechselt gleichnamige Artikel\n`;
    expect(errors(asAdr(german), german)).toEqual([]);
    expect(errors(asAdr(german.replace(/^- Woche 2.*\n/m, '')), german)).toEqual([
      expect.stringContaining(
        'concept-thinned: 1 of 2 points of "Umstellungsplan" of the concept (concept.md:7) is not in',
      ),
    ]);
    expect(errors(asAdr(german.replace(/^- Batterien.*\n/m, '')), german)).toEqual([
      expect.stringContaining('1 of 2 points of "Risiken"'),
    ]);
    const english = CONCEPT.replace('- Drivers see slow routes\n', '');
    expect(errors(asAdr(english.replace(/^- Labels jam.*\n/m, '')), english)).toEqual([
      expect.stringContaining('1 of 2 points of "Risks"'),
    ]);
  });

  it('is kept by a text that says the same in other words, nightly as every night and days as weeks', () => {
    const english = `# Concept\n\n## Rollout\n\n### Twin ledgers\n\nFor 14 days the harbour writes to both ledgers and inspects seals nightly.\n
### Switch\n\nOn 2027-06-21 pilots read the new ledger; the old one is bound and stored in the tower.\n`;
    const told = `## Decision\n\nBoth ledgers are written for two weeks and seals are inspected every night. On June 21st, 2027 pilots
start to read the new ledger, and the old one is bound and goes to a store in the tower.\n`;
    expect(errors(asAdr(`# A\n\n${told}`), english)).toEqual([]);
    const german = `# Konzept\n\n## Migration\n\n- Tag 1-4: Doppelbuchung, nächtlicher Vergleich aller Frachtbriefe
- Tag 5-8: Lotsen lesen im neuen Buch, Stichproben im Turm\n- Tag 9-12: altes Buch binden, Ablage im Turm\n`;
    const erzählt = `## Rollout\n\nIn den ersten vier Tagen wird doppelt gebucht, und jede Nacht werden alle Frachtbriefe verglichen. Von Tag 5
bis 8 lesen die Lotsen im neuen Buch, im Turm gibt es Stichproben. Zwischen Tag 9 und 12 binden wir das alte Buch und legen es im Turm ab.\n`;
    expect(errors(asAdr(`# A\n\n${erzählt}`), german)).toEqual([]);
  });
});

describe('acceptance criteria', () => {
  it('are lost when others took their place, though their words stand elsewhere', () => {
    const others = ADR.replace(
      /(?<=## Acceptance criteria\n\n)[\s\S]*$/,
      '- The party was announced\n- The posters hang in the corridor\n- The cake is paid for\n',
    );
    const said = others.replace(
      'neighbours.\n',
      'neighbours. There is a manual belt. Many an address is wrong. A scan is over in two seconds. Labels are green. Some weeks have no invoices.\n',
    );
    const [found, ...more] = errors(said);
    expect(more).toEqual([]);
    expect(found).toContain('concept-lost: "Acceptance criteria"');
  });

  it('are lost with their section where the other headings of the concept came over', () => {
    const [found, ...more] = errors(ADR.replace(/## Acceptance criteria[\s\S]*$/, ''));
    expect(more).toEqual([]);
    expect(found).toContain('concept-lost: "Acceptance criteria"');
  });

  it('are not lost when each of them is said under another heading', () => {
    expect(errors(ADR.replace('## Acceptance criteria', '## What we look at in the end'))).toEqual([]);
  });

  it('may be implied by an ADR with headings of its own', () => {
    const concept = CONCEPT.replace(/## Rollout plan[\s\S]*?(?=## Acceptance)/, '');
    const free = `${ADR.replace(/## Idea/, '## Decision').replace(/## Rollout[\s\S]*$/, '')}
A parcel that has no address is put on the manual belt. We print labels two seconds after a scan at the latest, and each week's invoices are held against labels.
`;
    expect(errors(free, concept)).toEqual([]);
  });

  it('are not implied by an ADR that has none of what they measure and hardly a word of it', () => {
    const concept = `# Concept: ferry tickets\n\n## Problem\n\nTickets are sold at the pier by hand; families miss the ferry, and the pilot does not see the queue.\n
## Solution\n\nA kiosk sells tickets and writes them to the harbour book, each by its number.\n
## Acceptance criteria\n\n- 98 % of passengers pay within 4 minutes of arrival\n- No doubled tickets during a summer of trial\n- The pilot sees the length of the queue on a board\n`;
    const free = `# ADR-7: Ferry tickets\n\n## Context\n\nTickets are sold by hand at the pier, families miss the ferry and the pilot does not see the queue.\n
## Decision\n\nA kiosk sells the tickets and writes each by its number to the harbour book.\n
## Consequences\n\nThe trial runs for a summer. Doubled tickets may happen when the kiosk restarts; the number prevents them.`;
    const lost = [expect.stringContaining('concept-lost: "Acceptance criteria" of the concept')];
    expect(errors(free, concept)).toEqual(lost);
    expect(errors(`${free} After 240 seconds a passenger is let in for free.`, concept)).toEqual([]);
    expect(errors(`${free} Passengers pay soon after arrival.`, concept)).toEqual([]);
    expect(
      errors(free, concept.replace('98 % of passengers pay within 4 minutes of arrival', 'Passengers pay')),
    ).toEqual([]);
  });
});

describe('what breaks', () => {
  const breaking = (text: string) =>
    `# Concept: shelves\n\n## Problem\n\nBooks lie on the floor and get wet when the roof leaks.\n\n## Solution\n\nBooks stand on shelves.\n\n## Breaking changes\n\n${text}\n`;
  const told = (decision: string, consequences: string) =>
    `# 7. Shelves\n\n## Context\n\nBooks lie on the floor and get wet when the roof leaks.\n\n## Decision\n\nBooks stand on shelves. ${decision}\n\n## Consequences\n\n${consequences}\n`;
  const lost = [expect.stringContaining('concept-lost: "Breaking changes" of the concept')];

  it.each([
    ['in ticks', (name: string) => `\`${name}\``],
    ['without ticks', (name: string) => name],
  ])('is told in other words where all its names stand together, %s', (_, written) => {
    const [old, next] = [written('/books'), written('/v2/books')];
    const concept = breaking(`The path ${old} is gone; use ${next}.`);
    expect(errors(told('', `${old} no longer exists, callers have to switch to ${next}.`), concept)).toEqual([]);
    expect(errors(told('', `Callers have to switch to ${next}.`), concept)).toEqual(lost);
    expect(errors(told(`Clerks read ${old}.`, `Guests read ${next}.`), concept)).toEqual(lost);
    expect(errors(told('', `\`\`\`\n${old} ${next}\n\`\`\``), concept)).toEqual(lost);
  });

  it('is thinned by none of its points when the names of each stand together', () => {
    const names = ['books', 'clerks', 'guests'];
    const concept = breaking(names.map((name) => `- The path \`/${name}\` vanished; use \`/v2/${name}\`.`).join('\n'));
    const moved = names.map((name) => `- \`/${name}\` no longer exists, callers have to switch to \`/v2/${name}\``);
    expect(errors(told('', moved.join('\n')), concept)).toEqual([]);
  });
});
