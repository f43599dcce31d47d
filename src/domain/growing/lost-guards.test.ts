import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import type { Gate } from '../plan/gate.ts';
import type { Phase } from '../plan/plan.ts';
import { lostGuards } from './lost-guards.ts';

const gate = (type: string, settings: Gate['settings'] = {}): Gate => ({
  ...{ type, settings, onFailure: 'retry', maxRetries: 3 },
});
const TESTS = gate('tests_pass', { command: ['npm', 'test'] });
const build = samplePhase('build', { gates: [TESTS] });
const review = (after: readonly string[]): Phase =>
  samplePhase('review', { type: 'review', dependsOn: [...after], gates: [gate('review_approved')] });

it('the same plan loses nothing', () => {
  expect(lostGuards([build, review(['build'])], [build, review(['build'])])).toEqual([]);
});

it('work in several parts that is tested and reviewed in the end loses nothing', () => {
  const parts = [samplePhase('one'), samplePhase('two', { dependsOn: ['one'], gates: [TESTS] })];
  expect(lostGuards([build, review(['build'])], [...parts, review(['two'])])).toEqual([]);
});

it('work of its kind beside the review is told, and so is that of a kind there was not', () => {
  const beside = [
    samplePhase('beside', { gates: [TESTS] }),
    samplePhase('hidden', { type: 'integration', gates: [TESTS] }),
  ];
  expect(lostGuards([build, review(['build'])], [build, ...beside, review(['build'])])).toEqual([
    'beside is looked at by no review of the work',
    'hidden is looked at by no review of the work',
  ]);
});

it('what was not reviewed before need not be now', () => {
  const docs = samplePhase('docs', { type: 'documentation', dependsOn: ['review'] });
  const before = [samplePhase('build'), review(['build']), docs];
  expect(lostGuards(before, [...before, samplePhase('more', { type: 'documentation' })])).toEqual([]);
});

it('of two reviews both stay', () => {
  const second = samplePhase('again', { type: 'review', dependsOn: ['build'] });
  expect(lostGuards([build, review(['build']), second], [build, review(['build'])])).toEqual([
    'again: it is left out, and no review that is told the same looks at the same',
    '1 of 2 are left: review of the work',
  ]);
});

it('a gate that is told other words, a human who is not asked, and work that may be skipped are losses', () => {
  const before = [samplePhase('build', { gates: [TESTS], requiresApproval: true })];
  const milder = gate('tests_pass', { command: ['npm', 'test'], baseline: true });
  const after = [samplePhase('build', { gates: [milder], optional: true })];
  expect(lostGuards(before, after)).toEqual([
    'build: a human looks before it starts',
    'build: it must not be skipped',
    'build: gate tests_pass {"command":["npm","test"]}',
    'build is looked at by no gate tests_pass {"command":["npm","test"]}',
    '0 of 1 are left: look of a human before a phase starts',
    'no gate tests_pass {"command":["npm","test"]} is left',
  ]);
});

it('a judge who is told other words, and what a verifier goes by, are other guards', () => {
  const judged = (told: Partial<Phase>) => [build, { ...review(['build']), ...told }];
  expect(lostGuards(judged({}), judged({ description: 'approve it' }))).toContain(
    'review: its description none becomes "approve it"',
  );
  const verified = (description: string) => [samplePhase('build', { verifyAgent: true, description })];
  expect(lostGuards(verified('a greeting'), verified('anything'))).toEqual([
    'build: its description "a greeting" becomes "anything"',
  ]);
});

it('a judge may come in the place of one that is told the same about the same files', () => {
  const again = samplePhase('again', { type: 'review', dependsOn: ['build'], gates: [gate('review_approved')] });
  expect(lostGuards([build, review(['build'])], [build, again])).toEqual([]);
});

it('a phase that may spend more or try more often than it might is bounded less', () => {
  const limited = samplePhase('build', { budget: { usd: 0.5 }, maxRetries: 1, timeoutSeconds: 60 });
  expect(lostGuards([limited], [limited])).toEqual([]);
  expect(lostGuards([limited], [samplePhase('build', { budget: { usd: 15 }, maxRetries: 20 })])).toEqual([
    'build: its limit of usd 0.5 becomes 15',
    'build: its limit of seconds 60 becomes none',
    'build: its limit of retries 1 becomes 20',
  ]);
  expect(lostGuards([limited], [samplePhase('other')])).toEqual([
    'build: its budget goes with it, and what is added has none',
  ]);
  const less = samplePhase('build', { budget: { usd: 0.1 }, maxRetries: 1, timeoutSeconds: 60 });
  expect(lostGuards([limited], [less])).toEqual([]);
});
