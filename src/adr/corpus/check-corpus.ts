import type { Adr, AdrFinding } from '../document/adr.ts';
import { adrLookup } from './adr-lookup.ts';
import { checkCycles } from './check-cycles.ts';
import { checkDuplicateIds } from './check-duplicate-ids.ts';
import { checkReferences } from './check-references.ts';
import { checkSupersession } from './check-supersession.ts';
import { relationsOf } from './relations.ts';

/** Compares ADRs with each other and with those beside them: ids, references, cycles, supersession. */
export function checkCorpus(
  adrs: readonly Adr[],
  options: { readonly beside: readonly Adr[]; readonly whole: boolean },
): AdrFinding[] {
  const byPath = (a: Adr, b: Adr): number => (a.path < b.path ? -1 : Number(a.path > b.path));
  const all = [...adrs, ...options.beside].sort(byPath);
  const lookup = adrLookup([...adrs].sort(byPath), options.beside);
  const relations = new Map(all.map((adr) => [adr, relationsOf(adr, lookup)]));
  const corpus = { adrs, all, relations, complete: options.whole || all.length > 1 };
  return [
    ...checkDuplicateIds(corpus),
    ...checkReferences(corpus, lookup),
    ...checkCycles(corpus),
    ...checkSupersession(corpus),
  ];
}
