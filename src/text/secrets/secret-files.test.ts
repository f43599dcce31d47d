import { expect, it } from 'vitest';
import { isSecretFile } from './secret-files.ts';

it.each([
  ...['.env', '.env.local', 'app/.env.production', '.envrc', 'certs/server.key', 'a.pem', 'ID_RSA', '.npmrc', '.netrc'],
  ...['.ssh/config', 'home/.aws/credentials', 'credentials.json', 'secrets.yaml', 'service-account-x.json'],
])('%s may hold secrets', (path) => {
  expect(isSecretFile(path)).toBe(true);
});

it.each([
  '.env.example',
  'src/env.ts',
  'keys.ts',
  'docs/secrets.md',
  'environment.yaml',
  'monkey',
  '.github/a.yml',
])('%s holds none, as far as its name tells', (path) => {
  expect(isSecretFile(path)).toBe(false);
});
