import { phasesAfter } from '../ladder/plan-graph.ts';
import { isJudge } from '../plan/judging-phase.ts';
import type { Phase } from '../plan/plan.ts';
import { PLAN_GATE } from '../plan-growth.ts';
import { present } from '../present.ts';

/** Something that looks at work: told in words, and known again in another plan by them. */
type Guard = string;

/** Gates that every phase has in some form are no guards one could lose. */
const UNSAID: ReadonlySet<string> = new Set(['files_exist', PLAN_GATE]);

/**
 * The reviews, approvals and gates that looked at the work of `before` and would look at it no more: those of a phase that is still
 * there, and those that work of its kind had, each itself or in a phase after it. Both are phases of a plan that have not begun.
 */
export function lostGuards(before: readonly Phase[], after: readonly Phase[]): string[] {
  const kept = new Map(after.map((phase) => [phase.id, phase]));
  const own = before.flatMap((phase) => {
    const same = kept.get(phase.id);
    return same === undefined ? [] : missingIn(phase, same).map((guard) => `${phase.id}: ${guard}`);
  });
  return [
    ...new Set([
      ...own,
      ...freed(before, after),
      ...replaced(before, after),
      ...unguarded(before, after),
      ...fewer(before, after),
    ]),
  ];
}

/** What may come in the place of work that went, without its limits and without having to be done. */
function freed(before: readonly Phase[], after: readonly Phase[]): string[] {
  const had = new Set(before.map(({ id }) => id));
  const left = new Set(after.map(({ id }) => id));
  const gone = before.filter(({ id }) => !left.has(id));
  const added = after.filter(({ id }) => !had.has(id));
  const unbound = added.some(({ budget }) => budget === undefined);
  const bounded = gone.filter(({ budget }) => budget !== undefined && unbound);
  const skippable = gone.some(({ optional }) => !optional) ? added.filter(({ optional }) => optional) : [];
  return [
    ...bounded.map(({ id }) => `${id}: its budget goes with it, and what is added has none`),
    ...skippable.map(({ id }) => `${id}: it may be skipped, and what it may stand for must not be`),
  ];
}

/** Judges that went, where none that is told the same about the same files came in their place. */
function replaced(before: readonly Phase[], after: readonly Phase[]): string[] {
  const ids = (phases: readonly Phase[]) => new Set(phases.map(({ id }) => id));
  const [old, left] = [ids(before), ids(after)];
  const added = after.filter(({ id }) => !old.has(id)).map(aboutJudge);
  return before
    .filter((phase) => isJudge(phase) && !left.has(phase.id))
    .flatMap((phase) => {
      const place = added.indexOf(aboutJudge(phase));
      if (place === -1)
        return [`${phase.id}: it is left out, and no ${phase.type} that is told the same looks at the same`];
      added.splice(place, 1);
      return [];
    });
}

function aboutJudge(phase: Phase): string {
  const { type, config, input, onRejection, gates } = phase;
  return JSON.stringify([type, config, toldTo(phase), input, onRejection, gates.map(gateGuard)]);
}

/** What the phase of the same name no longer has. */
function missingIn(before: Phase, after: Phase): Guard[] {
  const had = exactly(before);
  const has = new Set(exactly(after));
  return [...had.filter((guard) => !has.has(guard)), ...toldOtherwise(before, after), ...raised(before, after)];
}

/** What bounded a phase itself, and bounds it less. */
function raised(before: Phase, after: Phase): Guard[] {
  const now = new Map(limitsOf(after));
  const own = limitsOf(before).map(([name, limit]) => ({ name, limit, is: now.get(name) }));
  const gates = before.gates.map(({ type, maxRetries }) => {
    const same = after.gates.find((gate) => gate.type === type);
    return { name: `retries of gate ${type}`, limit: maxRetries, is: same?.maxRetries ?? maxRetries };
  });
  return [...own, ...gates].flatMap(({ name, limit, is }) =>
    is !== undefined && is <= limit ? [] : [`its limit of ${name} ${limit} becomes ${is ?? 'none'}`],
  );
}

function limitsOf({ budget = {}, timeoutSeconds: seconds, maxRetries: retries }: Phase): [string, number][] {
  const { usd, minutes, attempts } = budget;
  return Object.entries(present({ usd, minutes, attempts, seconds, retries }));
}

/** What decides how a judge looks at work, and at what. */
const JUDGED_BY = [
  'name',
  'type',
  'ownType',
  'description',
  'agent',
  'config',
  'input',
  'approvalType',
  'onRejection',
] as const;

