import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  AdrForDocument,
  AdrGraphDocument,
  AdrListDocument,
  AdrNewDocument,
  AdrShowDocument,
} from '../src/domain/documents/adr-list-documents.ts';
import { helix } from './helix-process.ts';
import { boundByPermissions, giveAway } from './robust-project.ts';
import { scratch } from './scratch.ts';

const NYGARD = {
  'doc/adr/0001-record-decisions.md':
    '# 1. Record decisions\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n## Context\n\nText.\n\n## Decision\n\nText.\n\n## Consequences\n\nText.\n',
  'doc/adr/0002-use-x.md':
    '# 2. Use X\n\nDate: 2024-01-02\n\n## Status\n\nAccepted\n\n## Context\n\nText.\n\n## Decision\n\nText.\n\n## Consequences\n\nText.\n',
  'doc/adr/0004-use-y.md':
    '# 4. Use Y\n\nDate: 2024-01-04\n\n## Status\n\nAccepted\n\n## Context\n\nText.\n\n## Decision\n\nText.\n\n## Consequences\n\nText.\n',
};

const HELIX_STYLE = {
  'docs/adr/ADR-001-journal.md':
    '---\nadr_id: "001"\ntitle: "Journal"\nstatus: Superseded\ndate: 2024-01-01\nsuperseded_by: "003"\nfiles:\n  create: ["src/journal.ts"]\n---\n\n# ADR-001: Journal\n',
  'docs/adr/ADR-002-loop.md':
    '---\nadr_id: "002"\ntitle: "Loop"\nstatus: Accepted\ndate: 2024-01-02\ndepends_on: ["001", "009"]\nfiles:\n  modify: ["src/**/*.ts", "docs/"]\n---\n\n# ADR-002: Loop\n\n## Context\n\nText.\n',
  'docs/adr/ADR-003-database.md':
    '---\nadr_id: "003"\ntitle: "Database \\"A\\""\nstatus: Implemented\ndate: 2024-01-03\nsupersedes: ["001"]\nfiles:\n  create: ["src/journal.ts (new)"]\n---\n\n# ADR-003: Database\n',
};

const GERMAN = {
  'docs/decisions/001-alt.md':
    '# ADR-001: Alt\n\n**Status:** Akzeptiert\n**Datum:** 2024-01-01\n\n## Kontext\n\nText.\n\n## Entscheidung\n\nText.\n',
  'docs/decisions/002-neu.md':
    '# ADR-002: Neu\n\n**Status:** Akzeptiert\n**Datum:** 2024-01-02\n\n## Kontext\n\nText.\n\n## Entscheidung\n\nText.\n',
};

const MADR = {
  'docs/decisions/0001-use-a.md':
    '---\nstatus: accepted\ndate: 2024-01-01\n---\n\n# Use A\n\n## Context and Problem Statement\n\nText.\n\n## Considered Options\n\n* A\n\n## Decision Outcome\n\nA.\n',
  'docs/decisions/adr-template.md':
    '---\nstatus: "{proposed | accepted}"\ndate: {YYYY-MM-DD}\n---\n\n# {short title}\n\n## Context and Problem Statement\n\n{own words}\n\n## Decision Outcome\n',
};

function repository(files: Readonly<Record<string, string>>): string {
  return scratch({ ...files, '.git/HEAD': '' });
}

async function adr(cwd: string, ...args: string[]) {
  const { code, stdout, stderr } = await helix(['adr', ...args], { cwd });
  expect(stderr).not.toMatch(/please report|^\s+at /m);
  return { code, stdout, stderr };
}

const read = (dir: string, path: string): string => readFileSync(join(dir, path), 'utf8');

