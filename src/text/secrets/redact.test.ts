import fc from 'fast-check';
import { expect, it } from 'vitest';
import { workMeter } from '../../../test/work-meter.ts';
import { createRedactor } from './redact.ts';

const VALUE = 'pL4nt/ed+S3cr"et\\of&ünïts~2026!';
const PLAIN = 'tk_9fK2mQ7xW4pR8sV1cY6b';
const ONE = createRedactor([{ name: 'PLANTED', value: VALUE }]);
const TWO = createRedactor([
  { name: 'PLANTED', value: VALUE },
  { name: 'PLAIN_TOKEN', value: PLAIN },
]);
const MARK = '[redacted PLANTED]';

const json = (text: string) => JSON.stringify(text).slice(1, -1);
const ascii = (text: string) =>
  json(text).replace(/[^ -~]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
const bytes = Buffer.from(VALUE);

it.each([
  ['as it is', VALUE],
  ['in JSON', json(VALUE)],
  ['in JSON in JSON', json(json(VALUE))],
  ['in JSON in JSON in JSON', json(json(json(VALUE)))],
  ['in JSON of ASCII only', ascii(VALUE)],
  ['in JSON with escaped slashes', json(VALUE).replaceAll('/', '\\/')],
  ['in mark-up', VALUE.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['in hex', bytes.toString('hex')],
  ['in upper-case hex', bytes.toString('hex').toUpperCase()],
  ['in an address', encodeURIComponent(VALUE)],
  ['in an address with lower-case codes', encodeURIComponent(VALUE).replace(/%../g, (code) => code.toLowerCase())],
  ['in a form', new URLSearchParams({ v: VALUE }).toString().slice(2)],
])('a secret is masked %s', (_, written) => {
  expect(ONE.redact(`before ${written} after`)).toBe(`before ${MARK} after`);
  expect(ONE.redact(written)).toBe(MARK);
});

it.each(['base64', 'base64url'] as const)('a secret is masked in %s, whatever stands around it', (encoding) => {
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    for (const after of ['', '\n', '42', 'xyz']) {
      const text = Buffer.from(`${before}${VALUE}${after}`).toString(encoding);
      const seen = Buffer.from(ONE.redact(`it is ${text}.`).slice(6, -1).replace(MARK, ''), encoding).toString(
        'latin1',
      );
      expect(ONE.redact(`it is ${text}.`)).toContain(MARK);
      expect(seen).not.toMatch(/lanted|4nt|S3c|et|2026/);
    }
  }
});

it('base64 that is broken into lines is masked line by line', () => {
  const value = `${PLAIN}-${PLAIN.toUpperCase()}-${[...PLAIN].reverse().join('')}`;
  const broken = Buffer.from(`${'.'.repeat(30)}${value}`)
    .toString('base64')
    .replace(/.{76}/g, '$&\n');
  const [first, second] = createRedactor([{ name: 'LONG', value }])
    .redact(broken)
    .split('\n');
  expect([first, second]).toEqual([`${'Li4u'.repeat(10)}[redacted LONG]`, expect.stringMatching(/^\[redacted LONG]/)]);
});

it('every secret is masked under its own name, also side by side and one in the other', () => {
  expect(TWO.redact(`${PLAIN}${VALUE} ${PLAIN}`)).toBe('[redacted PLAIN_TOKEN] [redacted PLAIN_TOKEN]');
  expect(TWO.redact(`${PLAIN}-${VALUE}`)).toBe('[redacted PLAIN_TOKEN]-[redacted PLANTED]');
  const nested = createRedactor([
    { name: 'INNER', value: PLAIN },
    { name: 'OUTER', value: `user-${PLAIN}-end` },
  ]);
  expect(nested.redact(`(user-${PLAIN}-end)`)).toBe('([redacted OUTER])');
  expect(nested.redact(`(${PLAIN})`)).toBe('([redacted INNER])');
});

it('each line of a private key is a secret, also alone', () => {
  const body = ['MC4CAQAwBQYDK2VwBCIEIPm1x9', 'Qw7tZr5uYp0oLk2jHg8fDs6a', 'Zx3=='];
  const key = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'].join('\n');
  const redactor = createRedactor([{ name: 'DEPLOY_KEY', value: key }]);
  expect(redactor.redact(`key: ${body[1]}!`)).toBe('key: [redacted DEPLOY_KEY]!');
  expect(redactor.redact('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----');
  expect(JSON.parse(redactor.redact(JSON.stringify({ key })))).toEqual({ key: '[redacted DEPLOY_KEY]' });
});

it('a long part of a secret is masked where the rest is missing, a short one only where the text was cut', () => {
  const [long, short] = [PLAIN.slice(0, 18), PLAIN.slice(0, 8)];
  expect(TWO.redact(`x ${long}…`)).toBe('x [redacted PLAIN_TOKEN]…');
  expect(TWO.redact(`x ${short}`)).toBe(`x ${short}`);
  expect(TWO.redact(`x ${short}`, { end: true })).toBe('x [redacted PLAIN_TOKEN]');
  expect(TWO.redact(`x ${short}`, { start: true })).toBe(`x ${short}`);
  expect(TWO.redact(`${PLAIN.slice(-7)} x`, { start: true })).toBe('[redacted PLAIN_TOKEN] x');
  expect(TWO.redact(`${PLAIN.slice(-5)} x`, { start: true, end: true })).toBe(`${PLAIN.slice(-5)} x`);
});

it('a row of equal characters in a secret is no secret', () => {
  const redactor = createRedactor([{ name: 'A_KEY', value: `ab12${'0'.repeat(40)}` }]);
  expect(redactor.redact('0'.repeat(40))).toBe('0'.repeat(40));
  expect(redactor.redact(`:ab12${'0'.repeat(40)}:`)).toBe(':[redacted A_KEY]:');
});

it('too short a value is no secret', () => {
  expect(createRedactor([{ name: 'PIN', value: 'abc1234' }]).redact('abc1234')).toBe('abc1234');
});

it('a secret is found at any place of a text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), fc.boolean(), (before, after, twice) => {
      const masked = TWO.redact(`${before}${PLAIN}${after}${twice ? VALUE : ''}`);
      return !masked.includes(PLAIN) && !masked.includes(VALUE) && masked.includes('[redacted ');
    }),
    { numRuns: 2000 },
  );
});

