/** Lines of one package of a workspace; `name` is empty for those that belong to none. */
export type PackageLines = { readonly name: string; readonly lines: readonly string[] };

const MIN_LINES = 3;
const MAX_PACKAGES = 100;
/** `packages/a test: …` of pnpm, `@scope/a:test: …` of turbo and `[a]: …` of yarn, which let packages talk at the same time. */
const PREFIX = /^([\w@./-]{1,100}[ :]test(?:[:-][\w-]{1,40})?|\[[\w@./-]{1,100}\]):(?: |$)/;

/** Takes lines apart that a workspace runner mixed, by the prefix it gave them. */
export function splitByPackage(lines: readonly string[]): PackageLines[] {
  const prefixes = lines.map((line) => PREFIX.exec(line));
  const counts = new Map<string, number>();
  for (const prefix of prefixes) {
    const name = prefix?.[1];
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].filter(([, count]) => count >= MIN_LINES).map(([name]) => name);
  if (names.length === 0) return [{ name: '', lines }];
  const parts = new Map<string, string[]>(['', ...names.slice(0, MAX_PACKAGES)].map((name) => [name, []]));
  for (const [index, line] of lines.entries()) {
    const prefix = prefixes[index];
    const part = parts.get(prefix?.[1] ?? '');
    if (part !== undefined && prefix) part.push(line.slice(prefix[0].length));
    else parts.get('')?.push(line);
  }
  return [...parts].map(([name, own]) => ({ name, lines: own }));
}
