import { SPLIT_FILE, SplitProposal } from '../../domain/facts/change-size.ts';
import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import type { Finding } from '../../domain/finding.ts';
import { isReview } from '../../domain/plan/judging-phase.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import type { Tree, TreeFile } from '../../ports/tree.ts';
import type { RunContext } from '../step/engine-ports.ts';

const BYTES = 64 * 1024;

type Captured = { readonly tree: Tree; readonly notices: readonly Finding[] };

/** Tells whether the agent of a phase may say that the request is too large: as long as no human wants it whole. */
export function maySplit(phase: Phase, at: PhaseState | undefined, { growth }: Pick<RunState, 'growth'>): boolean {
  return growth !== undefined && !isReview(phase) && (at?.rulings.room?.files ?? 0) < Number.MAX_SAFE_INTEGER;
}

/** A phase with the file in which it may propose a split: that counts even if git ignores it. */
export function withSplitFile(phase: Phase, { growth }: Pick<RunState, 'growth'>): Phase {
  if (growth === undefined) return phase;
  return { ...phase, output: { ...phase.output, files: [...phase.output.files, SPLIT_FILE] } };
}

/** What an attempt made, without the file in which it proposes a split; a file of that name that the project had is none. */
export async function takeSplit(
  captured: Captured,
  phase: Phase,
  { ports, state }: RunContext,
): Promise<Captured & { readonly split?: SplitProposal }> {
  const base = state.base?.tree;
  const lying = captured.tree.files.filter(isThere);
  if (state.growth === undefined || base === undefined || lying.length === 0) return captured;
  if ((await ports.workspace.tree(base)).files.some(isThere)) return captured;
  const text = (await captured.tree.read(SPLIT_FILE, BYTES))?.toString('utf8') ?? '';
  const without = new Map(lying.map(({ path }) => [path, undefined]));
  const tree = await ports.workspace.tree(await ports.workspace.edit(captured.tree.id, without));
  if (!maySplit(phase, state.phases.get(phase.id), state))
    return { tree, notices: [...captured.notices, ignored('a human wants the whole in one change')] };
  const split = parsed(text);
  if (split === undefined) return { tree, notices: [...captured.notices, UNREADABLE] };
  return { tree, notices: captured.notices, split };
}

/** The file itself, or what lies in a folder of its name. */
function isThere({ path }: TreeFile): boolean {
  return path === SPLIT_FILE || path.startsWith(`${SPLIT_FILE}/`);
}

function parsed(text: string): SplitProposal | undefined {
  try {
    return SplitProposal.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

const UNREADABLE: Finding = {
  severity: 'error',
  check: 'split-proposal',
  message: `${SPLIT_FILE} is not in the form that a proposal has, so it was not read`,
  hint: 'Write {"reason": "…", "parts": ["…", "…"]} with 2 to 10 parts of at most 500 characters, or do the work.',
};

function ignored(why: string): Finding {
  const message = `${SPLIT_FILE} was taken out and not read: ${why}`;
  return { severity: 'warning', check: 'split-proposal', message };
}
