import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlace } from '../src/cli/helix.fixture.ts';
import { AdrCheckDocument } from '../src/domain/documents/adr-documents.ts';

const MB = 1024 * 1024;
const WITHOUT_DECISION =
  '# 9. B\n\nStatus: accepted\n\n## Context\n\nOrders are lost at night, when the queue restarts.\n';
const BODY =
  '\n# 1. A\n\n## Context\n\nOrders are lost at night, when the queue restarts.\n\n## Decision\n\nWe store every order.\n';

/** What is found in a folder with these files, beside one whose finding must not get lost. */
async function checked(
  files: Readonly<Record<string, string | Buffer>>,
  prepare: (folder: string) => void = () => undefined,
) {
  const place = makePlace();
  const folder = join(place.dir, 'adr');
  mkdirSync(folder);
  writeFileSync(join(folder, '0009-other.md'), WITHOUT_DECISION);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  prepare(folder);
  const text = await place.helix(['adr', 'check', 'adr']);
  expect(text.code).toBe(1);
  const { code, out, err } = await place.helix(['adr', 'check', 'adr', '--json']);
  for (const words of [text.out, text.err, out, err])
    expect(words).not.toMatch(/^ +at .*:\d+:\d+\)?$|went wrong inside/m);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  const found = AdrCheckDocument.parse(JSON.parse(out)).files.flatMap(({ path, findings }) =>
    findings.map(({ severity, check, location: { line, column } }) => `${path}:${line}:${column} ${severity} ${check}`),
  );
  expect(found).toContain('adr/0009-other.md:1:1 error missing-section');
  expect(text.out).toContain('adr/0009-other.md:1:1  error');
  return found.filter((each) => !each.startsWith('adr/0009-'));
}

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi']
  .map(
    (name, index) =>
      `${name}: &${name} [${'*_,'
        .repeat(9)
        .replaceAll('_', 'abcdefgh'[index] ?? '')
        .slice(0, -1)}]\n`,
  )
  .join('')}`;

test.each([
  ['unclosed', `---\nadr_id: "001"\ntitle: A\n${BODY}`, /0001-a\.md:\d+:\d+ error header-yaml/],
  ['with a key twice', `---\nadr_id: "001"\ntitle: A\ntitle: B\n---\n${BODY}`, /0001-a\.md:4:\d+ error header-yaml/],
  ['with tabs', `---\nadr_id: "001"\nfiles:\n\tcreate: [a]\n---\n${BODY}`, /0001-a\.md:4:\d+ error header-yaml/],
  ['with a bomb', `---\n${bomb}---\n${BODY}`, /0001-a\.md:\d+:\d+ error header-yaml/],
  ['with broken quotes', `---\ntitle: "A\n---\n${BODY}`, /0001-a\.md:\d+:\d+ error header-yaml/],
] as const)('front matter %s is a finding with its place', async (_, text, expected) => {
  expect((await checked({ '0001-a.md': text })).join('\n')).toMatch(expected);
});

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

test.each([
  ['5 MB of paragraphs', `${BODY}\n${'Some words about it.\n\n'.repeat((5 * MB) / 22)}`],
  ['one line of 5 MB', `${BODY}\n${'x'.repeat(5 * MB)}`],
  ['100,000 headings', `${BODY}\n${lines(100_000, (index) => `## Heading ${index}\n\ntext`)}`],
  ['5 MB of >', '>'.repeat(5 * MB)],
  ['5 MB of backticks', '`'.repeat(5 * MB)],
  ['5 MB of [', '['.repeat(5 * MB)],
  ['5 MB of fences', '```a\n'.repeat(MB)],
  ['5 MB of open comments', '<!--'.repeat((5 * MB) / 4)],
  ['5 MB of front matter', `---\n${lines(400_000, (index) => `k${index}: value`)}\n---\n${BODY}`],
  ['50,000 equal criteria', `${BODY}\n## Acceptance criteria\n\n${'- [ ] one criterion for all\n'.repeat(50_000)}`],
])('%s are checked to the end, and the other files too', async (_, text) => {
  for (const found of await checked({ '0001-a.md': text }))
    expect(found).toMatch(/^adr\/0001-a\.md:\d+:\d+ \w+ [\w-]+$/);
});

test('what is no text, not UTF-8 or too large is a finding with its place', async () => {
  const found = await checked({
    '0001-binary.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
    '0002-latin.md': Buffer.concat([Buffer.from('# 2. K'), Buffer.from([0xe4]), Buffer.from(`se\n${BODY}`)]),
    '0003-large.md': Buffer.alloc(10 * MB + 1, 'x'),
    '0004-wide.md': Buffer.from(`\ufeff${BODY}`, 'utf16le'),
    '0005-empty.md': '',
  });
  expect(found).toEqual(
    expect.arrayContaining([
      'adr/0001-binary.md:1:1 error unreadable-file',
      'adr/0002-latin.md:1:7 error unreadable-file',
      'adr/0003-large.md:1:1 error unreadable-file',
      'adr/0004-wide.md:1:1 error unreadable-file',
    ]),
  );
  expect(found.filter((each) => each.startsWith('adr/0002-latin')).length).toBeGreaterThan(1);
});

test('broken links, loops, pipes and links out of the folder are findings, never a hang', async () => {
  const found = await checked({}, (folder) => {
    symlinkSync('nowhere.md', join(folder, '0001-broken.md'));
    symlinkSync('0002-self.md', join(folder, '0002-self.md'));
    symlinkSync('..', join(folder, 'up'));
    symlinkSync('.', join(folder, 'again'));
    symlinkSync('/etc/passwd', join(folder, '0003-out.md'));
    expect(spawnSync('mkfifo', [join(folder, '0004-pipe.md')]).status).toBe(0);
    symlinkSync('/dev/zero', join(folder, '0005-zero.md'));
    mkdirSync(join(folder, '0006-folder.md'));
  });
  expect(found).toEqual([
    'adr/0001-broken.md:1:1 error unreadable-file',
    'adr/0002-self.md:1:1 error unreadable-file',
    'adr/0003-out.md:1:1 error unreadable-file',
    'adr/0004-pipe.md:1:1 error unreadable-file',
    'adr/0005-zero.md:1:1 error unreadable-file',
    'adr/again:1:1 warning unreadable-file',
    'adr/up:1:1 warning unreadable-file',
  ]);
});

test('a pipe and a device given by name do not make anybody wait', async () => {
  const place = makePlace();
  expect(spawnSync('mkfifo', [join(place.dir, 'pipe.md')]).status).toBe(0);
  const { code, out } = await place.helix(['adr', 'check', 'pipe.md', '/dev/zero', '--concept', 'pipe.md']);
  expect(code).toBe(1);
  expect(out.match(/no plain file/g)?.length).toBeGreaterThanOrEqual(2);
});
