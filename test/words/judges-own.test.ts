import { expect, it } from 'vitest';
import { ToldProject } from './told-project.ts';

const EVIDENCE = { file: 'letter.md', line: 1, quote: 'Dear Ada, thank you.' };
const pass = (id: string) => ({ id, outcome: 'pass', evidence: [EVIDENCE] });
const OPINION = { findings: [], recommendations: [], result: 'approved', confidence: 0.9 };
const LEAVES_OUT = { ...OPINION, checks: [pass('kind')] };
const APPROVES = { ...OPINION, checks: [pass('kind'), pass('short')] };
const ONE = { severity: 'error', check: 'kind', message: 'QUOLL-FINDING', evidence: EVIDENCE };
const OBJECTS = {
  ...{ ...OPINION, result: 'rejected', findings: [ONE] },
  checks: [{ id: 'kind', outcome: 'fail', evidence: [EVIDENCE] }],
};
const DEFINITION = {
  'approvals/tone/CLAUDE.md': '# Tone\n\nIs it kind?\n',
  'approvals/tone/checks/kind.md': '# Kind\n\nNo insult.\n',
  'approvals/tone/checks/short.md': '# Short\n\nOne page.\n',
};

function project(answers: readonly unknown[], files: Readonly<Record<string, string>> = {}): ToldProject {
  return new ToldProject({
    phases: [
      {
        id: 'write',
        type: 'documentation',
        output: ['letter.md'],
        quality_gate: { type: 'approval', approval_type: 'tone' },
      },
    ],
    script: { write: [{ writes: { 'letter.md': 'Dear Ada, thank you.\n' } }] },
    approvals: { tone: answers.map((answer) => ({ answer })) },
    files: { 'request.md': 'Write a letter.\n', ...DEFINITION, ...files },
  });
}

const sentTo = ({ sent }: ToldProject, role: string) => sent.filter((each) => each.role === role);

it('a judge that leaves a check out is asked again, and the author is not', async () => {
  const told = project([LEAVES_OUT, APPROVES]);
  expect((await told.start()).ended?.status).toBe('passed');
  expect(sentTo(told, 'creator')).toHaveLength(1);
  expect(sentTo(told, 'reviewer')).toHaveLength(2);
});

it('where judges are not to be asked again a human is, in plain words', async () => {
  const told = project([LEAVES_OUT], { 'config/approvals.yaml': 'defaults: { retry_on_failure: false }\n' });
  const { requests } = await told.start();
  expect(sentTo(told, 'creator')).toHaveLength(1);
  expect(sentTo(told, 'reviewer')).toHaveLength(1);
  expect([...requests.values()][0]?.question).toContain('the check short is not answered');
  expect([...requests.values()][0]?.question).not.toContain('schema');
});

it('of an answer that objects and leaves a check out the author is told the objection alone', async () => {
  const told = project([OBJECTS, APPROVES]);
  await told.start();
  const brief = sentTo(told, 'creator').at(-1)?.brief;
  expect(brief).toContain('QUOLL-FINDING');
  expect(brief).not.toContain('is not answered');
});
