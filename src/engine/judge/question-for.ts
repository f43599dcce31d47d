import type { ApprovalRequest } from '../../approval/approver.ts';
import { makeQuestion } from '../../approval/make-question.ts';
import type { Question } from '../../approval/question.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import type { Snapshot } from '../../ports/tree.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { questionSource } from '../step/question-source.ts';
import { askedFor } from './asked-for.ts';
import { differenceOf, newPartOf } from './difference.ts';

/** What a gate of a phase wants judged: its work as far as there is any, pinned. */
type Judged = {
  readonly phase: Phase;
  /** The tree that is judged; undefined as long as nobody has made anything. */
  readonly tree: string | undefined;
  readonly request: ApprovalRequest;
  readonly snapshot: Snapshot;
};

/** The question to a judge of a run, with all that reaches it; throws HelixError `config` for what nobody could answer. */
export async function questionFor(
  { phase, tree, request, snapshot }: Judged,
  around: RunContext<'workspace' | 'project' | 'shippedApproval' | 'conventions'>,
): Promise<Question> {
  const difference = tree === undefined ? undefined : await differenceOf({ phase, tree }, request, around);
  const newPart = tree === undefined ? undefined : await newPartOf({ phase, tree }, request, around);
  const asked = await askedFor(phase, request.files, around);
  const { type, timeoutSeconds } = phase;
  const own = type === 'approval' && timeoutSeconds !== undefined ? { timeoutSeconds } : {};
  const about = { snapshot, asked, ...present({ difference, newPart }) };
  return makeQuestion({ ...own, ...request }, await questionSource(around), about);
}
