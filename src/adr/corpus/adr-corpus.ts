import type { AdrFacts, AdrGraphDocument } from '../../domain/documents/adr-list-documents.ts';
import { present } from '../../domain/present.ts';
import type { Adr } from '../document/adr.ts';
import { type AdrLookup, adrLookup } from './adr-lookup.ts';
import { fileName, numberOf, ownId, statusName } from './own-id.ts';
import { type Relation, relationsOf } from './relations.ts';

/** ADRs together with who names whom. */
export type AdrCorpus = {
  readonly adrs: readonly Adr[];
  readonly lookup: AdrLookup;
  readonly relations: readonly Relation[];
};

/** Connects ADRs that were read. */
export function adrCorpus(adrs: readonly Adr[]): AdrCorpus {
  const lookup = adrLookup(adrs);
  return { adrs, lookup, relations: adrs.flatMap((adr) => relationsOf(adr, lookup)) };
}

/** What an ADR is called: its title without number, or its file. */
export function titleOf(adr: Adr): string {
  const [title] = adr.titles.filter(({ value }) => value !== '');
  return title === undefined ? fileName(adr.path) : title.value;
}

/** What the ADRs say about themselves and who replaced them, in the order of their numbers. */
export function factsOf({ adrs, relations }: AdrCorpus): AdrFacts[] {
  const successors = new Map<Adr, Set<string>>();
  for (const { from, to, reference } of relations) {
    if (to === undefined || to === from) continue;
    const [old, by] = reference.kind === 'superseded_by' ? [from, to] : [to, from];
    // A proposal has replaced nothing yet.
    if (reference.kind === 'superseded_by' || (reference.kind === 'supersedes' && statusName(by) !== 'proposed'))
      successors.set(old, (successors.get(old) ?? new Set()).add(by.path));
  }
  return inOrder(adrs).map((adr) => {
    const id = ownId(adr)?.value;
    const [status, text, date] = [statusName(adr), adr.statuses[0]?.value, adr.dates[0]?.value];
    return {
      path: adr.path,
      ...present({ id }),
      title: titleOf(adr),
      ...present({ status, statusText: text, date }),
      supersededBy: [...(successors.get(adr) ?? [])],
    };
  });
}

function inOrder(adrs: readonly Adr[]): readonly Adr[] {
  const keys = new Map(adrs.map((adr) => [adr, sortKey(adr)]));
  return [...adrs].sort((a, b) => {
    const [left = '', right = ''] = [keys.get(a), keys.get(b)];
    return left < right ? -1 : Number(left > right);
  });
}

/** Folder by folder, numbers as numbers, then by name. */
function sortKey(adr: Adr): string {
  const number = numberOf(ownId(adr)?.value ?? '');
  const padded = number
    ?.split('.')
    .map((part) => part.padStart(12, '0'))
    .join('.');
  const name = fileName(adr.path);
  return `${adr.path.slice(0, -name.length)}\n${padded ?? '~'}\n${name}`;
}

/** Nodes and edges, each edge once and in one direction. */
export function graphOf(corpus: AdrCorpus): Pick<AdrGraphDocument, 'nodes' | 'edges'> {
  const edges = new Map<string, AdrGraphDocument['edges'][number]>();
  for (const { from, to, reference } of corpus.relations) {
    if (to === undefined || to === from) continue;
    const [a, b] = reference.kind === 'superseded_by' ? [to, from] : [from, to];
    const kind = reference.kind === 'superseded_by' ? 'supersedes' : reference.kind;
    const ends = kind === 'related_to' ? [a.path, b.path].sort() : [a.path, b.path];
    edges.set([kind, ...ends].join('\n'), { from: a.path, to: b.path, kind });
  }
  const nodes = factsOf(corpus).map(({ supersededBy: _, ...facts }) => facts);
  return { nodes, edges: [...edges.values()] };
}
