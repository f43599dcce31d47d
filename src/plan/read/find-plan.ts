import type { Finding, Location } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { Project } from '../../ports/project.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type Reading, readYaml, type YamlFile } from '../../text/yaml/read-yaml.ts';
import { loadYaml } from './load-yaml.ts';

/** Where plans for project types come from. */
export type Templates = {
  template(type: string): Promise<string | undefined>;
  templateTypes(): Promise<readonly string[]>;
};

/** The plan's file, and every file that was read to find it. */
export type FoundPlan = {
  readonly file: YamlFile | undefined;
  readonly origin: 'project' | 'consultant' | 'template';
  readonly read: readonly YamlFile[];
  readonly findings: readonly Finding[];
};

const PLACES = [
  { path: 'phases.yaml', origin: 'project' },
  { path: 'phases/01-consultant/output/phases.yaml', origin: 'consultant' },
] as const;

/** Finds the plan: the user's, else the consultant's, else the template of the project's type. */
export async function findPlan(project: Project, templates: Templates, reading: Reading): Promise<FoundPlan> {
  for (const { path, origin } of PLACES) {
    const file = await loadYaml(project, path, reading);
    if (file !== undefined && !isUnwritten(file, origin)) return { file, origin, read: [file], findings: [] };
  }
  const state = await loadYaml(project, 'state.json', reading);
  const read = state === undefined ? [] : [state];
  const broken = state?.yaml.findings ?? [];
  if (broken.length > 0) return { file: undefined, origin: 'template', read, findings: broken };
  const type = typeOf(state);
  const text = /^[\w-]+$/.test(type) ? await templates.template(type) : undefined;
  if (text === undefined) {
    const findings = [unknownType(type, await templates.templateTypes(), state?.yaml.locate(['project_type']))];
    return { file: undefined, origin: 'template', read, findings };
  }
  const file = readYaml(`templates/project-types/${type}.yaml`, text, reading);
  return { file, origin: 'template', read: [...read, file], findings: [] };
}

/** A consultant who leaves the plan as it is writes a file without phases: that is no plan of anybody's. */
function isUnwritten({ yaml: { findings, value } }: YamlFile, origin: FoundPlan['origin']): boolean {
  if (origin !== 'consultant' || findings.length > 0) return false;
  const phases = isRecord(value) && Object.keys(value).length === 1 ? value.phases : undefined;
  return (value ?? null) === null || (Array.isArray(phases) && phases.length === 0);
}

function typeOf(state: YamlFile | undefined): string {
  const value = state?.yaml.value;
  return isRecord(value) && value.project_type !== undefined ? String(value.project_type) : 'feature';
}

function unknownType(type: string, types: readonly string[], location: Location | undefined): Finding {
  return {
    severity: 'error',
    check: 'project-type',
    message: `there is no phases.yaml and no template for the project type "${oneLine(type, 60)}"`,
    hint: suggestion(type, types),
    ...present({ location }),
  };
}
