import type { SectionKind } from '../document/section-names.ts';

/** The forms of ADRs HELIX knows; `unknown` is a document in none of them. */
export type ProfileName = 'helix' | 'madr' | 'nygard' | 'rationale' | 'what-why' | 'learned' | 'unknown';

/** What a form asks for: where context and decision stand, and which other sections it is known to have. */
export type Profile = {
  readonly context: readonly SectionKind[];
  readonly decision: readonly SectionKind[];
  readonly expected: readonly SectionKind[];
};

/** Whatever announces a context and a decision. */
const ANY: Profile = {
  context: ['context', 'why', 'rationale'],
  decision: ['decision', 'what', 'approach'],
  expected: [],
};

/** The forms, with what each is recognised by. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  helix: { context: ['context'], decision: ['decision'], expected: [] },
  madr: { context: ['context', 'rationale', 'why'], decision: ['decision'], expected: ['options'] },
  nygard: { context: ['context', 'rationale', 'why'], decision: ['decision'], expected: ['consequences'] },
  rationale: { context: ['rationale', 'context', 'why'], decision: ['decision', 'what'], expected: [] },
  'what-why': { context: ['why', 'context', 'rationale'], decision: ['what', 'decision'], expected: [] },
  learned: ANY,
  unknown: ANY,
};

/** The six sections of ADR-015, as its rule file names them. */
export const HELIX_SECTIONS: readonly SectionKind[] = [
  'context',
  'decision',
  'implementation',
  'documentation',
  'acceptance',
  'consequences',
];
