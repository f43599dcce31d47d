import { expect, it } from 'vitest';
import { catalogueOf } from './catalogue.ts';
import { LlmProviders } from './llm-providers.ts';
import { chargeFor } from './models.ts';

const SHIPPED: LlmProviders = {
  providers: {
    anthropic: {
      models: {
        'opus-5': { id: 'claude-opus-5', cost_per_1m_input: 4, cost_per_1m_output: 20, cost_per_1m_cache_read: 0.2 },
        'haiku-5': { id: 'claude-haiku-5', cost_per_1m_input: 1 },
      },
    },
    openai: { models: { 'gpt-5': { id: 'gpt-5', cost_per_1m_input: 1, cost_per_1m_output: 10 } } },
  },
  aliases: { opus: 'anthropic:opus-5', best: 'opus', round: 'about', about: 'round' },
};

const OPUS = { id: 'claude-opus-5', provider: 'anthropic', price: { input: 4, output: 20, cacheRead: 0.2 } };

it.each([
  'opus',
  'best',
  'opus-5',
  'anthropic:opus-5',
  'anthropic/opus-5',
  'anthropic:claude-opus-5',
  'anthropic/claude-opus-5',
  'claude-opus-5',
])('the model is found as %s', (name) => {
  expect(catalogueOf([SHIPPED]).find(name)).toEqual(OPUS);
});

it.each([
  ['claude-opus-5-20261101', 'claude-opus-5-20261101'],
  ['anthropic/claude-opus-5-20261101', 'claude-opus-5-20261101'],
  ['claude-opus-5[1m]', 'claude-opus-5[1m]'],
])('%s has the price of the model it is a form of, and keeps its own id', (name, id) => {
  expect(catalogueOf([SHIPPED]).find(name)).toEqual({ ...OPUS, id });
});

it.each([
  'claude-opus-6',
  'other:opus-5',
  'openai:opus-5',
  'us.anthropic.claude-opus-5-v1:0',
  '',
])('a name nobody knows is passed on as it is: %j', (name) => {
  expect(catalogueOf([SHIPPED]).find(name)).toEqual({ id: name });
});

it('aliases that lead to each other end somewhere', () => {
  expect(['round', 'about']).toContain(catalogueOf([SHIPPED]).find('round').id);
});

it('half a price is no price', () => {
  expect(catalogueOf([SHIPPED]).find('haiku-5')).toEqual({ id: 'claude-haiku-5', provider: 'anthropic' });
});

it('the first file wins entry by entry, and the rest of the others stays', () => {
  const own: LlmProviders = {
    providers: {
      anthropic: { models: { mine: { id: 'claude-opus-5', cost_per_1m_input: 1, cost_per_1m_output: 2 } } },
    },
    aliases: { best: 'gpt-5' },
  };
  const models = catalogueOf([own, SHIPPED]);
  expect(models.find('claude-opus-5').price).toEqual({ input: 1, output: 2 });
  expect(models.find('best').id).toBe('gpt-5');
  expect(models.find('opus').price).toEqual(OPUS.price);
});

it('the older form is read: a key under another name, and models that are plain ids', () => {
  const older = {
    providers: {
      openai: { api_key_env: 'OPENAI_API_KEY', models: ['gpt-4', 'gpt-3'] },
      local: { models: { small: 'llama-8b' } },
    },
  };
  const models = catalogueOf([LlmProviders.parse(older)]);
  expect(models.find('openai:gpt-4')).toEqual({ id: 'gpt-4', provider: 'openai' });
  expect(models.find('small')).toEqual({ id: 'llama-8b', provider: 'local' });
});

it('a use is charged by kind, and cached input as input where its price is not known', () => {
  const usage = { input: 1_000_000, output: 500_000, cacheRead: 2_000_000, cacheWrite: 1_000_000 };
  expect(chargeFor(usage, OPUS.price)).toBeCloseTo(4 + 10 + 0.4 + 4);
  expect(chargeFor(usage, { input: 4, output: 20, cacheRead: 1, cacheWrite: 5 })).toBeCloseTo(4 + 10 + 2 + 5);
});
