import { expect, it } from 'vitest';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { workMeter } from '../../../test/work-meter.ts';
import { followersOf, phasesAfter, phasesBefore } from './plan-graph.ts';

const DIAMOND = samplePlan([
  samplePhase('a'),
  samplePhase('b', { dependsOn: ['a'] }),
  samplePhase('c', { dependsOn: ['a'] }),
  samplePhase('d', { dependsOn: ['c', 'b'] }),
  samplePhase('alone'),
]);

it.each([
  ['a', [], ['b', 'c', 'd']],
  ['b', ['a'], ['d']],
  ['d', ['a', 'b', 'c'], []],
  ['alone', [], []],
  ['not there', [], []],
])('of a phase %s all that it builds on and all that builds on it, in the order of the plan', (id, before, after) => {
  const names = (phases: readonly { id: string }[]) => phases.map((phase) => phase.id);
  expect(names(phasesBefore({ id }, DIAMOND))).toEqual(before);
  expect(names(phasesAfter({ id }, DIAMOND))).toEqual(after);
  expect([...followersOf(id, DIAMOND)].sort()).toEqual([...after, id].sort());
});

it('a circle has an end', () => {
  const circle = samplePlan([samplePhase('a', { dependsOn: ['b'] }), samplePhase('b', { dependsOn: ['a'] })]);
  expect([...followersOf('a', circle)].sort()).toEqual(['a', 'b']);
  expect(phasesBefore({ id: 'a' }, circle).map(({ id }) => id)).toEqual(['b']);
});

it('a plan in the place of another is looked at anew', () => {
  const [a, b] = DIAMOND.phases;
  expect(followersOf('a', DIAMOND).size).toBe(4);
  expect(followersOf('a', { phases: a && b ? [a, b] : [] }).size).toBe(2);
});

it('in a chain of a thousand phases each step is looked at once for each phase', () => {
  const chain = Array.from({ length: 1000 }, (_, n) =>
    samplePhase(`p${n}`, { dependsOn: n === 0 ? [] : [`p${n - 1}`] }),
  );
  const plan = samplePlan(chain);
  const work = workMeter();
  for (const phase of chain) expect(phasesBefore(phase, plan).length + phasesAfter(phase, plan).length).toBe(999);
  expect(work()).toBeLessThan(500);
});
