import type { Adr, AdrFinding } from './document/adr.ts';
import { parseAdr } from './document/parse-adr.ts';
import { checkRules } from './rules/check-rules.ts';
import { BASE_DEFAULTS, type RuleSet } from './rules/rule-set.ts';
import { checkStructure } from './structure/check-structure.ts';
import { detectProfile, looksLikeAdr } from './structure/detect-profile.ts';
import type { ProfileName } from './structure/profiles.ts';

/** What `--profile` takes. */
export const PROFILE_CHOICES = ['auto', 'helix', 'madr', 'nygard', 'rationale', 'what-why', 'learned'] as const;
export type ProfileChoice = (typeof PROFILE_CHOICES)[number];

/** Layer 3: compares an ADR with the concept it was made from, of which so many percent must be carried on; loaded by those who have one. */
export type ConceptCheck = (adr: Adr, minCoverage: number) => readonly AdrFinding[];

/** How an ADR is checked; by default by its own form, without rules, concept or neighbours. */
export type AdrCheckOptions = {
  /** Shown in the findings. */
  readonly path?: string;
  readonly profile?: ProfileChoice;
  /** Layer 2. */
  readonly rules?: RuleSet;
  /** Layer 3. */
  readonly concept?: ConceptCheck;
  readonly folder?: FolderFacts;
};

/** What the ADRs beside one tell about it. */
export type FolderFacts = {
  /** The form most of them have. */
  readonly profile?: ProfileName;
  /** Titles of the sections nearly all of them have. */
  readonly learned?: readonly string[];
  /** True where nobody said that every file of the folder is an ADR. */
  readonly mixed?: boolean;
};

/** What came of checking one ADR. */
export type AdrCheck = {
  readonly path: string;
  readonly profile: ProfileName;
  readonly verdict: 'pass' | 'reject';
  readonly findings: readonly AdrFinding[];
  readonly rules: { readonly checked: number; readonly triggered: number; readonly passed: number };
};

/** Checks the text of one ADR: its structure, the rules its context calls for, and what its concept promised. */
export function checkAdr(text: string, options: AdrCheckOptions = {}): AdrCheck {
  return checkParsedAdr(parseAdr(text, options.path ?? 'adr.md'), options);
}

/** Checks an ADR that was read already, and whose form may be known. */
export function checkParsedAdr(adr: Adr, options: AdrCheckOptions, detected = detectProfile(adr)): AdrCheck {
  const { rules, concept, folder = {}, profile: choice = 'auto' } = options;
  const guessed = choice === 'auto' || choice === 'learned';
  if (guessed && folder.mixed && detected === undefined && !looksLikeAdr(adr)) return unrecognised(adr);
  const profile = choice === 'auto' ? (detected ?? folder.profile ?? 'unknown') : choice;
  const findings: AdrFinding[] = checkStructure(adr, {
    profile,
    helix: rules?.base ?? BASE_DEFAULTS,
    base: rules?.shipped === false ? rules.base : undefined,
    learned: choice === 'learned' ? (folder.learned ?? []) : [],
  });
  const ruled = rules === undefined ? undefined : checkRules(adr, rules, { profile });
  if (ruled !== undefined) findings.push(...ruled.findings);
  if (concept !== undefined) findings.push(...concept(adr, (rules?.base ?? BASE_DEFAULTS).minCoverage));
  const { checked = 0, triggered = 0, passed = 0 } = ruled ?? {};
  return { path: adr.path, profile, ...judged(findings), rules: { checked, triggered, passed } };
}

/** Findings in the order of the lines, and the verdict they amount to. */
export function judged(findings: readonly AdrFinding[]): Pick<AdrCheck, 'verdict' | 'findings'> {
  const place = ({ location }: AdrFinding): number =>
    (location?.line ?? 0) * 1e5 + Math.min(location?.column ?? 0, 99_999);
  return {
    verdict: findings.some(({ severity }) => severity === 'error') ? 'reject' : 'pass',
    findings: findings.toSorted((a, b) => place(a) - place(b)),
  };
}

function unrecognised(adr: Adr): AdrCheck {
  const finding: AdrFinding = {
    severity: 'info',
    check: 'unrecognised',
    message: 'this does not look like an ADR: it has no id, and no section about context or decision',
    hint: 'name the file itself, or give --profile, to have it checked as one',
    layer: 1,
    location: { file: adr.path, line: 1, column: 1 },
  };
  // A file that cannot be read as what it says it is may well be an ADR.
  const broken = (adr.frontMatter?.findings ?? []).map((each): AdrFinding => ({ ...each, layer: 1 }));
  return {
    path: adr.path,
    profile: 'unknown',
    ...judged([finding, ...broken]),
    rules: { checked: 0, triggered: 0, passed: 0 },
  };
}
