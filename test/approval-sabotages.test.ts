import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SABOTAGES } from './approval-sabotages.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

it.each(SABOTAGES)('$what: there is one place to plant it, and the test that must notice is there', ({
  file,
  find,
  by,
}) => {
  expect(read(file).split(find)).toHaveLength(2);
  const [test, name] = by;
  const parametrised = test.includes('scenarios') || test.includes('approval-key') || test.includes('approval-cache');
  if (!parametrised) expect(read(test)).toContain(name.replace('takes an entry that is ', ''));
});

it('docs/approval-sabotages.md lists all of them', () => {
  const rows = SABOTAGES.map(({ protection, what, by }) => `| ${protection} | ${what} | \`${by[0]}\`: ${by[1]} |`);
  const table = read('docs/approval-sabotages.md')
    .split('\n')
    .filter((line) => rows.includes(line));
  expect(table).toEqual(rows);
});
