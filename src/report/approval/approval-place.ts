import type { Location } from '../../domain/finding.ts';
import type { ApprovalFinding } from '../../domain/judge/approval.ts';

/** The place of a finding as its result file tells it: `file:line:column`, as far as it is known. */
export function placeOf({ location }: Pick<ApprovalFinding, 'location'>): Location | undefined {
  if (location === undefined) return undefined;
  const [, file = location, line, column] = /^(.+?)(?::([1-9]\d*))?(?::([1-9]\d*))?$/s.exec(location) ?? [];
  return {
    file,
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}

/** The place of a finding in the text it stands in, with the column of what is quoted where that is found on its line. */
export function placeInText(finding: ApprovalFinding, text: string | undefined): Location | undefined {
  const place = placeOf(finding);
  const [quoted = ''] = finding.evidence?.trim().split('\n') ?? [];
  if (place?.line === undefined || place.column !== undefined || text === undefined || quoted === '') return place;
  const at = text.split('\n')[place.line - 1]?.indexOf(quoted.trimEnd()) ?? -1;
  return at === -1 ? place : { ...place, column: at + 1 };
}
