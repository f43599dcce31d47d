import type { Item } from '../read/parts.ts';
import type { Value } from '../read/values.ts';

/** A value of the concept, and the one that stands in its place in the ADR. */
export type Drift = {
  readonly item: Item;
  readonly value: Value;
  readonly sentence: string;
  readonly other: { readonly value: Value; readonly sentence: string; readonly part: number; readonly line: number };
};
