import { posix } from 'node:path';
import type { AskedFor } from '../../approval/question.ts';
import { code } from '../../brief/quote.ts';
import { matterOf, taskOf } from '../../brief/task-sentence.ts';
import { askedOf } from '../../domain/facts/asked-of.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { creatorsBefore } from '../../domain/ladder/authors.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { present } from '../../domain/present.ts';
import { declaredBy } from '../difference/makers.ts';
import type { RunContext } from '../step/engine-ports.ts';
import { readSpecForJudge } from '../step/read-spec.ts';

const MOST_TASKS = 10;

type Context = RunContext<'workspace' | 'project'>;

/** What those who asked for the work of a phase want: the request, the tasks of the plan, and the specification as it stands now. */
export async function askedFor(phase: Phase, files: readonly string[], around: Context): Promise<AskedFor> {
  const matter = matterOf(around.state);
  const workers = phase.type === 'approval' ? workersOf(phase, files, around.state) : [phase];
  const own = phase.type === 'approval' && isDescribed(phase) ? [phase] : [];
  const tasks = [
    ...workers.map((each) => ({ of: `The task of phase ${code(each.id)}`, text: taskOf(each, matter) })),
    ...own.map((each) => ({ of: 'What this approval is for', text: taskOf(each, matter) })),
  ];
  const spec = await specOf(phase, files, around);
  return { tasks, ...present({ request: askedOf(around.state), spec }) };
}

function isDescribed({ description, config }: Phase): boolean {
  return [description, config.description].some((text) => text !== undefined && text.trim() !== '');
}

/** The phases whose work an approval phase judges: the one its plan names, those that made the files, else all before it. */
function workersOf(phase: Phase, files: readonly string[], { plan, phases }: RunState): readonly Phase[] {
  const before = creatorsBefore(phase, plan);
  const inputs = phases.get(phase.id)?.current?.inputs ?? [];
  const judged = inputs.filter(({ path }) => files.includes(path));
  const choices = [
    before.filter(({ id }) => id === phase.input?.fromPhase),
    before.filter(({ id }) => judged.some(({ from }) => from.phase === id)),
    before.filter((each) => files.some(declaredBy(each))),
    before,
  ];
  return (choices.find((choice) => choice.length > 0) ?? []).slice(-MOST_TASKS);
}

/** Where the specification itself is judged, it is not told what it says; what was decided about it is. */
async function specOf(phase: Phase, files: readonly string[], around: Context): Promise<AskedFor['spec']> {
  const { text, changes } = await readSpecForJudge(phase, around);
  const isJudged = files.some((path) => posix.basename(path) === 'spec.yaml');
  if (text === undefined || (isJudged && changes.length === 0)) return undefined;
  return { text, changed: changes.length > 0 };
}