it('what was JSON is JSON afterwards, whatever stands next to the secret', () => {
  const tricky = createRedactor([
    { name: 'N', value: 'n23456789' },
    { name: 'SLASH', value: 'abcdefghijklmnop\\qrstuvw' },
  ]);
  const piece = fc.constantFrom(
    '\n',
    '"',
    '\\',
    'é',
    'n23456789',
    '23456789',
    'abcdefghijklmnop',
    '\\qrstuvw',
    'u',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      const wary = JSON.stringify({ text }).replace('é', '\\u00e9');
      for (const form of [JSON.stringify({ text }), wary]) {
        const masked = JSON.parse(tricky.redact(form)) as { text: string };
        expect(masked.text).not.toContain('abcdefghijklmnop\\qrstuvw');
      }
    }),
    { numRuns: 3000 },
  );
});

it('other bytes stay as they are', () => {
  const around = Buffer.from([0xff, 0x00, 0x80, 0x0a]);
  expect(ONE.redactBytes(Buffer.concat([around, bytes, around]))).toEqual(
    Buffer.concat([around, Buffer.from(MARK), around]),
  );
  const clean = Buffer.from('AKIAIOSFODNN7EXAMPLE stays in bytes');
  expect(ONE.redactBytes(clean)).toBe(clean);
});

it('a known secret is found in bytes by name and place, but not by a part or a shape', () => {
  expect(ONE.find(Buffer.from(`ü\n${VALUE}`))).toEqual([{ name: 'PLANTED', at: 3 }]);
  expect(ONE.find(Buffer.from(bytes.toString('base64')))).toEqual([{ name: 'PLANTED', at: 0 }]);
  expect(TWO.find(Buffer.from(`${PLAIN.slice(0, -1)} AKIAIOSFODNN7EXAMPLE`))).toEqual([]);
  const names = TWO.find(Buffer.from(`${VALUE} ${PLAIN} ${VALUE}`)).map(({ name }) => name);
  expect(names).toEqual(['PLANTED', 'PLAIN_TOKEN']);
  expect([TWO.knowsAny(), createRedactor([]).knowsAny()]).toEqual([true, false]);
});

it('what was masked once stays as it is', () => {
  const once = TWO.redact(`${PLAIN} ${VALUE} ghp_${'a1'.repeat(18)}`);
  expect(TWO.redact(once)).toBe(once);
});

const RED = '\u001b[01;31m\u001b[K';
const PLAIN_AGAIN = '\u001b[m\u001b[K';
const coloured = `key=${PLAIN.slice(0, 5)}${RED}${PLAIN.slice(5, 12)}${PLAIN_AGAIN}${PLAIN.slice(12)} end`;

