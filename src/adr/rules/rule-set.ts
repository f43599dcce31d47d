import type { Pattern } from './pattern.ts';
import type { Phrase } from './words/phrase.ts';

/** What every ADR of the helix profile needs; layer 1 applies it. */
export type BaseRules = {
  readonly requiredSections: readonly string[];
  readonly minAcceptanceCriteria: number;
  readonly minSectionLength: number;
  /** Percent of a concept's sections that an ADR made from it carries on. */
  readonly minCoverage: number;
};

/** What ADR-015 asks for where a rule file does not say it. */
export const BASE_DEFAULTS: BaseRules = {
  requiredSections: [
    'Kontext',
    'Entscheidung',
    'Implementation',
    'Dokumentation',
    'Akzeptanzkriterien',
    'Konsequenzen',
  ],
  minAcceptanceCriteria: 3,
  minSectionLength: 50,
  minCoverage: 60,
};

/** When a rule applies. */
export type Condition =
  | { readonly kind: 'field'; readonly field: string; readonly value: string }
  | { readonly kind: 'not-empty'; readonly field: string; readonly expected: boolean }
  /** One of these; a text in which nothing `sought` is found has none of them. */
  | { readonly kind: 'contains'; readonly phrases: readonly Phrase[]; readonly sought: RegExp }
  | { readonly kind: 'section'; readonly name: string }
  | { readonly kind: 'any' | 'all'; readonly conditions: readonly Condition[] };

/** A pattern, or a block of code fenced with three backticks and this language. */
export type Element = Pattern | { readonly source: string; readonly fence: string };

/** A section that must stand in the ADR. */
export type SectionNeed = { readonly name: string; readonly minLength: number; readonly elements: readonly Element[] };

/** A pattern that must be found; without one, each ADR of `depends_on` must be named. */
export type ContentNeed = {
  readonly pattern: Pattern | undefined;
  readonly source: string;
  readonly location: string;
  readonly minMatches: number;
};

/** One context rule, compiled. */
export type Rule = {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly when: Condition;
  readonly sections: readonly SectionNeed[];
  readonly contents: readonly ContentNeed[];
  readonly keywords: readonly Phrase[];
  /** Text in fences counts for the patterns too. */
  readonly inCode: boolean;
  /** A denied mention is none. */
  readonly negation: boolean;
};

/** A rule file, compiled. */
export type RuleSet = {
  readonly path: string;
  readonly base: BaseRules | undefined;
  readonly rules: readonly Rule[];
  /** True for the rules HELIX brings along. */
  readonly shipped: boolean;
};