/** A judge who is told other words, is another one or looks at other files is another guard, and may be a milder one. */
function toldOtherwise(before: Phase, after: Phase): Guard[] {
  if (!isJudge(before) && !before.verifyAgent) return [];
  const fields = [...JUDGED_BY, ...(isJudge(before) ? (['output'] as const) : [])];
  return fields.flatMap((field) => {
    const [was, is] = [before[field], after[field]].map((value) =>
      value === undefined ? 'none' : JSON.stringify(value),
    );
    return was === is ? [] : [`its ${field} ${was} becomes ${is}`];
  });
}

/** A gate by all it is told: the same one with other words may be milder. */
function exactly(phase: Phase): Guard[] {
  const { requiresApproval, optional, gates } = phase;
  return [
    ...(requiresApproval ? ['a human looks before it starts'] : []),
    ...(optional ? [] : ['it must not be skipped']),
    ...gates
      .filter(({ type: gate }) => !UNSAID.has(gate))
      .map(({ type: gate, settings }) => `gate ${gate} ${JSON.stringify(settings)}`),
  ];
}

/** For each kind of work that some guard always looked at: the phases it does not look at any more. */
function unguarded(before: readonly Phase[], after: readonly Phase[]): string[] {
  const guardedBefore = guardsOfWork(before);
  const guardedAfter = guardsOfWork(after);
  const all = new Set([...guardedBefore.values()].flatMap((guards) => [...guards]));
  const work = before.filter(isWork);
  return [...all].flatMap((guard) => {
    // What was never looked at need not be now.
    const free = new Set(work.filter(({ id }) => !guardedBefore.get(id)?.has(guard)).map(({ type }) => type));
    const missing = after.filter(
      (phase) => isWork(phase) && !free.has(phase.type) && !guardedAfter.get(phase.id)?.has(guard),
    );
    return missing.map(({ id }) => `${id} is looked at by no ${guard}`);
  });
}

/** Where no work of a kind is left, what looked at it must not have gone with it. */
function fewer(before: readonly Phase[], after: readonly Phase[]): string[] {
  const left = counted(after);
  return [...counted(before)].flatMap(([guard, count]) => {
    const now = left.get(guard) ?? 0;
    if (!isCounted(guard)) return now === 0 ? [`no ${guard} is left`] : [];
    return now < count ? [`${now} of ${count} are left: ${guard}`] : [];
  });
}

/** Of judges and human looks every single one counts. */
function isCounted(guard: Guard): boolean {
  return /^(review|approval|look)/.test(guard);
}

function counted(phases: readonly Phase[]): Map<Guard, number> {
  const counts = new Map<Guard, number>();
  for (const guard of phases.flatMap(guardsIn)) counts.set(guard, (counts.get(guard) ?? 0) + 1);
  return counts;
}

function isWork(phase: Phase): boolean {
  return !isJudge(phase);
}

/** What looks at each piece of work: its own gates, and those and the judges after it. */
function guardsOfWork(phases: readonly Phase[]): ReadonlyMap<string, ReadonlySet<Guard>> {
  const plan = { phases: [...phases] };
  const own = new Map(phases.map((phase) => [phase.id, guardsIn(phase).filter((guard) => guard !== LOOK)]));
  return new Map(
    phases.filter(isWork).map(({ id }): [string, ReadonlySet<Guard>] => {
      const later = phasesAfter({ id }, plan).flatMap((phase) => own.get(phase.id) ?? []);
      return [id, new Set([...(own.get(id) ?? []), ...later])];
    }),
  );
}

/** A human looks before a phase starts, and not at what it makes. */
const LOOK: Guard = 'look of a human before a phase starts';

/** What looks at work in a phase, without the names of files: they are others in another plan. */
function guardsIn(phase: Phase): Guard[] {
  const { type, config, gates, requiresApproval } = phase;
  const told = isJudge(phase) ? toldTo(phase) : '';
  return [
    ...(requiresApproval ? [LOOK] : []),
    ...(type === 'review' ? [`review of ${config.review_scope ?? 'the work'}${told}`] : []),
    ...gates
      .filter((gate) => !UNSAID.has(gate.type) && gate.type !== 'review_approved')
      .map((gate) => gateGuard(gate) + told),
  ];
}

/** Who judges, and by which words; what a phase does not say is not told. */
function toldTo({ id, name, description, agent, config: { review_scope: _, ...config } }: Phase): string {
  const told = {
    ...(name !== id && { name }),
    ...present({ description, agent }),
    ...(Object.keys(config).length > 0 && { config }),
  };
  return Object.keys(told).length === 0 ? '' : ` ${JSON.stringify(told)}`;
}

function gateGuard({ type, settings }: Phase['gates'][number]): string {
  const { approval_type, files: _files, file: _file, diff: _diff, result_file: _result, ...rest } = settings;
  const told = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  if (type === 'approval') return `approval ${String(approval_type)}${told}`;
  const kind = type === 'files_exist_and_syntax' ? 'syntax_check' : type === 'adr_valid' ? 'adr_complete' : type;
  return `gate ${kind}${told}`;
}
