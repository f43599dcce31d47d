import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { FORMATS, jsonSchema } from '../src/cli/tools/schemas.ts';
import { harmsOf } from '../src/engine/start/prepare-run.ts';
import { untrusted } from '../src/engine/start/untrusted.ts';
import { loadFiles, memoryProject } from '../src/plan/memory-project.fixture.ts';
import { isRecord } from '../src/text/is-record.ts';

type Files = Readonly<Record<string, unknown>>;
type Shown = { readonly from?: Files; readonly change: Files; readonly line: string };
type Rows = Readonly<Record<string, string | Shown>>;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGE = 'docs/trust.md';
const START = '<!-- made from test/trust/settings.yaml -->\n';
const { base, rows } = parse(readFileSync(join(ROOT, 'test/trust/settings.yaml'), 'utf8')) as {
  readonly base: Files;
  readonly rows: Readonly<Record<string, Rows>>;
};

/** The formats of files that HELIX reads from a project as its user wrote them. */
const READ = new Map(
  Object.values(FORMATS)
    .filter(({ handWritten }) => handWritten)
    .map((format) => [format.about.replace(/^front matter of /, '').replace(/: .*/, ''), format]),
);

/** Every key of a schema, lists left out of its path: what stands in a list counts like what stands alone. */
function keysOf(schema: unknown, at = ''): string[] {
  if (!isRecord(schema)) return [];
  const inside = (key: string) => (at === '' ? key : `${at}.${key}`);
  const { properties, additionalProperties, items, anyOf, oneOf, allOf } = schema;
  const named = isRecord(properties) ? Object.entries(properties) : [];
  const below = [
    ...named.flatMap(([key, value]) => keysOf(value, inside(key.replace(/^stufe-/, 'stufe_')))),
    ...(isRecord(additionalProperties) ? keysOf(additionalProperties, inside('*')) : []),
    ...(isRecord(items) ? keysOf(items, at) : []),
  ];
  const choices = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const chosen = choices.flatMap((choice) => keysOf(choice, at));
  const found = [...below, ...chosen];
  return found.length === 0 ? [at] : [...new Set(found)];
}

/** One document laid over another: lists entry by entry, and nothing (`~`) takes a key away. */
function over(below: unknown, above: unknown): unknown {
  if (Array.isArray(above) && Array.isArray(below) && above.some(isRecord)) {
    return [...above.map((entry, index) => over(below[index], entry)), ...below.slice(above.length)];
  }
  if (!isRecord(above)) return above;
  const kept: Record<string, unknown> = isRecord(below) ? { ...below } : {};
  for (const [key, value] of Object.entries(above)) {
    if (value === null) delete kept[key];
    else kept[key] = over(kept[key], value);
  }
  return kept;
}

async function linesOf(files: unknown): Promise<string[]> {
  const texts = Object.fromEntries(
    Object.entries(files as Files).map(([path, value]) => [
      path,
      typeof value === 'string' ? value : path.endsWith('.json') ? JSON.stringify(value) : stringify(value),
    ]),
  );
  const { plan, findings, agents, settings, escalation } = await loadFiles(texts);
  if (plan === undefined) throw new Error(JSON.stringify(findings, null, 1));
  const creator = settings.roles?.creator ?? 'default';
  return harmsOf({ plan, agents, settings, escalation, creator }, memoryProject(texts));
}

it.each(
  [...READ].map(([path, format]) => ({ path, format })),
)('every key of $path has its line of trust, or a reason why it needs none', ({ path, format }) => {
  const told = Object.keys(rows[path] ?? {});
  const keys = [...new Set(keysOf(jsonSchema(format)))].sort();
  expect(told.toSorted()).toEqual(told[0] === '*' ? ['*'] : keys);
});

const SHOWN = Object.entries(rows).flatMap(([path, keys]) =>
  Object.entries(keys).flatMap(([key, row]) => (typeof row === 'string' ? [] : [{ path, key, row }])),
);

it.each(SHOWN)('a pulled change of $key in $path is asked about', async ({ row: { from, change, line } }) => {
  const before = over(base, from ?? {});
  const trusted = await linesOf(before);
  expect(untrusted(trusted, trusted)).toEqual([]);
  expect(untrusted(await linesOf(over(before, change)), trusted)).toContain(line);
});

it(`${PAGE} has these rows as its tables; HELIX_RECORD=1 writes it`, () => {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const tables = Object.entries(rows).map(([path, keys]) => {
    const lines = Object.entries(keys).map(([key, row]) =>
      typeof row === 'string' ? `| \`${key}\` | ${cell(row)} |` : `| \`${key}\` | shown: \`${cell(row.line)}\` |`,
    );
    return ['', `## ${path}`, '', '| key | line, or why it needs none |', '|---|---|', ...lines, ''].join('\n');
  });
  const [before = '', rest] = readFileSync(join(ROOT, PAGE), 'utf8').split(START);
  expect(rest).toBeDefined();
  const made = before + START + tables.join('');
  if (process.env.HELIX_RECORD === '1') writeFileSync(join(ROOT, PAGE), made);
  expect(readFileSync(join(ROOT, PAGE), 'utf8')).toBe(made);
});
