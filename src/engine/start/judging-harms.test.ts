import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { samplePhase, samplePlan } from '../../../test/sample-start.ts';
import { readShippedConfig } from '../../adapters/disk/shipped-config.ts';
import type { EscalationFile } from '../../domain/plan/escalation-file.ts';
import { DEFAULT_ESCALATION } from '../../domain/plan/escalation-settings.ts';
import { judgingHarms } from './judging-harms.ts';

const JUDGES = { reviewer: 'wise', verifier: 'default', consultant: 'default' };
const PLAN = samplePlan([
  samplePhase('work'),
  samplePhase('look', { type: 'review', dependsOn: ['work'], agent: 'wise' }),
]);

function linesWith(models: readonly string[], fixed = false): string[] {
  const consultant = { ...DEFAULT_ESCALATION.consultant, models: [...models] };
  const judges = { ...JUDGES, ...(fixed && { fixed: true as const }) };
  return judgingHarms({ plan: PLAN, judges, escalation: { ...DEFAULT_ESCALATION, consultant }, agents: { wise: {} } });
}

it('the models HELIX ships for a consultant, and agents, which have lines of their own, are none that a project chose', () => {
  const { escalation } = parse(readShippedConfig('escalation.yaml').text) as EscalationFile;
  const shipped = escalation?.levels?.stufe_1?.actions?.flatMap(({ models = [] }) => models) ?? [];
  expect(shipped).not.toEqual([]);
  expect(linesWith([...shipped, 'wise'])).toEqual(linesWith([]));
  expect(linesWith(['tiny'])).toContain('a consultant may let the model tiny take over');
});

it('whom the user names for everything has no role', () => {
  expect(linesWith([])).toEqual(['looks at work: look (review) of work', 'role of phase look: wise']);
  expect(linesWith([], true)).toEqual(['looks at work: look (review) of work']);
});
