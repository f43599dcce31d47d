import { addField, appendTo, bodyOf, eachHeading, insertBefore, replaceBody, replaceSection, slices } from './edit.ts';
import { harmless, type Operator } from './operator.ts';

/** The same in other words, by the number of the document and the title of its section. */
const PARAPHRASES: readonly (readonly [number: string, title: string, body: string])[] = [
  [
    '033',
    'Rollout plan',
    'During week 1 the new service only counts along in the shadow, and we compare its figures with those of the nightly count. From week 2 on the scheduler queries it for both platform teams; what it would refuse is logged, not enforced. In week 3 it is asked for all 26 teams, and a refused build names the person who can raise the quota. Should the figures differ by more than 2 %, the flag `ask-quota` is switched off.',
  ],
  [
    '014',
    'Rollback',
    'Solange Tag 14 nicht vorbei ist, reicht es, den Schalter `tenant_schema` umzulegen, denn die Trigger halten die alten Tabellen auf dem Stand. Später muss der Bereitschaftsdienst die Sicherung einspielen und das Journal nachtragen.',
  ],
  [
    '041',
    'Security',
    'Keys for signing never leave the hardware token, which wants a touch for each use. A token for uploads is good for one product and 15 minutes.',
  ],
  [
    '027',
    'Risks',
    'Neighbours may suffer when one noisy handler uses up the whole budget; refused retries are therefore counted with the name of the handler. Where fewer than 20 requests per half minute reach an upstream there would be no retries, hence a floor of two.',
  ],
];

const VALUES: readonly (readonly [number: string, from: string, to: string])[] = [
  ['014', 'dauert 14 Tage', 'dauert vierzehn Tage'],
  ['014', 'um etwa 8 %', 'um etwa 8 Prozent'],
  ['014', '30 Tage gewechselt', 'dreißig Tage gewechselt'],
  ['027', 'less than 1 %', 'less than 1 percent'],
  ['033', '11,000 euros', '€11000'],
  ['033', 'within 50 milliseconds', 'within 50 ms'],
  ['033', 'within 50 milliseconds', 'within 50-ms'],
  ['041', 'valid for 15 minutes', 'valid for fifteen minutes'],
];

/** What still keeps all that the concept promised. */
export const KEPT_OPERATORS: readonly Operator[] = [
  harmless('a section of the concept is told in other words', ({ text, name }) =>
    Object.fromEntries(
      PARAPHRASES.filter(([number]) => name.startsWith(number)).map(([, title, body]) => [
        title,
        replaceBody(text, title, body),
      ]),
    ),
  ),
  harmless('values are written another way', ({ text, name }) =>
    Object.fromEntries(
      VALUES.filter(([number]) => name.startsWith(number)).map(([, from, to]) => [to, text.replace(from, to)]),
    ),
  ),
  harmless(
    'the plan is moved below the implementation',
    ({ text, titles: { migration = '', implementation = '' }, name }) =>
      name.startsWith('014')
        ? appendTo(
            replaceSection(text, migration, ''),
            implementation,
            `### ${migration}\n\n${bodyOf(text, migration).replaceAll(/^### /gm, '#### ')}`,
          )
        : undefined,
  ),
  harmless(
    'the plan is moved up to a section of its own',
    ({ text, titles: { migration = '', documentation = '' }, name }) =>
      name.startsWith('014') || migration === ''
        ? undefined
        : insertBefore(
            replaceSection(text, migration, ''),
            documentation,
            `## ${migration}\n\n${bodyOf(text, migration)}`,
          ),
  ),
  harmless('plan and way back are one section', ({ text, name }) =>
    name.startsWith('014')
      ? replaceBody(
          replaceSection(text, 'Rollback', ''),
          'Migrationsplan',
          (old) => `${old}\n\n### Rollback\n\n${bodyOf(text, 'Rollback')}`,
        ).replace('## Migrationsplan', '## Migration und Rollback')
      : undefined,
  ),
  harmless('the plan is split in two sections', ({ text, name }) =>
    name.startsWith('014') ? text.replace('### Phase 4', '## Umstellung der Lesezugriffe\n\n### Phase 4') : undefined,
  ),
  harmless('the steps of the plan are a list', ({ text, name }) =>
    name.startsWith('041')
      ? text
          .replace(/^\| Week .*\n\|---.*\n/m, '')
          .replaceAll(/^\| ([\w ]+) \| (\w+) \| (.*) \|$/gm, '- Week $1, $2: $3')
      : undefined,
  ),
  harmless('the steps of the plan have no headings', ({ text, name }) =>
    name.startsWith('014') ? text.replaceAll(/^### (Phase \d.*)$/gm, '**$1**') : undefined,
  ),
  harmless('a section is left out on purpose', ({ text, titles: { security }, concept = '' }) => {
    const promised = slices(concept).find(({ title }) => /Security|Sicherheit/.test(title))?.title;
    if (security === undefined || promised === undefined) return undefined;
    const without = replaceSection(text, security, '');
    const reason = 'settled in the policy of the whole company';
    return {
      flow: addField(without, `concept_waivers: [{section: ${JSON.stringify(promised)}, reason: "${reason}"}]`),
      block: addField(
        without,
        `concept_waivers:\n  - section: "${promised.replace(/^\d+\. /, '')}"\n    reason: ${reason}`,
      ),
    };
  }),
  harmless('the concept is written another way', ({ text, concept }) => {
    if (concept === undefined) return undefined;
    const heading = (write: (level: number, title: string) => string) => ({
      text,
      concept: eachHeading(concept, ({ level, title }) => write(level, title)),
    });
    return {
      numbered: heading((level, title) => `${'#'.repeat(level)} 4.2 ${title.replace(/^\d+\. /, '')}`),
      bold: heading((level, title) => `${'#'.repeat(level)} **${title}**`),
      deeper: heading((level, title) => `${'#'.repeat(level + 1)} ${title}`),
      'line ends': { text, concept: concept.replaceAll('\n', '\r\n') },
      'front matter': { text, concept: `---\ntitle: Concept\nstatus: Draft\n---\n\n${concept}` },
    };
  }),
  harmless('the concept has sections an ADR need not repeat', ({ text, concept }) =>
    concept === undefined
      ? undefined
      : Object.fromEntries(
          [
            '## Status\n\nDraft for the meeting of the architects in the blue room on Thursday',
            '## Open questions\n\n- Who answers for the office in Lisbon when the caretaker is on holiday?',
            '## References\n\n- Handbook of the postal museum, third edition, chapter on pneumatic tubes',
            '## Zusammenfassung\n\nEin Vorhaben, das uns schon lange auf den Nägeln brennt und nun endlich angegangen wird.',
          ].map((added) => [added.split('\n')[0] ?? '', { text, concept: `${concept}\n${added}\n` }]),
        ),
  ),
  harmless('the ADR says more than the concept', ({ text, titles: { documentation = '' }, concept }) =>
    concept === undefined
      ? undefined
      : insertBefore(
          text,
          documentation,
          '## Cost\n\nThe work takes two people for 9 days and costs nothing else. A review follows after 6 months.',
        ),
  ),
];
