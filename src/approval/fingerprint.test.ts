import { expect, it } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

const finding = { check: 'security', message: 'injection at line 12', file: 'src/db.ts', evidence: 'run(name)' };

it('a finding keeps its name when its words move, are spaced or told otherwise', () => {
  const name = fingerprintOf(finding);
  expect(name).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprintOf({ ...finding, message: 'another way to say it' })).toBe(name);
  expect(fingerprintOf({ ...finding, evidence: '  RUN(name)\n' })).toBe(name);
});

it.each([
  { check: 'tests' },
  { file: 'src/a.ts' },
  { evidence: 'run(id)' },
])('a finding about %j has another name', (over) => {
  expect(fingerprintOf({ ...finding, ...over })).not.toBe(fingerprintOf(finding));
});

it('without evidence the message names it, whatever numbers are in it', () => {
  const at = (message: string) => fingerprintOf({ check: 'tests', message });
  expect(at('Line 12:  no test')).toBe(at('line 7: no test'));
  expect(at('no test')).not.toBe(at('no tests'));
});