it.each<[what: string, text: string]>([
  ['as it is', coloured],
  ['in JSON', json(coloured)],
  ['in JSON in JSON', json(json(coloured))],
  ['as programs show it', coloured.replaceAll('\u001b', '\\x1b')],
  ['with a link', coloured.replaceAll(RED, '\u001b]8;;https://example.org\u0007')],
  ['with a link that ends as it should', coloured.replaceAll(RED, '\u001b]8;;https://example.org\u001b\\')],
  ['with a character set', coloured.replaceAll(RED, '\u001b(B')],
])('colours within a secret do not hide it %s', (_, text) => {
  expect(TWO.redact(text)).toBe('key=[redacted PLAIN_TOKEN] end');
  expect(TWO.redactBytes(Buffer.from(text)).toString()).toBe('key=[redacted PLAIN_TOKEN] end');
});

it('a token of a well-known shape is not hidden by colours', () => {
  expect(TWO.redact(`ghp_${RED}${'a1'.repeat(18)}`)).toBe('[redacted GitHub token]');
});

it('colours that hide nothing stay, also around a secret', () => {
  const text = `${RED}fine${PLAIN_AGAIN} ${PLAIN} ${RED}`;
  expect(TWO.redact(text)).toBe(text.replace(PLAIN, '[redacted PLAIN_TOKEN]'));
  expect(TWO.redact(`${RED}fine${PLAIN_AGAIN}`)).toBe(`${RED}fine${PLAIN_AGAIN}`);
});

it('JSON with colours in it stays JSON', () => {
  const piece = fc.constantFrom(
    '\u001b',
    '\u001b[',
    '\u001b[31',
    '\u001b]8;;',
    '\u0007',
    '"',
    '\\',
    '\n',
    'x',
    ' ',
    PLAIN,
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `${pieces.join('')}${coloured}`;
      for (const form of [JSON.stringify({ text }), JSON.stringify({ text: JSON.stringify({ text }) })]) {
        expect(JSON.stringify(JSON.parse(TWO.redact(form)))).not.toContain(PLAIN.slice(12));
      }
    }),
    { numRuns: 2000 },
  );
});

const codes = (text: string, before: string, width: number) =>
  [...Buffer.from(text)].map((byte) => `${before}${byte.toString(16).padStart(width, '0')}`).join('');
const pairs = (text: string, size: number, between: string) =>
  (
    Buffer.from(text)
      .toString('hex')
      .match(new RegExp(`.{1,${size}}`, 'g')) ?? []
  ).join(between);

it.each<[what: string, spelt: string]>([
  ['in codes of JSON', codes(PLAIN, '\\u', 4)],
  ['in codes of JSON in JSON', codes(PLAIN, '\\\\u', 4)],
  ['in codes of bytes', codes(PLAIN, '\\x', 2)],
  ['in upper-case codes', codes(PLAIN, '\\x', 2).toUpperCase().replaceAll('X', 'x')],
  ['in hex with blanks', pairs(PLAIN, 2, ' ')],
  ['in hex with colons', pairs(PLAIN, 2, ':').toUpperCase()],
  ['in hex by two bytes', pairs(PLAIN, 4, ' ')],
])('a secret is masked that is spelt %s', (_, spelt) => {
  expect(TWO.redact(`it is (${spelt})`)).toBe('it is ([redacted PLAIN_TOKEN])');
});

it.each<[tool: string, line: (at: number, bytes: string) => string]>([
  ['xxd', (at, bytes) => `${offset(at)}: ${pairs(bytes, 4, ' ')}  ${bytes}`],
  ['hexdump', (at, bytes) => `${offset(at)}  ${pairs(bytes, 2, ' ').replace(/^.{23}/, '$& ')}  |${bytes}|`],
])('nothing of a secret is left of a dump by %s', (_, line) => {
  const text = `some: ${PLAIN} ends.`;
  const dump = (text.match(/.{1,16}/g) ?? []).map((bytes, row) => line(row * 16, bytes)).join('\n');
  for (const form of [dump, json(dump)]) {
    const seen = TWO.redact(form);
    for (const part of [PLAIN.slice(0, 10), PLAIN.slice(10), PLAIN.slice(-6)]) {
      expect(seen).not.toContain(part);
      expect(seen).not.toContain(pairs(part, 4, ' '));
      expect(seen).not.toContain(pairs(part, 2, ' '));
    }
  }
});

function offset(at: number): string {
  return at.toString(16).padStart(8, '0');
}

it('other codes and dumps stay as they are', () => {
  for (const text of [codes('nothing to be hidden here', '\\x', 2), pairs('nothing to be hidden here', 4, ' ')]) {
    expect(TWO.redact(text)).toBe(text);
  }
});

it('disguises cost little, however long the text is', () => {
  const rows = ['\\', '\\u001b', '\u001b]', '\u001b[', '\\x41', '41 ', '41:', 'ab'];
  for (const row of rows) {
    const text = row.repeat(200_000);
    const work = workMeter();
    TWO.redact(text);
    expect(work(), JSON.stringify(row)).toBeLessThan(600);
  }
});

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
