import { expect, test } from 'vitest';
import type { SpecChange } from '../facts/run-state.ts';
import { acceptanceCriteria, amendedSpec, specChangeLines, standingAt } from './spec-changes.ts';

const adds = (path: string, ...texts: string[]): SpecChange => ({ path, by: 'consultant', adds: texts });
const puts = (path: string, instead: string | string[]): SpecChange => ({ path, by: 'human', instead });

test('acceptance criteria are one list, wherever they stand', () => {
  const both = { acceptance_criteria: ['a', 'b'], implementation: { acceptance_criteria: ['b', 'c'] } };
  expect(acceptanceCriteria(both)).toEqual(['a', 'b', 'c']);
  expect(acceptanceCriteria({ acceptance_criteria: 'only one' })).toEqual(['only one']);
  expect(acceptanceCriteria({ acceptance_criteria: [{ id: 'C1', text: 'opens' }, ''] })).toEqual(['opens']);
  expect(acceptanceCriteria('no map')).toEqual([]);
  expect(standingAt(['implementation', 'acceptance_criteria'], both)).toEqual(['a', 'b', 'b', 'c']);
});

test('what is added to the criteria goes where they stand, whatever the place is called', () => {
  const top = { acceptance_criteria: ['a'] };
  const added = [adds('implementation.acceptance_criteria', 'b', 'a')];
  expect(amendedSpec(top, added)).toEqual({ acceptance_criteria: ['a', 'b'] });
  expect(amendedSpec({ name: 'x' }, added)).toEqual({ name: 'x', implementation: { acceptance_criteria: ['b', 'a'] } });
  expect(top).toEqual({ acceptance_criteria: ['a'] });
});

test('what a human puts there stands in the place of what did, and criteria in both their places give way', () => {
  const spec = {
    priority: 'P1',
    acceptance_criteria: ['a'],
    implementation: { acceptance_criteria: ['b'], rows: '10' },
  };
  expect(amendedSpec(spec, [puts('priority', 'P2'), puts('acceptance_criteria', ['c'])])).toEqual({
    ...{ priority: 'P2', acceptance_criteria: ['c'], implementation: { rows: '10' } },
  });
  expect(amendedSpec(spec, [puts('implementation.acceptance_criteria', []), puts('nothing.there', [])])).toEqual({
    ...{ priority: 'P1', implementation: { rows: '10' } },
  });
});

test('an entry of a list is changed alone, and what is no map is kept beside what is added', () => {
  expect(amendedSpec({ list: ['a', 'b'] }, [puts('list.1', 'c')])).toEqual({ list: ['a', 'c'] });
  expect(amendedSpec({ list: ['a', 'b'] }, [puts('list.0', [])])).toEqual({ list: ['b'] });
  expect(amendedSpec('just words', [adds('more', 'x')])).toEqual({ specification: 'just words', more: ['x'] });
  expect(amendedSpec({ a: { b: 1 } }, [adds('a', 'x'), adds('a.b', 'y')])).toEqual({
    a: { b: [1, 'y'], notes: ['x'] },
  });
  expect(amendedSpec(undefined, [])).toBeUndefined();
});

test('no name reaches beyond the specification', () => {
  amendedSpec({}, [puts('__proto__.polluted', 'x'), puts('constructor.prototype.polluted', 'x')]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('each change is told with who decided it', () => {
  expect(specChangeLines([adds('a.b', 'x', 'y'), puts('c', 'z'), puts('d', [])])).toEqual([
    'a.b: x (added by a consultant)',
    'a.b: y (added by a consultant)',
    'c: z (a human put this in the place of what stood there)',
    'd: taken away by a human',
  ]);
});
