import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SABOTAGES } from './approval-sabotages.ts';
import { plantIn } from './planted-bug.ts';

const PAGE = 'docs/approval-sabotages.md';
const HEAD = '| protection | what is disabled | the test that notices |\n|---|---|---|\n';
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

it.each(SABOTAGES)('$what: there is one place to plant it, and the test that must notice is there', (bug) => {
  const text = read(bug.file);
  expect(plantIn(text, bug)).not.toBe(text);
  const [test, name] = bug.by;
  const parametrised = test.includes('scenarios') || test.includes('approval-key') || test.includes('approval-cache');
  if (!parametrised) expect(read(test)).toContain(name.replace('takes an entry that is ', ''));
});

it('a place to plant a bug is found whatever white space is in it, and only if there is no other one', () => {
  const bug = { what: '', file: 'a.ts', find: 'if (a > 1) return b;', plant: 'c;', by: ['', ''] } as const;
  expect(plantIn('x;\n  if (\n    a > 1\n  )\n    return b;\ny;\n', bug)).toBe('x;\n  c;\ny;\n');
  expect(() => plantIn('if (a > 1) return b; if (a > 1)\n  return b;', bug)).toThrow('exactly once');
  expect(() => plantIn('if (a > 2) return b;', bug)).toThrow('exactly once');
});

it(`${PAGE} has this list as its table; HELIX_RECORD=1 writes it`, () => {
  const rows = SABOTAGES.map(({ protection, what, by }) => `| ${protection} | ${what} | \`${by[0]}\`: ${by[1]} |\n`);
  const [before = '', table] = read(PAGE).split(HEAD);
  expect(table).toBeDefined();
  const made = before + HEAD + rows.join('') + (table ?? '').replace(/^(?:\|.*\n)*/, '');
  if (process.env.HELIX_RECORD === '1') writeFileSync(join(ROOT, PAGE), made);
  expect(read(PAGE)).toBe(made);
});
