import { rewriteCriteria } from './criteria-operators.ts';
import type { Document } from './document.ts';
import { addField, appendTo, insertBefore, replaceBody, replaceHeading, replaceSection, slices, swap } from './edit.ts';
import { type Expected, losing, type Operator } from './operator.ts';

/** Without its plan or its criteria an ADR breaks the rules as well. */
const RULES = ['major-needs-migration', 'breaking-needs-upgrade', 'min-acceptance', 'missing-section'];

function lost(about: RegExp): Expected {
  return { checks: ['concept-lost'], severity: 'error', about, also: RULES };
}

const PLAN = /Migrationsplan|Rollout plan|Transition/;

type Change = (document: Document, plan: string) => string | Readonly<Record<string, string>> | undefined;

function planned(name: string, expected: Expected, change: Change): Operator {
  return losing(name, expected, (document) =>
    document.titles.migration === undefined ? undefined : change(document, document.titles.migration),
  );
}

const UNRELATED = {
  de: 'Die Umstellung beginnt mit einem Rundschreiben an die Kundschaft. Im zweiten Schritt werden Plakate gedruckt, danach folgt eine Feier im Innenhof mit Grußworten der Geschäftsführung.',
  en: 'First a newsletter goes to all subscribers. In a second step posters are printed, and after that there is a party in the courtyard with a speech by the management.',
};

const CHECKLIST =
  '### Migration\n\n- [ ] Migration vorbereitet und abgestimmt\n- [ ] Migration durchgeführt\n- [ ] Rollback bei Bedarf möglich';

/** Each with the words of the ADR, and what became of them. */
const OBLIGED_VALUES: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  '014': [
    ['dauert 14 Tage', 'dauert 40 Tage'],
    ['dauert 14 Tage', 'dauert 14 Wochen'],
    ['um etwa 8 %', 'um etwa 80 %'],
    ['alle\n30 Tage', 'alle\n90 Tage'],
    ['weniger als 5 Minuten', 'weniger als 50 Minuten'],
  ],
  '027': [
    ['less than 20 requests', 'less than 200 requests'],
    ['less than 1 %', 'less than 10 %'],
  ],
  '033': [
    ['all 26 teams', 'all 6 teams'],
    ['differ by more than 2 %', 'differ by more than 20 %'],
    ["provider's bill by less than 2 %", "provider's bill by less than 12 %"],
  ],
  '041': [['valid for 15 minutes', 'valid for 150 minutes']],
};

const OTHER_VALUES: typeof OBLIGED_VALUES = {
  '027': [['at most 10 % of the requests', 'at most 40 % of the requests']],
  '033': [
    ['within 50 milliseconds', 'within 500 milliseconds'],
    ['11,000 euros', '17,000 euros'],
  ],
};

function changedValues({ text, name }: Document, values: typeof OBLIGED_VALUES): Record<string, string> | undefined {
  const [, changes] = Object.entries(values).find(([number]) => name.startsWith(number)) ?? [];
  return changes && Object.fromEntries(changes.map(([from, to]) => [`${from} → ${to}`, swap(text, from, to)]));
}

function thinner({ text, name }: Document): Record<string, string> {
  if (name.startsWith('014')) {
    const without = replaceSection(text, 'Phase 3: Vergleich (Tag 9 bis 12)', '');
    return { 'two phases': replaceSection(without, 'Phase 2: Kopieren (Tag 4 bis 8)', ''), 'one phase': without };
  }
  const rows = name.startsWith('033')
    ? [/^2\. Week 2.*\n/m, /^3\. Week 3.*\n/m]
    : [/^\| 2 to 3 .*\n/m, /^\| 4 to 5 .*\n/m];
  return Object.fromEntries(rows.map((row) => [String(row), text.replace(row, '')]));
}

