import { expect, test } from 'vitest';
import { applyBaseline, fingerprintOf, parseBaseline, updateBaseline } from './baseline.ts';
import type { AdrFinding } from './document/adr.ts';

const finding = (message: string, line = 1): AdrFinding => ({
  severity: 'error',
  check: 'empty-section',
  message,
  layer: 1,
  location: { file: 'a.md', line, column: 1 },
});
const never = () => false;

test.each([
  ['it has 30 characters', 'it has 31 characters', true],
  ['the same as in line 7', 'the same as in line 12', true],
  ['nearest is "A" (similarity 0.29)', 'nearest is "A" (similarity 0.4)', true],
  ['"A" of the concept (c.md:7) is lost', '"A" of the concept (c.md:9) is lost', true],
  ['there is no ADR-12', 'there is no ADR-13', false],
  ['there is no "0012"', 'there is no "0013"', false],
  ['unknown status "done"', 'unknown status "open"', false],
])('"%s" and "%s" are the same finding: %s', (one, other, same) => {
  expect(fingerprintOf(finding(one)) === fingerprintOf(finding(other))).toBe(same);
});

test('of two findings of one kind, a baseline that knows one leaves the other', () => {
  const before = updateBaseline([{ path: 'a.md', findings: [finding('empty', 3)] }], undefined, never);
  const now = [{ path: 'a.md', findings: [finding('empty', 9), finding('empty', 20)] }];
  const { checks, known, stale } = applyBaseline(now, before, never);
  expect({ known, stale }).toEqual({ known: 1, stale: [] });
  expect(checks[0]?.findings.map(({ location }) => location?.line)).toEqual([20]);
});

test('what is known in one file is new in another, and what is gone is told with its number', () => {
  const twice = [{ path: 'a.md', findings: [finding('empty'), finding('empty')] }];
  const before = updateBaseline(twice, undefined, never);
  const { checks, stale } = applyBaseline(
    [
      { path: 'a.md', findings: [finding('empty')] },
      { path: 'b.md', findings: [finding('empty')] },
    ],
    before,
    never,
  );
  expect(checks.map(({ findings }) => findings.length)).toEqual([0, 1]);
  expect(stale).toMatchObject([{ path: 'a.md', count: 1 }]);
});

test('entries of files that were not checked are neither stale nor dropped, unless the file is gone', () => {
  const before = updateBaseline([{ path: 'a.md', findings: [finding('empty')] }], undefined, never);
  expect(applyBaseline([], before, never).stale).toEqual([]);
  expect(applyBaseline([], before, () => true).stale).toHaveLength(1);
  expect(updateBaseline([], before, never)).toEqual(before);
  expect(updateBaseline([], before, () => true).findings).toEqual([]);
});

test('the bytes of a baseline do not depend on the order of what is found', () => {
  const [a, b] = ['a.md', 'b.md'].map((path) => ({ path, findings: [finding('two'), finding('one')] }));
  if (a === undefined || b === undefined) throw new Error('two files');
  const turned = [b, a].map(({ path, findings }) => ({ path, findings: findings.toReversed() }));
  expect(updateBaseline([a, b], undefined, never)).toEqual(updateBaseline(turned, undefined, never));
});

test.each([
  '',
  '[]',
  '{"schema":"helix.adr-baseline/1"}',
  '{"schema":"helix.adr-baseline/1","findings":[{"path":1}]}',
])('%s is no baseline', (text) => {
  expect(parseBaseline(text)).toBeUndefined();
});
