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
import { inEnglish, type Say } from '../../text/say.ts';

const SHOWN = 4;
const MAX_RULES = 30;

/** What an ADR will be held against by layers 1 and 2, a line for each demand: header, sections, criteria, and every rule with its condition. */
export function adrWords(rules: RuleSet, profile: ProfileChoice, say: Say = inEnglish): string[] {
  const left = rules.rules.length - MAX_RULES;
  return [
    ...(profile === 'helix' ? helixForm(rules, say) : otherForm(profile, say)),
    ...rules.rules.slice(0, MAX_RULES).map((rule) => ruleWords(rule, say)),
    ...(left > 0 ? [say('and {count} more rules in {path}', { count: left, path: plain(rules.path) })] : []),
  ];
}

/** How much of its concept an ADR has to carry on. */
export function coverageWords({ base = BASE_DEFAULTS }: RuleSet, say: Say = inEnglish): string {
  return say(
    'At least {percent} % of what the concept says must be carried on; a section that is left out on purpose is named in the header: `concept_waivers: [{example}]`.',
    { percent: base.minCoverage, example: '{section: "…", reason: "…"}' },
  );
}

function helixForm({ base = BASE_DEFAULTS }: RuleSet, say: Say): string[] {
  const values = Object.entries(HEADER_VALUES)
    .filter(([field]) => field !== 'project_type')
    .map(([field, known]) => `\`${field}\` (${known.join(', ')})`);
  return [
    say(
      'A YAML header between two lines `---`, from line 1: `adr_id`, `title`, `status` ({states}), `date` (2026-01-31); where they apply also {values}, `files` (`create`, `modify`, `docs`: lists of paths), `depends_on` (a list).',
      { states: ADR_STATES, values: values.join(', ') },
    ),
    say(
      'These sections, as headings of level 2, each with at least {length} characters of prose (code, quotes and placeholders do not count): {sections}. Their usual names in English or German count alike.',
      {
        length: base.minSectionLength,
        sections: base.requiredSections.map((name) => `"${plain(name)}"`).join(', '),
      },
    ),
    say('At least {count} different acceptance criteria, each a list item with a box: `- [ ] …`.', {
      count: base.minAcceptanceCriteria,
    }),
  ];
}

function otherForm(profile: ProfileChoice, say: Say): string[] {
  return [
    say('In the form of the ADRs beside it ({profile}): a context and a decision must stand there, with content.', {
      profile,
    }),
  ];
}

function ruleWords({ id, severity, when, sections, contents, keywords }: Rule, say: Say): string {
  const needs = [
    ...sections.map((section) => sectionWords(section, say)),
    ...contents.map((content) => contentWords(content, say)),
    ...(keywords.length === 0
      ? []
      : [
          say('an acceptance criterion that names {words}', {
            words: anyOf(
              keywords.map(({ source }) => source),
              say,
            ),
          }),
        ]),
  ];
  return say('Where {condition}: {needs} ({id}, {severity}).', {
    condition: conditionWords(when, say),
    needs: needs.join('; '),
    id: plain(id),
    severity: say(severity),
  });
}

function sectionWords({ name, minLength, elements }: SectionNeed, say: Say): string {
  const section = plain(name);
  const head =
    minLength > 0
      ? say('a section "{section}" of at least {length} characters', { section, length: minLength })
      : say('a section "{section}"', { section });
  const within = elements.map((element) =>
    'fence' in element ? say('a block of code') : anyOf(patternAlternatives(element.source), say),
  );
  return within.length === 0 ? head : `${head} ${say('with {parts}', { parts: within.join(say(', and with ')) })}`;
}

function contentWords({ pattern, source, location, minMatches }: ContentNeed, say: Say): string {
  if (pattern === undefined) return say('each of those ADRs named in the text');
  const words = anyOf(patternAlternatives(source), say);
  const where =
    location === 'any' || location === 'content' ? say('in the text') : say('in {part}', { part: plain(location) });
  return `${where} ${minMatches > 1 ? say('at least {count} of {words}', { count: minMatches, words }) : words}`;
}

function conditionWords(when: Condition, say: Say): string {
  if (when.kind === 'field') return `\`${plain(when.field)}: ${plain(when.value)}\``;
  if (when.kind === 'not-empty') {
    const field = `\`${plain(when.field).replace(/^files_/, 'files.')}\``;
    return when.expected ? say('{field} is not empty', { field }) : say('{field} is empty', { field });
  }
  if (when.kind === 'contains') {
    const phrases = when.phrases.map(({ source }) => source);
    return say('the text says {words}', { words: anyOf(phrases, say) });
  }
  if (when.kind === 'section') return say('there is a section "{section}"', { section: plain(when.name) });
  const parts = when.conditions.map((condition) => conditionWords(condition, say));
  return parts.join(` ${when.kind === 'any' ? say('or') : say('and')} `);
}

/** The first few alternatives that are plain words; the rest is said to be there. */
function anyOf(alternatives: readonly string[], say: Say): string {
  const words = alternatives.filter((each) => !/[\\^$*+?()[\]{}]/.test(each));
  const shown = words.slice(0, SHOWN).map((each) => `"${plain(each)}"`);
  if (shown.length === 0) return say('a match of {pattern}', { pattern: `\`${plain(alternatives.join('|'))}\`` });
  return `${shown.join(` ${say('or')} `)}${alternatives.length > shown.length ? ` ${say('or the like')}` : ''}`;
}

function plain(text: string): string {
  return oneLine(text, 200).replaceAll('`', "'");
}
