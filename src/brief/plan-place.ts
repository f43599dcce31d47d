import { posix } from 'node:path';
import type { Phase, Plan } from '../domain/plan/plan.ts';
import { oneLine } from '../text/sanitise.ts';
import { code } from './quote.ts';

const SHOWN = 12;
const FILES = 6;

/** What stands around a phase in its plan, a line for each phase. */
export type PlanPlace = { readonly before: readonly string[]; readonly after: readonly string[] };

/** What came before a phase and what comes after it, with what those need of it; the nearest first where not all have room. */
export function planPlace(phase: Phase, { phases }: Pick<Plan, 'phases'>): PlanPlace {
  const before = within(phases, phase, ({ dependsOn }) => dependsOn);
  const after = within(phases, phase, ({ id }) => followers(id, phases));
  return {
    before: bounded(
      before,
      (each) => `${named(each)}${each.output.files.length > 0 ? `, which made ${files(each.output.files)}` : ''}`,
      'end',
    ),
    after: bounded(after, (each) => `${named(each)}${needs(each, phase)}`, 'start'),
  };
}

function followers(id: string, phases: readonly Phase[]): string[] {
  return phases.filter(({ dependsOn }) => dependsOn.includes(id)).map((each) => each.id);
}

/** All phases that can be reached from one, in the order of the plan. */
function within(phases: readonly Phase[], from: Phase, next: (phase: Phase) => readonly string[]): Phase[] {
  const byId = new Map(phases.map((each) => [each.id, each]));
  const seen = new Set<string>();
  const queue = [...next(from)];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const found = byId.get(id);
    if (found === undefined || seen.has(id)) continue;
    seen.add(id);
    queue.push(...next(found));
  }
  return phases.filter(({ id }) => seen.has(id) && id !== from.id);
}

function named({ id, name, type, approvalType }: Phase): string {
  const kind = type === 'approval' && approvalType !== undefined ? `approval ${oneLine(approvalType, 60)}` : type;
  return `${code(id)} (${kind}${name === id ? '' : `: ${oneLine(name, 100)}`})`;
}

/** What a later phase says it needs of this one. */
function needs(later: Phase, { id, output }: Phase): string {
  const { fromPhase, files: wanted = [] } = later.input ?? {};
  if (fromPhase === id) return wanted.length > 0 ? ` needs ${files(wanted)} of you` : ' needs all you make';
  if (later.input === undefined && later.dependsOn.includes(id)) return ' builds on what you make';
  const names = new Set(output.files.map((file) => posix.basename(file)));
  const mine = fromPhase === undefined ? wanted.filter((file) => names.has(posix.basename(file))) : [];
  return mine.length > 0 ? ` needs ${files(mine)} of you` : '';
}

function files(paths: readonly string[]): string {
  const shown = paths.slice(0, FILES).map(code).join(', ');
  return paths.length > FILES ? `${shown} and ${paths.length - FILES} more` : shown;
}

function bounded(phases: readonly Phase[], line: (phase: Phase) => string, keep: 'start' | 'end'): string[] {
  const left = phases.length - SHOWN;
  const shown = (left <= 0 ? phases : keep === 'start' ? phases.slice(0, SHOWN) : phases.slice(-SHOWN)).map(line);
  if (left <= 0) return shown;
  const note = `and ${left} more`;
  return keep === 'start' ? [...shown, note] : [note, ...shown];
}
