import { HelixFile } from '../../domain/plan/helix-file.ts';
import type { Project } from '../../ports/project.ts';
import { isRecord } from '../../text/is-record.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { readYaml } from '../../text/yaml/read-yaml.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import { loadYaml } from './load-yaml.ts';
import { PLAN_READING } from './reading.ts';

/** helix.yaml as far as it could be read; an absent one is an empty one. */
export type LoadedSettings = {
  readonly settings: HelixFile;
  /** The names of the agents in it, also of those that are wrong. */
  readonly agentNames: readonly string[];
  readonly text: string;
  readonly findings: FileFindings;
};

export const SETTINGS_PATH = 'helix.yaml';

export async function loadSettings(project: Project): Promise<LoadedSettings> {
  const file = (await loadYaml(project, SETTINGS_PATH, PLAN_READING)) ?? readYaml(SETTINGS_PATH, '', PLAN_READING);
  const { value, complete } = file.yaml;
  const findings = new FileFindings(file.yaml);
  const settings = readMap(HelixFile, { value: complete ? (value ?? {}) : {}, path: [], findings });
  return { settings, agentNames: agentNames(value), text: file.text, findings };
}

/** The names under `agents` in the value of a file. */
export function agentNames(value: unknown): string[] {
  return isRecord(value) && isRecord(value.agents) ? Object.keys(value.agents) : [];
}
