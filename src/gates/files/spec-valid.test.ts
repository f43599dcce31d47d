import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import { gateContext } from '../gate/gates.fixture.ts';
import { specValid } from './spec-valid.ts';

async function judged(text?: string) {
  const phase = { ...samplePhase('agree'), output: { directory: 'output', files: ['output/spec.yaml'] } };
  const files = text === undefined ? {} : { 'output/spec.yaml': text };
  const answer = await specValid.judge({ type: 'spec_valid' }, await gateContext(scratch(files), { phase }));
  if (answer.kind !== 'judged') throw new Error(answer.message);
  return { outcome: answer.outcome, findings: answer.findings.map(({ check, message }) => `${check}: ${message}`) };
}

it.each([
  ['at the top', 'goal: x\nacceptance_criteria:\n  - { id: C1, text: The page loads, check: open the page }\n'],
  [
    'below implementation, as the seeds have them',
    'meta: { id: "015", domain: web, language: python, type: feature, priority: high, tags: [a] }\nimplementation:\n  summary: s\n  files_to_create: [{ path: a.py }]\n  acceptance_criteria: [The page loads]\n  constraints: []\ncontext: {}\n',
  ],
])('a specification with criteria %s passes', async (_where, text) => {
  expect(await judged(text)).toEqual({ outcome: 'pass', findings: [] });
});

it.each([
  [undefined, 'spec_valid: output/spec.yaml is missing'],
  ['Here is the specification:\n```yaml\ngoal: x\n```\n', 'spec_valid: output/spec.yaml is no YAML'],
  ['- a\n- b\n', 'spec_valid: output/spec.yaml is not a map of YAML'],
  ['acceptance_criteria: all of them\n', 'spec_valid: output/spec.yaml: acceptance_criteria: Invalid input'],
  [
    'acceptance_criteria: [It is nice]\n',
    'uncheckable-criterion: number 1: whether something is "nice" is a matter of taste',
  ],
  [
    'acceptance_criteria: [The page loads]\nusers: "[NEEDS CLARIFICATION: who?]"\n',
    'needs-clarification: it is left open: users: "[NEEDS CLARIFICATION: who?]"',
  ],
  [`goal: ${'x'.repeat(300 * 1024)}\n`, 'spec_valid: output/spec.yaml is larger than 256 KB'],
])('%j does not', async (text, finding) => {
  const { outcome, findings } = await judged(text);
  expect(outcome).toBe('reject');
  expect(findings).toEqual([expect.stringContaining(finding)]);
});

it('a specification without criteria passes with a warning: nobody can tell whether its work is done', async () => {
  const finding = 'spec_valid: output/spec.yaml has no acceptance_criteria';
  expect(await judged('goal: x\n')).toEqual({ outcome: 'pass', findings: [finding] });
});
