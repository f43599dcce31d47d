import { type Finding, hasError } from '../domain/finding.ts';
import { Script } from '../domain/script.ts';
import type { Project } from '../ports.ts';
import { suggestion } from '../text/did-you-mean.ts';
import { oneLine } from '../text/sanitise.ts';
import { FileFindings } from './file-findings.ts';
import { loadYaml } from './load-yaml.ts';
import { SCRIPT_READING } from './reading.ts';
import { readMap } from './schema-findings.ts';

/** What the scripted agent is to do; `script` is undefined when an error makes it unusable. */
export type LoadedScript = {
  readonly script: Script | undefined;
  readonly findings: readonly Finding[];
  readonly text: string;
};

/** Reads a script for phases with these ids; undefined when the project has no such file. */
export async function loadScript(
  project: Project,
  path: string,
  ids: readonly string[],
): Promise<LoadedScript | undefined> {
  const file = await loadYaml(project, path, SCRIPT_READING);
  if (file === undefined) return undefined;
  const { yaml, text } = file;
  const findings = new FileFindings(yaml);
  const script = readMap(Script, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  for (const id of Object.keys(script.phases ?? {}).filter((each) => !ids.includes(each))) {
    const message = `the plan has no phase "${oneLine(id, 64)}"`;
    findings.warningAtKey(['phases', id], {
      check: 'unknown-phase',
      message,
      hint: suggestion(id, ids.slice(0, 1000)),
    });
  }
  const all = findings.sorted;
  return { script: hasError(all) ? undefined : script, findings: all, text };
}
