import type { AgentSettings } from '../../domain/plan/helix-file.ts';
import type { Catalogue } from '../../domain/plan/models.ts';
import type { Project } from '../../ports/project.ts';
import { didYouMean } from '../../text/did-you-mean.ts';
import { oneLine } from '../../text/sanitise.ts';
import { FileFindings } from '../../text/yaml/file-findings.ts';
import { PROVIDERS_PATH, PROVIDERS_READING, parseProviders } from '../../text/yaml/parse-providers.ts';
import type { YamlPath } from '../../text/yaml/yaml.ts';
import { loadYaml } from '../read/load-yaml.ts';
import type { PlanCheck } from './plan-check.ts';

/** The project's own names and prices of models, with what is wrong with them. */
export type LoadedProviders = { readonly path: string; readonly text: string; readonly findings: FileFindings };

/** Reads the project's own names and prices; undefined when it has none. */
export async function loadProviders(project: Project): Promise<LoadedProviders | undefined> {
  const file = await loadYaml(project, PROVIDERS_PATH, PROVIDERS_READING);
  if (file === undefined) return undefined;
  const { findings } = file.yaml.complete ? await parseProviders(file.text) : { findings: new FileFindings(file.yaml) };
  return { path: file.path, text: file.text, findings };
}

type Agents = Readonly<Record<string, AgentSettings>>;
type Named = { readonly name: string; readonly at: YamlPath; readonly findings: FileFindings };

/** The models that are named somewhere, and where. */
export function namedModels(
  { phases, findings }: PlanCheck,
  layers: readonly (readonly [Agents, FileFindings])[],
): Named[] {
  const inPhases = phases.flatMap(({ draft, phase: { config } }) =>
    config.model === undefined ? [] : [{ name: config.model, at: [...draft.path, 'config', 'model'], findings }],
  );
  const inAgents = layers.flatMap(([agents, where]) =>
    Object.entries(agents).flatMap(([agent, { model }]) =>
      model === undefined ? [] : [{ name: model, at: ['agents', agent, 'model'], findings: where }],
    ),
  );
  return [...inPhases, ...inAgents];
}

/** Warns of names that look like typing errors; any other name is for the agent to know. */
export function checkModels(named: readonly Named[], models: Catalogue): void {
  for (const { name, at, findings } of named) {
    const meant = misspelt(name, models);
    if (meant === undefined) continue;
    findings.warning(at, {
      check: 'unknown-model',
      message: `no model is known as "${oneLine(name, 60)}"`,
      hint: `did you mean "${meant}"?`,
    });
  }
}

/** The model somebody most likely meant; other digits are another version, not a typing error. */
export function misspelt(name: string, { names }: Catalogue): string | undefined {
  if (names.includes(name)) return undefined;
  return didYouMean(
    name,
    names.filter((each) => digits(each) === digits(name)),
  );
}

function digits(name: string): string {
  return name.replace(/\D/g, '');
}