describe('new', () => {
  it('takes the next number, name and form of the folder, from any directory below', async () => {
    const dir = repository(NYGARD);
    mkdirSync(join(dir, 'src/deep'), { recursive: true });
    const { code, stdout } = await adr(join(dir, 'src/deep'), 'new', 'Use', 'Z: "quoted"');
    expect([code, stdout]).toEqual([0, '../../doc/adr/0005-use-z-quoted.md\n']);
    const text = read(dir, 'doc/adr/0005-use-z-quoted.md');
    expect(text).toMatch(/^# 5\. Use Z: "quoted"\n\nDate: \d{4}-\d\d-\d\d\n\n## Status\n\nProposed\n/);
    expect(readdirSync(join(dir, 'doc/adr'))).toHaveLength(4);
  });

  it('starts a folder where there is none, in the form of HELIX', async () => {
    const dir = repository({});
    const { stdout } = await adr(dir, 'new', 'First one', '--json');
    expect(AdrNewDocument.parse(JSON.parse(stdout))).toMatchObject({
      path: 'docs/adr/0001-first-one.md',
      id: '0001',
      profile: 'helix',
    });
    expect((await adr(dir, 'list', '--json')).stdout).toContain('"First one"');
  });

  it('uses the template of the folder', async () => {
    const dir = repository(MADR);
    await adr(dir, 'new', 'Use B');
    expect(read(dir, 'docs/decisions/0002-use-b.md')).toMatch(
      /^---\nstatus: "proposed"\ndate: \d{4}-\d\d-\d\d\n---\n\n# Use B\n[\s\S]*\{own words\}/,
    );
  });

  it('speaks the language of the folder', async () => {
    const dir = repository(GERMAN);
    await adr(dir, 'new', 'Größe', '--profile', 'nygard');
    expect(read(dir, 'docs/decisions/003-groesse.md')).toContain('\nVorgeschlagen\n');
  });

  it('writes nothing when it is only asked', async () => {
    const dir = repository(NYGARD);
    const { stdout, stderr } = await adr(dir, 'new', 'Use Z', '--dry-run');
    expect(stdout).toContain('# 5. Use Z');
    expect(stderr).toContain('doc/adr/0005-use-z.md');
    expect(readdirSync(join(dir, 'doc/adr'))).toHaveLength(3);
  });

  it('names the file it would write, also where a link has the next number', async () => {
    const dir = repository(NYGARD);
    symlinkSync('0004-use-y.md', join(dir, 'doc/adr/0005-also-y.md'));
    const { stderr } = await adr(dir, 'new', 'Use Z', '--dry-run');
    expect(stderr).toBe('would write doc/adr/0006-use-z.md\n');
    expect((await adr(dir, 'new', 'Use Z')).stdout).toBe('doc/adr/0006-use-z.md\n');
    expect((await adr(repository({}), 'new', 'Use Z', '--dry-run')).stderr).toBe(
      'would write docs/adr/0001-use-z.md\n',
    );
  });

  it('marks what it supersedes', async () => {
    const dir = repository(NYGARD);
    await adr(dir, 'new', 'Use Z', '--supersedes', '2', '--status', 'accepted');
    expect(read(dir, 'doc/adr/0002-use-x.md')).toContain('\nSuperseded by [5. Use Z](0005-use-z.md)\n');
    expect(read(dir, 'doc/adr/0005-use-z.md')).toContain('\naccepted\n\nSupersedes [2. Use X](0002-use-x.md)\n');
  });

  it('leaves nothing behind when what it supersedes is unknown', async () => {
    const dir = repository(NYGARD);
    expect((await adr(dir, 'new', 'Use Z', '--supersedes', '77')).code).toBe(2);
    expect(readdirSync(join(dir, 'doc/adr'))).toHaveLength(3);
  });

  it('refuses titles that are none, unknown profiles and words that are no status', async () => {
    const dir = repository({});
    for (const args of [['  '], ['x'.repeat(5_000)], ['x', '--profile', 'mader'], ['x', '--status', 'perhaps']])
      expect((await adr(dir, 'new', ...args)).code, args.join(' ').slice(0, 40)).toBe(2);
    expect(existsSync(join(dir, 'docs'))).toBe(false);
  });

  it('gives every one of several at once a number of its own', async () => {
    const dir = repository(NYGARD);
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((title) => adr(dir, 'new', title)));
    const numbers = readdirSync(join(dir, 'doc/adr')).map((name) => name.slice(0, 4));
    expect(numbers.sort()).toEqual(['0001', '0002', '0004', '0005', '0006', '0007', '0008', '0009']);
  });

  it('says so when the folder may not be written', async (ctx) => {
    const through = boundByPermissions();
    if (through === undefined) return ctx.skip('there is no setpriv to become a user whom permissions bind');
    const dir = repository(NYGARD);
    giveAway(dir);
    chmodSync(join(dir, 'doc/adr'), 0o555);
    const { code, stderr } = await helix(['adr', 'new', 'Use Z'], { cwd: dir, through });
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be used')]);
  });
});

