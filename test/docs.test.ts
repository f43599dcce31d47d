import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../src/cli/commands.ts';
import { HELIX } from './helix-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ADRS = readdirSync(join(ROOT, 'docs/adr')).map((name) => `docs/adr/${name}`);
const PAGES = ['README', 'ARCHITECTURE', 'CONTEXT', 'CONTRIBUTING', 'AGENTS', 'SECURITY', 'CHANGELOG'];
const GUIDES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));
const DOCUMENTS = [
  ...PAGES.map((name) => `${name}.md`),
  ...GUIDES.map((name) => `docs/${name}`),
  'approvals/README.md',
  ...ADRS,
];
const README = read('README.md');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** The blocks of a language in a Markdown text. */
function blocks(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, body = '']) => body);
}

function links(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}

describe.each(DOCUMENTS)('%s', (path) => {
  it('links only to what exists', () => {
    const relative = links(read(path)).filter((target) => !/^(https?:|mailto:|#)/.test(target));
    const dead = relative.filter((target) => !existsSync(resolve(ROOT, dirname(path), target.replace(/#.*/, ''))));
    expect(dead).toEqual([]);
  });
});

describe('the README', () => {
  it('has at most 120 lines', () => {
    expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  });

  it('names every command, and no other, in its table', () => {
    const rows = /## Commands\n([\s\S]*?)\n`helix/.exec(README)?.[1]?.match(/^\| `.*? \|/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(Object.keys(COMMANDS).sort());
  });

  it('shows plans as they stand in examples/', () => {
    const shown = blocks(README, 'yaml');
    expect(shown.length).toBeGreaterThan(0);
    for (const snippet of shown) expect(read('examples/hello/phases.yaml')).toContain(snippet.trimEnd());
  });
});

describe('the shell commands of the README', () => {
  const lines = blocks(README, 'sh').flatMap((block) => block.trim().split('\n'));
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'helix-docs-'));
    copyExamples(dir);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('are calls of helix, or of npm, which CI runs itself', () => {
    expect(lines.filter((line) => !/^(bin\/helix|helix|npm) /.test(line))).toEqual([]);
  });

  it.each(lines.filter((line) => !line.startsWith('npm ')))('%s', (line) => {
    const { code, said } = shell(line, dir);
    expect(code, said).toBe(0);
  });
});

describe('the shell commands of docs/adrs.md', () => {
  const lines = blocks(read('docs/adrs.md'), 'sh').flatMap((block) => block.trim().split('\n'));
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'helix-docs-'));
    mkdirSync(join(dir, 'docs/adr'), { recursive: true });
    for (const id of ['004', '007']) writeFileSync(join(dir, `docs/adr/${id}-orders.md`), orders(id));
    writeFileSync(
      join(dir, 'docs/concept.md'),
      '# Orders\n\n## Context\n\nOrders get lost when two programs write at once.\n',
    );
    writeFileSync(
      join(dir, 'docs/adr/README.md'),
      '# Our ADRs\n\n<!-- helix-adr-index -->\n<!-- /helix-adr-index -->\n',
    );
    expect(shell('helix adr index docs/adr', dir).code).toBe(0);
    const git =
      'git init -q -b main && git add -A && git -c user.name=x -c user.email=x@y commit -qm x && git update-ref refs/remotes/origin/main HEAD';
    expect(shell(git, dir)).toMatchObject({ code: 0 });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it.each(lines)('%s', (line) => {
    const { code, said } = shell(line, dir);
    expect(code, said).toBe(0);
  });
});

/** A small ADR in Nygard's form. */
function orders(id: string): string {
  const told = 'Orders get lost when two programs write the same file at once, which happens every night.';
  return `# ${Number(id)}. Orders are kept in a database\n\nDate: 2026-01-31\n\n## Status\n\nAccepted\n\n## Context\n\n${told}\n\n## Decision\n\nOrders are kept in one database.\n\n## Consequences\n\nSomebody looks after it.\n`;
}

test('npm start shows helix do and ends with the evidence, and the picture shows what it prints', () => {
  const dir = mkdtempSync(join(tmpdir(), 'helix-docs-'));
  try {
    const env = { ...process.env, NO_COLOR: '1', HOME: dir, TMPDIR: dir };
    const { status, stdout } = spawnSync('/bin/sh', ['-c', 'exec "$0" scripts/start.mjs 2>&1', process.execPath], {
      ...{ cwd: ROOT, env, encoding: 'utf8' },
    });
    expect(status, stdout).toBe(0);
    const said = stdout.slice(0, stdout.indexOf('\nThat was simulated'));
    expect(said).toMatch(/^\$ helix do "[\s\S]*^\$ helix evidence$[\s\S]*^What was asked$/m);
    const picture = read('docs/run.svg');
    expect(picture).toMatch(/<svg [^>]*role="img" aria-labelledby="title desc"/);
    expect(picture).toMatch(/<title id="title">.+<\/title>\s*<desc id="desc">.+<\/desc>/);
    const drawn = [...picture.matchAll(/<text [^>]*>(.*)<\/text>/g)].map(([, line = '']) => plain(line));
    // A terminal draws what is tried only as long as it lasts, and cuts a line that is too long for it.
    const cut = drawn.filter((line) => line.trimEnd().endsWith('…')).map((line) => essential(line).slice(0, -1));
    expect(cut.length).toBeLessThan(9);
    const printed = said
      .replaceAll(/^trying .*\n/gm, '')
      .split('\n')
      .map((line) => {
        const begun = cut.find((start) => essential(line).startsWith(start));
        return begun === undefined ? line : `${begun}…`;
      });
    expect(essential(printed.join('\n'))).toBe(essential(drawn.join('\n')));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

/** The text of a line of SVG. */
function plain(line: string): string {
  const text = line.replace(/<[^>]+>/g, '');
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('ARCHITECTURE.md', () => {
  const tree = /^ {4}src\/\n(?: {4,}.*\n)+/m.exec(read('ARCHITECTURE.md'))?.[0] ?? '';
  const entries = [...tree.matchAll(/^ {4}( {0,2})([\w./-]+)/gm)].map(([, indent, name]) =>
    indent === '' ? `${name}` : `src/${name}`,
  );

  it('names only files and folders that exist', () => {
    expect(entries.length).toBeGreaterThan(10);
    expect(entries.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('names every folder below src/', () => {
    const folders = readdirSync(join(ROOT, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => `src/${name}/`).filter((path) => !entries.includes(path))).toEqual([]);
  });
});

test('CLAUDE.md is a link to AGENTS.md', () => {
  expect(readlinkSync(join(ROOT, 'CLAUDE.md'))).toBe('AGENTS.md');
});

test('our own records pass helix adr check without a warning', () => {
  const { code, said } = shell(`bin/helix adr check "${join(ROOT, 'docs/adr')}"`, ROOT);
  expect(said).toMatch(/^\d+ ADRs passed: 0 errors, 0 warnings\n$/);
  expect(code).toBe(0);
});

describe.each(ADRS)('%s', (path) => {
  const text = read(path);
  const header = parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '') as Record<string, unknown>;

  it('has the number of its file name in header and title', () => {
    const number = /(\d{3})-[a-z0-9-]+\.md$/.exec(path)?.[1];
    expect(header.adr_id).toBe(number);
    expect(text).toContain(`\n# ADR-${number}: ${header.title}\n`);
  });

  it('names files that exist', () => {
    const { create, modify, docs } = header.files as Record<'create' | 'modify' | 'docs', string[]>;
    expect([...create, ...modify, ...docs].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

function copyExamples(dir: string): void {
  const made = /\/examples\/[^/]+\/(\.helix|phases)$/;
  cpSync(join(ROOT, 'examples'), join(dir, 'examples'), { recursive: true, filter: (path) => !made.test(path) });
  cpSync(join(ROOT, 'docs/adr'), join(dir, 'docs/adr'), { recursive: true });
}

/** Calls a line of a document as somebody in a checkout would, with a home of its own. */
function shell(line: string, dir: string): { code: number | null; said: string } {
  const env = { ...process.env, NO_COLOR: '1', HOME: dir, XDG_STATE_HOME: join(dir, '.state') };
  const script = `helix() { "${HELIX}" "$@"; }\n${line.replace(/^bin\/helix /, 'helix ')}`;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', script], { cwd: dir, env, encoding: 'utf8' });
  return { code: status, said: `${stderr}${stdout}` };
}

/** A run's output without what differs from run to run. */
function essential(text: string): string {
  return text
    .replaceAll(/\d{8}-[0-9a-f]{8}/g, 'RUN')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/g, 'TIME')
    .replaceAll(/\b\d+(\.\d+)?m?s\b/g, 'DURATION')
    .replaceAll(/sandbox: \w+ \([^)]*\)(,\s[a-z\s]+\snot\slimited)?/g, 'sandbox: LEVEL')
    .replaceAll(/sandbox (strict|basic|none)\b(,\s[a-z\s]+\snot\slimited)?/g, 'sandbox LEVEL')
    .replaceAll(/@ [0-9a-f]{7}\b/g, '@ COMMIT')
    .replaceAll(/\b[\d,]+ tokens\b/g, 'TOKENS')
    .replaceAll(/\b[0-9a-f]{12}(?:[0-9a-f]{4})?\b/g, 'NAME')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
