import { posix } from 'node:path';
import type { InputFile } from '../domain/facts/run-event.ts';
import { typeName } from '../domain/kinds/phase-types-file.ts';
import { phasesAfter, phasesBefore } from '../domain/ladder/plan-graph.ts';
import type { Phase, Plan } from '../domain/plan/plan.ts';
import { oneLine } from '../text/sanitise.ts';
import { inEnglish, type Say } from '../text/say.ts';
import { code } from './quote.ts';

const SHOWN = 12;
const FILES = 6;

/** What stands around a phase in its plan, a line for each phase. */
export type PlanPlace = { readonly before: readonly string[]; readonly after: readonly string[] };

/** What came before a phase and what comes after it, with what those need of it; the nearest first where not all have room. */
export function planPlace(
  { phase, plan, inputs }: { phase: Phase; plan: Pick<Plan, 'phases' | 'workspace'>; inputs: readonly InputFile[] },
  say: Say = inEnglish,
): PlanPlace {
  // Where phases have directories of their own, the reader has nothing of the others but its inputs.
  const madeBy = ({ id, output }: Phase) =>
    plan.workspace.mode === 'repo'
      ? output.files
      : inputs.filter(({ from }) => from.phase === id).map(({ path }) => path);
  const before = bounded(phasesBefore(phase, plan), 'end');
  const after = bounded(phasesAfter(phase, plan), 'start');
  return {
    before: [...more(before.left, say), ...before.shown.map((each) => maker(each, madeBy(each), say))],
    after: [...after.shown.map((each) => needs(each, phase, say)), ...more(after.left, say)],
  };
}

function named(phase: Phase): string {
  const { id, name, type, approvalType } = phase;
  const kind =
    type === 'approval' && approvalType !== undefined ? `approval ${oneLine(approvalType, 60)}` : typeName(phase);
  return `${code(id)} (${kind}${name === id ? '' : `: ${oneLine(name, 100)}`})`;
}

function maker(phase: Phase, made: readonly string[], say: Say): string {
  if (made.length === 0) return named(phase);
  return say('{phase}, which made {files}', { phase: named(phase), files: files(made, say) });
}

/** A later phase, with what it says it needs of this one. */
function needs(later: Phase, { id, output }: Phase, say: Say): string {
  const phase = named(later);
  const needed = (paths: readonly string[]) => say('{phase} needs {files} of you', { phase, files: files(paths, say) });
  const { fromPhase, files: wanted = [] } = later.input ?? {};
  if (fromPhase === id) return wanted.length > 0 ? needed(wanted) : say('{phase} needs all you make', { phase });
  if (later.input === undefined && later.dependsOn.includes(id))
    return say('{phase} builds on what you make', { phase });
  const names = new Set(output.files.map((file) => posix.basename(file)));
  const mine = fromPhase === undefined ? wanted.filter((file) => names.has(posix.basename(file))) : [];
  return mine.length > 0 ? needed(mine) : phase;
}

function files(paths: readonly string[], say: Say): string {
  const shown = paths.slice(0, FILES).map(code).join(', ');
  return paths.length > FILES ? `${shown} ${say('and {count} more', { count: paths.length - FILES })}` : shown;
}

type Bounded = { readonly shown: readonly Phase[]; readonly left: number };

function bounded(phases: readonly Phase[], keep: 'start' | 'end'): Bounded {
  const shown = keep === 'start' ? phases.slice(0, SHOWN) : phases.slice(-SHOWN);
  return { shown, left: phases.length - shown.length };
}

function more(left: number, say: Say): string[] {
  return left === 0 ? [] : [say('and {count} more', { count: left })];
}
