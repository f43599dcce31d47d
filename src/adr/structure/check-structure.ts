import type { Adr, AdrFinding, Place } from '../document/adr.ts';
import { kindsOf, plainHeading, type SectionKind, sectionName } from '../document/section-names.ts';
import type { BaseRules } from '../rules/rule-set.ts';
import { checkHeader } from './check-header.ts';
import { checkEmptySections, checkHelixSections, checkSections } from './check-sections.ts';
import type { ProfileName } from './profiles.ts';
import type { Report } from './report.ts';
import { sectionsOf } from './section-text.ts';

/** How the structure of an ADR is judged. */
export type StructureDemands = {
  readonly profile: ProfileName;
  /** What the helix profile asks for. */
  readonly helix: BaseRules;
  /** What a project's own rule file asks of every ADR. */
  readonly base: BaseRules | undefined;
  /** Sections that nearly all ADRs beside it have, by name as written. */
  readonly learned: readonly string[];
};

/** Layer 1: is everything there that an ADR of this form needs, and does it say something? */
export function checkStructure(adr: Adr, { profile, helix, base, learned }: StructureDemands): AdrFinding[] {
  const findings: AdrFinding[] = [];
  const report: Report = (severity, note, place = { line: 1, column: 1 }) => {
    const { line, column } = place;
    findings.push({ severity, ...note, layer: 1, location: { file: adr.path, line, column } });
  };
  checkFences(adr, profile, report);
  checkHeader(adr, profile === 'helix', report);
  if (profile === 'helix') checkHelixSections(adr, helix, report);
  else {
    checkSections(adr, profile, report);
    checkNames(adr, base?.requiredSections ?? [], 'which the rules ask for', report);
  }
  checkNames(adr, learned, 'which the ADRs beside it have', report);
  checkEmptySections(adr, report, new Set(findings.flatMap(({ location }) => location?.line ?? [])));
  return findings;
}

function checkFences(adr: Adr, profile: ProfileName, report: Report): void {
  for (const { nested } of adr.code) {
    const [first] = nested;
    if (first === undefined) continue;
    const message = 'a fence inside a fence: most readers, GitHub too, end the outer one where this one ends';
    report(
      'warning',
      { check: 'nested-fence', message, hint: 'make the outer fence longer: four backticks around three' },
      first,
    );
  }
  for (const { closed, first, last } of adr.code)
    if (!closed) swallows(adr, { line: first, column: 1 }, { last, profile, report });
  if (adr.openComment !== undefined)
    swallows(adr, adr.openComment, { last: adr.lines.length, profile, report, comment: true });
}

type Swallowing = {
  readonly last: number;
  readonly profile: ProfileName;
  readonly report: Report;
  readonly comment?: true;
};

/** What is never closed is an error when it hides sections the ADR needs. */
function swallows(adr: Adr, place: Place, { last, profile, report, comment }: Swallowing): void {
  const needed: readonly SectionKind[] =
    profile === 'helix'
      ? ['context', 'decision', 'implementation', 'documentation', 'acceptance', 'consequences']
      : ['context', 'decision', 'why', 'what', 'rationale'];
  const hidden = adr.lines.slice(place.line, last).flatMap((line) => {
    const [, text] = /^#{1,6}\s+(.+)$/.exec(line) ?? [];
    if (text === undefined) return [];
    const title = plainHeading(text);
    return kindsOf(sectionName(title)).some((kind) => needed.includes(kind)) ? [title] : [];
  });
  const what = comment ? 'the comment' : 'the code block';
  const message = `${what} that starts here is never closed${hidden.length === 0 ? '' : ` and hides "${hidden[0]}"`}`;
  const hint = comment ? 'close it with `-->`' : 'close it with a line of the same fence';
  report(hidden.length === 0 ? 'warning' : 'error', { check: 'unclosed-fence', message, hint }, place);
}

/** Sections that are wanted by name are advice outside the helix profile; context and decision are asked for anyway. */
function checkNames(adr: Adr, wanted: readonly string[], why: string, report: Report): void {
  const names = new Set(adr.sections.map(({ name }) => name));
  for (const title of wanted) {
    const name = sectionName(title);
    const kinds = kindsOf(name);
    if (names.has(name) || kinds.includes('context') || kinds.includes('decision')) continue;
    if (kinds.length > 0 && sectionsOf(adr, kinds).length > 0) continue;
    const message = `the section "${title}", ${why}, is missing`;
    report('warning', { check: 'missing-section', message, hint: `add a section \`## ${title}\`` });
  }
}
