import { present } from '../present.ts';
import type { LlmProviders, ModelEntry, ProviderEntry } from './llm-providers.ts';
import type { Catalogue, Model, Price } from './models.ts';

/** What providers put at the end of a model's id: a date, and which form of it. */
const ENDING = /(-\d{8})?(\[\w+\])?$/;

/** How often one alias may lead to the next. */
const HOPS = 8;

/** The models of several files; what stands in an earlier one wins over the same entry of a later one. */
export function catalogueOf(files: readonly LlmProviders[]): Catalogue {
  const aliases = new Map<string, string>();
  const models = new Map<string, Model>();
  for (const file of files) {
    for (const [name, meant] of Object.entries(file.aliases ?? {})) keep(aliases, name, meant);
    for (const [provider, entry] of Object.entries(file.providers ?? {})) addModels(models, provider, entry);
  }
  return { names: [...aliases.keys(), ...models.keys()], find: (name) => find(name, { aliases, models }) };
}

type Known = { readonly aliases: ReadonlyMap<string, string>; readonly models: ReadonlyMap<string, Model> };

function find(name: string, { aliases, models }: Known): Model {
  let meant = name;
  for (let hop = 0; hop < HOPS && aliases.has(meant); hop += 1) meant = aliases.get(meant) ?? meant;
  const model = models.get(meant);
  if (model !== undefined) return model;
  const plain = models.get(meant.replace(ENDING, ''));
  if (plain === undefined) return { id: meant };
  return { ...plain, id: meant.slice(meant.search(/[:/]/) + 1) };
}

function addModels(models: Map<string, Model>, provider: string, { models: entries = {} }: ProviderEntry): void {
  const named = Array.isArray(entries) ? entries.map((id) => [id, id] as const) : Object.entries(entries);
  for (const [key, entry] of named) {
    const model = modelOf(provider, typeof entry === 'string' ? { id: entry } : entry);
    for (const name of [key, model.id]) {
      keep(models, name, model);
      keep(models, `${provider}:${name}`, model);
      keep(models, `${provider}/${name}`, model);
    }
  }
}

function modelOf(provider: string, entry: ModelEntry): Model {
  const price = priceOf(entry);
  return { id: entry.id, provider, ...present({ price }) };
}

function priceOf(entry: ModelEntry): Price | undefined {
  const { cost_per_1m_input: input, cost_per_1m_output: output } = entry;
  const { cost_per_1m_cache_read: cacheRead, cost_per_1m_cache_write: cacheWrite } = entry;
  if (input === undefined || output === undefined) return undefined;
  return {
    ...{ input, output },
    ...present({ cacheRead, cacheWrite }),
  };
}

function keep<T>(map: Map<string, T>, key: string, value: T): void {
  if (!map.has(key)) map.set(key, value);
}
