/** A phase as far as the order of phases is concerned; `dependsOn` is what its author wrote, if anything. */
export type Ordered = {
  readonly id: string;
  readonly approval: boolean;
  readonly dependsOn: readonly string[] | undefined;
};

/**
 * What each phase waits for. Where nothing is written it follows the one before; approvals in a row follow the last other
 * phase, so that they run side by side, and whatever comes after them waits for all of them.
 */
export function dependencies(phases: readonly Ordered[]): string[][] {
  let work: string | undefined;
  let approvals: string[] = [];
  return phases.map((phase) => {
    const last = work === undefined ? [] : [work];
    const implied = phase.approval || approvals.length === 0 ? last : approvals;
    const waitsFor = [...new Set(phase.dependsOn ?? implied)];
    if (phase.approval) approvals.push(phase.id);
    else {
      work = phase.id;
      approvals = [];
    }
    return waitsFor;
  });
}

const MAX_CYCLES = 20;

/** Who comes before whom in a plan, by position; phases on or behind a cycle know only part of it. */
export class Ancestry {
  /** The cycles, each as the ids on it; the first of them in the plan stands first. */
  readonly cycles: readonly (readonly string[])[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #before: Uint32Array[];

  constructor(phases: readonly { readonly id: string; readonly dependsOn: readonly string[] }[]) {
    this.#positions = new Map(phases.map((phase, position) => [phase.id, position] as const).reverse());
    const edges = phases.map(({ id, dependsOn }) =>
      dependsOn.flatMap((other) => (other === id ? [] : (this.#positions.get(other) ?? []))),
    );
    this.#before = phases.map(() => new Uint32Array(Math.ceil(phases.length / 32)));
    const left = new Set(phases.keys());
    this.#settle(edges, left);
    const cycles: number[][] = [];
    while (left.size > 0 && cycles.length < MAX_CYCLES) {
      const cycle = findCycle(edges, left);
      cycles.push(cycle);
      for (const position of cycle) left.delete(position);
      this.#settle(edges, left);
    }
    this.cycles = cycles.map((cycle) => cycle.map((position) => phases[position]?.id ?? ''));
  }

  has(id: string): boolean {
    return this.#positions.has(id);
  }

  /** Tells whether the phase `id` is finished before `later` starts. */
  isBefore(id: string, later: string): boolean {
    const [position, at] = [this.#positions.get(id), this.#positions.get(later)];
    if (position === undefined || at === undefined) return false;
    return (((this.#before[at]?.[position >>> 5] ?? 0) >>> (position & 31)) & 1) === 1;
  }

  /** How many phases are finished before this one starts. */
  countBefore(id: string): number {
    let count = 0;
    for (let word of this.#before[this.#positions.get(id) ?? -1] ?? []) {
      for (; word !== 0; word &= word - 1) count += 1;
    }
    return count;
  }

  /** Takes out of `left`, in order, every phase that waits for none of the others in it. */
  #settle(edges: readonly number[][], left: Set<number>): void {
    const waiting = new Map([...left].map((at) => [at, edges[at]?.filter((edge) => left.has(edge)).length ?? 0]));
    const followers = new Map<number, number[]>();
    for (const at of left) {
      for (const edge of edges[at] ?? []) followers.get(edge)?.push(at) ?? followers.set(edge, [at]);
    }
    const ready = [...left].filter((at) => waiting.get(at) === 0);
    for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
      left.delete(at);
      for (const edge of edges[at] ?? []) this.#inherit(at, edge);
      for (const follower of followers.get(at) ?? []) {
        waiting.set(follower, (waiting.get(follower) ?? 0) - 1);
        if (waiting.get(follower) === 0) ready.push(follower);
      }
    }
  }

  #inherit(at: number, edge: number): void {
    const [mine, theirs] = [this.#before[at], this.#before[edge]];
    if (mine === undefined || theirs === undefined) return;
    for (let word = 0; word < mine.length; word += 1) mine[word] = (mine[word] ?? 0) | (theirs[word] ?? 0);
    mine[edge >>> 5] = (mine[edge >>> 5] ?? 0) | (1 << (edge & 31));
  }
}

/** Whoever is left waits for somebody who is left, so that following them must come round. */
function findCycle(edges: readonly number[][], left: ReadonlySet<number>): number[] {
  const seen = new Map<number, number>();
  let [at = 0] = left;
  while (!seen.has(at)) {
    seen.set(at, seen.size);
    at = edges[at]?.find((edge) => left.has(edge)) ?? at;
  }
  const cycle = [...seen.keys()].slice(seen.get(at));
  const first = cycle.indexOf(Math.min(...cycle));
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}
