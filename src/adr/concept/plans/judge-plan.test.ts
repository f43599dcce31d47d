import { describe, expect, it } from 'vitest';
import { parseAdr } from '../../document/parse-adr.ts';
import { checkConcept } from '../check-concept.ts';
import { diffConcept } from '../diff-concept.ts';

const RECORDS =
  'Stock lists of the bakery live in paper folders, the foreman cannot find flour orders, and the mill ends telephone orders in June.';
const IDEA =
  'We introduce an order book. Foremen switch over to it; flour orders are imported as tables, and drivers use the new scanner.';
const BACK =
  'Switch the foremen back to the paper folders within 3 days; orders made in the order book are exported as tables and imported by hand.';
const SAFE = 'Only managers may export flour orders. The tables are sealed and shredded after the import.';
const RISKS = '- Orders with strange letters break on import\n- Foremen miss their lists for one day';

const PHASES = {
  'Day 1-3: Export': ['Export the flour orders as tables', 'Count orders in both books'],
  'Day 4-8: Import': ['Import the orders into the order book', 'Foremen test the lists'],
  'Day 9-14: Switch': ['Switch the foremen over', 'Shut the paper folders away'],
} as const;
type Phase = keyof typeof PHASES;
const NAMES = Object.keys(PHASES) as Phase[];

const STEPS = NAMES.flatMap((name) => PHASES[name]);
const asList = (points: readonly string[]) => points.map((point) => `- ${point}`).join('\n');
const phases = (names: readonly Phase[], level = '###') =>
  names.map((name) => `${level} ${name}\n\n${asList(PHASES[name])}`).join('\n\n');

function concept(plan = `## Migration plan (14 days)\n\n${phases(NAMES)}`): string {
  return `# Concept: order book\n\n## Problem\n\n${RECORDS}\n\n## Solution\n\n${IDEA}\n\n${plan}\n\n## Rollback\n\n${BACK}
\n## Risks\n\n${RISKS}\n\n## Security\n\n${SAFE}\n\n## Acceptance criteria\n\n- All 480 orders are in the order book\n- Lists open at once\n`;
}

type Places = {
  readonly decision?: string;
  readonly implementation?: string;
  readonly plan?: string;
  readonly criteria?: string;
};

function adr({ decision = '', implementation = '', plan = '', criteria = '' }: Places): string {
  return `---\nadr_id: "012"\nstatus: Proposed\n---\n\n# ADR-012: Order book\n\n## Context\n\n${RECORDS}\n\n## Decision\n\n${IDEA}\n\n${decision}
\n## Implementation\n\nA scanner at the gate reads the labels of flour orders and maps them to shelves.\n\n${implementation}\n\n${plan}
\n## Documentation\n\nThe handbook of the foremen gets a chapter on the order book and its lists.\n\n## Rollback\n\n${BACK}
\n## Risks\n\n${RISKS}\n\n## Security\n\n${SAFE}\n\n## Acceptance criteria\n\n- [ ] All 480 orders are in the order book\n- [ ] Lists open at once\n${criteria}`;
}

function errors(text: string, from = concept()): string[] {
  const read = parseAdr(text, 'adr.md');
  return checkConcept(diffConcept(parseAdr(from, 'concept.md'), read), read)
    .filter(({ severity }) => severity === 'error')
    .map(({ check, message }) => `${check}: ${message}`);
}

const LOST = [expect.stringMatching(/^concept-lost: "Migration plan \(14 days\)" of the concept .*with all below it/)];

