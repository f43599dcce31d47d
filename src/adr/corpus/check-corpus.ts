import type { Adr, AdrFinding } from '../document/adr.ts';
import { adrLookup } from './adr-lookup.ts';
import { checkCycles } from './check-cycles.ts';
import { checkReferences } from './check-references.ts';
import { checkSupersession } from './check-supersession.ts';
import type { Corpus } from './corpus.ts';
import { corpusFinding } from './corpus-finding.ts';
import { fileName, folderOf, isAnnex, isTemplate, languageInName, ownId } from './own-id.ts';
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

/** Two files of one folder that are checked together must not have the same id; translations, annexes and templates are not counted. */
function checkDuplicateIds({ adrs }: Corpus): AdrFinding[] {
  const groups = new Map<string, Adr[]>();
  for (const adr of adrs) {
    const id = ownId(adr)?.value;
    if (id === undefined || isTemplate(adr.path) || isAnnex(adr.path)) continue;
    const key = `${folderOf(adr.path)}\n${languageInName(adr.path)}\n${id}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [adr]);
    else group.push(adr);
  }
  return [...groups.values()].flatMap(duplicatesIn);
}

function duplicatesIn(group: readonly Adr[]): AdrFinding[] {
  const [first, second] = group;
  if (first === undefined || second === undefined) return [];
  return group.flatMap((adr) => {
    const id = ownId(adr);
    const other = adr === first ? second : first;
    if (id === undefined) return [];
    return [
      corpusFinding(adr, id, {
        severity: 'error',
        check: 'duplicate-id',
        message: `the id ${id.value} is also that of ${fileName(other.path)}`,
        hint: 'give one of them the next free number, and correct the references to it',
      }),
    ];
  });
}