describe('list', () => {
  it('shows id, status, date, title and successor, in the order of numbers', async () => {
    const { stdout } = await adr(repository(HELIX_STYLE), 'list');
    expect(stdout.split('\n')).toEqual([
      '001  superseded    2024-01-01  Journal → ADR-003-database',
      '002  accepted      2024-01-02  Loop',
      '003  implemented   2024-01-03  Database "A"',
      '',
    ]);
  });

  it('shows titles as they were given to new, and as front matter tells them', async () => {
    const dir = repository({});
    for (const profile of ['helix', 'madr', 'nygard']) await adr(dir, 'new', 'Use [z] of a_b', '--profile', profile);
    writeFileSync(join(dir, 'docs/adr/0004-x.md'), '---\ntitle: "Map<K, V> *or* [x]"\n---\n\n# Map\n');
    const { adrs } = AdrListDocument.parse(JSON.parse((await adr(dir, 'list', '--json')).stdout));
    const title = 'Use [z] of a_b';
    expect(adrs.map((each) => each.title)).toEqual([title, title, title, 'Map<K, V> *or* [x]']);
    expect((await adr(dir, 'show', '2')).stdout).toMatch(/^0002 Use \[z\] of a_b\n/);
  });

  it('filters by status, in any language, and prints JSON', async () => {
    const dir = repository(GERMAN);
    const { stdout } = await adr(dir, 'list', '--status', 'akzeptiert', '--json');
    expect(AdrListDocument.parse(JSON.parse(stdout)).adrs.map(({ id }) => id)).toEqual(['001', '002']);
    expect((await adr(dir, 'list', '--status', 'rejected')).stderr).toContain('none of the 2 ADRs');
    expect((await adr(dir, 'list', '--status', 'whatever')).code).toBe(2);
  });

  it('survives what lies around: binary files, broken links, hostile titles', async () => {
    const dir = repository({
      'adr/0001-a.md': '# 1. \u001b[31mred\u001b[0m \u202etxet\n',
      'adr/0002-b.md': '\0\0\0',
      'adr/0003-c.md': '\ufeff# 3. C\r\n\r\n## Status\r\n\r\nAccepted\r\n',
    });
    symlinkSync('nowhere.md', join(dir, 'adr/0004-gone.md'));
    const { code, stdout } = await adr(dir, 'list');
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('\u202e');
    expect(stdout).toContain('003  accepted');
    expect(stdout).toContain('0002-b.md');
  });

  it('says what is missing where there is no folder', async () => {
    const { code, stderr } = await adr(repository({}), 'list');
    expect([code, stderr]).toEqual([2, expect.stringContaining('no folder with ADRs')]);
    expect((await adr(repository({}), 'list', 'nowhere')).code).toBe(2);
  });
});

describe('show', () => {
  it('finds an ADR by id, number, name and path, and shows both directions', async () => {
    const dir = repository(HELIX_STYLE);
    for (const name of ['ADR-002', '2', '002', 'ADR-002-loop.md', 'docs/adr/ADR-002-loop.md']) {
      const document = AdrShowDocument.parse(JSON.parse((await adr(dir, 'show', name, '--json')).stdout));
      expect(document.adr.title, name).toBe('Loop');
      expect(document.references.map(({ name: id, path }) => [id, path !== undefined])).toEqual([
        ['001', true],
        ['009', false],
      ]);
    }
    const { stdout } = await adr(dir, 'show', '1');
    expect(stdout).toMatch(/superseded by +ADR-003-database/);
    expect(stdout).toMatch(/needed by +ADR-002-loop/);
    expect(stdout).toMatch(/governs +src\/journal.ts/);
  });

  it('names those it could be, or the nearest', async () => {
    const dir = repository({ 'adr/0001-a.md': '# A\n', 'adr/001-b.md': '# B\n' });
    const { code, stderr } = await adr(dir, 'show', '1');
    expect(code).toBe(2);
    expect(stderr).toContain('adr/0001-a.md, adr/001-b.md');
    expect((await adr(dir, 'show', '99')).stderr).toContain('there is no ADR "99"');
  });
});

