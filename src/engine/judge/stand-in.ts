import type { ApprovalRequest } from '../../approval/approver.ts';
import type { Step } from '../../domain/run/decide.ts';
import { DIFFERENCE_FILE } from '../../ports/tree.ts';
import { freePath } from '../../text/free-path.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { differenceOf } from './difference.ts';

type Judged = Pick<Extract<Step, { do: 'judge' }>, 'phase' | 'tree'>;
type Request = Pick<ApprovalRequest, 'type' | 'diff' | 'files'>;

/** What is pinned and judged: where a change leaves no file behind, the difference itself lies beside the rest and is judged. */
export async function withStandIn<R extends Request>(
  { phase, tree }: Judged,
  request: R,
  around: RunContext,
): Promise<{ readonly tree: string; readonly request: R }> {
  if (request.files.length > 0) return { tree, request };
  const { workspace } = around.ports;
  const difference = await differenceOf({ phase, tree }, request, around);
  if (difference === undefined) return { tree, request };
  const { files } = await workspace.tree(tree);
  const path = freePath(
    DIFFERENCE_FILE,
    files.map((file) => file.path),
  );
  const pinned = await workspace.edit(tree, new Map([[path, difference]]));
  return { tree: pinned, request: { ...request, files: [path] } };
}
