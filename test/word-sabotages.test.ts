import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { plantIn } from './planted-bug.ts';
import { WORD_SABOTAGES } from './word-sabotages.ts';

const PAGE = 'docs/word-sabotages.md';
const HEAD = '| what must arrive | what is planted | the test that notices |\n|---|---|---|\n';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Tells whether a test file has a test of that name, if only as one line of a table. */
function isNamed(name: string, text: string): boolean {
  if (text.includes(name)) return true;
  const titles = [...text.matchAll(/^ *(?:\]\))?.*\(\s*(['"`])(.*%s.*)\1,/gm)].map(([, , title = '']) => title);
  return titles.some((title) => title.split('%s').every((part) => name.includes(part)));
}

it.each(WORD_SABOTAGES)('$what: there is one place to plant it, and the test that must notice is there', (bug) => {
  for (const planted of [bug, ...(bug.others ?? [])]) {
    const text = read(planted.file);
    expect(plantIn(text, planted)).not.toBe(text);
  }
  expect(isNamed(bug.by[1], read(bug.by[0])), bug.by.join(': ')).toBe(true);
});

it('a name that no test has is missed', () => {
  expect(isNamed('one is there', "it('one is there', () => {")).toBe(true);
  expect(isNamed('two of them are there', "it.each([1])('%s of them are there', () => {")).toBe(true);
  expect(isNamed('two of them are gone', "it.each([1])('%s of them are there', () => {")).toBe(false);
});

it('nothing is promised or planted twice', () => {
  for (const of of [({ promise }: (typeof WORD_SABOTAGES)[number]) => promise, ({ what }: { what: string }) => what])
    expect(new Set(WORD_SABOTAGES.map(of)).size).toBe(WORD_SABOTAGES.length);
});

it(`${PAGE} has this list as its table; HELIX_RECORD=1 writes it`, () => {
  const rows = WORD_SABOTAGES.map(({ promise, what, by }) => `| ${promise} | ${what} | \`${by[0]}\`: ${by[1]} |\n`);
  const [before = '', table] = read(PAGE).split(HEAD);
  expect(table).toBeDefined();
  const made = before + HEAD + rows.join('') + (table ?? '').replace(/^(?:\|.*\n)*/, '');
  if (process.env.HELIX_RECORD === '1') writeFileSync(join(ROOT, PAGE), made);
  expect(read(PAGE)).toBe(made);
});
