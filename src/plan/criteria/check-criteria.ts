import { criteriaIn, type ReadCriterion } from '../../domain/documents/check-criteria.ts';
import { coverOf, hasOwnId, uncoveredOf, unknownIds, unownedOf } from '../../domain/documents/criteria-cover.ts';
import { SpecFile } from '../../domain/documents/spec-file.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import type { FileFindings } from '../../text/yaml/file-findings.ts';
import { parseYaml } from '../../text/yaml/yaml.ts';

const MOST_NAMED = 12;
const COVER = 'name it under `criteria` of a gate that shows it, or let a judge look at the work (verify_agent: true)';

/** The criteria of a specification as far as its text can be read; none where it cannot. */
export function criteriaOfText(text: string, path: string): ReadCriterion[] {
  const { value, complete } = parseYaml(text, path);
  const read = SpecFile.safeParse(complete ? value : undefined);
  return read.success ? criteriaIn(read.data) : [];
}

/** Tells of criteria that neither a gate nor a judge of these phases looks at, and of gates that name none there is. */
export function checkCriteria(
  criteria: readonly ReadCriterion[],
  phases: readonly Phase[],
  findings: FileFindings,
): void {
  const covers = coverOf(criteria, phases);
  const open = uncoveredOf(covers);
  if (open.length > 0) {
    const message = `no gate or judge looks at ${named(open)} of spec.yaml`;
    findings.warning(['phases'], { check: 'uncovered-criterion', message, hint: COVER });
  }
  for (const { id, at } of unknownIds(criteria, phases)) {
    const message = `the gate ${at.gate} of "${at.phase}" names ${oneLine(id, 40)}, which is no criterion of spec.yaml`;
    const hint = suggestion(
      id,
      criteria.map((each) => each.id),
    );
    findings.warning(['phases'], { check: 'unknown-criterion', message, hint });
  }
}

/** Where a plan says of some criteria whose they are, it says so of all: what nobody has as its own is done by nobody. */
export function checkOwners(
  criteria: readonly ReadCriterion[],
  phases: readonly Phase[],
  findings: FileFindings,
): void {
  const open = unownedOf(coverOf(criteria, phases));
  if (open.length === 0) return;
  const message = `no phase owns ${named(open)} of spec.yaml, and others are owned`;
  const hint =
    'say its id in the description of the phase that has to meet it, or under `criteria` of one of its gates';
  findings.error(['phases'], { check: 'unowned-criterion', message, hint });
}

function named(criteria: readonly ReadCriterion[]): string {
  const shown = criteria
    .slice(0, MOST_NAMED)
    .map((each) => (hasOwnId(each) ? oneLine(each.id, 40) : JSON.stringify(oneLine(each.text, 60))));
  return shown.join(', ') + (criteria.length > MOST_NAMED ? ` and ${criteria.length - MOST_NAMED} more` : '');
}
