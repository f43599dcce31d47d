import { expect, it } from 'vitest';
import { samplePhase } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import type { Phase } from '../../domain/plan/plan.ts';
import { approver, gateContext, said } from '../gate/gates.fixture.ts';
import { verification } from './verification.ts';

const rungs = { onFailure: 'retry', maxRetries: 3 } as const;

async function judge(asked: ReturnType<typeof approver>, phase: Partial<Phase> = {}) {
  const dir = scratch({ 'output/a.ts': 'export {};\n', 'b.md': 'b' });
  return verification.judge({}, await gateContext(dir, { approver: asked, phase: samplePhase('one', phase) }));
}

it.each([
  ['approved', 'pass'],
  ['needs_revision', 'revise'],
  ['rejected', 'revise'],
] as const)('a verifier who says %s means %s', async (result, outcome) => {
  expect(said(await judge(approver({ result })))).toEqual([outcome]);
});

it('what it found goes to the next attempt, and an error outweighs its approval (S8)', async () => {
  const findings = [
    { severity: 'error' as const, check: 'expected-files', message: 'a.ts is empty', fingerprint: 'f' },
  ];
  expect(said(await judge(approver({ findings })))).toEqual(['revise', 'error: a.ts is empty']);
});

it('it is asked about the content of the files; that they are there and what each gate found is settled (R12)', async () => {
  const asked = approver();
  await judge(asked, {
    output: { directory: 'output', files: ['output/a.ts', 'b.md'] },
    gates: [
      { type: 'files_exist', settings: {}, ...rungs },
      { type: 'tests_pass', settings: { command: ['npm', 'test'], timeout: 60, baseline: true }, ...rungs },
      { type: 'syntax_check', settings: { files: ['*.ts'], language: 'typescript' }, ...rungs },
      { type: 'verification', settings: {}, ...rungs },
      { type: 'approval', settings: { approval_type: 'code' }, ...rungs },
    ],
  });
  expect(asked.asked).toEqual([
    {
      type: 'verification',
      role: 'verifier',
      files: ['output/a.ts', 'b.md'],
      found: [],
      criteria: ['these files have content that serves their purpose: output/a.ts, b.md'],
      settled: [
        { check: 'expected-files', words: 'all files that were to be delivered are there' },
        { words: 'the gate files_exist has passed' },
        { words: 'the gate tests_pass has passed, with command npm test; baseline true' },
        { words: 'the gate syntax_check has passed, with files *.ts; language "typescript"' },
      ],
    },
  ]);
});

it('a gate that has parsed all that was made settles the syntax', async () => {
  const asked = approver();
  await judge(asked, { gates: [{ type: 'files_exist_and_syntax', settings: {}, ...rungs }] });
  expect(asked.asked[0]?.settled?.map(({ check }) => check)).toEqual(['expected-files', 'syntax', undefined]);
});

it('without declared files it looks at what the phase changed', async () => {
  const asked = approver();
  await judge(asked);
  expect(asked.asked[0]).toMatchObject({
    files: ['output/a.ts'],
    criteria: ['the new or changed files below output have content that serves their purpose'],
  });
});

it('a declared file that is missing is said at no cost (S3)', async () => {
  const asked = approver();
  const output = { directory: 'output', files: ['output/none.ts'] };
  expect(said(await judge(asked, { output }))).toEqual(['revise', 'error: output/none.ts is missing']);
  expect(asked.asked).toEqual([]);
});

it('no answer is no opinion, and where nobody can be asked it says so', async () => {
  const cut = { kind: 'interrupted', failure: 'network', message: 'the line is dead' } as const;
  expect(await judge(approver(cut))).toEqual(cut);
  expect(said(await verification.judge({}, await gateContext(scratch({ 'output/a': 'a' }))))[0]).toBe('setup');
});

it('an answer that is none is the verifier’s failure, and not one of the work', async () => {
  const cut = { kind: 'interrupted', failure: 'schema', message: 'no, it is broken' } as const;
  expect(await judge(approver(cut))).toEqual(cut);
});