describe('a plan without a heading in the ADR', () => {
  it('is lost, though its words are scattered over the other sections', () => {
    expect(errors(adr({}))).toEqual(LOST);
    const read = diffConcept(parseAdr(concept(), 'concept.md'), parseAdr(adr({}), 'adr.md'));
    expect(read.coveragePercent).toBeLessThan(80);
  });

  it('is lost, though a checklist among the acceptance criteria repeats its points', () => {
    const criteria = `\n### Migration\n\n${asList(STEPS.map((step) => `[ ] ${step}`))}\n`;
    expect(errors(adr({ criteria }))).toEqual(LOST);
  });

  it('is lost when it was one list, and when only its heading came over', () => {
    const list = `## Migration\n\n${STEPS.map((step, at) => `${at + 1}. ${step}`).join('\n')}`;
    const lost = [expect.stringMatching(/^concept-lost: "Migration" of the concept/)];
    expect(errors(adr({}), concept(list))).toEqual(lost);
    expect(errors(adr({ plan: '## Migration\n\nWe will look at this later.' }), concept(list))).toEqual(lost);
  });

  it('is lost with phases of very few words', () => {
    const brief =
      '## Migration plan (14 days)\n\n### Day 1\n\n- Export orders\n\n### Day 2\n\n- Count books\n\n### Day 3\n\n- Shut folders\n';
    expect(errors(adr({}), concept(brief))).toEqual(LOST);
  });

  it('is not lost when it was waived', () => {
    const waiver = 'concept_waivers: [{section: "Migration plan (14 days)", reason: "There are no orders yet."}]';
    expect(errors(adr({}).replace('status: Proposed', `status: Proposed\n${waiver}`))).toEqual([]);
    const first =
      'concept_waivers: [{section: "Day 1-3: Export", reason: "None"}, {section: "Day 4-8: Import", reason: "None"}]';
    const rest = adr({ implementation: asList(PHASES['Day 9-14: Switch']) });
    expect(errors(rest.replace('status: Proposed', `status: Proposed\n${first}`))).toEqual([]);
  });

  const told = `First the flour orders are exported as tables, and the orders are counted in both books. Then they are imported into the order
book, where the foremen test their lists. In the end we switch over the foremen and shut away the paper folders.`;
  it.each([
    ['in the section Implementation', adr({ implementation: told })],
    ['in the section Decision', adr({ decision: told })],
    ['as a list below Implementation', adr({ implementation: `### In this order\n\n${asList(STEPS)}` })],
    ['under a name of its own', adr({ plan: `## How we get there\n\n${told}` })],
    ['under the name Rollout', adr({ plan: `## Rollout\n\n${told}` })],
    ['under a German name', adr({ plan: `## Umstellung\n\n${told}` })],
    [
      'in phases with other names',
      adr({ plan: `## Rollout\n\n${phases(NAMES).replace(/^### .*: (\w)\w*$/gm, '### Stage $1')}` }),
    ],
    ['with its phases only', adr({ plan: phases(NAMES, '##') })],
    [
      'as a table',
      adr({
        plan: `## Schedule\n\n| Days | Work |\n|---|---|\n${NAMES.map((name, at) => `| ${at} | ${PHASES[name].join(', ')} |`).join('\n')}`,
      }),
    ],
    [
      'split over sections, word for word',
      adr({ decision: `${STEPS.slice(0, 2).join('. ')}.`, implementation: `${STEPS.slice(2).join('. ')}.` }),
    ],
  ])('is not lost when it stands %s', (_, text) => {
    expect(errors(text)).toEqual([]);
  });

  it('is not lost in German prose of other words', () => {
    const german = `# Konzept\n\n## Problem\n\nDie Frachtbriefe liegen in zwei Häusern, und der Lotse kann sie nachts nicht lesen.\n
## Migrationsplan\n\n- Tag 1-4: Doppelbuchung, nächtlicher Vergleich aller Frachtbriefe\n- Tag 5-8: Lotsen lesen im neuen Buch, Stichproben im Turm
- Tag 9-12: altes Buch binden, Ablage im Turm\n`;
    const moved = `# ADR-3: Buch\n\n## Kontext\n\nFrachtbriefe liegen in zwei Häusern, nachts kann der Lotse sie nicht lesen.\n\n## Umsetzung\n
In den ersten vier Tagen wird doppelt gebucht, und jede Nacht werden alle Frachtbriefe verglichen. Von Tag 5 bis 8 lesen die Lotsen im neuen
Buch, im Turm gibt es Stichproben. Zwischen Tag 9 und 12 binden wir das alte Buch und legen es im Turm ab.\n`;
    expect(errors(moved, german)).toEqual([]);
    expect(errors(moved.replace(/\n## Umsetzung[\s\S]*$/, ''), german)).toHaveLength(1);
  });
});

describe('a phase whose heading is gone', () => {
  const without = (gone: Phase) => `## Migration plan\n\n${phases(NAMES.filter((name) => name !== gone))}`;

  it.each(NAMES)('is lost while the others have theirs: %s', (name) => {
    const lost = [expect.stringContaining(`concept-lost: "${name}" of the concept`)];
    expect(errors(adr({ plan: without(name) }))).toEqual(lost);
    expect(errors(adr({ plan: without(name).replace('Migration plan', 'Rollout') }))).toEqual(lost);
    expect(errors(adr({ implementation: without(name).replace('## Migration plan', '') }))).toEqual(lost);
  });

  it('is lost when it has one point of two words, or only a number for a name', () => {
    const days = (last: number) =>
      `## Migration plan\n\n${['Weigh sacks and label shelves', 'Train bakers at the scanner', 'Burn folders']
        .slice(0, last)
        .map((work, at) => `### Day ${at + 1}\n\n- ${work}`)
        .join('\n\n')}`;
    expect(errors(adr({ plan: days(3) }), concept(days(3)))).toEqual([]);
    expect(errors(adr({ plan: days(2) }), concept(days(3)))).toEqual([
      expect.stringContaining('concept-lost: "Day 3" of the concept'),
    ]);
  });

  it('is thinned when half of its points are told by another phase', () => {
    const half = without('Day 9-14: Switch').concat('\n- Switch the foremen over');
    expect(errors(adr({ plan: half }))).toEqual([
      expect.stringContaining('concept-thinned: 1 of 2 points of "Day 9-14: Switch"'),
    ]);
  });

  it('is not lost when another section says all of it in other words', () => {
    const first =
      '### Preparation\n\n- Build the shelves for all mills\n- Hire the carrier in Hamburg\n- Train the night shift';
    const from = concept(`## Migration plan\n\n${first}\n\n${phases(NAMES)}`);
    const plan = `## Migration plan\n\n${phases(NAMES)}`;
    const told =
      'Before that, the shelves of all mills must be built, the carrier in Hamburg hired, and the night shift trained.';
    expect(errors(adr({ plan }), from)).toHaveLength(1);
    expect(errors(adr({ plan, decision: told }), from)).toEqual([]);
  });

  it('is not lost when it was merged with another one, renamed, reworded or moved as a whole', () => {
    const [, , last] = NAMES;
    const merged = `${without('Day 9-14: Switch')}\n- Foremen are switched over\n- Paper folders are shut away`;
    const renamed = `${without('Day 9-14: Switch')}\n\n### The end of paper\n\nFrom now on foremen work with it, and the folders go to the cellar.`;
    const moved = without('Day 9-14: Switch');
    expect(errors(adr({ plan: merged }))).toEqual([]);
    expect(errors(adr({ plan: renamed }))).toEqual([]);
    expect(errors(adr({ plan: moved, implementation: asList(PHASES[last ?? 'Day 9-14: Switch']) }))).toEqual([]);
  });
});

describe('steps that are labelled with their place in the order', () => {
  const OTHERS = `## Ausgangslage\n\nDie Suche im Lager blättert durch Karteikarten und dauert lange.\n
## Lösungsansatz\n\nKarten werden in einem Register erfasst. Ein Schreiber liest die Zugänge.\n`;
  const REST = `## Risiken\n\n- Das Register läuft dem Bestand hinterher.\n\n## Sicherheit\n\nNur Meister haben einen Schlüssel zum Register.\n`;
  const WORK = [
    'Schrank mit drei Fächern aufbauen, Schreiber anlernen',
    'Erfassung aller 2,5 Millionen Karten',
    'Anfragen zu 10 % umleiten, Fundlisten vergleichen',
    'alle Lageristen umschalten, Karteikarten entfernen',
  ];
  const planned = (label: (at: number) => string) =>
    `# Konzept: Register\n\n${OTHERS}\n## Umstellungsplan\n\n${asList(WORK.map((work, at) => `${label(at + 1)} ${work}`))}\n\n${REST}`;
  const moved = (plan: string) => `# ADR-031: Register\n\n${OTHERS}\n${plan}\n\n${REST}`;
  const LABELS = [
    ['Woche 1:', (at: number) => `Woche ${at}:`],
    ['Phase 1 –', (at: number) => `Phase ${at} –`],
    ['**Schritt 1**', (at: number) => `**Schritt ${at}**`],
  ] as const;
  const rows = WORK.map((work, at) => `| ${at + 1} | ${work} |`).join('\n');
  const told = `In der ersten Woche bauen wir den Schrank mit drei Fächern auf und lernen den Schreiber an. In der zweiten werden alle 2,5
Millionen Karten erfasst. In der dritten leiten wir 10 % der Anfragen um und vergleichen die Fundlisten, in der vierten schalten wir alle
Lageristen um und entfernen die Karteikarten.`;

  it.each(LABELS)('are not lost where rows, numbers or prose carry the order on: %s', (_, label) => {
    for (const plan of [
      `## Implementation\n\n| Nr. | Arbeit |\n|---|---|\n${rows}`,
      `## Implementation\n\n### In vier Wochen\n\n${WORK.map((work, at) => `${at + 1}. ${work}`).join('\n')}`,
      `## Umsetzung\n\n${told}`,
    ])
      expect(errors(moved(plan), planned(label))).toEqual([]);
  });

  it.each(LABELS)('are lost when only the labels are left, or most of the work is gone: %s', (_, label) => {
    const lost = [expect.stringContaining('concept-lost: "Umstellungsplan" of the concept')];
    const labels = asList(WORK.map((__, at) => `${label(at + 1)} wird noch beschrieben`));
    const first = `1. ${WORK[0]}\n2. Karten zählen und Regale streichen`;
    for (const plan of ['', `## Implementation\n\n${labels}`, `## Implementation\n\n${first}`])
      expect(errors(moved(plan), planned(label))).toEqual(lost);
  });
});
