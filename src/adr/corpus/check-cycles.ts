import type { Adr, AdrFinding, Place } from '../document/adr.ts';
import type { Corpus } from './corpus.ts';
import { corpusFinding } from './corpus-finding.ts';
import { nameOf } from './own-id.ts';

const SHOWN = 8;

const KINDS = [
  { kind: 'depends_on', inverse: undefined, words: 'depend on each other', hint: 'drop one of these depends_on' },
  {
    kind: 'supersedes',
    inverse: 'superseded_by',
    words: 'supersede each other',
    hint: 'only the newer one supersedes the older one',
  },
] as const;

/** No ADR may depend on itself, or supersede itself, by way of others. */
export function checkCycles(corpus: Corpus): AdrFinding[] {
  const judged = new Set(corpus.adrs);
  const indexes = new Map(corpus.all.map((adr, index) => [adr, index]));
  return KINDS.flatMap(({ kind, inverse, words, hint }) => {
    const { next, places } = graphOf(corpus, indexes, { kind, inverse });
    return findCycles(next).flatMap((cycle) => {
      const members = cycle.flatMap((index) => corpus.all[index] ?? []);
      const first = members.findIndex((adr) => judged.has(adr));
      const round = [...members.slice(first), ...members.slice(0, first)];
      const [adr, following] = round;
      if (first === -1 || adr === undefined || following === undefined) return [];
      const at = (from: Adr | undefined, to: Adr) => edgeKey(from && indexes.get(from), indexes.get(to));
      const place = places.own.get(at(adr, following)) ?? places.inverse.get(at(round.at(-1), adr));
      const message = `these ADRs ${words}: ${wayRound(round)}`;
      return [
        corpusFinding(adr, place ?? { line: 1, column: 1 }, { severity: 'error', check: 'cycle', message, hint }),
      ];
    });
  });
}

function edgeKey(from: number | undefined, to: number | undefined): string {
  return `${from} ${to}`;
}

/** Where edges are told: by the ADR they start from, or by the one they lead to. */
type Places = { readonly own: ReadonlyMap<string, Place>; readonly inverse: ReadonlyMap<string, Place> };

function graphOf(
  { all, relations }: Corpus,
  indexes: ReadonlyMap<Adr, number>,
  { kind, inverse }: { readonly kind: string; readonly inverse: string | undefined },
): { next: readonly (readonly number[])[]; places: Places } {
  const next = all.map(() => new Set<number>());
  const places = { own: new Map<string, Place>(), inverse: new Map<string, Place>() };
  for (const { from, to, reference } of [...relations.values()].flat()) {
    const [a, b] = [indexes.get(from), to === undefined ? undefined : indexes.get(to)];
    if (a === undefined || b === undefined || a === b) continue;
    if (reference.kind === kind) {
      next[a]?.add(b);
      places.own.set(edgeKey(a, b), reference);
    } else if (reference.kind === inverse) {
      next[b]?.add(a);
      places.inverse.set(edgeKey(b, a), reference);
    }
  }
  return { next: next.map((each) => [...each]), places };
}

function wayRound(round: readonly Adr[]): string {
  const names = round.slice(0, SHOWN).map(nameOf);
  const left = round.length - names.length;
  const more = left > 0 ? [`… ${left} more …`] : [];
  return [...names, ...more, names[0] ?? ''].join(' → ');
}

/** So many cycles of one graph are told; whoever has more starts with these. */
const MAX_CYCLES = 200;

/** The ways round in a graph, each once and starting with its smallest node; a node that only leads to itself is none. */
function findCycles(next: readonly (readonly number[])[]): number[][] {
  const cycles: number[][] = [];
  /** Where a node stands on the current path; -1 once everything behind it is known. */
  const position = new Map<number, number>();
  for (let root = 0; root < next.length; root += 1) {
    if (position.has(root)) continue;
    const path = [{ node: root, tried: 0 }];
    position.set(root, 0);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const node = next[top.node]?.[top.tried];
      top.tried += 1;
      if (node === undefined) {
        position.set(top.node, -1);
        path.pop();
        continue;
      }
      const at = position.get(node);
      if (at === undefined) {
        position.set(node, path.length);
        path.push({ node, tried: 0 });
      } else if (at !== -1 && node !== top.node && cycles.length < MAX_CYCLES) {
        cycles.push(fromSmallest(path.slice(at).map((each) => each.node)));
      }
    }
  }
  return cycles;
}

function fromSmallest(nodes: readonly number[]): number[] {
  let smallest = 0;
  for (const [index, node] of nodes.entries()) if (node < (nodes[smallest] ?? node)) smallest = index;
  return [...nodes.slice(smallest), ...nodes.slice(0, smallest)];
}
