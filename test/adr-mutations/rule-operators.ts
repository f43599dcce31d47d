import type { Document } from './document.ts';
import { appendTo, halves, replaceBody, replaceField, replaceSection } from './edit.ts';
import { breaking, type Expected, type Operator, perWording } from './operator.ts';

const UNNAMED: Expected = { checks: ['deps-need-references'], severity: 'warning' };

function dependent(name: string, apply: (document: Document) => string | Record<string, string>): Operator {
  return breaking(name, UNNAMED, (document) => (document.form === 'helix' ? apply(document) : undefined));
}

function dependingOn077({ text }: Document): string {
  return replaceField(text, 'depends_on', 'depends_on: ["077"]');
}

/** What leaves a dependency unnamed in the text. */
export const DEPENDENCY_OPERATORS: readonly Operator[] = [
  dependent('a dependency is named in the header only', dependingOn077),
  breaking('the only mention of a dependency is removed', UNNAMED, ({ text }) =>
    /^depends_on: \["/m.test(text)
      ? halves(text)[0] + halves(text)[1].replaceAll(/ADR-(?:003|009|019|021)/g, 'the rule')
      : undefined,
  ),
  dependent('a dependency is named by a longer number, a ticket or a bare number', (document) =>
    perWording(['See ADR-0771.', 'See ticket PAY-077.', 'It took 77 days.'], (words) =>
      appendTo(dependingOn077(document), document.titles.context ?? '', words),
    ),
  ),
  dependent('a dependency is named in a comment, a fence or a quote', (document) =>
    perWording(['<!-- see ADR-077 -->', '```text\nADR-077\n```', '> as ADR-077 says'], (words) =>
      appendTo(dependingOn077(document), document.titles.context ?? '', words),
    ),
  ),
  dependent('only one of two dependencies is named', ({ text, titles }) =>
    appendTo(replaceField(text, 'depends_on', 'depends_on: ["077", "078"]'), titles.context ?? '', 'See ADR-077.'),
  ),
];

const CLAIMS: Readonly<Record<Document['language'], readonly string[]>> = {
  de: [
    'Das ist ein Breaking Change für alle angeschlossenen Systeme.',
    'Das neue Format ist nicht abwärtskompatibel.',
    'Die Schnittstelle wird damit inkompatibel zu Fassung 2.',
    'Bekannte Breaking Changes:\n\n- das Feld `zeit` heißt künftig `zeit_utc`',
  ],
  en: [
    'This is a breaking change for all clients.',
    'The new format is not backwards compatible.',
    'It introduces two breaking changes in the file format.',
    '**Breaking change**: the field `time` is called `at`.',
  ],
};

function without(document: Document, start: string, apply: (document: Document) => string): string | undefined {
  return document.name.startsWith(start) ? apply(document) : undefined;
}

/** What calls for a guide, an example, a command or an interface that is not there. */
export const NEED_OPERATORS: readonly Operator[] = [
  breaking(
    'a breaking change comes without a guide',
    ({ form }) => ({ checks: ['breaking-needs-upgrade'], severity: form === 'helix' ? 'error' : 'warning' }),
    ({ text, titles, language }) =>
      titles.migration === undefined
        ? perWording(CLAIMS[language], (claim) => appendTo(text, titles.decision ?? '', claim))
        : undefined,
  ),
  breaking(
    'the guide of a breaking change is removed',
    { checks: ['breaking-needs-upgrade'], severity: 'error' },
    (document) =>
      without(document, '041', ({ text }) =>
        replaceField(replaceSection(text, 'Migration', ''), 'change_scope', 'change_scope: minor'),
      ),
  ),
  breaking(
    'a service says nothing of its interface',
    { checks: ['service-needs-api'], severity: 'warning' },
    (document) =>
      without(document, '033', ({ text }) => {
        const [header, body] = halves(text);
        return (
          header +
          body
            .replaceAll(/\bGET\b|\bPOST\b/g, 'Budget')
            .replaceAll(/\bAPI\b/g, 'Kapital')
            .replaceAll(/endpoints|openapi/g, 'counters')
        );
      }),
  ),
  breaking(
    'something else becomes a service without an interface',
    { checks: ['service-needs-api'], severity: 'warning' },
    (document) =>
      without(document, '027', ({ text }) => replaceField(text, 'component_type', 'component_type: SERVICE')),
  ),
  breaking('a tool does not say how it is called', { checks: ['tools-need-cli'], severity: 'warning' }, (document) =>
    without(document, '041', ({ text }) =>
      replaceBody(
        text,
        'Implementation',
        (old) =>
          `For example, Click on the button:\n\n${old.replace('Usage on the command line:', '').replace(/```sh[\s\S]*?```/, '```text\nClick\n```')}`,
      ),
    ),
  ),
  breaking(
    'something new comes without any code',
    { checks: ['new-needs-examples'], severity: 'warning' },
    ({ text, name }) => (/^0(33|41)/.test(name) ? text.replace(/```[\s\S]*?```\n/, '') : undefined),
  ),
  breaking(
    'something new comes without a word about its use',
    { checks: ['new-needs-examples'], severity: 'warning' },
    ({ text, name }) =>
      /^0(33|41)/.test(name)
        ? text
            .replace(/^(?:Usage on the command line|Example of a request by the scheduler):$/m, 'So:')
            .replace('}/usage`', '}/minutes`')
        : undefined,
  ),
  breaking(
    'a change becomes something new without an example',
    { checks: ['new-needs-examples'], severity: 'warning' },
    ({ text, name }) =>
      name.startsWith('027') ? replaceField(text, 'classification', 'classification: NEW') : undefined,
  ),
  breaking(
    'a rule is not escaped by writing its field in other letters',
    { checks: ['major-needs-migration'], severity: 'error' },
    (document) => without(document, '027', ({ text }) => replaceField(text, 'change_scope', 'change_scope: MAJOR')),
  ),
];
