/** So many cycles of one graph are told; whoever has more starts with these. */
const MAX_CYCLES = 200;

/** The ways round in a graph, each once and starting with its smallest node; a node that only leads to itself is none. */
export function findCycles(next: readonly (readonly number[])[]): number[][] {
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