describe('graph', () => {
  it('prints Mermaid, DOT and JSON in which no label escapes', async () => {
    const dir = repository(HELIX_STYLE);
    const mermaid = (await adr(dir, 'graph')).stdout;
    expect(mermaid).toContain('a3["003 Database #34;A#34;<br/>implemented"]');
    expect(mermaid).toContain('a2 -->|depends on| a1');
    expect(mermaid.match(/a3 ==>\|supersedes\| a1/g)).toHaveLength(1);
    expect(mermaid).toContain('class a1 old');
    const dot = (await adr(dir, 'graph', '--format', 'dot')).stdout;
    expect(dot).toContain('a1 [label="001 Journal\\nsuperseded", style=dashed];');
    expect(dot).toContain('label="003 Database \\"A\\"\\nimplemented"');
    const { edges } = AdrGraphDocument.parse(JSON.parse((await adr(dir, 'graph', '--format', 'json')).stdout));
    expect(edges).toHaveLength(2);
    expect((await adr(dir, 'graph', '--format', 'svg')).code).toBe(2);
  });
});

describe('index', () => {
  it('makes a README, is content with it, and tells when it is stale', async () => {
    const dir = repository(NYGARD);
    expect((await adr(dir, 'index', '--check')).code).toBe(1);
    expect((await adr(dir, 'index')).stdout).toBe('doc/adr/README.md\n');
    expect(read(dir, 'doc/adr/README.md')).toContain('| [0002](0002-use-x.md) | Use X | Accepted | 2024-01-02 |');
    expect((await adr(dir, 'index', '--check')).code).toBe(0);
    await adr(dir, 'supersede', '2', '4');
    const stale = await adr(dir, 'index', '--check');
    expect(stale.code).toBe(1);
    expect(stale.stdout).toBe(
      '- | [0002](0002-use-x.md) | Use X | Accepted | 2024-01-02 |\n' +
        '+ | [0002](0002-use-x.md) | Use X | Superseded by [0004](0004-use-y.md) | 2024-01-02 |\n',
    );
  });

  it('keeps the rest of the file and its line ends', async () => {
    const before = '\ufeff# Ours\r\n\r\n<!-- helix-adr-index -->\r\n<!-- /helix-adr-index -->\r\n\r\nKeep  \r\n';
    const dir = repository({ ...NYGARD, 'doc/adr/index.md': before });
    await adr(dir, 'index');
    const after = read(dir, 'doc/adr/index.md');
    expect(after.replace(/\|[^\n]*\n/g, '')).toBe(before);
    expect(after.match(/^\|.*\r$/gm)).toHaveLength(5);
    expect(existsSync(join(dir, 'doc/adr/README.md'))).toBe(false);
  });

  it('does not touch a README without markers, unless it is named', async () => {
    const dir = repository({ ...NYGARD, 'doc/adr/README.md': '# Ours\n' });
    const { code, stderr } = await adr(dir, 'index');
    expect([code, stderr]).toEqual([2, expect.stringContaining('<!-- helix-adr-index -->')]);
    expect(read(dir, 'doc/adr/README.md')).toBe('# Ours\n');
    await adr(dir, 'index', '--file', 'doc/adr/README.md');
    expect(read(dir, 'doc/adr/README.md')).toMatch(/^# Ours\n\n<!-- helix-adr-index -->\n/);
    await adr(dir, 'index', '--file', 'DECISIONS.md');
    expect(read(dir, 'DECISIONS.md')).toContain('[0001](doc/adr/0001-record-decisions.md)');
  });

  it('makes the folder of a file that is named', async () => {
    const dir = repository(NYGARD);
    expect(await adr(dir, 'index', '--file', 'doc/x/y/list.md')).toMatchObject({
      code: 0,
      stdout: 'doc/x/y/list.md\n',
    });
    expect(read(dir, 'doc/x/y/list.md')).toContain('[0001](../../adr/0001-record-decisions.md)');
    expect((await adr(dir, 'index', '--check', '--file', 'doc/x/y/list.md')).code).toBe(0);
    const inTheWay = await adr(dir, 'index', '--file', 'doc/adr/0001-record-decisions.md/list.md');
    expect(inTheWay).toMatchObject({ code: 2, stdout: '' });
  });

  it('advises the command that writes the file that was checked', async () => {
    const dir = repository(NYGARD);
    const { code, stderr } = await adr(dir, 'index', 'doc/adr', '--check', '--file', "the team's list.md");
    expect([code, stderr]).toEqual([
      1,
      "the team's list.md has no index; write it: helix adr index doc/adr --file 'the team'\\''s list.md'\n",
    ]);
    expect((await adr(dir, 'index', '--check')).stderr).toMatch(/write it: helix adr index\n$/);
  });

  it('gives titles no way out of their cell', async () => {
    const dir = repository({ 'adr/0001-a.md': '# 1. a | b <script> [x](y)\n' });
    await adr(dir, 'index');
    expect(read(dir, 'adr/README.md')).toMatch(/\| a \\\| b +x \| {2}\| {2}\|\n/);
  });
});

describe('supersede', () => {
  it('writes both files in their own style, and only once', async () => {
    const dir = repository(GERMAN);
    expect((await adr(dir, 'supersede', '1', '2')).stdout).toBe(
      'docs/decisions/001-alt.md\ndocs/decisions/002-neu.md\n',
    );
    expect(read(dir, 'docs/decisions/001-alt.md')).toBe(
      GERMAN['docs/decisions/001-alt.md'].replace('Akzeptiert', 'Ersetzt durch ADR-002'),
    );
    expect(read(dir, 'docs/decisions/002-neu.md')).toBe(
      GERMAN['docs/decisions/002-neu.md'].replace('Akzeptiert\n', 'Akzeptiert\n**Ersetzt:** ADR-001\n'),
    );
    const again = await adr(dir, 'supersede', '1', '2');
    expect([again.code, again.stdout]).toEqual([0, '']);
  });

  it('only shows what it would write', async () => {
    const dir = repository(NYGARD);
    const { stdout } = await adr(dir, 'supersede', '2', '4', '--dry-run');
    expect(stdout).toContain('- Accepted\n+ Superseded by [4. Use Y](0004-use-y.md)\n');
    expect(read(dir, 'doc/adr/0002-use-x.md')).toBe(NYGARD['doc/adr/0002-use-x.md']);
  });

  it('refuses itself, a way round, unknown ids and files it cannot write back', async () => {
    const dir = repository({ ...NYGARD });
    writeFileSync(
      join(dir, 'doc/adr/0005-latin.md'),
      Buffer.from('# 5. L\xe4tin\n\n## Status\n\nAccepted\n', 'latin1'),
    );
    await adr(dir, 'supersede', '2', '4');
    for (const pair of [
      ['2', '2'],
      ['4', '2'],
      ['2', '99'],
      ['1', '5'],
    ])
      expect((await adr(dir, 'supersede', ...pair)).code, pair.join(' ')).toBe(2);
    expect(read(dir, 'doc/adr/0001-record-decisions.md')).toBe(NYGARD['doc/adr/0001-record-decisions.md']);
  });

  it('touches none of several that a number could mean', async () => {
    const dir = repository({ ...NYGARD, 'doc/adr/0002-use-w.md': NYGARD['doc/adr/0002-use-x.md'] });
    for (const name of ['2', '02', 'ADR-2', '0002']) {
      for (const call of [
        ['show', name],
        ['supersede', name, '4'],
      ])
        expect(await adr(dir, ...call)).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringMatching(/is the name of several ADRs[\s\S]*0002-use-w\.md, .*0002-use-x\.md/),
        });
    }
  });

  it('changes nothing where the front matter cannot be edited line by line', async () => {
    const flow = '---\n{adr_id: "001", title: T1, status: Accepted}\n---\n\n# ADR-001: T1\n';
    const dir = repository({ ...HELIX_STYLE, 'docs/adr/ADR-001-journal.md': flow });
    const { code, stderr } = await adr(dir, 'supersede', '1', '2');
    expect([code, stderr]).toEqual([2, expect.stringContaining('ADR-001-journal.md cannot be edited')]);
    expect(read(dir, 'docs/adr/ADR-001-journal.md')).toBe(flow);
    expect(read(dir, 'docs/adr/ADR-002-loop.md')).toBe(HELIX_STYLE['docs/adr/ADR-002-loop.md']);
  });

  it('writes both files or none', async (ctx) => {
    const through = boundByPermissions();
    if (through === undefined) return ctx.skip('there is no setpriv to become a user whom permissions bind');
    const dir = repository(NYGARD);
    giveAway(dir);
    chmodSync(join(dir, 'doc/adr/0004-use-y.md'), 0o444);
    expect((await helix(['adr', 'supersede', '2', '4'], { cwd: dir, through })).code).toBe(2);
    expect(read(dir, 'doc/adr/0002-use-x.md')).toBe(NYGARD['doc/adr/0002-use-x.md']);
    expect(readdirSync(join(dir, 'doc/adr'))).toHaveLength(3);
  });

  it('keeps the mode of a file, and does not follow a link out of the folder', async () => {
    const dir = repository({ ...NYGARD, 'elsewhere/real.md': '# Real\n' });
    symlinkSync('../../elsewhere/real.md', join(dir, 'doc/adr/0006-linked.md'));
    const { code, stderr } = await adr(dir, 'supersede', 'doc/adr/0006-linked.md', '4');
    expect([code, stderr]).toEqual([2, expect.stringContaining('out of the folder')]);
    chmodSync(join(dir, 'doc/adr/0002-use-x.md'), 0o640);
    await adr(dir, 'supersede', '2', '4');
    expect(statSync(join(dir, 'doc/adr/0002-use-x.md')).mode & 0o777).toBe(0o640);
  });
});

