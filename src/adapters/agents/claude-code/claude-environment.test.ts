import { expect, it } from 'vitest';
import type { AgentSettings } from '../../../domain/plan/helix-file.ts';
import { claudeEnvironment, claudeSecret } from './claude-environment.ts';

const SETTINGS: AgentSettings = { driver: 'claude-code' };
const CREATOR = { role: 'creator' } as const;
const REVIEWER = { role: 'reviewer' } as const;

it('nothing of the environment reaches the program unless it is named', () => {
  const source = {
    HOME: '/home/ada',
    DATABASE_URL: 'x',
    CLAUDECODE: '1',
    GITHUB_TOKEN: 'x',
    NODE_OPTIONS: '--inspect',
  };
  const env = claudeEnvironment(source, SETTINGS, CREATOR);
  expect(env.HOME).toBe('/home/ada');
  expect(Object.keys(env)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/DATABASE|CLAUDECODE|TOKEN$|^NODE_/)]),
  );
});

it('the login, the proxy and the certificates of the user do', () => {
  const source = {
    ANTHROPIC_AUTH_TOKEN: 't',
    HTTPS_PROXY: 'http://proxy',
    NODE_EXTRA_CA_CERTS: '/ca',
    CLAUDE_CONFIG_DIR: '/c',
  };
  expect(claudeEnvironment(source, SETTINGS, REVIEWER)).toMatchObject(source);
});

it('the keys of a cloud provider do only where it is used', () => {
  const source = { AWS_ACCESS_KEY_ID: 'k', GOOGLE_APPLICATION_CREDENTIALS: '/g' };
  expect(claudeEnvironment(source, SETTINGS, CREATOR)).not.toMatchObject(source);
  const bedrock = claudeEnvironment({ ...source, CLAUDE_CODE_USE_BEDROCK: '1' }, SETTINGS, CREATOR);
  expect([bedrock.AWS_ACCESS_KEY_ID, bedrock.GOOGLE_APPLICATION_CREDENTIALS]).toEqual(['k', undefined]);
});

it('what its servers may see is there for a creator, not for a judge', () => {
  const settings: AgentSettings = { ...SETTINGS, mcp: [{ name: 'docs', command: ['docs'], env: ['DOCS_KEY'] }] };
  expect(claudeEnvironment({ DOCS_KEY: 'k' }, settings, CREATOR)).toMatchObject({ DOCS_KEY: 'k' });
  expect(claudeEnvironment({ DOCS_KEY: 'k' }, settings, REVIEWER)).not.toHaveProperty('DOCS_KEY');
});

it('a key goes by a pipe and is in no environment, not even where it is named', () => {
  const source = { ANTHROPIC_API_KEY: 'key', CLAUDE_CODE_OAUTH_TOKEN: 'token' };
  const settings: AgentSettings = { ...SETTINGS, env: Object.keys(source) };
  expect(Object.values(claudeEnvironment(source, settings, CREATOR))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(key|token)$/)]),
  );
  expect(claudeSecret(source, 3)).toEqual({ secret: 'key', env: { CLAUDE_CODE_API_KEY_FILE_DESCRIPTOR: '3' } });
  expect(claudeSecret({ CLAUDE_CODE_OAUTH_TOKEN: 'token' }, 3)?.secret).toBe('token');
  expect(claudeSecret({ ANTHROPIC_API_KEY: '' }, 3)).toBeUndefined();
});
