import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LADDER_SABOTAGES } from './ladder-sabotages.ts';
import { expectNoticed, plantIn } from './planted-bug.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

it.each(LADDER_SABOTAGES)('$what: there is one place to plant it, and the test that must notice is there', (bug) => {
  const text = read(bug.file);
  expect(plantIn(text, bug)).not.toBe(text);
  expect(read(bug.by[0])).toContain(bug.by[1]);
});

it.each(LADDER_SABOTAGES.filter(({ always }) => always))('$what is noticed by the test that is named for it', (bug) => {
  expectNoticed(bug);
});
