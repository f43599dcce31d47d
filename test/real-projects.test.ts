import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Repository } from './repository.ts';

const TYPESCRIPT = {
  'package.json': '{ "name": "prices", "type": "module", "private": true, "scripts": { "test": "node --test" } }\n',
  'src/price.ts':
    'export function total(prices: number[]): number {\n  return prices.reduce((sum, price) => sum + price, 0);\n}\n',
  'test/price.test.ts': `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { total } from '../src/price.ts';

test('no prices cost nothing', () => {
  strictEqual(total([]), 0);
});

test('prices add up', () => {
  strictEqual(total([1, 2, 3]), 6);
});
`,
};

const PYTHON = {
  'pyproject.toml': '[project]\nname = "prices"\nversion = "1.0"\n',
  'prices/__init__.py': 'def total(prices):\n    return sum(prices)\n',
  'tests/__init__.py': '',
  'tests/test_total.py': `import unittest

from prices import total


class TotalTest(unittest.TestCase):
    def test_no_prices_cost_nothing(self):
        self.assertEqual(total([]), 0)

    def test_prices_add_up(self):
        self.assertEqual(total([1, 2, 3]), 6)
`,
};

/** Breaks the tests at its first attempt; at the second it mends what its brief names, and only if it does. */
function agent(broken: string, mended: string): string {
  return `brief="$(dirname "$0")/brief-$HELIX_ATTEMPT"
cp "$0.brief" "$brief"
if [ "$HELIX_ATTEMPT" = 1 ]; then ${broken}
elif grep -qi 'prices.add.up' "$brief"; then ${mended}; fi`;
}

describe.each([
  {
    language: 'TypeScript',
    files: TYPESCRIPT,
    gate: { type: 'tests_pass', command: ['npm', 'test'] },
    broken: 'sed -i "s/sum + price/sum - price/" src/price.ts',
    mended:
      'sed -i "s/sum - price/sum + price/" src/price.ts; echo "export const CURRENCY = \\"EUR\\";" >> src/price.ts',
    place: /test\/price\.test\.ts:1\d/,
    made: 'M src/price.ts',
  },
  {
    language: 'Python',
    files: PYTHON,
    gate: { type: 'tests_pass' },
    broken: 'echo "def total(prices): return -sum(prices)" > prices/__init__.py',
    mended: 'printf "def total(prices):\\n    return sum(prices)\\n\\n\\nCURRENCY = \\"EUR\\"\\n" > prices/__init__.py',
    place: /tests\/test_total\.py:1\d/,
    made: 'M prices/__init__.py',
  },
])('a real $language repository', ({ files, gate, broken, mended, place, made }) => {
  it('an agent that breaks the tests is told which ones and where, mends them, and its branch merges', async () => {
    const phases = [{ id: 'change', type: 'development', quality_gate: [gate, { type: 'syntax_check' }] }];
    const all = { ...files, '.gitignore': '__pycache__/\n' };
    const settings = { sandbox: 'auto' };
    const repository = new Repository({ files: all, phases, settings, agent: agent(broken, mended) });
    const before = repository.digest();
    const { code, said, events, run } = await repository.run();
    expect(code, said).toBe(0);
    expect(repository.digest()).toEqual(before);
    const judged = events.flatMap((event) => (event.type === 'attempt_judged' ? [event.data.verdicts] : []));
    expect(judged.map((verdicts) => verdicts.map(({ outcome }) => outcome))).toEqual([['reject'], ['pass', 'pass']]);
    expect(judged[0]?.[0]?.tests).toMatchObject({ total: 2, failed: [expect.stringMatching(/prices.add.up/)] });
    const brief = readFileSync(repository.beside('brief-2'), 'utf8');
    expect(brief).toMatch(/prices.add.up/);
    expect(brief).toMatch(place);
    expect(await repository.changed()).toEqual([made]);
    repository.git('merge', '-q', `helix/${run}`);
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});
