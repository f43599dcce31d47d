import { z } from 'zod';
import { PhaseTypeEntry, PhaseTypesFile, TYPE_NAME } from '../../domain/kinds/phase-types-file.ts';
import type { Project } from '../../ports/project.ts';
import { oneLine } from '../../text/sanitise.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import type { Reading } from '../../text/yaml/read-yaml.ts';
import { readMap } from '../../text/yaml/schema-findings.ts';
import { loadYaml } from './load-yaml.ts';

const PATH = 'config/phase-types.yaml';

const READING: Reading = {
  names: new Set(['phase_types']),
  free: new Set(['project_types', 'retry', 'models']),
  text: new Set(['description', 'default_gates', 'output_pattern', 'requires_input_from', 'tools_required']),
};

/** What a project says of types of phases, by their names, with what is wrong with its file. */
export type LoadedPhaseTypes = {
  readonly types: ReadonlyMap<string, PhaseTypeEntry>;
  readonly own?: { readonly path: string; readonly text: string; readonly findings: FileFindings };
};

const Head = PhaseTypesFile.extend({ phase_types: z.record(z.string(), z.unknown()).optional() });

/** Keys of other tools' files that HELIX has another place for. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  project_types: 'a project type is a plan in templates/project-types/<type>.yaml',
  retry: 'attempts are counted by max_retries in the plan and in config/escalation.yaml',
  models: 'models are chosen by config.model in the plan and by the agents in helix.yaml',
};
const NO_EFFECT = ['can_decompose', 'max_sub_phases'] as const;

/** Reads the project's config/phase-types.yaml; HELIX's own types need none. */
export async function loadPhaseTypes(project: Project): Promise<LoadedPhaseTypes> {
  const file = await loadYaml(project, PATH, READING);
  if (file === undefined) return { types: new Map() };
  const { path, text, yaml } = file;
  const findings = new FileFindings(yaml);
  const value = readMap(Head, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  for (const [key, hint] of Object.entries(ELSEWHERE)) {
    if (value[key as keyof PhaseTypesFile] === undefined) continue;
    findings.warningAtKey([key], { check: 'no-effect', message: `"${key}" has no effect in ${PATH}`, hint });
  }
  return { types: typesIn(value.phase_types, findings), own: { path, text, findings } };
}

/** One by one: what is wrong with one of them makes no stranger of another. */
function typesIn(written: Record<string, unknown> = {}, findings: FileFindings): ReadonlyMap<string, PhaseTypeEntry> {
  const types = new Map<string, PhaseTypeEntry>();
  for (const [type, value] of Object.entries(written)) {
    if (!TYPE_NAME.test(type)) {
      const hint = 'use letters, digits, - and _, at most 40, the first one a letter';
      const message = `a type cannot be called "${oneLine(type, 60)}"`;
      findings.errorAtKey(['phase_types', type], { check: 'invalid-value', message, hint });
      continue;
    }
    const entry = readMap(PhaseTypeEntry, { value: value ?? {}, path: ['phase_types', type], findings });
    types.set(type, entry);
    for (const key of NO_EFFECT.filter((each) => entry[each] !== undefined)) {
      const hint = 'a phase of the plan says so: generates_phases and phase_config';
      findings.warningAtKey(['phase_types', type, key], {
        check: 'no-effect',
        message: `"${key}" has no effect`,
        hint,
      });
    }
  }
  return types;
}
