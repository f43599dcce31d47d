import type { Phase, Plan } from '../plan/plan.ts';

type Phases = Pick<Plan, 'phases'>;
/** For each place in the plan, the places it leads to. */
type Edges = readonly (readonly number[])[];
type Reached = { readonly from: string; readonly phases: readonly Phase[] };

/** The edges of a plan in both directions, and what was reached last: of one phase the same is asked again and again. */
type Graph = {
  readonly places: ReadonlyMap<string, number>;
  readonly up: Edges;
  readonly down: Edges;
  above?: Reached;
  below?: Reached;
};

/** A plan is never changed, only replaced. */
const GRAPHS = new WeakMap<readonly Phase[], Graph>();

/** The phases a phase builds on, however far up, in the order of the plan. */
export function phasesBefore({ id }: Pick<Phase, 'id'>, { phases }: Phases): readonly Phase[] {
  const graph = graphOf(phases);
  if (graph.above?.from !== id) graph.above = { from: id, phases: reached(id, graph.up, phases) };
  return graph.above.phases;
}

/** The phases that build on a phase, however far down, in the order of the plan. */
export function phasesAfter({ id }: Pick<Phase, 'id'>, { phases }: Phases): readonly Phase[] {
  const graph = graphOf(phases);
  if (graph.below?.from !== id) graph.below = { from: id, phases: reached(id, graph.down, phases) };
  return graph.below.phases;
}

/** A phase and all that build on it. */
export function followersOf(id: string, plan: Phases): Set<string> {
  return new Set([id, ...phasesAfter({ id }, plan).map((phase) => phase.id)]);
}

function graphOf(phases: readonly Phase[]): Graph {
  const known = GRAPHS.get(phases);
  if (known !== undefined) return known;
  const places = new Map(phases.map(({ id }, place) => [id, place]));
  const up = phases.map(({ dependsOn }) => dependsOn.flatMap((id) => places.get(id) ?? []));
  const down: number[][] = phases.map(() => []);
  for (const [place, before] of up.entries()) for (const each of before) down[each]?.push(place);
  const graph = { places, up, down };
  GRAPHS.set(phases, graph);
  return graph;
}

function reached(id: string, edges: Edges, phases: readonly Phase[]): Phase[] {
  const from = graphOf(phases).places.get(id) ?? -1;
  const seen = new Uint8Array(phases.length);
  const open = [...(edges[from] ?? [])];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen[place] === 1) continue;
    seen[place] = 1;
    for (const next of edges[place] ?? []) open.push(next);
  }
  return phases.filter((_, place) => seen[place] === 1 && place !== from);
}
