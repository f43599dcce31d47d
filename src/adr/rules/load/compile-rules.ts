import { asksForAdrIds } from '../named-dependencies.ts';
import { type CompileExpression, compilePattern } from '../pattern.ts';
import {
  BASE_DEFAULTS,
  type BaseRules,
  type Condition,
  type ContentNeed,
  type Element,
  type Rule,
} from '../rule-set.ts';
import { type Phrase, phrase } from '../words/phrase.ts';

/** Below these keys of a rule file every value is text as written. */
export const RULE_TEXT_KEYS: ReadonlySet<string> = new Set([
  '_meta',
  'required_sections',
  'id',
  'name',
  'when',
  'message',
  'required_elements',
  'pattern',
  'location',
  'acceptance_criteria_keywords',
]);

/** A rule file of the right shape, as written. */
export type RawRules = {
  readonly base_rules?: RawBase | null | undefined;
  readonly contextual_rules?: readonly RawRule[] | null | undefined;
};
type RawBase = {
  readonly required_sections?: readonly string[] | undefined;
  readonly min_acceptance_criteria?: number | undefined;
  readonly min_section_length?: number | undefined;
  readonly min_coverage?: number | undefined;
};
/** What `when` holds, as written. */
export type RawCondition = { readonly [key: string]: string | readonly RawCondition[] };
/** One rule as written. */
export type RawRule = {
  readonly id: string;
  readonly when: RawCondition;
  readonly require: RawNeeds;
  readonly severity?: Rule['severity'] | undefined;
  readonly message: string;
  readonly in_code?: boolean | undefined;
  readonly negation?: 'ignore' | undefined;
};
type RawNeeds = {
  readonly sections?: readonly RawSection[] | undefined;
  readonly content_patterns?: readonly RawContent[] | undefined;
  readonly acceptance_criteria_keywords?: readonly string[] | undefined;
};
type RawSection = {
  readonly name: string;
  readonly min_length?: number | undefined;
  readonly required_elements?: readonly string[] | undefined;
};
type RawContent = {
  readonly pattern: string;
  readonly location?: string | undefined;
  readonly min_matches?: number | undefined;
};

/** Compiles the rules that every ADR has to meet; what the file does not say is as in ADR-015. */
export function compileBase(base: RawBase): BaseRules {
  return {
    requiredSections: base.required_sections ?? BASE_DEFAULTS.requiredSections,
    minAcceptanceCriteria: base.min_acceptance_criteria ?? BASE_DEFAULTS.minAcceptanceCriteria,
    minSectionLength: base.min_section_length ?? BASE_DEFAULTS.minSectionLength,
    minCoverage: base.min_coverage ?? BASE_DEFAULTS.minCoverage,
  };
}

/** Compiles one rule; what it requires when that is first asked for, because most rules do not apply. */
export function compileRule(raw: RawRule, compile: CompileExpression): Rule {
  let compiled: Needs | undefined;
  const needs = () => {
    compiled ??= compileNeeds(raw, compile);
    return compiled;
  };
  return {
    id: raw.id,
    severity: raw.severity ?? 'warning',
    message: raw.message,
    when: compileCondition(raw.when),
    get sections() {
      return needs().sections;
    },
    get contents() {
      return needs().contents;
    },
    get keywords() {
      return needs().keywords;
    },
    inCode: raw.in_code ?? false,
    negation: raw.negation !== 'ignore',
  };
}

type Needs = Pick<Rule, 'sections' | 'contents' | 'keywords'>;

function compileNeeds({ require, when }: RawRule, compile: CompileExpression): Needs {
  const { sections = [], content_patterns = [], acceptance_criteria_keywords = [] } = require;
  const aboutDependencies = when.depends_on_not_empty === 'true';
  return {
    sections: sections.map(({ name, min_length = 0, required_elements = [] }) => ({
      name,
      minLength: min_length,
      elements: required_elements.map((source) => compileElement(source, compile)),
    })),
    contents: content_patterns.map((content) => compileContent(content, { aboutDependencies, compile })),
    keywords: acceptance_criteria_keywords.map((keyword) => phrase(keyword, 'keyword')),
  };
}

/** Compiles what `when` says: all of its entries must hold. */
function compileCondition(raw: RawCondition): Condition {
  const conditions = Object.entries(raw).map(([key, value]): Condition => {
    if (typeof value === 'object') {
      const parts = value.map(compileCondition);
      return key === 'any' ? compileAny(parts) : { kind: 'all', conditions: parts };
    }
    if (key === 'content_contains') return containsOne([phrase(value)]);
    if (key === 'section_exists') return { kind: 'section', name: value };
    if (key.endsWith('_not_empty'))
      return { kind: 'not-empty', field: key.slice(0, -'_not_empty'.length), expected: value === 'true' };
    return { kind: 'field', field: key, value };
  });
  const [only] = conditions;
  if (conditions.length === 1 && only !== undefined) return only;
  return { kind: 'all', conditions: conditions.toSorted((a, b) => Number(isDear(a)) - Number(isDear(b))) };
}

/** Phrases are sought together: once through the text instead of once for each. */
function compileAny(conditions: readonly Condition[]): Condition {
  const contains = conditions.filter((condition) => condition.kind === 'contains');
  if (contains.length < conditions.length || contains.length === 0) return { kind: 'any', conditions };
  return containsOne(contains.flatMap(({ phrases }) => phrases));
}

function containsOne(phrases: readonly Phrase[]): Condition {
  const words = soughtWords(phrases).map((word) => RegExp.escape(word));
  return { kind: 'contains', phrases, sought: new RegExp(words.join('|'), 'iu') };
}

const RARE_LENGTH = 8;

/** A rare word of each phrase, if possible one that others have, too: the fewer are sought, the more texts need no closer look. */
function soughtWords(phrases: readonly Phrase[]): string[] {
  const sharing = (stem: string): number =>
    phrases.filter(({ words }) => words.some((word) => word.stem.includes(stem))).length;
  const chosen = phrases.map(({ words, rarest }) =>
    words
      .map(({ stem }) => stem)
      .filter((stem) => stem.length >= RARE_LENGTH)
      .reduce((best, stem) => (sharing(stem) > sharing(best) ? stem : best), rarest),
  );
  // The end of a word after its last umlaut is sought three times as fast.
  const parts = new Set(chosen.map((word) => /[a-z]{8,}$/.exec(word)?.[0] ?? word));
  return [...parts].filter((part) => ![...parts].some((other) => other !== part && part.includes(other)));
}

/** Fields are looked at first: they cost nothing, and most rules end there. */
function isDear({ kind }: Condition): boolean {
  return kind !== 'field' && kind !== 'not-empty';
}

function compileElement(source: string, compile: CompileExpression): Element {
  const [, fence] = /^`{3,}([\w+#-]*)$/.exec(source.trim()) ?? [];
  return fence === undefined ? compilePattern(source, compile) : { source, fence: fence.toLowerCase() };
}

function compileContent(
  { pattern: source, location = 'any', min_matches = 1 }: RawContent,
  { aboutDependencies, compile }: { aboutDependencies: boolean; compile: CompileExpression },
): ContentNeed {
  const pattern = aboutDependencies && asksForAdrIds(source) ? undefined : compilePattern(source, compile);
  return { pattern, source, location, minMatches: min_matches };
}
