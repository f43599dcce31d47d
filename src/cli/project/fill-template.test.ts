import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { SHIPPED_TEMPLATES } from '../../adapters/world.ts';
import { PhasesFile } from '../../domain/plan/phases-file.ts';
import { makePlace } from '../helix.fixture.ts';
import { fillTemplate } from './fill-template.ts';
import { germanWords, LANGUAGES } from './project-texts.ts';

const GERMAN = germanWords();
const SHIPPED = ['project-types', 'init'].flatMap((folder) =>
  readdirSync(join(SHIPPED_TEMPLATES, folder)).map((file) => ({
    file,
    text: readFileSync(join(SHIPPED_TEMPLATES, folder, file), 'utf8'),
  })),
);
const PHASE_DIRS = { mode: 'phase-dirs', setup: [], cache: [] } as const;
const REPOSITORY = SHIPPED.find(({ file }) => file === 'repository.yaml') ?? { file: '', text: '' };

/** The words of a template that people read. */
function wordsOf(text: string): string[] {
  const comments = [...text.matchAll(/(?:^| )# *(.*)$/gm)].map(([, comment = '']) => comment);
  const values = [...text.matchAll(/^[ -]*(?:name|description): "?(.*?)"?$/gm)].map(([, value = '']) => value);
  return [...comments, ...values];
}

test.each(SHIPPED)('$file keeps its words and its values when it is filled', (template) => {
  const filled = fillTemplate(template, { name: 'demo', language: 'en', workspace: PHASE_DIRS });
  for (const word of wordsOf(template.text)) expect(filled).toContain(word);
  const { project, ...rest } = parseDocument(template.text).toJS();
  const expected = { project: { name: 'demo', ...project }, workspace: 'phase-dirs', ...rest };
  expect(parseDocument(filled).toJS()).toEqual(expected);
});

test.each(SHIPPED)('every word of $file has its German one, and German is used', (template) => {
  const words = wordsOf(template.text);
  expect(words.length).toBeGreaterThan(3);
  expect(words.filter((word) => !GERMAN.has(word))).toEqual([]);
  const filled = fillTemplate(template, { name: 'demo', language: 'de', workspace: PHASE_DIRS });
  for (const word of words) expect(filled).toContain(GERMAN.get(word));
});

test('nothing is kept in German that no template says', () => {
  const said = new Set(SHIPPED.flatMap(({ text }) => wordsOf(text)));
  expect([...GERMAN.keys()].filter((word) => !said.has(word))).toEqual([]);
});

test('set-up, shared folders and the command of the tests are written as one would by hand', () => {
  const filled = fillTemplate(REPOSITORY, {
    name: 'demo',
    language: 'en',
    workspace: { mode: 'repo', setup: [['npm', 'ci']], cache: ['node_modules', 'web/node_modules'] },
    tests: ['go', 'test', './...'],
  });
  expect(filled).toContain(
    '\nworkspace:\n  mode: repo\n  setup:\n    - [npm, ci]\n  cache: [node_modules, web/node_modules]\n',
  );
  const gate = '      - type: "tests_pass"\n        command: [go, test, ./...]\n        on_failure: "retry"\n';
  expect(filled.split(gate)).toHaveLength(2);
  expect(filled).toContain('what is merged has passed them\n        command: [go, test, ./...]\n');
});

test.each(LANGUAGES)('where there are no tests a comment in %s shows how to add the gate', (language) => {
  const workspace = { ...PHASE_DIRS, mode: 'repo' as const };
  const filled = fillTemplate(REPOSITORY, { name: 'demo', language, workspace, tests: 'none' });
  expect(JSON.stringify(parseDocument(filled).toJS())).not.toContain('tests_pass');
  const shown = filled.replaceAll(/^( *)# ((?:- type| {2}command):)/gm, '$1$2');
  const gates = PhasesFile.parse(parseDocument(shown).toJS()).phases.map(({ quality_gate: gate }) => gate);
  expect(gates.flat().filter((gate) => gate?.type === 'tests_pass')).toHaveLength(2);
});

test.each([
  ['init', ['init', 'demo', '--lang', 'de']],
  ['new', ['new', 'demo', '--lang', 'de']],
])('%s writes a German project whose plan is right', async (_command, args) => {
  const place = makePlace();
  expect((await place.helix(args)).code).toBe(0);
  expect(place.read('demo/phases.yaml')).toContain('name: "Anforderungsanalyse"');
  expect(place.read('demo/helix.yaml')).toMatch(/^language: de$/m);
  expect((await place.helix(['plan', 'demo'])).code).toBe(0);
});