describe('for', () => {
  it('names the ADRs that list a file, a folder or a pattern; what is in force first', async () => {
    const dir = repository(HELIX_STYLE);
    const { stdout } = await adr(dir, 'for', 'src/journal.ts', 'docs/guide.md', '--json');
    const { files } = AdrForDocument.parse(JSON.parse(stdout));
    expect(files.map(({ path, adrs }) => [path, adrs.map((each) => [each.adr.id, each.as])])).toEqual([
      [
        'src/journal.ts',
        [
          ['003', 'create'],
          ['002', 'modify'],
          ['001', 'create'],
        ],
      ],
      ['docs/guide.md', [['002', 'modify']]],
    ]);
  });

  it('takes a folder for all that is in it', async () => {
    const dir = repository({ ...HELIX_STYLE, 'src/deep/x.ts': '', 'lib/y.md': '' });
    const ids = async (...paths: string[]) => {
      const { files } = AdrForDocument.parse(JSON.parse((await adr(dir, 'for', ...paths, '--json')).stdout));
      return files.map(({ adrs }) => adrs.map((each) => each.adr.id));
    };
    expect(await ids('src', 'src/', 'src/deep', 'lib', '.', 'src/deep.md')).toEqual([
      ['003', '002', '001'],
      ['003', '002', '001'],
      ['002'],
      [],
      ['003', '002', '002', '001'],
      [],
    ]);
  });

  it('shows of each ADR all that it lists in a folder, and of a file what covers it', async () => {
    const files = '  create: [src/a.ts, src/b.ts]\n  modify: ["src/**", lib/c.ts]';
    const dir = repository({
      'docs/adr/ADR-001-a.md': `---\nadr_id: "001"\ntitle: A\nstatus: Accepted\nfiles:\n${files}\n---\n\n# ADR-001: A\n`,
      'src/a.ts': '',
    });
    const told = async (path: string) => (await adr(dir, 'for', path)).stdout.split('\n').slice(1, -1);
    expect(await told('src')).toEqual([
      '  001          accepted     A  create: src/a.ts, src/b.ts; modify: src/**  docs/adr/ADR-001-a.md',
    ]);
    expect(await told('src/a.ts')).toEqual(['  001          accepted     A  create: src/a.ts  docs/adr/ADR-001-a.md']);
  });

  it('works from a directory below, also for files that do not exist', async () => {
    const dir = repository({ ...HELIX_STYLE, 'src/journal.ts': '' });
    expect((await adr(join(dir, 'src'), 'for', 'journal.ts')).stdout).toContain('superseded');
    const none = await adr(dir, 'for', 'LICENSE');
    expect([none.code, none.stdout]).toEqual([0, 'LICENSE\n  no ADR lists it\n']);
    const unprepared = await adr(repository({}), 'for', 'a.ts');
    expect([unprepared.code, unprepared.stderr]).toEqual([0, expect.stringContaining('no folder with ADRs')]);
  });
});

