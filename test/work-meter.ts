const ROUNDS = 5;
let unit: number | undefined;

/**
 * Counts work from now on: the function tells how much this process has done since, in CPU time and as a multiple of sorting
 * twenty thousand numbers, so that neither a busy nor a slow machine changes what a test expects.
 */
export function workMeter(): () => number {
  unit ??= Math.min(...Array.from({ length: ROUNDS }, sorting));
  const one = unit;
  const before = process.cpuUsage();
  return () => spent(before) / one;
}

function sorting(): number {
  const numbers = Array.from({ length: 20_000 }, (_, n) => (n * 7919) % 20_011);
  const before = process.cpuUsage();
  numbers.sort((a, b) => a - b);
  return spent(before);
}

function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return Math.max(user + system, 1);
}
