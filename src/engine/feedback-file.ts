import type { Finding } from '../domain/finding.ts';
import type { Phase } from '../domain/plan.ts';
import type { RunState } from '../domain/run-state.ts';
import type { AttemptContent, Tree, Workspace } from '../ports.ts';
import { renderFeedbackFile } from '../report/verification.ts';
import type { EnginePorts } from './engine-ports.ts';

const FEEDBACK_FILE = 'feedback.md';

type Around = { readonly ports: Pick<EnginePorts, 'workspace'>; readonly state: RunState };
type Noted = { readonly content: AttemptContent; readonly feedbackFile: string | undefined };

/** What an attempt finds, with what a verifier said of the one before it; a file of the project with that name stays what it is. */
export async function withFeedback(phase: Phase, content: AttemptContent, { ports, state }: Around): Promise<Noted> {
  const at = state.phases.get(phase.id);
  const verdict = at?.lastVerdicts.find(({ gate, outcome }) => gate === 'verification' && outcome !== 'pass');
  const start = content.start ?? content.tip?.tree;
  if (at === undefined || verdict === undefined || start === undefined) return { content, feedbackFile: undefined };
  const judged = await ports.workspace.tree(at.judgedTree ?? start);
  if (judged.files.some(({ path }) => path === FEEDBACK_FILE)) return { content, feedbackFile: undefined };
  const text = renderFeedbackFile(verdict, { attempt: at.judged, max: phase.maxRetries, at: state.updatedAt });
  const edited = await ports.workspace.edit(start, new Map([[FEEDBACK_FILE, text]]));
  return { content: { ...content, start: edited }, feedbackFile: FEEDBACK_FILE };
}

type Captured = { readonly tree: Tree; readonly notices: readonly Finding[] };

/** What an attempt made, without the feedback it was given. */
export async function withoutFeedback(
  captured: Captured,
  { workspace, path }: { readonly workspace: Workspace; readonly path: string | undefined },
): Promise<Captured> {
  if (path === undefined || !captured.tree.files.some((file) => file.path === path)) return captured;
  const id = await workspace.edit(captured.tree.id, new Map([[path, undefined]]));
  return { ...captured, tree: await workspace.tree(id) };
}