it('what is in the way is told and left as it is', async () => {
  const dir = repository({ ...NYGARD, 'doc/adr/template.md/keep': '' });
  expect((await adr(dir, 'new', 'Use Z')).stdout).toBe('doc/adr/0005-use-z.md\n');
  writeFileSync(join(dir, 'doc/adr/README.md'), Buffer.from([0xe4, 0x0a]));
  const { code, stderr } = await adr(dir, 'index', '--file', 'doc/adr/README.md');
  expect([code, stderr]).toEqual([2, expect.stringContaining('UTF-8')]);
  expect(readFileSync(join(dir, 'doc/adr/README.md'))).toEqual(Buffer.from([0xe4, 0x0a]));
});

it('the graph reads from status sections what supersedes what, and nothing else, as its help says', async () => {
  const dir = repository({
    ...NYGARD,
    'doc/adr/0005-z.md':
      '# 5. Z\n\nDepends on: ADR-0001\n\n## Status\n\nAccepted\n\nSupersedes ADR-0002\n\nDepends on ADR-0004\n',
  });
  const { edges } = AdrGraphDocument.parse(JSON.parse((await adr(dir, 'graph', '--json')).stdout));
  expect(edges.map(({ kind, to }) => `${kind} ${to}`)).toEqual([
    'depends_on doc/adr/0001-record-decisions.md',
    'supersedes doc/adr/0002-use-x.md',
  ]);
  expect((await adr(dir, 'graph', '--help')).stdout).toContain('what supersedes what is read from status sections too');
});

