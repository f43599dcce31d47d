import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EvidenceDocument } from '../src/domain/documents/evidence-document.ts';
import { FILES, FIX, plain, script, TASK } from './do-repository.ts';
import type { Repository } from './repository.ts';

const FIRST = 'export const sum = (a, b) => Number(a) + Number(b); // first try';
const quoting = (quote: string, outcome: 'pass' | 'fail', id: string) => ({
  ...{ id, outcome },
  evidence: [{ file: 'sum.js', line: 1, quote, ...(id === 'task' && { shows: TASK }) }],
});
/** A judge that has one objection to the first try. */
const REJECTION = {
  ...{ result: 'rejected', confidence: 0.95, recommendations: [] },
  checks: ['task', 'correctness', 'tests', 'safety'].map((id) =>
    quoting(FIRST, id === 'correctness' ? 'fail' : 'pass', id),
  ),
  findings: [
    {
      ...{ severity: 'error', check: 'correctness', message: 'sum(null, 1) gives 1 and should throw' },
      evidence: { file: 'sum.js', line: 1, quote: FIRST },
    },
  ],
};
/** A judge whose quotation says too little. */
const NO_EVIDENCE = {
  ...{ result: 'approved', confidence: 0.95, recommendations: [], findings: [] },
  checks: ['task', 'correctness', 'tests', 'safety'].map((id) => quoting('=>', 'pass', id)),
};
const FAILING = "import { test } from 'node:test';\ntest('zero', () => { throw new Error('no'); });\n";
const TRIED = { 'sum.js': `${FIRST}\n`, 'test/adds.test.js': FIX['test/adds.test.js'] };

type Moves = { readonly change: readonly Record<string, unknown>[]; readonly judge?: readonly unknown[] };

/** The task comes to a question, and a human accepts the work as it is. */
async function accepted({ change, judge = [] }: Moves): Promise<Accepted> {
  const repository = plain();
  const approvals = { approvals: { change: judge.map((answer) => ({ answer })) } };
  const moves = { phases: { change }, ...(judge.length > 0 && approvals) };
  const asked = await repository.helix(['do', TASK, '--trust', ...script(repository, moves)]);
  expect({ code: asked.code, said: asked.stdout + asked.stderr }).toMatchObject({ code: 3 });
  const waiting = await evidenceOf(repository);
  const option = (await repository.journaled()).state?.requests.values().next().value?.options;
  const accept = option?.find(({ decision }) => decision.action === 'accept')?.id ?? '';
  const end = await repository.helix(['decide', accept, '--comment', 'good enough']);
  expect({ code: end.code, said: end.stderr }).toMatchObject({ code: 0 });
  const text = (await repository.helix(['evidence'])).stdout;
  return { repository, end: end.stdout, waiting, evidence: await evidenceOf(repository), text };
}

type Accepted = {
  readonly repository: Repository;
  readonly end: string;
  readonly waiting: EvidenceDocument;
  readonly evidence: EvidenceDocument;
  readonly text: string;
};

async function evidenceOf(repository: Repository): Promise<EvidenceDocument> {
  return EvidenceDocument.parse(JSON.parse((await repository.helix(['evidence', '--json'])).stdout));
}

describe('work that a human accepted', () => {
  it('is not shown by what a judge quoted from an earlier attempt', async () => {
    const { evidence, waiting, text } = await accepted({
      change: [{ writes: TRIED }, { writes: { ...FIX, 'test/zero.test.js': FAILING } }],
      judge: [REJECTION],
    });
    for (const { parts, judges, unchecked } of [waiting, evidence]) {
      expect(parts).toEqual([{ part: TASK, of: 'task', state: 'unchecked', by: [] }]);
      expect(judges).toEqual([]);
      expect(unchecked).toContain('the work of change as it is: no judge has seen this version, only an earlier one');
    }
    expect(text).not.toContain('first try');
    expect(text).toMatch(/[?] sum subtracts.*\n +nobody checked this by itself/);
  });

  it('keeps apart what fails since the work and what failed before it', async () => {
    const { evidence, text } = await accepted({ change: [{ writes: { ...FIX, 'test/zero.test.js': FAILING } }] });
    expect(evidence.unchecked).toContain('what fails now and did not before: test/zero.test.js > zero');
    expect(evidence.unchecked.join()).not.toContain('as it did before');
    expect(text).toMatch(/^ +fails now, and did not before: test\/zero[.]test[.]js > zero$/m);
    expect(text).not.toContain('still fail');
  });

  it('is shown by the tests that ran before its judge gave no answer', async () => {
    const judge = [REJECTION, NO_EVIDENCE];
    const { evidence, repository } = await accepted({ change: [{ writes: TRIED }, { writes: FIX }], judge });
    const { events, run } = await repository.journaled();
    const [first, second, third = ''] = events.flatMap((event) =>
      event.type === 'approval_started'
        ? readFileSync(repository.path('.helix/runs', run, 'approvals', event.data.approval, 'brief.md'), 'utf8')
        : [],
    );
    for (const brief of [first, second]) expect(brief).not.toContain('does not hold');
    const why =
      /^the judge did not answer .* the checks \S+, \S+, \S+, \S+ are not answered: of its evidence "=>" does not hold: /m;
    expect(third).toMatch(why);
    expect(third.split('does not hold')).toHaveLength(2);
    expect(evidence.judges).toEqual([]);
    expect(evidence.tests).toMatchObject([{ phase: 'change', after: { total: 2, failed: [] } }]);
    expect(evidence.gates.map(({ gate }) => gate)).toEqual(['syntax_check', 'tests_pass']);
  });
});

it('a judge that rejects is named with what it objects to, and with nothing else', async () => {
  const { repository, evidence } = await accepted({ change: [{ writes: TRIED }], judge: [REJECTION] });
  expect(evidence.judges).toMatchObject([{ result: 'rejected' }]);
  expect(evidence.parts).toMatchObject([{ part: TASK, state: 'shown' }]);
  expect(repository.read('sum.js')).toBe(FILES['sum.js']);
});

it('a task that somebody goes on with or decides ends as one that was never cut short', async () => {
  const { end, repository } = await accepted({ change: [{ writes: TRIED }], judge: [REJECTION] });
  expect(end).toMatch(/^Done in \d/);
  expect(end).toMatch(/^ sum[.]js +\| [+]1 -1$/m);
  expect(end).toMatch(/^tests +2 pass, 1 new [(]before: 1 pass[)]$/m);
  expect(end).toMatch(/^judge +rejected: correctness$/m);
  expect(end).toMatch(/^not checked {2}change: a human accepted it although a gate rejects it$/m);
  expect(end).toMatch(/^HELIX itself \d/m);
  expect(end).toContain('git merge helix/sum-subtracts');
  const again = await repository.helix(['resume', (await repository.journaled()).run]);
  expect({ ...again, stdout: again.stdout }).toMatchObject({ code: 0, stdout: end });
});
