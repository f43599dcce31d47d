import type { PhaseState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Tree } from '../../ports/tree.ts';
import type { AttemptContent, Workspace } from '../../ports/workspace.ts';
import { renderFeedbackFile } from '../../report/run/verification.ts';
import { lastAttempt } from '../step/changed-phase.ts';
import type { RunContext } from '../step/engine-ports.ts';

const FEEDBACK_FILE = 'feedback.md';

type Noted = { readonly content: AttemptContent; readonly feedbackFile: string | undefined };

/** What an attempt finds, with what a verifier said of the one before it. */
export async function withFeedback(
  phase: Phase,
  content: AttemptContent,
  { ports, state }: RunContext,
): Promise<Noted> {
  const at = state.phases.get(phase.id);
  const verdict = at?.lastVerdicts.find(({ gate, outcome }) => gate === 'verification' && outcome !== 'pass');
  const start = content.start ?? content.tip?.tree;
  if (at === undefined || verdict === undefined || start === undefined || !(await isOurs(at, ports.workspace)))
    return { content, feedbackFile: undefined };
  const text = renderFeedbackFile(verdict, {
    attempt: at.history.judged,
    max: lastAttempt(phase, at, state),
    at: state.updatedAt,
  });
  const edited = await ports.workspace.edit(start, new Map([[FEEDBACK_FILE, text]]));
  return { content: { ...content, start: edited }, feedbackFile: FEEDBACK_FILE };
}

/** The name belongs to HELIX where a verifier is asked, unless the project had such a file before the phase began. */
async function isOurs({ baseTree }: PhaseState, workspace: Workspace): Promise<boolean> {
  if (baseTree === undefined) return true;
  return (await workspace.tree(baseTree)).files.every(({ path }) => path !== FEEDBACK_FILE);
}

/** What an attempt started from, without the feedback: that it goes away again is no change of the agent's. */
export async function startWithoutFeedback(
  start: string,
  feedbackFile: string | undefined,
  workspace: Pick<Workspace, 'edit'>,
): Promise<string> {
  return feedbackFile === undefined ? start : workspace.edit(start, new Map([[feedbackFile, undefined]]));
}

type Captured = { readonly tree: Tree; readonly notices: readonly Finding[] };

/** What an attempt made, without the feedback: what was given, and what the agent made of it, be it a link. */
export async function withoutFeedback(
  captured: Captured,
  phase: Phase,
  { ports, state }: RunContext,
): Promise<Captured> {
  const at = state.phases.get(phase.id);
  if (!phase.verifyAgent || at === undefined || !(await isOurs(at, ports.workspace))) return captured;
  const id = await ports.workspace.edit(captured.tree.id, new Map([[FEEDBACK_FILE, undefined]]));
  return id === captured.tree.id ? captured : { ...captured, tree: await ports.workspace.tree(id) };
}
