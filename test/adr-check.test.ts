import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makePlace } from '../src/cli/helix.fixture.ts';
import {
  AdrBaseline,
  AdrCheckDocument,
  AdrExplainDocument,
  ConceptDiffDocument,
} from '../src/domain/documents/adr-documents.ts';

const GOOD = `# 1. Orders are stored first

Status: accepted

Date: 2026-01-31

## Context

Orders that are in the queue are lost when it restarts, which it does each night.

## Decision

We store every order in the database before it is put into the queue.

## Consequences

Taking an order is slower by some milliseconds, and none is lost any more.
`;
const BAD = GOOD.replace(/## Decision[^#]*/, '');

type Told = { severity: string; check: string; layer: unknown; location: { line: number; column: number } };

/** A place with files in it. */
function placeWith(files: Readonly<Record<string, string>>) {
  const place = makePlace();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(place.dir, path)), { recursive: true });
    writeFileSync(join(place.dir, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const check = async (...args: string[]) => {
    const ended = await place.helix(['adr', 'check', ...args, '--format', 'json']);
    const document = ended.out === '' ? undefined : AdrCheckDocument.parse(JSON.parse(ended.out));
    const found =
      document?.files.flatMap(({ path, findings }) => findings.map(({ check }) => `${path} ${check}`)) ?? [];
    return { ...ended, document, found };
  };
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main'];
    expect(spawnSync('git', [...who, ...args], { cwd: place.dir, encoding: 'utf8' })).toMatchObject({ status: 0 });
  };
  return { ...place, write, check, git };
}

