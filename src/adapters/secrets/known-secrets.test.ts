import { mkdirSync, symlinkSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { scratch } from '../../../test/scratch.ts';
import { openProject } from '../disk/project-directory.ts';
import { copiedSecrets, createKnownSecrets, namedSecrets } from './known-secrets.ts';

const [FIRST, SECOND, THIRD] = ['tk9fK2mQ7xW4pR8sV1cY', 'lg5tY1uI8oP4aS2dF7gH', 'cp8mK3nB7vC2xZ6qW9eR'];

it('knows the secrets of the environment and of the logins of agents', () => {
  const home = scratch({
    '.claude/.credentials.json': JSON.stringify({ claudeAiOauth: { accessToken: FIRST } }),
    'codex/auth.json': JSON.stringify({ tokens: { refresh_token: SECOND } }),
  });
  const { redact } = createKnownSecrets({ A_TOKEN: THIRD, COLOUR: 'green', CODEX_HOME: `${home}/codex` }, home);
  expect(redact(`${FIRST} ${SECOND} ${THIRD} green`)).toBe(
    '[redacted accessToken] [redacted refresh_token] [redacted A_TOKEN] green',
  );
});

it("knows what the user's own settings hand to Claude Code, and the headers gateways are shown", () => {
  const env = { ANTHROPIC_AUTH_TOKEN: FIRST, ANTHROPIC_CUSTOM_HEADERS: `X-Corp-Auth: ${SECOND}\nX-Org: acme` };
  const home = scratch({ '.claude/settings.json': JSON.stringify({ env }) });
  const { redact } = createKnownSecrets({}, home);
  expect(redact(`${FIRST} ${SECOND} acme`)).toBe(
    '[redacted ANTHROPIC_AUTH_TOKEN] [redacted ANTHROPIC_CUSTOM_HEADERS] acme',
  );
});

it('is content with no login, with one that is broken, and with one of no use', () => {
  for (const text of ['{', '[]', '', 'null', JSON.stringify({ accessToken: 5 }), '{"a":'.repeat(1000)]) {
    const home = scratch({ '.claude/.credentials.json': text });
    expect(createKnownSecrets({}, home).knowsAny()).toBe(false);
  }
  expect(createKnownSecrets({}, '/nowhere').knowsAny()).toBe(false);
});

it('learns more while it is in use, also before it was used at all', () => {
  const secrets = createKnownSecrets({ A_TOKEN: FIRST }, '/nowhere');
  secrets.learn([{ name: 'B', value: SECOND }]);
  expect(secrets.redact(`${FIRST} ${SECOND} ${THIRD}`)).toBe(`[redacted A_TOKEN] [redacted B] ${THIRD}`);
  secrets.learn([{ name: 'C', value: THIRD }]);
  expect(secrets.redact(THIRD)).toBe('[redacted C]');
  expect(secrets.find(Buffer.from(THIRD))).toEqual([{ name: 'C', at: 0 }]);
  expect(secrets.redactBytes(Buffer.from(THIRD)).toString()).toBe('[redacted C]');
});

it('reads files that are copied, as far as they can be read', async () => {
  const dir = scratch({
    '.env.test': `A_KEY=${FIRST}\n`,
    'b.env': Buffer.from([0xff, 0xfe]),
    'c.env': `C_KEY=${SECOND}`,
  });
  const found = await copiedSecrets(openProject(dir), ['.env.test', '../outside', 'b.env', 'missing', 'c.env']);
  expect(found).toEqual([
    { name: 'A_KEY', value: FIRST },
    { name: 'C_KEY', value: SECOND },
  ]);
});

it('settings that lead out of the project are not read: what they lead to may have no end', () => {
  vi.stubEnv('ZEBRA_TOKEN', FIRST);
  try {
    const dir = scratch({ 'outside.yaml': 'env: [ZEBRA_TOKEN]', 'own/helix.yaml': 'env: [ZEBRA_TOKEN]' });
    mkdirSync(`${dir}/other`);
    symlinkSync('../outside.yaml', `${dir}/other/helix.yaml`);
    expect(namedSecrets(`${dir}/own`)).toEqual([{ name: 'ZEBRA_TOKEN', value: FIRST }]);
    expect(namedSecrets(`${dir}/other`)).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
