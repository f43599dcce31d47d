import { expect, it } from 'vitest';
import { secretsAmong, secretsHanded, secretsInLines } from './secret-names.ts';

const VALUE = 'tk9fK2mQ7xW4pR8sV1cY6b';

it.each([
  'ANTHROPIC_API_KEY',
  'GITHUB_TOKEN',
  'GITHUB_TOKEN_2',
  'CLIENT_SECRET',
  'SECRET_KEY_BASE',
  'DB_PASSWORD',
  'MYSQL_PWD',
  'DB_PASS',
  'ROOT_PASSWD',
  'SERVICE_CREDENTIALS',
  'BASIC_AUTH',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'npm_config__authToken',
  'accessToken',
])('%s is a secret by its name', (name) => {
  expect(secretsAmong({ [name]: VALUE })).toEqual([{ name, value: VALUE }]);
});

it.each([
  ['GIT_AUTHOR_NAME', 'Ada Lovelace, Countess'],
  ['SSH_AUTH_SOCK', '/run/user/1000/keyring/ssh'],
  ['AUTH_METHOD', 'interactive-browser'],
  ['JWT_PUBLIC_KEY', VALUE],
  ['MAX_OUTPUT_TOKENS', '1234567890123'],
  ['GOOGLE_APPLICATION_CREDENTIALS', '/home/ada/keys/service-Account1.json'],
  ['DEPLOY_KEY', './secrets/deploy.pem'],
  ['POSTGRES_PASSWORD', 'postgres'],
  ['REDIS_PASSWORD', 'changeme'],
  ['API_TOKEN', 'short'],
  ['API_TOKEN', 'xxxxxxxxxxxxxxxx'],
  ['PIN_KEY', '12345678'],
  ['PATH', '/usr/local/bin:/usr/bin'],
  ['HOMEPAGE', 'https://example.org/a/b'],
])('%s=%s is no secret', (name, value) => {
  expect(secretsAmong({ [name]: value })).toEqual([]);
});

it('a key that begins like a path is a key', () => {
  const value = '/wJalr7XUtnFEMI/K7MDENG/bPxRfiCYzzzz';
  expect(secretsAmong({ AWS_SECRET_ACCESS_KEY: value })).toEqual([{ name: 'AWS_SECRET_ACCESS_KEY', value }]);
});

it('of an address the password is a secret, as written and as meant', () => {
  expect(secretsAmong({ DATABASE_URL: 'postgres://app:S3cr3t%2Fpass@db.example.org:5432/app' })).toEqual([
    { name: 'DATABASE_URL', value: 'S3cr3t%2Fpass' },
    { name: 'DATABASE_URL', value: 'S3cr3t/pass' },
  ]);
  expect(secretsAmong({ REDIS_URL: 'redis://:longpassword1@localhost' })).toEqual([
    { name: 'REDIS_URL', value: 'longpassword1' },
  ]);
});

const HOOK = 'https://hooks.slack.com/services/T0123ABCD/B0123ABCDE/aBcDeF0123gHiJkL4567mNoP';

it.each<[name: string, address: string, secret: string]>([
  ['ORIGIN', `https://${VALUE}@git.example.org/x.git`, VALUE],
  ['ORIGIN', `https://${VALUE}:x-oauth@git.example.org/x.git`, VALUE],
  [
    'SENTRY_DSN',
    'https://0a1b2c3d4e5f60718293a4b5c6d7e8f9@o1.ingest.example.org/2',
    '0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  ],
  ['SLACK_WEBHOOK', HOOK, 'aBcDeF0123gHiJkL4567mNoP'],
  ['NOTIFY_URL', HOOK, 'aBcDeF0123gHiJkL4567mNoP'],
  ['BLOB_URI', `https://example.org/a/b?v=2&sig=${VALUE}&x=1`, VALUE],
])('%s=%s has a secret in it', (name, address, secret) => {
  expect(secretsAmong({ [name]: address }).map(({ value }) => value)).toContain(secret);
});

it.each<[name: string, address: string]>([
  ['HOMEPAGE', HOOK],
  ['ORIGIN', 'https://some.body-else@dev.example.org/organisation/project'],
  ['ORIGIN', 'ssh://administrators@example.org/project.git'],
  ['DOCS_URL', 'https://example.org/2026-11-15/my-long-project-name-2026/SomeVeryLongPageNameV2.html?lang=en_GB'],
  ['FEED_URL', 'https://example.org/v2/20261115T120000Z/archive.tar.gz'],
  ['PROXY_URL', 'http://proxy.example.org:3128'],
])('%s=%s has none', (name, address) => {
  expect(secretsAmong({ [name]: address })).toEqual([]);
});

it('of an address that is handed to an agent what looks random is a secret, whatever its name', () => {
  expect(secretsHanded({ NOTIFY: HOOK })).toEqual([{ name: 'NOTIFY', value: 'aBcDeF0123gHiJkL4567mNoP' }]);
});

it('a document is looked through', () => {
  const login = { claudeAiOauth: { accessToken: VALUE, expiresAt: 5, scopes: ['user:inference'] } };
  expect(secretsAmong({ login })).toEqual([{ name: 'accessToken', value: VALUE }]);
  const text = JSON.stringify({ type: 'service_account', private_key: VALUE });
  expect(secretsAmong({ GCP: text })).toEqual([{ name: 'private_key', value: VALUE }]);
});

it('lines of an environment file are read as its readers do', () => {
  const text = [`# A_TOKEN=${VALUE}0`, `export B_TOKEN="${VALUE}"`, `C_KEY='${VALUE}1' # why`, 'NAME=x', '', 'junk'];
  expect(secretsInLines(text.join('\r\n'))).toEqual([
    { name: 'B_TOKEN', value: VALUE },
    { name: 'C_KEY', value: `${VALUE}1` },
  ]);
});

it('what is handed to an agent is a secret when it looks random, whatever its name', () => {
  const handed = {
    LICENCE: VALUE,
    EDITOR: 'vim',
    REGISTRY: 'https://example.org/npm/v2-mirror',
    WHERE: '/opt/tools/v2',
  };
  expect(secretsHanded(handed)).toEqual([{ name: 'LICENCE', value: VALUE }]);
});
