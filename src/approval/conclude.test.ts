import { describe, expect, it } from 'vitest';
import { answerOf, EVIDENCE, questionOf } from './approval.fixture.ts';
import { type Conclusion, conclude } from './conclude.ts';
import type { Question } from './question.ts';

type Concluded = Extract<Conclusion, { kind: 'concluded' }>;

async function concluded(answer: unknown, over: Partial<Question> = {}): Promise<Concluded> {
  const conclusion = await conclude(answer, questionOf(over));
  if (conclusion.kind === 'refused') throw new Error(conclusion.why);
  return conclusion;
}

const { settings } = questionOf();
const finding = {
  severity: 'error',
  check: 'security',
  message: 'SQL injection',
  evidence: { ...EVIDENCE, quote: 'SELECT *', line: 2 },
};

it('an answer whose evidence holds and that finds nothing approves', async () => {
  const { result, findings, checks, confidence, unsure } = await concluded(answerOf());
  expect({ result, findings, confidence, unsure }).toEqual({
    result: 'approved',
    findings: [],
    confidence: 0.95,
    unsure: undefined,
  });
  expect(checks.map(({ id, outcome }) => [id, outcome])).toEqual([
    ['security', 'pass'],
    ['tests', 'pass'],
  ]);
});

it('warnings and remarks that hold do not stand in the way', async () => {
  const findings = [
    { ...finding, severity: 'warning' },
    { ...finding, severity: 'info' },
  ];
  const conclusion = await concluded(answerOf({ findings }));
  expect(conclusion.result).toBe('approved');
  expect(conclusion.findings.map(({ severity }) => severity)).toEqual(['warning', 'info']);
});

it('an error that holds rejects, with its place and the words that stand there', async () => {
  const { result, findings } = await concluded(
    answerOf({ findings: [{ ...finding, hint: 'use parameters' }], result: 'rejected' }),
  );
  expect(result).toBe('rejected');
  expect(findings).toEqual([
    {
      severity: 'error',
      check: 'security',
      message: 'SQL injection',
      hint: 'use parameters',
      location: 'src/db.ts:2',
      evidence: 'SELECT *',
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ]);
});

it('a finding at another line than was said is told at its own', async () => {
  const findings = [{ ...finding, evidence: { ...finding.evidence, line: 90 } }];
  const conclusion = await concluded(answerOf({ findings }));
  expect(conclusion.findings[0]).toMatchObject({
    location: 'src/db.ts:2',
    message: 'SQL injection (said to be at line 90)',
  });
});

describe('a finding without evidence that holds', () => {
  it.each([
    ['that has none', undefined, /it has no evidence/],
    ['that quotes what stands nowhere', { ...EVIDENCE, quote: 'DROP TABLE' }, /does not stand in src\/db\.ts/],
  ])('%s becomes a remark with the reason', async (_, evidence, why) => {
    const { evidence: _own, ...rest } = finding;
    const conclusion = await concluded(
      answerOf({ findings: [{ ...rest, ...(evidence !== undefined && { evidence }) }] }),
    );
    expect(conclusion.findings[0]).toMatchObject({ severity: 'info', message: expect.stringMatching(why) });
    expect(conclusion.findings[0]).not.toHaveProperty('location');
    expect(conclusion.result).toBe('needs_revision');
  });

  it('does not undo that the judge rejects', async () => {
    const findings = [{ ...finding, evidence: { ...EVIDENCE, quote: 'DROP TABLE' } }];
    expect((await concluded(answerOf({ findings, result: 'rejected' }))).result).toBe('rejected');
  });

  it('does not stand in the way when it was only a warning', async () => {
    const findings = [{ ...finding, severity: 'warning', evidence: { ...EVIDENCE, quote: 'DROP TABLE' } }];
    expect((await concluded(answerOf({ findings }))).result).toBe('approved');
  });
});

it('a finding under a check nobody asked is kept under other', async () => {
  const { findings } = await concluded(answerOf({ findings: [{ ...finding, check: 'beauty' }] }));
  expect(findings[0]).toMatchObject({ severity: 'error', check: 'other', message: 'beauty: SQL injection' });
});

it('a check needs only one piece of evidence that holds, and none where it does not apply', async () => {
  const checks = [
    { id: 'security', outcome: 'pass', evidence: [{ ...EVIDENCE, quote: 'not there' }, EVIDENCE] },
    { id: 'tests', outcome: 'not_applicable', evidence: [] },
  ];
  expect((await concluded(answerOf({ checks }))).result).toBe('approved');
});

it('a failed check without a finding that holds is told', async () => {
  const checks = [
    { id: 'security', outcome: 'fail', evidence: [EVIDENCE] },
    { id: 'tests', outcome: 'pass', evidence: [EVIDENCE] },
  ];
  const silent = await concluded(answerOf({ checks, result: 'needs_revision' }));
  expect(silent.findings).toMatchObject([{ severity: 'warning', check: 'failed-check' }]);
  const explained = await concluded(
    answerOf({ checks, result: 'needs_revision', findings: [{ ...finding, severity: 'warning' }] }),
  );
  expect(explained.findings).toMatchObject([{ severity: 'warning', check: 'security' }]);
  expect([silent.result, explained.result]).toEqual(['needs_revision', 'needs_revision']);
});

describe('an approval that is less sure than is asked for', () => {
  const answer = answerOf({ confidence: 0.79 });

  it.each([
    ['human', 'needs_revision', true],
    ['revise', 'needs_revision', undefined],
    ['reject', 'rejected', undefined],
  ] as const)('comes with %s to %s', async (onLowConfidence, result, unsure) => {
    const conclusion = await concluded(answer, { settings: { ...settings, onLowConfidence } });
    expect([conclusion.result, conclusion.unsure]).toEqual([result, unsure]);
    expect(conclusion.findings).toMatchObject([{ severity: 'warning', check: 'low-confidence' }]);
  });

  it('is sure enough when it is exactly as sure', async () => {
    expect((await concluded(answerOf({ confidence: 0.8 }))).result).toBe('approved');
  });

  it('asks nobody where something else is missing as well', async () => {
    const conclusion = await concluded(answerOf({ confidence: 0.1, findings: [{ ...finding }] }));
    expect([conclusion.result, conclusion.unsure]).toEqual(['rejected', undefined]);
    expect(conclusion.findings.map(({ check }) => check)).not.toContain('low-confidence');
  });
});

it('what a judge says is shown without control characters, on one line, and not at any length', async () => {
  const message = `red \u001b[31mand\n\u202eback ${'x'.repeat(3900)}`;
  const { findings, recommendations } = await concluded(
    answerOf({ findings: [{ ...finding, message }], recommendations: [' \n', message.slice(0, 50)] }),
  );
  expect(findings[0]?.message).toMatch(/^red and \\u\{202e\}back x+…$/);
  expect(findings[0]?.message.length).toBeLessThanOrEqual(2000);
  expect(recommendations).toEqual([expect.stringMatching(/^red and \\u\{202e\}back x+$/)]);
});
