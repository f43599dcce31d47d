/** A name like the wanted one that no path has or lies below. */
export function freePath(wanted: string, taken: readonly string[]): string {
  const isTaken = (name: string) => taken.some((each) => each === name || each.startsWith(`${name}/`));
  let path = wanted;
  for (let n = 2; isTaken(path); n += 1) path = `${n}${wanted}`;
  return path;
}