/** What an ADR lost of its concept. */
export const CONCEPT_OPERATORS: readonly Operator[] = [
  planned('the plan of the concept is not in the ADR', lost(PLAN), ({ text }, plan) => replaceSection(text, plan, '')),
  planned('the plan of the concept is to be done', lost(PLAN), ({ text }, plan) => replaceBody(text, plan, 'TBD')),
  planned('the plan of the concept is commented out', lost(PLAN), ({ text }, plan) =>
    replaceBody(text, plan, (old) => `<!--\n${old}\n-->`),
  ),
  planned(
    'the plan of the concept became a checklist of the acceptance criteria',
    lost(PLAN),
    ({ text, titles }, plan) => appendTo(replaceSection(text, plan, ''), titles.acceptance ?? '', CHECKLIST),
  ),
  planned('the plan of the concept became another plan of the same name', lost(PLAN), ({ text, language }, plan) =>
    replaceBody(text, plan, UNRELATED[language]),
  ),
  planned('the plan of the concept is a heading and one sentence', lost(PLAN), ({ text }, plan) =>
    replaceBody(
      text,
      plan,
      'Migration in several phases and steps as agreed with everybody concerned, week by week, details to be found with the team that is in charge.',
    ),
  ),
  losing(
    'a plan below another heading of the concept is not in the ADR',
    lost(PLAN),
    ({ text, titles, concept = '' }) => {
      if (titles.migration === undefined) return undefined;
      const title = slices(concept).find(({ title: each }) => PLAN.test(each));
      if (title === undefined) return undefined;
      const deeper = insertBefore(concept, title.title, '## Betrieb und Einführung');
      return {
        concept: {
          text: replaceSection(text, titles.migration, ''),
          concept: replaceHeading(deeper, title.title, `### ${title.title}`),
        },
      };
    },
  ),
  planned('a waiver of the plan gives no reason', lost(PLAN), ({ text }, plan) =>
    addField(replaceSection(text, plan, ''), 'concept_waivers:\n  - section: Migrationsplan'),
  ),
  planned('a waiver names another section than the plan that is gone', lost(PLAN), ({ text }, plan) =>
    addField(
      replaceSection(text, plan, ''),
      'concept_waivers: [{section: "Risiken", reason: "kept by the risk register"}]',
    ),
  ),
  planned(
    'the plan of the concept lost some of its steps',
    { checks: ['concept-thinned', 'concept-lost'], severity: 'error', about: PLAN },
    thinner,
  ),
  losing('the way back of the concept is not in the ADR', lost(/Rollback|Going back/), ({ text, titles }) =>
    titles.rollback === undefined ? undefined : replaceSection(text, titles.rollback, ''),
  ),
  losing('the risks of the concept are not in the ADR', lost(/Risiken|Risks/), ({ text, titles }) =>
    titles.risks === undefined ? undefined : replaceSection(text, titles.risks, ''),
  ),
  losing(
    'a risk of the concept is not in the ADR',
    { checks: ['concept-thinned', 'concept-lost'], severity: 'error', about: /Risiken/ },
    ({ text, name }) => (name.startsWith('014') ? text.replace(/^- Berichte über alle Mandanten.*\n/m, '') : undefined),
  ),
  losing('the security of the concept is not in the ADR', lost(/Security|Sicherheit/), ({ text, titles }) =>
    titles.security === undefined ? undefined : replaceSection(text, titles.security, ''),
  ),
  losing('the criteria of the concept became others', lost(/[Aa]cceptance|Abnahme/), (document) =>
    /Acceptance|Abnahme/.test(document.concept ?? '')
      ? rewriteCriteria(
          document,
          () =>
            '- [ ] The migration was announced in the newsletter\n- [ ] The licences are paid for\n- [ ] The posters hang in the corridor',
        )
      : undefined,
  ),
  losing(
    'a value of what must be delivered became another one',
    { checks: ['concept-value-drift'], severity: 'error' },
    (document) => changedValues(document, OBLIGED_VALUES),
  ),
  losing(
    'a value in the description became another one',
    { checks: ['concept-value-drift'], severity: 'warning' },
    (document) => changedValues(document, OTHER_VALUES),
  ),
  losing(
    'what the concept adds later is noticed',
    lost(/Sicherheitskonzept|Security requirements/),
    ({ text, concept = '', language }) => {
      const added =
        language === 'de'
          ? '## 9. Sicherheitskonzept für Dienstleister\n\nExterne Wartungsfirmen bekommen nur über den Sprungrechner Zugang, mit Vieraugenprinzip und Aufzeichnung der Sitzung. Der Zugang verfällt nach acht Stunden.'
          : '## Security requirements for contractors\n\nContractors enter through the bastion host only, with four eyes and a recorded session. Their access lapses after eight hours.';
      return { concept: { text, concept: `${concept}\n${added}\n` } };
    },
  ),
];
