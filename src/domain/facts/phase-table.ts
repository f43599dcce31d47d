/** What is known of each phase, in the plan's order and by id. Changing one gives a new table that shares all the others. */
export class PhaseTable<T extends { readonly id: string }> implements Iterable<T> {
  readonly #places: ReadonlyMap<string, number>;
  readonly #phases: readonly T[];

  private constructor(places: ReadonlyMap<string, number>, phases: readonly T[]) {
    this.#places = places;
    this.#phases = phases;
  }

  static of<T extends { readonly id: string }>(phases: readonly T[]): PhaseTable<T> {
    return new PhaseTable(new Map(phases.map((phase, index) => [phase.id, index])), phases);
  }

  get(id: string): T | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#phases[place];
  }

  /** The phase at a position of the plan. */
  at(index: number): T | undefined {
    return this.#phases[index];
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  values(): readonly T[] {
    return this.#phases;
  }

  /** The table with one phase changed; throws for a phase the plan does not have. */
  with(phase: T): PhaseTable<T> {
    const place = this.#places.get(phase.id);
    if (place === undefined) throw new TypeError(`the plan has no phase ${phase.id}`);
    return new PhaseTable(this.#places, this.#phases.with(place, phase));
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#phases[Symbol.iterator]();
  }
}
