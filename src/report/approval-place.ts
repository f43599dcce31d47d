import type { ApprovalFinding } from '../domain/approval.ts';
import type { Location } from '../domain/finding.ts';

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
