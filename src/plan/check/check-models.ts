import type { Driver } from '../../domain/plan/driver.ts';
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
type Named = {
  readonly name: string;
  readonly at: YamlPath;
  readonly findings: FileFindings;
  /** Who is to use it; undefined where that is not known. */
  readonly driver: Driver | undefined;
};

type Layers = readonly (readonly [Agents, FileFindings])[];

/** The models that are named somewhere, where, and for whom. */
export function namedModels({ phases, findings }: PlanCheck, layers: Layers, creator = 'default'): Named[] {
  const agents: Agents = Object.assign({ default: { driver: 'claude-code' } }, ...layers.map(([each]) => each));
  const inPhases = phases.flatMap(({ draft, phase: { config, agent = creator } }) =>
    config.model === undefined
      ? []
      : [{ name: config.model, at: [...draft.path, 'config', 'model'], findings, driver: agents[agent]?.driver }],
  );
  const inAgents = layers.flatMap(([each, where]) =>
    Object.entries(each).flatMap(([agent, { model, driver }]) =>
      model === undefined ? [] : [{ name: model, at: ['agents', agent, 'model'], findings: where, driver }],
    ),
  );
  return [...inPhases, ...inAgents];
}

/** Drivers that pass the name on to a provider whose models are known. */
const KNOWING: ReadonlySet<Driver | undefined> = new Set(['claude-code', 'codex']);

/** Reports names that are no model's: those that look like typing errors, and those that no known model is called like. */
export function checkModels(named: readonly Named[], models: Catalogue): void {
  for (const { name, at, findings, driver } of named) {
    const meant = misspelt(name, models);
    if (meant === undefined && (!KNOWING.has(driver) || isLikely(name, models))) continue;
    findings.error(at, {
      check: 'unknown-model',
      message: `no model is known as "${oneLine(name, 60)}"`,
      hint: meant === undefined ? `if it is one, name it in ${PROVIDERS_PATH}` : `did you mean "${meant}"?`,
    });
  }
}

/** Another version of a model that is known: they come out more often than HELIX does. */
function isLikely(name: string, { names }: Catalogue): boolean {
  const family = familyOf(name);
  return names.some((each) => each === name || (familyOf(each) !== '' && family.includes(familyOf(each))));
}

function familyOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
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
