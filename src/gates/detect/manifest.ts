import { parseYaml } from '../../text/yaml/yaml.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The map a manifest holds, undefined when it is none; what stands in a repository may be anything. */
export function parseJsonMap(text: string | undefined): Fields | undefined {
  if (text === undefined) return undefined;
  try {
    return fieldsOf(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return undefined;
  }
}

export function parseYamlMap(text: string | undefined, file: string): Fields | undefined {
  return text === undefined ? undefined : fieldsOf(parseYaml(text, file).value);
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
}

/** The tables of a TOML file by name, as text: enough to ask whether a table or a word in it is there. */
export function tomlTables(text: string | undefined): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  let name = '';
  for (const line of (text ?? '').split(/\r?\n/)) {
    const header = /^\s*\[{1,2}\s*([\w-][\w.\-" ]*?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (header === undefined) tables.set(name, `${tables.get(name) ?? ''}${line.replace(/^\s*#.*/, '')}\n`);
    else {
      name = header.replaceAll(/[" ]/g, '');
      tables.set(name, tables.get(name) ?? '');
    }
  }
  return tables;
}

/** The strings of one list of a TOML table. */
export function tomlTexts(table: string | undefined, key: string): string[] {
  const entries = `(?:[\\s,]|#.*|"[^"\\n]*"|'[^'\\n]*'|\\{[^}]*\\})*`;
  const list = new RegExp(`^\\s*${key}\\s*=\\s*\\[(${entries})\\]`, 'm').exec(table ?? '')?.[1] ?? '';
  return [...list.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, double, single]) => double ?? single ?? '');
}
