import type { Document, Kind } from './document.ts';
import { appendTo, replaceHeading, slice } from './edit.ts';
import { harmless, type Operator, perWording } from './operator.ts';

const ALIASES: Readonly<Record<Kind, readonly string[]>> = {
  context: [
    'Background',
    'Problemstellung',
    'Ausgangslage',
    'Motivation',
    'Problem statement',
    'Hintergrund',
    'Contexte',
  ],
  decision: ['Beschluss', 'Lösung', 'Proposal', 'Solution', 'Our decision', 'Décision'],
  implementation: ['Umsetzung', 'Technische Umsetzung', 'Implementierung', 'Implementation plan', 'Mise en œuvre'],
  documentation: ['Docs', 'Documentation updates', 'Dokumentation', 'Documentation'],
  acceptance: ['Abnahmekriterien', 'Definition of Done', 'Success criteria', "Critères d'acceptation"],
  consequences: ['Auswirkungen', 'Folgen', 'Trade-offs', 'Implications', 'Impact', 'Conséquences'],
  migration: [
    'Migrations-Plan',
    'Migrationsplan',
    'Upgrade guide',
    'Rollout plan',
    'Umstellung',
    'Migration strategy',
    'Transition plan',
    'Plan de migration',
    'Migration path',
    'Zero-downtime migration',
    'Migration ohne Ausfallzeit',
  ],
  rollback: ['Rollback-Plan', 'Rückfallplan', 'Fallback plan', 'Rollback strategy', 'Retour arrière'],
  risks: ['Risiken und Gegenmaßnahmen', 'Risk assessment', 'Risks and mitigations', 'Risques'],
  security: ['Sicherheitsaspekte', 'Security considerations', 'Datenschutz und Sicherheit', 'Sécurité'],
};

const TRANSLATIONS: Readonly<Record<'de' | 'en' | 'fr', Readonly<Record<Kind, string>>>> = {
  de: {
    context: 'Kontext',
    decision: 'Entscheidung',
    implementation: 'Umsetzung',
    documentation: 'Dokumentation',
    acceptance: 'Akzeptanzkriterien',
    consequences: 'Konsequenzen',
    migration: 'Migration',
    rollback: 'Rückfallplan',
    risks: 'Risiken',
    security: 'Sicherheit',
  },
  en: {
    context: 'Context',
    decision: 'Decision',
    implementation: 'Implementation',
    documentation: 'Documentation',
    acceptance: 'Acceptance Criteria',
    consequences: 'Consequences',
    migration: 'Migration plan',
    rollback: 'Rollback plan',
    risks: 'Risks',
    security: 'Security',
  },
  fr: {
    context: 'Contexte',
    decision: 'Décision',
    implementation: 'Implémentation',
    documentation: 'Documentation',
    acceptance: "Critères d'acceptation",
    consequences: 'Conséquences',
    migration: 'Plan de migration',
    rollback: 'Plan de retour arrière',
    risks: 'Risques',
    security: 'Sécurité',
  },
};

function retitled({ text }: Document, title: string, name: string): string {
  return replaceHeading(text, title, `${'#'.repeat(slice(text, title).level)} ${name}`);
}

/** What and why stay what they are in every language, or the form would be another one. */
const WHAT_WHY: Readonly<Record<'de' | 'en' | 'fr', Partial<Record<Kind, string>>>> = {
  de: { context: 'Warum', decision: 'Was' },
  en: { context: 'Why', decision: 'What' },
  fr: { context: 'Pourquoi', decision: 'Quoi' },
};

function translated(document: Document, language: keyof typeof TRANSLATIONS): string | undefined {
  let { text } = document;
  const names = { ...TRANSLATIONS[language], ...(document.form === 'what-why' && WHAT_WHY[language]) };
  for (const [kind, title] of Object.entries(document.titles) as [Kind, string][])
    text = retitled({ ...document, text }, title, names[kind]);
  return text === document.text ? undefined : text;
}

/** Other names for the sections. */
export const NAME_OPERATORS: readonly Operator[] = [
  harmless('a section has another name that means the same', (document) =>
    Object.fromEntries(
      (Object.entries(document.titles) as [Kind, string][]).flatMap(([kind, title]) =>
        ALIASES[kind]
          .filter((alias) => alias !== title)
          .map((alias) => [`${title} → ${alias}`, retitled(document, title, alias)]),
      ),
    ),
  ),
  harmless('the sections have German names', (document) => translated(document, 'de')),
  harmless('the sections have English names', (document) => translated(document, 'en')),
  harmless('the sections have French names', (document) => translated(document, 'fr')),
];

function said(name: string, wordings: readonly string[]): Operator {
  return harmless(name, ({ text, titles }) =>
    perWording(wordings, (words) => appendTo(text, titles.decision ?? '', words)),
  );
}

/** Sentences that only sound like something a rule looks for. */
export const SENTENCE_OPERATORS: readonly Operator[] = [
  said('breaking changes are denied in German', [
    'Kein Breaking Change für bestehende Aufrufer.',
    'Das Format ist nicht inkompatibel zum bisherigen.',
    'Es gibt keine inkompatiblen Änderungen.',
    'Ein Breaking Change ist nicht zu erwarten.',
    'Breaking Changes: keine',
    'Breaking Changes werden nicht eingeführt.',
    'Breaking Changes treten durch diese Änderung nicht auf.',
    'Ein Breaking Change liegt nicht vor.',
    'Ein Breaking Change ist das nicht.',
    'Die Umstellung gelingt ohne Breaking Changes.',
  ]),
  said('breaking changes are denied in English', [
    'No breaking changes are expected.',
    'This is not a breaking change.',
    'It introduces no breaking changes for clients.',
    'Breaking changes: none.',
    'Breaking changes do not occur.',
    '- Breaking change: ❌',
    'The change can be made without any breaking change.',
    "It isn't a breaking change.",
  ]),
  said('breaking changes are only thought of', [
    'Removing the field would be a breaking change, so it stays.',
    'To avoid a breaking change the old field is kept.',
    'Um inkompatible Änderungen zu vermeiden, bleibt das Feld erhalten.',
  ]),
  said('breaking changes stand in code, a comment or a quote', [
    '```text\nBREAKING CHANGE: the flag is gone\n```',
    '<!-- is this a breaking change? -->',
    '> This is a breaking change, wrote the author of the library.',
    'Commits with `breaking change` in them are counted.',
  ]),
  said('words only contain what a rule looks for', [
    'Der Inhalt, das Kapital und der Gehalt werden erneut geprüft; die Neutralität bleibt gewahrt.',
    'The capital, the target and the budget are computed; the client clicks once.',
  ]),
  said('something to do is mentioned in passing', [
    'The list of things to do is kept in the tracker, and TBD is an answer there as well.',
    'Wer eine Aufgabe mit TODO markiert, trägt auch seinen Namen ein.',
  ]),
  said('a short word stands in bold on its line', ['**Note**\n\nThe figures are those of last year.']),
];
