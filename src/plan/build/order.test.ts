import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ancestry, dependencies, type Ordered } from './order.ts';

const work = (id: string, dependsOn?: string[]): Ordered => ({ id, approval: false, dependsOn });
const approval = (id: string, dependsOn?: string[]): Ordered => ({ id, approval: true, dependsOn });

describe('dependencies', () => {
  it.each<[string, Ordered[], string[][]]>([
    ['a phase follows the one before', [work('a'), work('b'), work('c')], [[], ['a'], ['b']]],
    ['what is written counts alone', [work('a'), work('b'), work('c', ['a']), work('d', [])], [[], ['a'], ['a'], []]],
    [
      'approvals in a row run side by side and are all waited for',
      [work('a'), approval('b'), approval('c'), work('d'), work('e')],
      [[], ['a'], ['a'], ['b', 'c'], ['d']],
    ],
    [
      'an approval with a dependency of its own is waited for as well',
      [work('a'), work('b'), approval('c', ['a']), approval('d'), work('e')],
      [[], ['a'], ['a'], ['b'], ['c', 'd']],
    ],
    ['approvals may come first', [approval('a'), approval('b'), work('c')], [[], [], ['a', 'b']]],
    ['the same name twice counts once', [work('a'), work('b', ['a', 'a'])], [[], ['a']]],
  ])('%s', (_, phases, expected) => {
    expect(dependencies(phases)).toEqual(expected);
  });
});

describe('Ancestry', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const graphs = fc
    .array(fc.uniqueArray(fc.constantFrom(...ids, 'unknown'), { maxLength: 3 }), { minLength: 7, maxLength: 7 })
    .map((edges) => ids.map((id, at) => ({ id, dependsOn: edges[at] ?? [] })));

  type Graph = readonly { id: string; dependsOn: readonly string[] }[];

  /** All that is reached from a phase over at least one dependency other than on itself. */
  function reached(graph: Graph, from: string): Set<string> {
    const direct = (id: string) =>
      graph.find((phase) => phase.id === id)?.dependsOn.filter((each) => each !== id) ?? [];
    const seen = new Set<string>();
    const open = [...direct(from)];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (ids.includes(id) && !seen.has(id)) open.push(...direct(id));
      if (ids.includes(id)) seen.add(id);
    }
    return seen;
  }

  it('knows who comes before whom wherever there is no circle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const ancestry = new Ancestry(graph);
        const circular = ids.some((id) => reached(graph, id).has(id));
        expect(ancestry.cycles.length > 0).toBe(circular);
        if (circular) return;
        for (const later of ids) {
          const before = reached(graph, later);
          for (const id of ids) expect(ancestry.isBefore(id, later)).toBe(before.has(id));
        }
      }),
    );
  });

  it('shows real circles only', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        for (const cycle of new Ancestry(graph).cycles) {
          for (const [at, id] of cycle.entries()) {
            const next = cycle[(at + 1) % cycle.length] ?? '';
            expect(graph.find((phase) => phase.id === id)?.dependsOn).toContain(next);
          }
        }
      }),
    );
  });

  it('takes a chain of ten thousand phases', () => {
    const chain = Array.from({ length: 10_000 }, (_, at) => ({
      id: `p${at}`,
      dependsOn: at === 0 ? [] : [`p${at - 1}`],
    }));
    const ancestry = new Ancestry(chain);
    for (const id of ['p0', 'p31', 'p32', 'p5000', 'p9998']) expect(ancestry.isBefore(id, 'p9999')).toBe(true);
    expect(ancestry.isBefore('p9999', 'p0')).toBe(false);
  });
});
