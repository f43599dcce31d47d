import { describe, expect, it } from 'vitest';
import { missing, samplePhase, samplePlan, verdict } from '../../test/sample-run.ts';
import type { SpecChange } from '../domain/facts/run-state.ts';
import { type BriefSource, briefFacts } from './brief-facts.ts';
import { findingLines } from './feedback.ts';
import { objectionLine, wordsBeside } from './objection.ts';
import { quote } from './quote.ts';

const say = (english: string, values: Readonly<Record<string, string | number>> = {}) =>
  english.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

function factsWith(change: Partial<BriefSource>) {
  const phase = samplePhase('a');
  const none = { attempt: 2, maxAttempts: 3, inputs: [], verdicts: [], guidance: [] };
  return briefFacts({ plan: samplePlan([phase]), phase, ...none, ...change });
}

it.each([
  'phase-dirs',
  'repo',
] as const)('in %s what an earlier phase made is named by a path the reader has', (mode) => {
  const phases = ['one', 'two', 'three'].map((id) => samplePhase(id));
  const [, , phase = samplePhase('three')] = phases;
  const from = { phase: 'two', tree: 't', path: 'output/x.md' };
  const inputs = [{ path: 'input/two/output/x.md', digest: 'd', from }];
  const plan = samplePlan([...phases.slice(0, 2), { ...phase, dependsOn: ['one', 'two'] }], {
    workspace: { mode } as never,
  });
  const { before } = factsWith({ plan, phase: { ...phase, dependsOn: ['one', 'two'] }, inputs }).place;
  expect(before).toEqual(
    mode === 'repo'
      ? ['`one` (development), which made `output/x.md`', '`two` (development), which made `output/x.md`']
      : ['`one` (development)', '`two` (development), which made `input/two/output/x.md`'],
  );
});

describe('nothing stands twice in a brief', () => {
  it('findings that are listed in full are left out of the words that came back with the work', () => {
    const verdicts = [verdict('reject', [missing('a.md'), missing('b.md')])];
    const lines = verdicts.flatMap(({ findings }) => findings).map((finding) => objectionLine(finding, say));
    const rejection = `Please mend:\n\n${quote(lines.join('\n'))}\n\nThank you.`;
    expect(wordsBeside(rejection, verdicts)).toBe('Please mend:\n\n(listed above)\n\nThank you.');
    const own = `Not approved.\n\nIt objects to this:\n\n${quote(lines.join('\n'))}\n\nIt suggests:\n\n${quote('- more')}\n`;
    expect(wordsBeside(own, verdicts)).toBe(`Not approved.\n\nIt suggests:\n\n${quote('- more')}`);
    const { feedback } = factsWith({ verdicts, rejection });
    expect(`${feedback.findings}${feedback.rejection}`.split('a.md is missing')).toHaveLength(2);
    expect(wordsBeside(rejection, [])).toBe(rejection);
  });

  it('findings that are listed in full are left out of why the run went back', () => {
    const named = (file: string) => ({ ...missing(file), fingerprint: file });
    const verdicts = [verdict('reject', [named('a.md')])];
    const why = { by: 'consultant', from: 'a', target: 'b', reason: 'ZEBRA-REASON' } as const;
    const returns = [{ ...why, verdicts: [verdict('reject', [named('a.md'), named('b.md')])] }];
    const { feedback } = factsWith({ verdicts, returns });
    expect(`${feedback.findings}${feedback.returned}`.split('a.md is missing')).toHaveLength(2);
    expect(feedback.returned).toMatch(/ZEBRA-REASON[\s\S]*b\.md is missing/);
  });

  it('a change of the specification that can be read in its text is not listed as well', () => {
    const added: SpecChange = { path: 'acceptance_criteria', by: 'human', adds: ['ZEBRA-CRITERION'] };
    const gone: SpecChange = { path: 'notes', by: 'human', instead: [] };
    const text = 'acceptance_criteria:\n  - ZEBRA-CRITERION\n';
    const told = factsWith({ spec: { text, changed: true }, specChanges: [added, gone] });
    expect(told.spec?.text).toContain('ZEBRA-CRITERION');
    expect(told.consultant.spec).toBeNull();
    const replaced: SpecChange = { path: 'acceptance_criteria', by: 'consultant', adds: ['ZEBRA-REPLACED'] };
    expect(factsWith({ spec: { text, changed: true }, specChanges: [replaced, added] }).consultant.spec).toBeNull();
    const unread = { text: 'no: [yaml', changed: true, readable: false };
    expect(factsWith({ spec: unread, specChanges: [replaced] }).consultant.spec).toContain('ZEBRA-REPLACED');
    const long = `${'about: x\n'.repeat(4000)}${text}`;
    const part = factsWith({ spec: { text: long, changed: true }, specChanges: [added, gone] });
    expect(part.consultant.spec).toContain('taken away by a human');
    expect(factsWith({ specChanges: [added] }).consultant.spec).toContain('ZEBRA-CRITERION');
  });

  it('a place that the message itself names is not named before it', () => {
    const finding = (message: string) => ({ severity: 'error' as const, check: 'c', message });
    const location = { file: 'src/a.ts', line: 3 };
    const lines = (message: string) => findingLines([verdict('reject', [{ ...finding(message), location }])]);
    expect(lines('src/a.ts:3 is odd')).toEqual(['- error (c): src/a.ts:3 is odd']);
    expect(lines('something is odd')).toEqual(['- error (c) at src/a.ts:3: something is odd']);
  });
});
