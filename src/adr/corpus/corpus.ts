import type { Adr } from '../document/adr.ts';
import type { Relation } from './relations.ts';

/** What the checks across files look at. */
export type Corpus = {
  /** Only what these say is judged. */
  readonly adrs: readonly Adr[];
  /** These and the ADRs beside them. */
  readonly all: readonly Adr[];
  readonly relations: ReadonlyMap<Adr, readonly Relation[]>;
  /** False for a file that was given alone and has no other ADR beside it: then nobody knows what exists. */
  readonly complete: boolean;
};
