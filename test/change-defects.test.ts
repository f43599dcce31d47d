import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseDefects } from '../src/approval/calibration/parse-defects.ts';

const FOLDER = join(import.meta.dirname, '../approvals/change');
const PATH = join(FOLDER, 'defects.yaml');
const CHECKS = readdirSync(join(FOLDER, 'checks')).map((name) => name.replace(/\.md$/, ''));
const { defects, findings } = parseDefects(readFileSync(PATH, 'utf8'), PATH, CHECKS);

const SAMPLES = {
  js: `export function last(items) {
  if (items.length === 0) throw new Error('empty');
  while (items.length <= 2) break;
  if (items === undefined) {
    throw new Error('none');
  }
  return items[items.length - 1];
}
test('last', () => {
  expect(last([1])).toBe(1);
});
`,
  node: "test('last', () => {\n  assert.strictEqual(last([1]), 1);\n});\n",
  py: `def last(items):
    if len(items) == 0:
        raise ValueError("empty")
    while len(items) <= 2:
        break
    return items[-1]


def test_last():
    assert last([1]) == 1
`,
} as const;

it('the defects of the approval type change are well-formed, and each check has some', () => {
  expect(findings).toEqual([]);
  expect([...new Set(defects.map(({ check }) => check))].sort()).toEqual(CHECKS.toSorted());
});

it.each(
  defects.map((defect) => [defect.id, defect] as const),
)('%s is planted once in code it is meant for', (id, defect) => {
  const kind = (/-(js|node|py)$/.exec(id)?.[1] ?? 'js') as keyof typeof SAMPLES;
  const clean = SAMPLES[kind];
  const planted = defect.plant(clean);
  expect(planted).toBeDefined();
  const added = (planted ?? '').split('\n').filter((line) => !clean.split('\n').includes(line));
  expect(added.length).toBeGreaterThan(0);
  expect(added.length).toBeLessThanOrEqual(2);
});
