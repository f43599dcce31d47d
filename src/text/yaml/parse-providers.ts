import type { LlmProviders } from '../../domain/plan/llm-providers.ts';
import { FileFindings } from './file-findings.ts';
import { type Reading, readYaml } from './read-yaml.ts';
import { readMap } from './schema-findings.ts';

/** Where a project, and HELIX itself, keeps the names and prices of models. */
export const PROVIDERS_PATH = 'config/llm-providers.yaml';

/** How it is read: providers, models and aliases have any name, and a version is text. */
export const PROVIDERS_READING: Reading = {
  names: new Set(['providers', 'models', 'aliases']),
  free: new Set(),
  text: new Set(['id', 'name', 'base_url', 'env_key', 'api_key_env', 'defaults', 'aliases']),
};

/** Reads the names and prices of models; what is wrong with the file is among the findings. */
export async function parseProviders(text: string): Promise<{ providers: LlmProviders; findings: FileFindings }> {
  const schema = (await import('../../domain/plan/llm-providers.ts')).LlmProviders;
  const { yaml } = readYaml(PROVIDERS_PATH, text, PROVIDERS_READING);
  const findings = new FileFindings(yaml);
  const providers = readMap(schema, { value: yaml.complete ? (yaml.value ?? {}) : {}, path: [], findings });
  return { providers, findings };
}
