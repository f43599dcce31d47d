import { z } from 'zod';

const Dollars = z.number().nonnegative().optional();

/** A model of config/llm-providers.yaml; costs are dollars for a million tokens. */
const ModelEntry = z.strictObject({
  id: z.string().min(1),
  context_window: z.int().positive().optional(),
  cost_per_1m_input: Dollars,
  cost_per_1m_output: Dollars,
  cost_per_1m_cache_read: Dollars,
  cost_per_1m_cache_write: Dollars,
  supports_tools: z.boolean().optional(),
  supports_vision: z.boolean().optional(),
});
export type ModelEntry = z.infer<typeof ModelEntry>;

const ModelId = z.string().min(1);

/** A provider; in the older form its key is `api_key_env` and its models are plain ids. */
const ProviderEntry = z.strictObject({
  name: z.string().optional(),
  base_url: z.string().optional(),
  api_format: z.enum(['openai', 'anthropic']).optional(),
  env_key: z.string().optional(),
  api_key_env: z.string().optional(),
  models: z.union([z.record(z.string(), z.union([ModelEntry, ModelId])), z.array(ModelId)]).optional(),
});
export type ProviderEntry = z.infer<typeof ProviderEntry>;

const ModelName = z.string().min(1);

/** config/llm-providers.yaml: what models are called and what they cost. */
export const LlmProviders = z.strictObject({
  providers: z.record(z.string(), ProviderEntry).optional(),
  defaults: z
    .strictObject({
      consultant: ModelName.optional(),
      developer: ModelName.optional(),
      reviewer: ModelName.optional(),
      utility: ModelName.optional(),
    })
    .optional(),
  aliases: z.record(z.string(), ModelName).optional(),
});
export type LlmProviders = z.infer<typeof LlmProviders>;
