import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { claudeLogin } from '../agents/claude-code/claude-login.ts';
import { userSettings } from './user-settings.ts';

function settings(text: string): { CLAUDE_CONFIG_DIR: string } {
  const dir = scratch();
  writeFileSync(join(dir, 'settings.json'), text);
  return { CLAUDE_CONFIG_DIR: dir };
}

it("of the user's own settings only what is a matter of login is taken", () => {
  const env = settings(
    JSON.stringify({
      apiKeyHelper: 'get-key',
      hooks: { Stop: [] },
      model: 'x',
      env: { ANTHROPIC_BASE_URL: 'u', N: 1 },
    }),
  );
  expect(userSettings(env)).toEqual({ settings: { apiKeyHelper: 'get-key' }, env: { ANTHROPIC_BASE_URL: 'u' } });
  expect(claudeLogin(env)).toBe('apiKeyHelper of your settings');
});

it.each(['', '[]', '{"env": "x", "apiKeyHelper": 1}', 'no json'])('settings that say nothing of it: %j', (text) => {
  expect(userSettings(settings(text))).toEqual({ settings: {}, env: {} });
  expect(claudeLogin(settings(text))).toBeUndefined();
});

it('no settings at all say nothing', () => {
  expect(userSettings({ HOME: scratch() })).toEqual({ settings: {}, env: {} });
});
