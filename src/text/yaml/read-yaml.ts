import { type ParsedYaml, parseYaml } from './yaml.ts';

/** A YAML file that was found, with the user's own `x-` keys taken out of its value. */
export type YamlFile = { readonly path: string; readonly text: string; readonly yaml: ParsedYaml };

/** Which keys hold names (their `x-` entries stay), which hold anything at all, and which hold text as written. */
export type Reading = {
  readonly names: ReadonlySet<string>;
  readonly free: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
};

/** Reads the text of a YAML file. */
export function readYaml(path: string, text: string, reading: Reading): YamlFile {
  const yaml = parseYaml(text, path, reading.text);
  return { path, text, yaml: { ...yaml, value: withoutOwnKeys(yaml.value, reading) } };
}

function withoutOwnKeys(value: unknown, reading: Reading, key?: string): unknown {
  if (key !== undefined && reading.free.has(key)) return value;
  if (Array.isArray(value)) return value.map((entry) => withoutOwnKeys(entry, reading));
  if (typeof value !== 'object' || value === null) return value;
  const keepAll = key !== undefined && reading.names.has(key);
  const entries = Object.entries(value).filter(([name]) => keepAll || !name.startsWith('x-'));
  return Object.fromEntries(
    entries.map(([name, entry]) => [name, withoutOwnKeys(entry, reading, keepAll ? undefined : name)]),
  );
}
