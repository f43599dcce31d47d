import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import { type Reading, readYaml, type YamlFile } from '../../text/yaml/read-yaml.ts';
import type { ParsedYaml } from '../../text/yaml/yaml.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';

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

function unreadable(file: string, error: HelixError): ParsedYaml {
  const start = { file, line: 1, column: 1 };
  const { message, hint } = error;
  return {
    value: undefined,
    complete: false,
    findings: [{ severity: 'error', check: 'unreadable', message, ...present({ hint }), location: start }],
    locate: () => start,
    locateKey: () => start,
  };
}
