import type { ProfileChoice } from '../../adr/check-adr.ts';
import { patternAlternatives } from '../../adr/rules/pattern.ts';
import {
  BASE_DEFAULTS,
  type Condition,
  type ContentNeed,
  type Rule,
  type RuleSet,
  type SectionNeed,
} from '../../adr/rules/rule-set.ts';
import { ADR_STATES, HEADER_VALUES } from '../../adr/structure/check-header.ts';
import { oneLine } from '../../text/sanitise.ts';

const SHOWN = 4;
const MAX_RULES = 30;

/** What an ADR will be held against by layers 1 and 2, a line for each demand: header, sections, criteria, and every rule with its condition. */
export function adrWords(rules: RuleSet, profile: ProfileChoice): string[] {
  const left = rules.rules.length - MAX_RULES;
  return [
    ...(profile === 'helix' ? helixForm(rules) : otherForm(profile)),
    ...rules.rules.slice(0, MAX_RULES).map(ruleWords),
    ...(left > 0 ? [`and ${left} more rules in ${plain(rules.path)}`] : []),
  ];
}

function helixForm({ base = BASE_DEFAULTS }: RuleSet): string[] {
  const values = Object.entries(HEADER_VALUES)
    .filter(([field]) => field !== 'project_type')
    .map(([field, known]) => `\`${field}\` (${known.join(', ')})`);
  const sections = base.requiredSections.map((name) => `"${plain(name)}"`).join(', ');
  return [
    `A YAML header between two lines \`---\`, from line 1: \`adr_id\`, \`title\`, \`status\` (${ADR_STATES}), \`date\` (2026-01-31); where they apply also ${values.join(', ')}, \`files\` (\`create\`, \`modify\`, \`docs\`: lists of paths), \`depends_on\` (a list).`,
    `These sections, as headings of level 2, each with at least ${base.minSectionLength} characters of prose (code, quotes and placeholders do not count): ${sections}. Their usual names in English or German count alike.`,
    `At least ${base.minAcceptanceCriteria} different acceptance criteria, each a list item with a box: \`- [ ] …\`.`,
  ];
}

function otherForm(profile: ProfileChoice): string[] {
  return [`In the form of the ADRs beside it (${profile}): a context and a decision must stand there, with content.`];
}

function ruleWords({ id, severity, when, sections, contents, keywords }: Rule): string {
  const needs = [
    ...sections.map(sectionWords),
    ...contents.map(contentWords),
    ...(keywords.length === 0
      ? []
      : [`an acceptance criterion that names ${anyOf(keywords.map(({ source }) => source))}`]),
  ];
  return `Where ${conditionWords(when)}: ${needs.join('; ')} (${plain(id)}, ${severity}).`;
}

function sectionWords({ name, minLength, elements }: SectionNeed): string {
  const length = minLength > 0 ? ` of at least ${minLength} characters` : '';
  const within = elements.map((element) =>
    'fence' in element ? 'a block of code' : anyOf(patternAlternatives(element.source)),
  );
  return `a section "${plain(name)}"${length}${within.length === 0 ? '' : ` with ${within.join(', and with ')}`}`;
}

function contentWords({ pattern, source, location, minMatches }: ContentNeed): string {
  if (pattern === undefined) return 'each of those ADRs named in the text';
  const where = location === 'any' || location === 'content' ? 'in the text' : `in ${plain(location)}`;
  return `${where} ${minMatches > 1 ? `at least ${minMatches} of ` : ''}${anyOf(patternAlternatives(source))}`;
}

function conditionWords(when: Condition): string {
  if (when.kind === 'field') return `\`${plain(when.field)}: ${plain(when.value)}\``;
  if (when.kind === 'not-empty')
    return `\`${plain(when.field).replace(/^files_/, 'files.')}\` is ${when.expected ? 'not ' : ''}empty`;
  if (when.kind === 'contains') return `the text says ${anyOf(when.phrases.map(({ source }) => source))}`;
  if (when.kind === 'section') return `there is a section "${plain(when.name)}"`;
  return when.conditions.map(conditionWords).join(when.kind === 'any' ? ' or ' : ' and ');
}

/** The first few alternatives that are plain words; the rest is said to be there. */
function anyOf(alternatives: readonly string[]): string {
  const words = alternatives.filter((each) => !/[\\^$*+?()[\]{}]/.test(each));
  const shown = words.slice(0, SHOWN).map((each) => `"${plain(each)}"`);
  if (shown.length === 0) return `a match of \`${plain(alternatives.join('|'))}\``;
  return `${shown.join(' or ')}${alternatives.length > shown.length ? ' or the like' : ''}`;
}

function plain(text: string): string {
  return oneLine(text, 200).replaceAll('`', "'");
}
