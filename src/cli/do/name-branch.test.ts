import { expect, test } from 'vitest';
import { sanitise } from '../../text/sanitise.ts';
import { slugOf } from './name-branch.ts';

test.each([
  ['the CSV export loses umlauts; add a test for it', 'csv-export-loses-umlauts'],
  ['Größe in README fehlt', 'grosse-readme-fehlt'],
  ['Fix: login. Please!', 'fix-login'],
  ['修复 导出', '修复-导出'],
  ['it is', 'change'],
  [`rename ${'x'.repeat(100)}`, 'rename'],
  ['x'.repeat(100), 'x'.repeat(40)],
  ['a/b..c~d^e:f', 'b-c-d-e-f'],
  ['-rf --force', 'rf-force'],
  [sanitise('turn \u202eround the arrow\u200b'), 'turn-round-arrow'],
])('the branch of %j is named %j', (task, slug) => {
  expect(slugOf(task)).toBe(slug);
});
