import type { RunState } from '../../domain/facts/run-state.ts';
import { isReview, isScratch } from '../../domain/plan/judging-phase.ts';
import type { Phase, Plan } from '../../domain/plan/plan.ts';
import type { KeptOut, Workspace } from '../../ports/workspace.ts';
import { declaredBy, matcherOf } from '../attempt/protected-paths.ts';

/**
 * What people read and no program, and the documents of HELIX's own: where a phase declares nothing, only such a file is surely about
 * the work and no part of it.
 */
const PAPER = /\.(?:md|markdown|rst|adoc|pdf)$|(?:^|\/)(?:(?:spec|phases|quality-gates)\.yaml|review\.json)$/i;

type Around = {
  readonly state: Pick<RunState, 'tip' | 'base'> & { readonly plan: Pick<Plan, 'workspace' | 'phases'> };
  readonly workspace: Pick<Workspace, 'changed' | 'tree'>;
};

/**
 * What of a tree that is about to be accepted stays off the result branch: what the plan names or, where it says nothing, the outputs of
 * meetings, plans and reviews that no other phase changes or declares; where they declare none, new papers. Undefined where the branch
 * holds everything.
 */
export async function keptOut(phase: Phase, tree: string, { state, workspace }: Around): Promise<KeptOut | undefined> {
  const { tip, base, plan } = state;
  if (tip === undefined || base === undefined || tree === tip.tree) return undefined;
  const { keepOut } = plan.workspace;
  const origin = base.origin ?? base.tree;
  const before = new Map(tip.published?.keptOut.map((file) => [file.path, file.phase]));
  const mayKeep = keepOut === undefined ? before.size > 0 || isScratch(phase) : keepOut.length > 0;
  if (!mayKeep) return tip.published && { origin, files: [] };
  const own = new Set(await workspace.changed(tip.tree, tree));
  const isKept = keepOut === undefined ? await usual() : matcherOf(keepOut);
  const files = (await workspace.changed(origin, tree))
    .filter(isKept)
    .map((path) => ({ path, phase: (own.has(path) ? undefined : before.get(path)) ?? phase.id }));
  return files.length === 0 && tip.published === undefined ? undefined : { origin, files };

  async function usual(): Promise<(path: string) => boolean> {
    const declared = matcherOf(plan.phases.filter((each) => !isScratch(each)).flatMap(({ output }) => output.files));
    const changed = isScratch(phase) ? await workspace.changed(origin, tip?.tree ?? origin) : [];
    const isBare = isScratch(phase) && !isReview(phase) && phase.output.files.length === 0;
    const { files: held = [], links = [] } = isBare ? await workspace.tree(origin) : {};
    const had = new Set([...held, ...links].map(({ path }) => path));
    const isOutput = isBare ? (path: string) => PAPER.test(path) && !had.has(path) : isDeclared;
    const published = new Set(changed.filter((path) => !before.has(path)));
    return (path) => {
      if (declared(path)) return false;
      return own.has(path) ? isScratch(phase) && isOutput(path) && !published.has(path) : before.has(path);
    };
  }

  /** What else such a phase changes is judged with the work and may be needed by it, so it goes where the work goes. */
  function isDeclared(path: string): boolean {
    return isReview(phase) || declaredBy(phase, plan)(path);
  }
}
