import { expect, it } from 'vitest';
import { helix } from '../helix-process.ts';
import { ToldProject } from './told-project.ts';

const EVIDENCE = { file: 'letter.md', line: 1, quote: 'Dear Ada, thank you.' };
const OPINION = { recommendations: [], confidence: 0.9 };
const checks = (outcome: string) => [
  ...['expected-files', 'syntax'].map((id) => ({ id, outcome: 'pass', evidence: [EVIDENCE] })),
  { id: 'gate-criteria', outcome, evidence: [EVIDENCE] },
];
const WRONG = { severity: 'error', check: 'gate-criteria', message: 'WOMBAT-FINDING', evidence: EVIDENCE };
const DOUBTS = { answer: { ...OPINION, checks: checks('fail'), findings: [WRONG], result: 'rejected' } };
const CONFIRMS = { answer: { ...OPINION, checks: checks('pass'), findings: [], result: 'approved' } };

it.each([
  'phase-dirs',
  'repo',
])('what HELIX laid there for an agent is no change of the agent (%s)', async (workspace) => {
  const write = (more: string) => ({ writes: { 'letter.md': `Dear Ada, thank you.\n${more}` } });
  const project = new ToldProject({
    phases: [{ id: 'write', type: 'documentation', output: ['letter.md'], verify_agent: true }],
    plan: { workspace },
    script: { write: [write(''), write('Yours, Bo.\n')] },
    approvals: { verification: [DOUBTS, CONFIRMS] },
    files: { 'request.md': 'Write a letter.\n', 'repository/README.md': 'Letters.\n' },
  });
  const state = await project.start();
  expect(state.ended?.status).toBe('passed');
  expect(project.sent.filter(({ role }) => role === 'creator')[1]?.files).toHaveProperty('feedback.md');
  const shown = await helix(['diff', project.run, 'write', '--attempt', '2'], { cwd: project.dir });
  expect(shown.stdout).toContain('+Yours, Bo.');
  expect(shown.stdout).not.toContain('feedback.md');
});

it('a review in phase-dirs is told where the project around its inputs lies', async () => {
  const project = new ToldProject({
    phases: [
      { id: 'write', type: 'documentation', output: ['letter.md'] },
      {
        ...{ id: 'check', type: 'review', input: { from_phase: 'write', files: ['letter.md'] } },
        output: ['output/review.json'],
        quality_gate: { type: 'review_approved' },
      },
    ],
    settings: { agents: { default: { driver: 'claude-code' } } },
    files: { 'request.md': 'Write a letter.\n' },
  });
  const { stdout } = await helix(['brief', 'check'], { cwd: project.dir });
  expect(stdout).toContain('The project that the work belongs to lies in its folder `project`.');
});
