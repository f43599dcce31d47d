import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import Ajv from 'ajv';
import { expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { readShippedConfig } from '../src/adapters/disk/shipped-config.ts';
import { fingerprintOf } from '../src/adr/baseline.ts';
import { parseChecks } from '../src/adr/checks.ts';
import { makePlace } from '../src/cli/helix.fixture.ts';
import {
  type AdrCheckDocument,
  AdrExplainDocument,
  type AdrFindingEntry,
} from '../src/domain/documents/adr-documents.ts';
import { renderGithub } from '../src/report/adr/github.ts';
import { renderJunit } from '../src/report/adr/junit.ts';
import { renderSarif } from '../src/report/adr/sarif.ts';
import { helix } from './helix-process.ts';
import { scratch } from './scratch.ts';

const require = createRequire(import.meta.url);

/** The schema of the standard, as its authors publish it for tests of tools such as this one. */
const SARIF_SCHEMA = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as object;
/** What build servers take for JUnit XML: the elements and attributes of the schema Jenkins publishes for it. */
const JUNIT_XSD = readFileSync(join(import.meta.dirname, 'junit.xsd'), 'utf8');

const NASTY = [
  'plain',
  'a:b,c%d%0A%25::error file=x::y',
  '::stop-commands::x\n::error::second line\r\nthird',
  '<b attr="1">&amp; ]]> \'q\' "q"</b> <!-- -->',
  'control \u0000\u0007\u001b[31m\u0085\ufffe\uffff lone \ud800 pair \u{1f600} rtl \u202e',
  '   ',
  'x'.repeat(20_000),
];

const PATHS = ['docs/adr/0001-a.md', 'docs/a b/ü:,%2F&<"\'.md', '../outside.md', '#frag?query.md'];

/** A document with everything in it that could break a format. */
function nastyDocument(): AdrCheckDocument {
  const findings = NASTY.flatMap((message): AdrFindingEntry[] =>
    (['error', 'warning', 'info'] as const).map((severity) => ({
      severity,
      check: severity === 'error' ? 'missing-section' : 'own:rule,"<&%',
      message,
      hint: severity === 'info' ? '' : message,
      layer: severity === 'error' ? 1 : 'corpus',
      location: { line: 3, column: 7 },
    })),
  );
  const rules = { checked: 0, triggered: 0, passed: 0 };
  const summary = { files: 5, passed: 1, failed: 4, errors: 28, warnings: 28, infos: 28, rules };
  const files = PATHS.map((path) => ({ path, profile: 'nygard', verdict: 'reject' as const, findings }));
  const clean = { path: 'clean.md', profile: 'madr', verdict: 'pass' as const, findings: [] };
  return { schema: 'helix.adr-check/1', summary, files: [...files, clean] };
}

const CHECKS = parseChecks(readShippedConfig('adr-checks.yaml').text);
const describeCheck = (check: string) => CHECKS.find((each) => each.check === check);

const FACTS = { version: '1.2.3', describe: describeCheck, fingerprint: fingerprintOf };

function sarifErrors(text: string): unknown {
  const ajv = new Ajv({ schemaId: 'id', allErrors: true, format: 'full', meta: false, logger: false });
  ajv.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json') as object);
  const validate = ajv.compile(SARIF_SCHEMA);
  return validate(JSON.parse(text)) ? null : validate.errors;
}

type SarifResult = {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  partialFingerprints: Record<string, string>;
  locations: { physicalLocation: { artifactLocation: { uri: string }; region: object } }[];
};

test('SARIF is valid by the schema of the standard, whatever stands in it', () => {
  const text = renderSarif(nastyDocument(), FACTS);
  expect(sarifErrors(text)).toBeNull();
  expect(sarifErrors(text.replaceAll('"ruleId"', '"ruleid"'))).not.toBeNull();
  expect(sarifErrors(renderSarif({ ...nastyDocument(), files: [] }, FACTS))).toBeNull();
});

test('SARIF leads to the place, by relative references that survive being resolved', () => {
  const [run] = (
    JSON.parse(renderSarif(nastyDocument(), FACTS)) as { runs: [{ results: SarifResult[]; tool: unknown }] }
  ).runs;
  const uris = [
    ...new Set(run.results.map((result) => result.locations[0]?.physicalLocation.artifactLocation.uri ?? '')),
  ];
  const resolved = uris.map((uri) => decodeURIComponent(new URL(uri, 'file:///repo/inner/').pathname));
  expect(resolved).toEqual([
    '/repo/inner/docs/adr/0001-a.md',
    '/repo/inner/docs/a b/ü:,%2F&<"\'.md',
    '/repo/outside.md',
    '/repo/inner/#frag?query.md',
  ]);
  expect(run.results[0]).toMatchObject({
    ruleId: 'missing-section',
    level: 'error',
    locations: [{ physicalLocation: { region: { startLine: 3, startColumn: 7 } } }],
  });
  const ids = (run.tool as { driver: { rules: { id: string; help?: { text: string } }[] } }).driver.rules;
  for (const { ruleId, ruleIndex } of run.results) expect(ids[ruleIndex]?.id).toBe(ruleId);
  expect(ids.find(({ id }) => id === 'missing-section')?.help?.text).toContain(describeCheck('missing-section')?.mend);
  const inOneFile = run.results
    .slice(0, NASTY.length * 3)
    .map(({ partialFingerprints }) => partialFingerprints['helixAdr/v1']);
  expect(new Set(inOneFile).size).toBe(inOneFile.length);
});

async function xmlErrors(contents: string): Promise<readonly unknown[]> {
  const schema = { fileName: 'junit.xsd', contents: JUNIT_XSD };
  return (await validateXML({ xml: [{ fileName: 'report.xml', contents }], schema: [schema] })).errors;
}

test('JUnit XML is valid by its schema, whatever stands in it', async () => {
  const text = renderJunit(nastyDocument());
  expect(await xmlErrors(text)).toEqual([]);
  expect(await xmlErrors(renderJunit({ ...nastyDocument(), files: [] }))).toEqual([]);
  expect(await xmlErrors(text.replace('<failure ', '<failed ').replace('</failure>', '</failed>'))).not.toEqual([]);
  expect(text).toContain('tests="9" failures="4"');
  expect(text).toContain('&lt;b attr="1"&gt;&amp;amp; ]]&gt;');
});

type Annotation = { command: string; properties: Record<string, string>; message: string };

/** Reads a line by the rules of the runner: first `::` ends the properties, which are split before they are unescaped. */
function parseCommand(line: string): Annotation | undefined {
  if (!line.trimStart().startsWith('::')) return undefined;
  const end = line.indexOf('::', 2);
  if (end < 0) return undefined;
  const info = line.slice(2, end);
  const space = info.indexOf(' ');
  const command = space < 0 ? info : info.slice(0, space);
  const unescapeData = (text: string) => text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
  const unescapeProperty = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = (space < 0 ? '' : info.slice(space + 1)).split(',').filter((pair) => pair !== '');
  const properties = pairs.map((pair) => [
    pair.split('=', 1)[0] ?? '',
    unescapeProperty(pair.slice(pair.indexOf('=') + 1)),
  ]);
  return { command, properties: Object.fromEntries(properties), message: unescapeData(line.slice(end + 2)) };
}

test('GitHub reads back every annotation, and nothing in a message becomes a command', () => {
  const document = nastyDocument();
  const lines = renderGithub(document).split('\n').slice(0, -1);
  const wanted = document.files.flatMap(({ path, findings }) => findings.map((finding) => ({ path, finding })));
  expect(lines).toHaveLength(wanted.length);
  for (const [index, { path, finding }] of wanted.entries()) {
    const annotation = parseCommand(lines[index] ?? '');
    const { severity, check, message, hint } = finding;
    expect(annotation?.command).toBe(severity === 'info' ? 'notice' : severity);
    expect(annotation?.properties).toEqual({ file: path, line: '3', col: '7', title: check });
    if (/^[\x20-\x7e\n]*$/.test(message))
      expect(annotation?.message).toBe(hint === '' ? message : `${message}\n${hint}`);
  }
});

const BROKEN = '# 1. A\n\nStatus: accepted\n\n## Context\n\nOrders are lost at night, when the queue restarts.\n';

test.each([
  ['sarif', (out: string) => expect(sarifErrors(out)).toBeNull()],
  ['junit', async (out: string) => expect(await xmlErrors(out)).toEqual([])],
  ['github', (out: string) => expect(parseCommand(out)).toMatchObject({ properties: { file: 'a b/0001,ä.md' } })],
] as const)('the command prints valid %s and still fails', async (format, validate) => {
  const place = makePlace();
  mkdirSync(join(place.dir, 'a b'));
  place.write('a b/0001,ä.md', BROKEN);
  const { code, out, err } = await place.helix(['adr', 'check', 'a b', '--format', format]);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(out).toContain('missing-section');
  await validate(out);
});

test.each([
  '',
  'docs',
  'docs/adr',
])('from "%s" of a repository, files are named from its root where services look them up', async (below) => {
  const dir = scratch({ '.git/HEAD': '', 'docs/adr/0001-a.md': BROKEN });
  const print = async (format: string) =>
    (await helix(['adr', 'check', join(dir, 'docs/adr'), '--format', format], { cwd: join(dir, below) })).stdout;
  expect(parseCommand(await print('github'))?.properties.file).toBe('docs/adr/0001-a.md');
  const { runs } = JSON.parse(await print('sarif')) as { runs: [{ results: SarifResult[] }] };
  expect(runs[0].results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('docs/adr/0001-a.md');
});

test('outside of a repository, files are named from where helix was called', async () => {
  const cwd = join(scratch({ 'docs/adr/0001-a.md': BROKEN }), 'docs');
  const { stdout } = await helix(['adr', 'check', 'adr', '--format', 'github'], { cwd });
  expect(parseCommand(stdout)?.properties.file).toBe('adr/0001-a.md');
});

test('the catalogue is whole: every check once, with words for people', () => {
  const names = CHECKS.map(({ check }) => check);
  expect(new Set(names).size).toBe(names.length);
  expect(() => AdrExplainDocument.parse({ schema: 'helix.adr-explain/1', checks: CHECKS })).not.toThrow();
  for (const { summary, why, mend } of CHECKS)
    for (const text of [summary, why, mend]) expect(text).toMatch(/^[A-Z0-9"].+[.>)]$/s);
});
