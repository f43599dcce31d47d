import { expect, it } from 'vitest';
import { catalogueOf } from '../../domain/plan/catalogue.ts';
import { loadFiles, loadText, shown } from '../memory-project.fixture.ts';

const ONE = 'phases: [{ id: a, type: development }]\n';
const MODELS = catalogueOf([
  { providers: { anthropic: { models: { 'opus-5-5': { id: 'claude-opus-5-5' } } } }, aliases: { opus: 'opus-5-5' } },
]);
const options = { models: async () => MODELS };

it('a model that does not exist is an error where it stands, in phases and in both files with agents', async () => {
  const plan =
    'agents: { own: { driver: codex, model: opuss } }\nphases: [{ id: a, type: test, config: { model: opsu } }]\n';
  const helix = 'agents:\n  default: { driver: claude-code, model: claude-opsu-5-5 }\n';
  const { findings, plan: loaded } = await loadText(plan, { 'helix.yaml': helix }, options);
  expect(shown(findings)).toEqual([
    'helix.yaml:2:42 error: no model is known as "claude-opsu-5-5" (did you mean "claude-opus-5-5"?)',
    '1:40 error: no model is known as "opuss" (did you mean "opus"?)',
    '2:48 error: no model is known as "opsu" (did you mean "opus"?)',
  ]);
  expect(loaded).toBeUndefined();
});

it.each([
  'opus',
  'anthropic:opus-5-5',
  'claude-opus-5-6',
  'opus-6',
  'us.anthropic.claude-opus-6-v1:0',
])('%s is a model, or may be one by now', async (model) => {
  const plan = `phases: [{ id: a, type: development, config: { model: "${model}" } }]\n`;
  expect((await loadText(plan, {}, options)).findings).toEqual([]);
});

it('a name that no known model is like is an error, unless a program of its own is to know it', async () => {
  const plan = (driver: string) =>
    `agents: { own: { driver: ${driver}, command: [make], model: my-own-model } }\nphases: [{ id: a, type: test, agent: own }]\n`;
  expect(shown((await loadText(plan('codex'), {}, options)).findings)).toEqual([
    '1:57 error: no model is known as "my-own-model" (if it is one, name it in config/llm-providers.yaml)',
  ]);
  expect((await loadText(plan('command'), {}, options)).findings).toEqual([]);
});

it.each<[text: string, finding: string]>([
  ['providers: { x: { modles: {} } }', '1:19 error: unknown key "modles" (did you mean "models"?)'],
  ['providers: { x: { models: { a: { id: a, cost_per_1m_input: dear } } } }', '1:60 error: '],
  ['aliases: { opus: [a] }', '1:18 error: '],
  ['alises: {}', '1:1 error: unknown key "alises" (did you mean "aliases"?)'],
  ['providers: {', ' error: '],
])('in config/llm-providers.yaml, %s is an error with its place', async (text, finding) => {
  const { findings, plan, sources } = await loadText(ONE, { 'config/llm-providers.yaml': text });
  expect(shown(findings)[0]).toContain(finding);
  expect(findings[0]?.location?.file).toBe('config/llm-providers.yaml');
  expect(sources.get('config/llm-providers.yaml')).toBe(text);
  expect(plan).toBeUndefined();
});

it('names are not looked up in a file with errors, nor when no model is named', async () => {
  const never = {
    models: async () => {
      throw new Error('looked up');
    },
  };
  const broken = { 'config/llm-providers.yaml': 'nonsense: 1\n' };
  const named = 'phases: [{ id: a, type: development, config: { model: opsu } }]\n';
  expect((await loadText(named, broken, never)).findings).toHaveLength(1);
  expect((await loadFiles({ 'phases.yaml': ONE }, never)).findings).toEqual([]);
});

it("keys of the user's own are left alone", async () => {
  const text =
    'x-note: mine\nproviders: { x-corp: { x-team: a, models: { x-1: x-1 } } }\naliases: { x-best: x-corp:x-1 }\n';
  expect((await loadText(ONE, { 'config/llm-providers.yaml': text })).findings).toEqual([]);
});
