import type { Quotation } from '../../domain/documents/criterion-trace.ts';
import type { Part } from '../../domain/documents/evidence-document.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { present } from '../../domain/present.ts';

type Given = RunState['approvals'][number];
type Check = Given['result']['checks'][number];
type Shown = NonNullable<Check['evidence']>[number];

/** The check of approval type `change` that holds the work against what was asked. */
export const TASK = 'task';

/** The opinions that count: they are about the work as it stands now, and it was not sent back since. */
export function standing({ approvals, phases }: RunState): readonly Given[] {
  return approvals.filter((given) => given.void !== true && isAbout(given, phases.get(given.phase)));
}

function isAbout({ attempt, tree }: Given, at: PhaseState | undefined): boolean {
  if (at === undefined) return false;
  // A merge with the work of others leaves what was judged as it was.
  if (at.current?.joined !== undefined && attempt === at.current.attempt) return true;
  return tree === (at.accepted?.tree ?? at.current?.tree ?? at.judgedTree);
}

/** The words of the work that a judge went by. */
export function quotation({ file, line, quote }: Shown): Quotation {
  return { file, quote, ...present({ line }) };
}

/** Who says so, with what it quoted. */
export function shownBy({ phase, result }: Given, evidence: readonly Shown[], check = TASK): Part['by'][number] {
  return { phase, approval: result.approval_id, check, quotes: evidence.map(quotation) };
}
