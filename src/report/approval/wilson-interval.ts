/** The quantile that leaves 2.5 % on either side. */
const Z = 1.959963984540054;

/** The 95 % interval of Wilson for a rate: unlike that of the normal distribution it holds for few trials and for rates near 0. */
export function wilsonInterval(happened: number, trials: number): { readonly low: number; readonly high: number } {
  if (trials === 0) return { low: 0, high: 1 };
  const rate = happened / trials;
  const middle = rate + Z ** 2 / (2 * trials);
  const half = Z * Math.sqrt((rate * (1 - rate)) / trials + Z ** 2 / (4 * trials ** 2));
  const scale = 1 + Z ** 2 / trials;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}
