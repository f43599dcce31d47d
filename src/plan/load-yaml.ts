import { HelixError } from '../domain/helix-error.ts';
import type { Project } from '../ports.ts';
import { type ParsedYaml, parseYaml } from '../text/yaml.ts';
import { YAML_LIMITS } from '../text/yaml-guard.ts';

/** A YAML file that was found, with the user's own `x-` keys taken out of its value. */
export type YamlFile = { readonly path: string; readonly text: string; readonly yaml: ParsedYaml };

/** Which keys hold names (their `x-` entries stay), which hold anything at all, and which hold text as written. */
export type Reading = {
  readonly names: ReadonlySet<string>;
  readonly free: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
};

/** Reads a YAML file of the project; what makes it unreadable is among its findings. Undefined when there is none. */
export async function loadYaml(project: Project, path: string, reading: Reading): Promise<YamlFile | undefined> {
  try {
    const text = await project.read(path, YAML_LIMITS.bytes);
    return text === undefined ? undefined : readYaml(path, text, reading);
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'io') throw error;
    return { path, text: '', yaml: unreadable(path, error) };
  }
}

export function readYaml(path: string, text: string, reading: Reading): YamlFile {
  const yaml = parseYaml(text, path, reading.text);
  return { path, text, yaml: { ...yaml, value: withoutOwnKeys(yaml.value, reading) } };
}

function unreadable(file: string, error: HelixError): ParsedYaml {
  const start = { file, line: 1, column: 1 };
  const { message, hint } = error;
  return {
    value: undefined,
    complete: false,
    findings: [
      { severity: 'error', check: 'unreadable', message, ...(hint !== undefined && { hint }), location: start },
    ],
    locate: () => start,
    locateKey: () => start,
  };
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
