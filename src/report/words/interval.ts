/** From this many values on, one in ten at each end is left out: one odd run says little about the next. */
const ENOUGH = 10;

/** The lowest and the highest of some values, without the odd ones where there are many. */
export function interval(values: readonly number[]): readonly number[] | undefined {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const cut = sorted.length >= ENOUGH ? Math.floor(sorted.length / ENOUGH) : 0;
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0];
}

/** An interval in words. */
export function range([low = '', high = '']: readonly string[], unit = ''): string {
  return `${low === high ? low : `${low} to ${high}`}${unit === '' ? '' : ` ${unit}`}`;
}
