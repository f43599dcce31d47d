import type { ApprovalRequest } from '../../approval/approver.ts';
import type { Step } from '../../domain/run/decide.ts';
import { DIFFERENCE_FILE } from '../../ports/tree.ts';
import { freePath } from '../../text/free-path.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { verdictFiles, withoutVerdicts } from '../step/without-verdicts.ts';
import { differenceOf } from './difference.ts';

type Judged = Pick<Extract<Step, { do: 'judge' }>, 'phase' | 'tree'>;
type Request = Pick<ApprovalRequest, 'type' | 'diff' | 'files'>;

/**
 * What is pinned and judged, without what other judges left there; where a change leaves no file behind, the difference itself lies beside
 * the rest and is judged.
 */
export async function withStandIn<R extends Request>(
  { phase, tree }: Judged,
  request: R,
  around: RunContext,
): Promise<{ readonly tree: string; readonly request: R }> {
  const { workspace } = around.ports;
  const seen = await withoutVerdicts(tree, around);
  const given = around.state.phases.get(phase.id)?.current?.inputs ?? [];
  const hidden = await verdictFiles(tree, around);
  const isShown = (file: string) => !hidden.has(file) || given.some(({ path }) => path === file);
  const shown = { ...request, files: request.files.filter(isShown) };
  if (shown.files.length > 0) return { tree: seen, request: shown };
  const difference = await differenceOf({ phase, tree }, request, around);
  if (difference === undefined) return { tree: seen, request: shown };
  const { files } = await workspace.tree(seen);
  const path = freePath(
    DIFFERENCE_FILE,
    files.map((file) => file.path),
  );
  const pinned = await workspace.edit(seen, new Map([[path, difference]]));
  return { tree: pinned, request: { ...shown, files: [path] } };
}
