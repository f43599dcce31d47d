import { isJudge } from '../plan/judging-phase.ts';
import type { Phase } from '../plan/plan.ts';

/** The file a plan grows by, and the one that adds gates to it. */
const PLAN_NAME = 'phases.yaml';
const GATES_NAME = 'quality-gates.yaml';

const MEETINGS: ReadonlySet<Phase['type']> = new Set(['meeting', 'consultant', 'planning']);

/** What a phase declares, as far as it decides whether the plan grows by it. */
type Declared = Pick<Phase, 'type' | 'generatesPhases' | 'output'>;

/** Tells whether the plan grows by the output of a phase, from what its author declares. */
export function isToGrow(phase: Declared): boolean {
  if (isJudge(phase)) return false;
  return phase.generatesPhases || (MEETINGS.has(phase.type) && phase.output.files.some(isPlanFile));
}

/** The file of a phase that the plan grows by. */
export function planFileOf({ output: { directory, files } }: Pick<Phase, 'output'>): string {
  return files.find(isPlanFile) ?? below(directory, PLAN_NAME);
}

/** The file of a phase that adds gates to the plan, whether it is declared or not. */
export function gatesFileOf(phase: Pick<Phase, 'output'>): string {
  const declared = phase.output.files.find((path) => nameOf(path) === GATES_NAME);
  return declared ?? planFileOf(phase).replace(/[^/]*$/, GATES_NAME);
}

function isPlanFile(path: string): boolean {
  return nameOf(path) === PLAN_NAME;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function below(directory: string, name: string): string {
  return directory === '.' ? name : `${directory}/${name}`;
}
