import { hasWord } from '../kinds/choose-experts.ts';
import type { Phase } from '../plan/plan.ts';
import type { ReadCriterion } from './check-criteria.ts';

/** A gate of a plan, by its place among those of its phase. */
export type PlacedGate = { readonly phase: string; readonly gate: string; readonly place: number };

/** Who of a plan has to do with a criterion. */
export type CriterionCover = {
  readonly criterion: ReadCriterion;
  /** The phases that have it as theirs: a gate of them names it, or their own words do. */
  readonly phases: readonly string[];
  /** The gates that name it. */
  readonly gates: readonly PlacedGate[];
  /** The judges that hold work against the whole specification, and so against it, too. */
  readonly judges: readonly PlacedGate[];
};

type Planned = Pick<Phase, 'id' | 'name' | 'type' | 'description' | 'config' | 'gates'>;

/** What writes a specification says what is wanted; that nothing of it is missing shows nothing about the work. */
const SPECIFYING: ReadonlySet<Phase['type']> = new Set(['meeting', 'consultant', 'planning']);
const JUDGING: ReadonlySet<string> = new Set(['approval', 'verification', 'review_approved']);

/** Tells whether a criterion has an id of its own, by which gates and judges can name it. */
export function hasOwnId({ id }: ReadCriterion): boolean {
  return !id.startsWith('number ');
}

/** Who of these phases owns, names or judges each criterion. */
export function coverOf(criteria: readonly ReadCriterion[], phases: readonly Planned[]): CriterionCover[] {
  const gates = phases.flatMap((phase) =>
    phase.gates.map((gate, place) => ({ at: { phase: phase.id, gate: gate.type, place }, criteria: gate.criteria })),
  );
  const building = new Set(phases.filter(({ type }) => !SPECIFYING.has(type)).map(({ id }) => id));
  const judges = gates.map(({ at }) => at).filter(({ phase, gate }) => JUDGING.has(gate) && building.has(phase));
  return criteria.map((criterion) => {
    const naming = gates.filter((gate) => gate.criteria?.includes(criterion.id)).map(({ at }) => at);
    const saying = hasOwnId(criterion) ? phases.filter((phase) => saysId(phase, criterion.id)) : [];
    const owners = new Set([...naming.map(({ phase }) => phase), ...saying.map(({ id }) => id)]);
    return { criterion, gates: naming, judges, phases: phases.map(({ id }) => id).filter((id) => owners.has(id)) };
  });
}

function saysId({ name, type, description = '', config }: Planned, id: string): boolean {
  return !SPECIFYING.has(type) && hasWord([name, description, config.description ?? ''].join('\n'), id);
}

/**
 * The criteria that no phase has as its own, though others of them are somebody's and no judge looks at all of the work. Where a plan
 * names none, the whole of its work has them all.
 */
export function unownedOf(covers: readonly CriterionCover[]): ReadCriterion[] {
  if (!covers.some(({ phases }) => phases.length > 0)) return [];
  return covers
    .filter(({ phases, judges, criterion }) => phases.length + judges.length === 0 && hasOwnId(criterion))
    .map(({ criterion }) => criterion);
}

/** The criteria that neither a gate nor a judge will look at. */
export function uncoveredOf(covers: readonly CriterionCover[]): ReadCriterion[] {
  return covers.filter(({ gates, judges }) => gates.length + judges.length === 0).map(({ criterion }) => criterion);
}

/** The ids that gates name and no criterion has, each with where; free words beside the ids are no ids. */
export function unknownIds(
  criteria: readonly ReadCriterion[],
  phases: readonly Planned[],
): { readonly id: string; readonly at: PlacedGate }[] {
  const known = new Set(criteria.map(({ id }) => id));
  return phases.flatMap((phase) =>
    phase.gates.flatMap(({ type, criteria: named = [] }, place) =>
      named
        .filter((id) => OWN_ID.test(id) && !known.has(id))
        .map((id) => ({ id, at: { phase: phase.id, gate: type, place } })),
    ),
  );
}

const OWN_ID = /^[A-Z]{1,4}-?\d{1,4}$/;