it('every command explains itself with examples', async () => {
  const dir = scratch();
  for (const name of ['new', 'list', 'show', 'graph', 'index', 'supersede', 'for']) {
    const { code, stdout } = await adr(dir, name, '--help');
    expect([code, stdout], name).toEqual([0, expect.stringMatching(new RegExp(`Examples:\\n.*helix adr ${name}`))]);
  }
});

describe('check --diff', () => {
  const text = (id: string, more = '') =>
    `---\nadr_id: "${id}"\ntitle: T\nstatus: accepted\n${more}---\n\n# T\n\n## Context and Problem Statement\n\nOrders get lost at night.\n\n## Decision Outcome\n\nWe keep them in a database.\n`;
  const commit = (dir: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@y', ...args], { cwd: dir, stdio: 'pipe' });

  function history(): string {
    const dir = scratch({
      'adr/a.md': text('001'),
      'adr/b.md': text('002', 'depends_on: ["001"]\n'),
      'adr/c.md': text('003', 'depends_on: ["099"]\n'),
      'adr/d.md': text('004', 'depends_on: ["002"]\n'),
      'docs/guide.md': 'x',
    });
    commit(dir, 'init', '-q', '-b', 'main');
    commit(dir, 'add', '.');
    commit(dir, 'commit', '-qm', 'start');
    return dir;
  }

  it('shows what refers to an ADR that was deleted, and no old sins', async () => {
    const dir = history();
    expect((await adr(dir, 'check', 'adr', '--diff', 'main', '--json')).code).toBe(0);
    rmSync(join(dir, 'adr/a.md'));
    for (const paths of [['adr'], ['adr/b.md', 'adr/c.md', 'adr/d.md']]) {
      const { code, stdout, stderr } = await adr(dir, 'check', ...paths, '--diff', 'main', '--json');
      const { files } = JSON.parse(stdout) as { files: { path: string; findings: { message: string }[] }[] };
      expect([code, files.map(({ path, findings }) => [path, findings.map(({ message }) => message)])]).toEqual([
        1,
        [['adr/b.md', ['this ADR depends on ADR-001, which is not in its folder']]],
      ]);
      expect(stderr).toBe('0 of 3 changed since main; 1 refer to what was deleted since\n');
    }
    commit(dir, 'checkout', '-qb', 'work');
    commit(dir, 'commit', '-qam', 'gone');
    expect((await adr(join(dir, 'docs'), 'check', '../adr', '--diff', 'main')).stdout).toContain('../adr/b.md:');
    expect((await adr(dir, 'check', 'adr', '--diff', 'HEAD')).code).toBe(0);
  });

  it('is content with an ADR that was renamed', async () => {
    const dir = history();
    commit(dir, 'mv', 'adr/a.md', 'adr/a-database.md');
    const { stdout, stderr } = await adr(dir, 'check', 'adr', '--diff', 'main', '--json');
    const { files } = JSON.parse(stdout) as { files: { path: string }[] };
    expect(files.map(({ path }) => path)).toEqual(['adr/a-database.md']);
    expect(stderr).toBe('1 of 4 changed since main\n');
  });
});
