import { type Finding, hasError } from '../../domain/finding.ts';
import { HelixError } from '../../domain/helix-error.ts';
import type { Script } from '../../domain/plan/script.ts';
import type { Project } from '../../ports/project.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { parseScript } from '../../text/yaml/parse-script.ts';
import { YAML_LIMITS } from '../../text/yaml/yaml-guard.ts';

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
  let text: string | undefined;
  try {
    text = await project.read(path, YAML_LIMITS.bytes);
  } catch (error) {
    if (!(error instanceof HelixError) || error.code !== 'io') throw error;
    const unreadable: Finding = {
      severity: 'error',
      check: 'unreadable',
      message: error.message,
      location: { file: path },
    };
    return { script: undefined, findings: [unreadable], text: '' };
  }
  if (text === undefined) return undefined;
  const { script, findings } = parseScript(path, text);
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
