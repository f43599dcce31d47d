import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { createRedactor } from './redact.ts';

const { redact } = createRedactor([]);
const mixed = (length: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7z'.repeat(10).slice(0, length);

// Put together here, so that no scanner takes this file for a leak.
it.each([
  ['Anthropic key', `sk-ant-api03-${mixed(93)}AA`],
  ['OpenAI key', `sk-proj-${mixed(48)}`],
  ['API key', `sk-${mixed(48)}`],
  ...['ghp', 'gho', 'ghs', 'ghu', 'ghr'].map((kind) => ['GitHub token', `${kind}_${mixed(36)}`]),
  ['GitHub token', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['GitLab token', `glpat-${mixed(20)}`],
  ['npm token', `npm_${mixed(36)}`],
  ['Slack token', `xoxb-123456789012-${mixed(24)}`],
  ['Google key', `AIza${mixed(35)}`],
  ['AWS key id', `AKIA${mixed(16).toUpperCase()}`],
  ['JWT', `eyJ${mixed(20)}.eyJ${mixed(40)}.${mixed(43)}`],
])('%s is masked by its shape', (name, token) => {
  for (const around of ['%', '"%"', '\\"%\\"', 'key=%;', 'https://x:%@example.org/']) {
    const text = around.replace('%', token);
    expect(redact(text)).toBe(around.replace('%', `[redacted ${name}]`));
  }
});

it('only the token of an Authorization header is masked', () => {
  const token = mixed(30);
  for (const [before, after] of [
    ['Authorization: Bearer ', ''],
    ["-H 'authorization: Basic ", "'"],
    ['{"Authorization":"Bearer ', '"}'],
    ['{\\"Authorization\\": \\"Bearer ', '\\"}'],
  ]) {
    expect(redact(`${before}${token}${after}`)).toBe(`${before}[redacted authorization]${after}`);
  }
});

it.each([['\n'], ['\\n'], ['\\\\n'], ['\r\n']])('a private key is masked as one, its lines broken by %j', (broken) => {
  for (const kind of ['', 'RSA ', 'OPENSSH ', 'ENCRYPTED ']) {
    const lines = [mixed(64), mixed(64), mixed(9)];
    const key = [`-----BEGIN ${kind}PRIVATE KEY-----`, ...lines, `-----END ${kind}PRIVATE KEY-----`].join(broken);
    expect(redact(`it is${broken}${key}${broken}so`)).toBe(`it is${broken}[redacted private key]${broken}so`);
  }
});

it.each([
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '550e8400-e29b-41d4-a716-446655440000',
  `sha512-${mixed(86)}==`,
  `"integrity": "sha256-${mixed(43)}="`,
  'class="sk-toggleable__control-label-arrow sk-estimator-doc-link"',
  'the task-scheduler-with-a-long-name and disk-usage-analyser-tool',
  'npm_config_registry npm_package_json_with_a_long_name_indeed',
  'Authorization: Bearer $TOKEN_OF_MINE_HERE',
  'Authorization: Bearer <token>',
  'eyJhbGciOiJIUzI1NiJ9 is only a header',
  '-----BEGIN PRIVATE KEY----- is how such a file begins, and prose follows it',
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQw7tZr5uYp0oLk2jHg8fDs6a\n-----END CERTIFICATE-----',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
  'XAKIAIOSFODNN7EXAMPLE and AKIA_IN_A_NAME_OF_MINE',
])('ordinary text stays as it is: %s', (text) => {
  expect(redact(text)).toBe(text);
});

it('no text takes longer than its length asks for', () => {
  const MB = 1024 * 1024;
  const time = (text: string) => {
    const work = workMeter();
    redact(text);
    return work();
  };
  for (const piece of [
    'eyJ',
    'sk-',
    'sk-ant-',
    'eyJaaaaaaaa.',
    '-----BEGIN PRIVATE KEY-----\n',
    'authorization: ',
    'a',
  ]) {
    expect(time(`eyJ ${piece.repeat((8 * MB) / piece.length)}`)).toBeLessThan(600);
  }
});
