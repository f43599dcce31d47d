import type { PhaseState } from './run-state.ts';

/** The phases of a run in the plan's order, found by id. Changing one gives a new table that shares all the others. */
export class PhaseTable implements Iterable<PhaseState> {
  readonly #places: ReadonlyMap<string, number>;
  readonly #phases: readonly PhaseState[];

  private constructor(places: ReadonlyMap<string, number>, phases: readonly PhaseState[]) {
    this.#places = places;
    this.#phases = phases;
  }

  static of(phases: readonly PhaseState[]): PhaseTable {
    return new PhaseTable(new Map(phases.map((phase, index) => [phase.id, index])), phases);
  }

  get(id: string): PhaseState | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#phases[place];
  }

  /** The phase at a position of the plan. */
  at(index: number): PhaseState | undefined {
    return this.#phases[index];
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  values(): readonly PhaseState[] {
    return this.#phases;
  }

  /** The table with one phase changed; throws for a phase the plan does not have. */
  with(phase: PhaseState): PhaseTable {
    const place = this.#places.get(phase.id);
    if (place === undefined) throw new TypeError(`the plan has no phase ${phase.id}`);
    return new PhaseTable(this.#places, this.#phases.with(place, phase));
  }

  [Symbol.iterator](): Iterator<PhaseState> {
    return this.#phases[Symbol.iterator]();
  }
}
