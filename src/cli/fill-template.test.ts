import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { SHIPPED_TEMPLATES } from '../adapters/world.ts';
import { fillTemplate } from './fill-template.ts';
import { GERMAN } from './german.ts';
import { makePlace } from './helix.fixture.ts';

const DIR = join(SHIPPED_TEMPLATES, 'project-types');
const SHIPPED = readdirSync(DIR).map((file) => ({ file, text: readFileSync(join(DIR, file), 'utf8') }));

/** The words of a template that people read. */
function wordsOf(text: string): string[] {
  const comments = [...text.matchAll(/(?:^| )# *(.*)$/gm)].map(([, comment = '']) => comment);
  const values = [...text.matchAll(/^[ -]*(?:name|description): "?(.*?)"?$/gm)].map(([, value = '']) => value);
  return [...comments, ...values];
}

test.each(SHIPPED)('$file keeps its words and its values when it is filled', (template) => {
  const filled = fillTemplate(template, { name: 'demo', language: 'en' });
  for (const word of wordsOf(template.text)) expect(filled).toContain(word);
  const { project, ...rest } = parseDocument(template.text).toJS();
  const expected = { project: { name: 'demo', ...project }, workspace: 'phase-dirs', ...rest };
  expect(parseDocument(filled).toJS()).toEqual(expected);
});

test.each(SHIPPED)('every word of $file has its German one, and German is used', (template) => {
  const words = wordsOf(template.text);
  expect(words.length).toBeGreaterThan(3);
  expect(words.filter((word) => !GERMAN.has(word))).toEqual([]);
  const filled = fillTemplate(template, { name: 'demo', language: 'de' });
  for (const word of words) expect(filled).toContain(GERMAN.get(word));
});

test('nothing is kept in German that no template says', () => {
  const said = new Set(SHIPPED.flatMap(({ text }) => wordsOf(text)));
  expect([...GERMAN.keys()].filter((word) => !said.has(word))).toEqual([]);
});

test.each([
  ['init', ['init', 'demo', '--lang', 'de']],
  ['new', ['new', 'demo', '--lang', 'de']],
])('%s writes a German project whose plan is right', (_command, args) => {
  const place = makePlace();
  expect(place.helix(args).code).toBe(0);
  expect(place.read('demo/phases.yaml')).toContain('name: "Anforderungsanalyse"');
  expect(place.read('demo/helix.yaml')).toMatch(/^language: de$/m);
  expect(place.helix(['plan', 'demo']).code).toBe(0);
});