test('a folder is checked without any configuration: what is wrong, where, and how to mend it', async () => {
  const { helix } = placeWith({ 'docs/adr/0001-good.md': GOOD, 'docs/adr/0002-bad.md': BAD.replace('1.', '2.') });
  const { code, out, err } = await helix(['adr', 'check']);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toMatch(/^docs\/adr\/0002-bad\.md:1:1 {2}error {2}.* {2}missing-section$/m);
  expect(out).toMatch(/^ {2}1 \| # 2\. Orders are stored first\n {4}\| \^\n {2}hint: /m);
  expect(out).not.toContain('0001-good');
  expect(out).toMatch(/^1 of 2 ADRs failed: 1 error, 0 warnings$/m);
});

test('the JSON document is the one that is promised', async () => {
  const { check } = placeWith({ '0001-good.md': GOOD, '0002-bad.md': BAD.replace('1.', '2.') });
  const { code, document } = await check('0001-good.md', '0002-bad.md');
  expect(code).toBe(1);
  expect(document?.summary).toMatchObject({ files: 2, passed: 1, failed: 1, errors: 1, warnings: 0, infos: 0 });
  expect(document?.files[0]).toEqual({ path: '0001-good.md', profile: 'nygard', verdict: 'pass', findings: [] });
  const [finding] = document?.files[1]?.findings as Told[];
  expect(Object.keys(finding ?? {})).toEqual(['severity', 'check', 'message', 'hint', 'layer', 'location']);
  expect(finding).toMatchObject({ check: 'missing-section', layer: 1, location: { line: 1, column: 1 } });
});

test('a path that is wrong, a folder without ADRs and options that do not exist exit 2 with a guess', async () => {
  const { helix } = placeWith({ 'docs/adr/0001-good.md': GOOD, 'docs/empty/README.md': '' });
  const told = async (...args: string[]) => {
    const { code, out, err } = await helix(['adr', 'check', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    return err;
  };
  expect(await told('docs/adrs')).toContain('did you mean "docs/adr"?');
  expect(await told('docs/empty')).toContain('there is no ADR in "docs/empty"');
  expect(await told('--profile', 'mard')).toContain('did you mean "madr"?');
  expect(await told('--format', 'jsn')).toContain('did you mean "json"?');
  expect(await told('--json', '--format', 'sarif')).toContain('--json and --format sarif contradict each other');
  expect(await told('--formt', 'json')).toContain('did you mean "--format"?');
  expect(await told('--update-baseline')).toContain('--baseline FILE');
  expect(await told('--rules', 'none.yaml')).toContain('"none.yaml" do not exist');
  expect(await told('--rules', '.')).toContain('the rules "." cannot be used');
  expect((await placeWith({}).helix(['adr', 'check'])).err).toContain('no folder with ADRs');
});

test('a baseline lets what is known pass, whatever moves, and fails what is new', async () => {
  const place = placeWith({ 'adr/0001-a.md': BAD, 'sub/x': '' });
  const { check, helix, write, read } = place;
  expect(await check('adr', '--baseline', 'b.json')).toMatchObject({ code: 2, out: '' });
  expect((await check('adr', '--baseline', 'b.json')).err).toContain('--update-baseline');
  expect((await helix(['adr', 'check', 'adr', '--baseline', 'b.json', '--update-baseline'])).code).toBe(0);
  const first = read('b.json');
  expect(AdrBaseline.parse(JSON.parse(first)).findings).toMatchObject([{ path: 'adr/0001-a.md', count: 1 }]);

  write('adr/0001-a.md', `\n\n\n${BAD}`);
  expect(await check('adr', '--baseline', 'b.json')).toMatchObject({ code: 0, found: [] });
  expect((await helix(['adr', 'check', 'adr', '--baseline', 'b.json'])).out).toContain('1 known from b.json not shown');

  write('adr/0001-a.md', BAD.replace(/Orders that[^#]*/, ''));
  expect(await check('adr', '--baseline', 'b.json')).toMatchObject({ code: 1, found: ['adr/0001-a.md empty-section'] });

  write('adr/0001-a.md', GOOD);
  const mended = await check('adr', '--baseline', 'b.json');
  expect(mended).toMatchObject({ code: 0, found: [] });
  expect(mended.err).toContain('no longer found (adr/0001-a.md missing-section); take them out with --update-baseline');
  expect((await helix(['adr', 'check', 'adr', '--baseline', 'b.json', '--update-baseline'])).code).toBe(0);
  expect(JSON.parse(read('b.json'))).toEqual({ schema: 'helix.adr-baseline/1', findings: [] });

  write('b.json', '{"findings": []}');
  expect((await check('adr', '--baseline', 'b.json')).err).toContain('is no baseline');
});

test('an update of the baseline keeps what it knows of files that were not checked, and is stable', async () => {
  const { helix, read, dir } = placeWith({ 'adr/0001-a.md': BAD, 'adr/0002-b.md': BAD.replace('1.', '2.') });
  const update = (...paths: string[]) => helix(['adr', 'check', ...paths, '--baseline', 'b.json', '--update-baseline']);
  await update('adr');
  const both = read('b.json');
  await update('adr/0002-b.md');
  expect(read('b.json')).toBe(both);
  renameSync(join(dir, 'adr/0001-a.md'), join(dir, 'adr/0003-c.md'));
  await update('adr/0002-b.md');
  expect(read('b.json')).not.toContain('0001-a.md');
});

test('what is no baseline is never overwritten by one, and nobody is led to try it', async () => {
  const { helix, read, write } = placeWith({ 'adr/0001-a.md': BAD, 'n.json': '{"findings": []}', 'empty.json': '' });
  const check = (file: string, ...more: string[]) => helix(['adr', 'check', 'adr', '--baseline', file, ...more]);
  for (const file of ['adr/0001-a.md', 'n.json', 'adr']) {
    for (const { code, out, err } of [await check(file), await check(file, '--update-baseline')]) {
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toMatch(/is no baseline[\s\S]*Choose another file name/);
      expect(err).not.toContain('--update-baseline');
    }
  }
  expect([read('adr/0001-a.md'), read('n.json')]).toEqual([BAD, '{"findings": []}']);
  expect((await check('empty.json')).err).toMatch(/is empty[\s\S]*--update-baseline/);
  expect((await check('empty.json', '--update-baseline')).code).toBe(0);
  expect(AdrBaseline.parse(JSON.parse(read('empty.json'))).findings).toHaveLength(1);
  write('b.json', read('empty.json').replace('"count": 1', '"count": 9'));
  expect((await check('b.json', '--update-baseline')).code).toBe(0);
  expect(read('b.json')).toBe(read('empty.json'));
});

test('a baseline has the mode of any new file, keeps the one it has, and is written through a link', async () => {
  const { helix, read, dir } = placeWith({ 'adr/0001-a.md': BAD, plain: '', 'ci/known.json': '' });
  const update = async (file: string) =>
    expect((await helix(['adr', 'check', 'adr', '--baseline', file, '--update-baseline'])).code).toBe(0);
  const modeOf = (file: string) => statSync(join(dir, file)).mode & 0o777;
  await update('new/b.json');
  expect(modeOf('new/b.json')).toBe(modeOf('plain'));
  chmodSync(join(dir, 'new/b.json'), 0o640);
  await update('new/b.json');
  expect(modeOf('new/b.json')).toBe(0o640);
  for (const target of ['known.json', 'later.json']) {
    symlinkSync(join('ci', target), join(dir, `to-${target}`));
    await update(`to-${target}`);
    expect(lstatSync(join(dir, `to-${target}`)).isSymbolicLink()).toBe(true);
    expect(read(join('ci', target))).toContain('helix.adr-baseline/1');
  }
});

test('a machine that asks for a new baseline gets it, and nothing else', async () => {
  const { helix, read } = placeWith({ 'adr/0001-a.md': BAD });
  const args = ['adr', 'check', 'adr', '--baseline', 'b.json', '--update-baseline'];
  const { out, err } = await helix([...args, '--json']);
  expect(AdrBaseline.parse(JSON.parse(out))).toEqual(JSON.parse(read('b.json')));
  expect(err).toBe('b.json knows 1 finding now\n');
  expect(await helix([...args, '--format', 'sarif'])).toMatchObject({ out: '', err });
  expect(await helix(args)).toMatchObject({ out: err, err: '' });
});

test('only what changed since a reference is shown and fails, committed or not', async () => {
  const { check, write, git, dir } = placeWith({ 'adr/0001-a.md': BAD, 'adr/0002-b.md': GOOD.replace('1.', '2.') });
  expect((await check('adr', '--diff', 'HEAD')).err).toMatch(/--diff HEAD: .*\n.*inside of a git repository/);
  git('init');
  git('add', '.');
  git('commit', '-m', 'start');
  expect(await check('adr', '--diff', 'HEAD')).toMatchObject({ code: 0, document: { files: [] } });
  git('checkout', '-q', '-b', 'work');
  write('adr/0002-b.md', BAD.replace('1.', '2.'));
  git('commit', '-qam', 'change');
  write('adr/0003 ünicode.md', BAD.replace('1.', '3.'));
  const { code, found, err } = await check('adr', '--diff', 'main');
  expect({ code, found }).toEqual({
    code: 1,
    found: ['adr/0002-b.md missing-section', 'adr/0003 ünicode.md missing-section'],
  });
  expect(err).toContain('2 of 3 changed since main');
  write('adr/0004-d.md', GOOD);
  expect((await check('adr', '--diff', 'main')).found).toContain('adr/0004-d.md duplicate-id');
  for (const ref of ['nowhere', '-h', '--output=pwned']) {
    expect(await check('adr', `--diff=${ref}`)).toMatchObject({ code: 2, out: '' });
  }
  expect(existsSync(join(dir, 'pwned'))).toBe(false);
});

test('a concept that does not exist rejects every ADR that should have been compared with it', async () => {
  const { check } = placeWith({ 'adr/0001-a.md': GOOD, 'adr/0002-b.md': GOOD.replace('1.', '2.') });
  const { code, found, document } = await check('adr', '--concept', 'concpt.md');
  expect({ code, found }).toEqual({
    code: 1,
    found: ['adr/0001-a.md concept-missing', 'adr/0002-b.md concept-missing'],
  });
  expect(document?.files.map(({ verdict }) => verdict)).toEqual(['reject', 'reject']);
});

test('a concept that a repository makes a link out of itself is not read, unless the user names where it leads', async () => {
  const place = placeWith({ 'adr/0001-a.md': GOOD, '.git/HEAD': 'ref: refs/heads/main' });
  const there = placeWith({ 'private.md': '# Private\n\n## Rules\n\nThe vault must never be opened by strangers.\n' });
  const target = join(there.dir, 'private.md');
  symlinkSync(target, join(place.dir, 'concept.md'));
  const said = async (concept: string) => {
    const check = await place.helix(['adr', 'check', 'adr', '--concept', concept]);
    const diff = await place.helix(['adr', 'diff-concept', concept, 'adr/0001-a.md']);
    return [check, diff].map(({ out, err }) => `${out}${err}`);
  };
  for (const text of await said('concept.md')) {
    expect(text).toContain('leads out of its repository');
    expect(text).not.toContain('vault');
  }
  for (const text of await said(target)) expect(text).toContain('vault');
});

const RULES = `contextual_rules:
  - id: storage-needs-size
    when: { content_contains: database }
    require: { content_patterns: [{ pattern: 'gigabytes?' }] }
    severity: error
    message: Say how much is stored
`;

test('the rules of the project are used from anywhere in it, and one with errors is shown and refused', async () => {
  const place = placeWith({ 'adr/0001-a.md': GOOD, 'config/adr-completeness-rules.yaml': RULES, 'src/x': '' });
  place.git('init');
  expect((await place.check('adr')).found).toEqual(['adr/0001-a.md storage-needs-size']);
  const below = spawnSync('sh', ['-c', `cd src && "$0" adr check ../adr`, join(import.meta.dirname, '../bin/helix')], {
    cwd: place.dir,
    encoding: 'utf8',
  });
  expect(below.stdout).toContain('storage-needs-size');
  const explained = await place.helix(['adr', 'explain', 'storage-needs-size']);
  expect(explained.out).toContain('Say how much is stored');
  place.write('bad.yaml', RULES.replace('severity: error', 'severity: fatal'));
  const { code, out, err } = await place.helix(['adr', 'check', 'adr', '--rules', 'bad.yaml']);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(/^bad\.yaml:5:\d+ {2}error /m);
  expect(err).toMatch(/^ {2}5 \| {5}severity: fatal$/m);
});

const WHERE = 'config/adr-completeness-rules.yaml';

test.each([
  ['in a repository', true],
  ['outside of any', false],
])('the rules are those of the project of the checked files, not of the current directory, %s', async (_, repository) => {
  const other = RULES.replaceAll('storage-needs-size', 'other-rule');
  const here = placeWith({ 'adr/0001-a.md': GOOD, [WHERE]: RULES });
  const there = placeWith({ 'docs/adr/0001-a.md': GOOD, [WHERE]: other });
  const plain = placeWith({ 'docs/adr/0001-a.md': GOOD });
  if (repository) for (const { git } of [here, there, plain]) git('init');
  const checksOf = async (...paths: string[]) => {
    const { document } = await here.check(...paths);
    return document?.files.map(({ findings }) => findings.map(({ check }) => check).join());
  };
  const paths = [here, there, plain].map(({ dir }, index) => join(dir, index === 0 ? 'adr' : 'docs/adr', '0001-a.md'));
  expect(await checksOf(...paths)).toEqual(['storage-needs-size', 'other-rule', '']);
  expect(await checksOf(join(there.dir, 'docs'))).toEqual(['other-rule']);
  expect(await checksOf('adr')).toEqual(['storage-needs-size']);
  expect(await checksOf(join(plain.dir, 'docs/adr'), '--rules', WHERE)).toEqual(['storage-needs-size']);
});

test('how much of a concept is to be carried on is a rule of the project of the ADR', async () => {
  const concept = `${GOOD}\n## Archive\n\nClosed orders move to cold storage after a year, readable for auditors.\n`;
  const place = placeWith({ 'adr/0001-a.md': GOOD, 'concept.md': concept });
  const found = async () => (await place.check('adr', '--concept', 'concept.md')).document?.files[0]?.findings;
  const diff = async () => (await place.helix(['adr', 'diff-concept', 'concept.md', 'adr/0001-a.md'])).code;
  expect(await found()).toMatchObject([{ check: 'concept-lost', severity: 'warning', layer: 3 }]);
  expect(await diff()).toBe(0);
  place.write(WHERE, 'base_rules: { required_sections: [Context], min_acceptance_criteria: 0, min_coverage: 90 }\n');
  expect(await found()).toMatchObject([
    { check: 'concept-lost', severity: 'error', message: expect.stringContaining('at least 90 % is asked for') },
    { check: 'concept-lost', severity: 'warning' },
  ]);
  expect(await diff()).toBe(1);
});

test('every check of the catalogue is explained, and a slip of the pen gets a guess', async () => {
  const { helix } = makePlace();
  const { checks } = AdrExplainDocument.parse(JSON.parse((await helix(['adr', 'explain', '--json'])).out));
  expect(checks.length).toBeGreaterThan(35);
  expect((await helix(['adr', 'explain'])).out).toContain('depends-on-superseded');
  expect((await helix(['adr', 'explain', 'unclosed-fence'])).out).toContain('Close it where the code ends.');
  expect((await helix(['adr', 'explain', 'unrecognised'])).out).toContain('hardly more than a title passes');
  expect((await helix(['adr', 'explain', 'duplicate-id'])).out).toContain('Each folder numbers its own ADRs');
  expect(await helix(['adr', 'explain', 'unclosed-fnce'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('unclosed-fence'),
  });
});

const CONCEPT = `# Concept: a store for orders

## Why

Orders that are in the queue are lost when it restarts, which it does each night.

## Migration plan

The migration takes 14 days: on day one both stores are written, on day five the old orders are copied by the night job,
on day ten reads are switched to the new store, and on day fourteen the old store is removed by the operations team.
`;

test('diff-concept names what of the concept is lost, in words and as JSON', async () => {
  const { helix } = placeWith({ 'concept.md': CONCEPT, '0001-a.md': GOOD });
  const { code, out } = await helix(['adr', 'diff-concept', 'concept.md', '0001-a.md']);
  expect(code).toBe(1);
  expect(out).toMatch(/Lost: 1\n {2}concept\.md:7:\d+ {2}Migration plan {2}must be delivered/);
  const json = await helix(['adr', 'diff-concept', 'concept.md', '0001-a.md', '--format', 'json']);
  expect(ConceptDiffDocument.parse(JSON.parse(json.out)).missing).toMatchObject([{ title: 'Migration plan', line: 7 }]);
  expect(await helix(['adr', 'diff-concept', 'gone.md', '0001-a.md'])).toMatchObject({ code: 2, out: '' });
  const kept = placeWith({
    'concept.md': CONCEPT,
    '0001-a.md': `${GOOD}\n${CONCEPT.slice(CONCEPT.indexOf('## Migration'))}`,
  });
  expect(await kept.helix(['adr', 'diff-concept', 'concept.md', '0001-a.md'])).toMatchObject({ code: 0 });
});

test('what an ADR contains cannot move the cursor, and long lists are cut', async () => {
  const links = Array.from({ length: 80 }, (_, index) => `- [it](0${index + 100}-it.md)\n`).join('');
  const repeated = '- [ ] the same criterion again\n'.repeat(80);
  const { helix } = placeWith({
    '0001-a.md': `# \u001b[2J\u202eevil\n\n## Context\n\n${links}\n## Acceptance criteria\n\n${repeated}`,
  });
  const { out } = await helix(['adr', 'check', '0001-a.md', '--profile', 'helix']);
  for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character);
  expect(out).toMatch(/^… and \d+ more here$/m);
  expect(out).toMatch(
    /^warning {2}79 times: .* {2}duplicate-acceptance\n(?: {2}0001-a\.md:\d+:\d+\n){5} {2}… and 74 more; /m,
  );
});

test('this repository keeps its own ADRs as it asks of others', () => {
  const cwd = join(import.meta.dirname, '..');
  const { status, stdout } = spawnSync(join(cwd, 'bin/helix'), ['adr', 'check', 'docs/adr'], { cwd, encoding: 'utf8' });
  expect({ status, errors: stdout.match(/^.* {2}error {2}.*$/gm) }).toEqual({ status: 0, errors: null });
  expect(readFileSync(join(cwd, 'docs/adr/001-event-journal-and-one-loop.md'), 'utf8')).toContain('adr_id');
});
