import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../test/scratch.ts';
import { openProject } from './disk/project-directory.ts';
import { openModels } from './open-models.ts';

function projectWith(text?: string) {
  const dir = scratch();
  if (text !== undefined) {
    mkdirSync(join(dir, 'config'));
    writeFileSync(join(dir, 'config', 'llm-providers.yaml'), text);
  }
  return openProject(dir);
}

it.each([
  ['opus', 'claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite: 5 }],
  ['sonnet', 'claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 }],
  ['haiku', 'claude-haiku-5-5', { input: 0.1, output: 0.5, cacheRead: 0.01, cacheWrite: 0.125 }],
  ['fable', 'claude-fable-5-2', { input: 8, output: 40, cacheRead: 0.2, cacheWrite: 10 }],
  ['anthropic/claude-sonnet-4-5', 'claude-sonnet-4-5', { input: 3, output: 15 }],
  ['openai:gpt-5-codex', 'gpt-5-codex', { input: 1.25, output: 10 }],
  ['gemini-2.5-flash', 'gemini-2.5-flash', { input: 0.3, output: 2.5 }],
])('HELIX knows %s as %s and what it costs', async (name, id, price) => {
  expect(await openModels(projectWith()).then((models) => models.find(name))).toMatchObject({ id, price });
});

it("the project's own file wins over HELIX's, entry by entry", async () => {
  const models = await openModels(projectWith('aliases: { opus: claude-opus-4-5 }\n'));
  expect(models.find('opus').id).toBe('claude-opus-4-5');
  expect(models.find('sonnet').id).toBe('claude-sonnet-5-5');
});

it('a file with errors is refused with the first of them', async () => {
  await expect(openModels(projectWith('aliases: { opus: x }\nnonsense: 1\n'))).rejects.toMatchObject({
    code: 'config',
    message: 'config/llm-providers.yaml:2: unknown key "nonsense"',
  });
});
