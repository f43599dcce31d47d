/** Where those start, in a sorted list, that do not stand before a place. */
export function firstFrom<Each>(sorted: readonly Each[], isBefore: (each: Each) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle] as Each)) low = middle + 1;
    else high = middle;
  }
  return low;
}
