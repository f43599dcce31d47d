import type { PhaseState, RunState } from '../../domain/facts/run-state.ts';
import { type Plan, TASK_SOURCE } from '../../domain/plan/plan.ts';
import { isDetected, unseenHarm } from '../../domain/plan/trust.ts';
import { lookAt } from '../../gates/commands/steps-not-run.ts';
import { commandFound, findsCommand, isDeciding } from '../../gates/found/found-command.ts';
import type { Tree } from '../../ports/tree.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { guardedOutputs } from '../attempt/protected.ts';
import { treeSource } from '../step/question-source.ts';
import { harmsIn } from './detected-commands.ts';
import type { Found } from './prepare-run.ts';

type Trees = Pick<Workspace, 'tree'>;

/**
 * What gates find where a run in a repository began, and in the work of it that they will look at next, whatever the checkout has
 * become: its journal may have come with somebody else's files.
 */
export async function foundInRun(state: RunState, plan: Plan, workspace: Trees): Promise<Found | undefined> {
  const { base, source, guidelines } = state;
  if (base === undefined) {
    if (guidelines === undefined) return undefined;
    const commands = plan.phases.filter(({ gates }) => gates.some(findsCommand)).map(({ id }) => unseenHarm(id));
    return { commands, source: treeSource(await workspace.tree(guidelines), plan.workspace) };
  }
  const begun = await workspace.tree(base.tree);
  const isTask = source.path === TASK_SOURCE;
  const first = await harmsIn(lookAt(begun), plan, isTask);
  const works = isFreeToChange(plan) ? [] : await worksToBeJudged(state, workspace);
  const later = await Promise.all(works.map((tree) => harmsIn(lookAt(tree), plan, isTask)));
  const more = later.flat().filter((line) => !plan.phases.some(({ id }) => isFree(line, id, first)));
  return { commands: [...new Set([...first, ...more])], source: treeSource(begun, plan.workspace) };
}

/** What a gate will find is trusted, whatever it is; what it finds no more starts nothing. */
function isFree(line: string, phase: string, trusted: readonly string[]): boolean {
  return isDetected(line, phase) && (line === unseenHarm(phase) || trusted.includes(unseenHarm(phase)));
}

/** Its user trusted that a phase writes what decides how work is tested. */
function isFreeToChange(plan: Plan): boolean {
  return plan.phases.some((phase) => guardedOutputs(phase, plan).some(isDeciding));
}

async function worksToBeJudged({ base, tip, phases }: RunState, workspace: Trees): Promise<Tree[]> {
  const works = new Map<string, Tree>();
  for (const id of [tip?.tree, ...[...phases.values()].map(treeOf)]) {
    if (id !== undefined && id !== base?.tree && !works.has(id)) works.set(id, await workspace.tree(id));
  }
  for (const at of phases.values()) {
    const tree = works.get(treeOf(at) ?? '');
    if (tree !== undefined && tree.id !== tip?.tree && (await isTold(at, tree))) works.delete(tree.id);
  }
  return [...works.values()];
}

/** The newest work of a phase that is not done: it is judged, or worked on. */
function treeOf({ status, current, judgedTree }: PhaseState): string | undefined {
  return status === 'passed' ? undefined : (current?.tree ?? judgedTree);
}

/** The question that is open about the work says what its test command is now. */
async function isTold({ status, current }: PhaseState, tree: Tree): Promise<boolean> {
  const told = status === 'waiting' ? current?.foundCommand?.after : undefined;
  return told !== undefined && told === (await commandFound(tree));
}
