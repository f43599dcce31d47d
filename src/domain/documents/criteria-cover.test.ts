import { describe, expect, it } from 'vitest';
import type { Phase } from '../plan/plan.ts';
import { criteriaIn } from './check-criteria.ts';
import { coverOf, uncoveredOf, unknownIds, unownedOf } from './criteria-cover.ts';

const CRITERIA = criteriaIn({
  acceptance_criteria: [
    'C1: keeps umlauts',
    { id: 'C2', text: 'an empty table is an empty file' },
    'It is documented.',
  ],
});

type Written = { type?: Phase['type']; description?: string; gates?: readonly { type: string; criteria?: string[] }[] };

function phase(id: string, { type = 'development', description, gates = [] }: Written): Phase {
  const full = gates.map((gate) => ({ settings: {}, onFailure: 'retry', maxRetries: 3, ...gate }));
  return { id, name: id, type, config: {}, gates: full, ...(description !== undefined && { description }) } as never;
}

const idsOf = (criteria: readonly { id: string }[]) => criteria.map(({ id }) => id);

describe('a criterion', () => {
  it('is known by its id, written beside its text or before it', () => {
    expect(CRITERIA).toEqual([
      { id: 'C1', text: 'keeps umlauts' },
      { id: 'C2', text: 'an empty table is an empty file' },
      { id: 'number 3', text: 'It is documented.' },
    ]);
  });

  it('belongs to the phase whose gate names it, and to the one whose words do', () => {
    const phases = [
      phase('talk', { type: 'meeting', description: 'agree on C1' }),
      phase('build', { gates: [{ type: 'files_exist' }, { type: 'tests_pass', criteria: ['C1'] }] }),
      phase('edges', { description: 'sees to C2, not to C20' }),
    ];
    expect(coverOf(CRITERIA, phases).map(({ phases: owners, gates }) => [owners, gates])).toEqual([
      [['build'], [{ phase: 'build', gate: 'tests_pass', place: 1 }]],
      [['edges'], []],
      [[], []],
    ]);
  });

  it('is looked at by every judge of the work, and by none of the specification', () => {
    const judged = [phase('build', { gates: [{ type: 'verification' }] })];
    const agreed = [phase('talk', { type: 'meeting', gates: [{ type: 'approval' }] }), phase('build', {})];
    expect(uncoveredOf(coverOf(CRITERIA, judged))).toEqual([]);
    expect(idsOf(uncoveredOf(coverOf(CRITERIA, agreed)))).toEqual(['C1', 'C2', 'number 3']);
  });

  it('is nobody’s where others are somebody’s, and no judge looks at all of the work', () => {
    const tested = phase('build', { gates: [{ type: 'tests_pass', criteria: ['C1'] }] });
    const review = phase('review', { type: 'review', gates: [{ type: 'review_approved' }] });
    expect(idsOf(unownedOf(coverOf(CRITERIA, [tested])))).toEqual(['C2']);
    expect(unownedOf(coverOf(CRITERIA, [tested, review]))).toEqual([]);
    expect(unownedOf(coverOf(CRITERIA, [phase('build', {})]))).toEqual([]);
  });

  it('that a gate names and nobody has written is told; free words are no ids', () => {
    const build = phase('build', { gates: [{ type: 'custom', criteria: ['C1', 'C7', 'all tests are green'] }] });
    expect(unknownIds(CRITERIA, [build])).toEqual([{ id: 'C7', at: { phase: 'build', gate: 'custom', place: 0 } }]);
  });
});
