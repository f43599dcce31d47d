import type { Finding } from '../domain/finding.ts';
import { hasError } from '../domain/finding.ts';
import { Script } from '../domain/script.ts';
import type { Project } from '../ports.ts';
import { FileFindings } from './file-findings.ts';
import { loadYaml } from './load-yaml.ts';
import { SCRIPT_READING } from './reading.ts';
import { readMap } from './schema-findings.ts';

/** What the scripted agent is to do; `script` is undefined when there is no such file or an error makes it unusable. */
export type LoadedScript = {
  readonly script: Script | undefined;
  readonly findings: readonly Finding[];
  readonly text: string;
};

/** Reads a script for the scripted agent; undefined when the project has no such file. */
export async function loadScript(project: Project, path: string): Promise<LoadedScript | undefined> {
  const file = await loadYaml(project, path, SCRIPT_READING);
  if (file === undefined) return undefined;
  const { yaml, text } = file;
  const findings = new FileFindings(yaml);
  const script = readMap(Script, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  const all = findings.sorted;
  return { script: hasError(all) ? undefined : script, findings: all, text };
}
