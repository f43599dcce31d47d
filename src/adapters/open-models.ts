import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasError } from '../domain/finding.ts';
import { HelixError } from '../domain/helix-error.ts';
import { catalogueOf } from '../domain/plan/catalogue.ts';
import type { LlmProviders } from '../domain/plan/llm-providers.ts';
import type { Catalogue } from '../domain/plan/models.ts';
import type { Project } from '../ports/project.ts';
import { PROVIDERS_PATH, parseProviders } from '../text/yaml/parse-providers.ts';
import { YAML_LIMITS } from '../text/yaml/yaml-guard.ts';
import { INSTALLATION } from './disk/installation.ts';

/** The names and prices of models: the project's own before HELIX's. Throws HelixError `config` for a file with errors. */
export async function openModels(project: Pick<Project, 'read'>): Promise<Catalogue> {
  const shipped = readFileSync(join(INSTALLATION, PROVIDERS_PATH), 'utf8');
  const own = await project.read(PROVIDERS_PATH, YAML_LIMITS.bytes);
  return catalogueOf([...(own === undefined ? [] : [await read(own)]), await read(shipped)]);
}

async function read(text: string): Promise<LlmProviders> {
  const { providers, findings } = await parseProviders(text);
  const all = findings.sorted;
  if (!hasError(all)) return providers;
  const { message, location } = all.find(({ severity }) => severity === 'error') ?? { message: 'it has errors' };
  throw new HelixError('config', `${PROVIDERS_PATH}:${location?.line ?? 1}: ${message}`, {
    hint: 'See all that is wrong with it: helix plan',
  });
}
