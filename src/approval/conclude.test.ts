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
  evidence: { ...EVIDENCE, quote: 'SELECT * FROM t WHERE name', line: 2 },
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
      evidence: 'SELECT * FROM t WHERE name',
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
    ['that quotes too little', { ...EVIDENCE, quote: 'SELECT *' }, /neither 3 telling words nor a whole line/],
    [
      'that quotes what is not judged',
      { file: 'src/other.ts', quote: 'export const answer = 42;' },
      /src\/other\.ts is not among the files to be judged/,
    ],
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

describe('the evidence of a check', () => {
  const BESIDE = { file: 'src/other.ts', line: 1, quote: 'export const answer = 42' };
  const INVENTED = { ...EVIDENCE, quote: 'stands nowhere here' };
  const answers = (tests: object) => ({
    checks: [
      { id: 'security', outcome: 'pass', evidence: [EVIDENCE] },
      { id: 'tests', outcome: 'pass', evidence: [EVIDENCE], ...tests },
    ],
  });
  const outcomes = ({ checks, result }: Concluded) => [result, ...checks.map(({ outcome }) => outcome)];

  it('must hold as a whole: one invented quote among good ones leaves the check unanswered, and is named', async () => {
    const conclusion = await concluded(answerOf(answers({ evidence: [EVIDENCE, INVENTED] })));
    expect(outcomes(conclusion)).toEqual(['needs_revision', 'pass', 'unanswered']);
    expect(conclusion.findings.map(({ message }) => message)).toEqual([
      'the check tests is not answered: of its evidence "stands nowhere here" does not hold: what it quotes does not stand in src/db.ts',
    ]);
  });

  it.each([
    ['no quote', [], /there is no evidence/],
    ['an invented quote', [INVENTED], /"stands nowhere here" does not hold/],
    ['a quote from a file that is not judged', [BESIDE], /nothing in its evidence is from the files to be judged/],
  ])('%s does not show that a check is not applicable', async (_, evidence, why) => {
    const conclusion = await concluded(answerOf(answers({ outcome: 'not_applicable', evidence })));
    expect(outcomes(conclusion)).toEqual(['needs_revision', 'pass', 'unanswered']);
    expect(conclusion.findings[0]?.message).toMatch(why);
  });

  it('a quote from what is judged shows that a check is not applicable', async () => {
    const conclusion = await concluded(answerOf(answers({ outcome: 'not_applicable' })));
    expect(outcomes(conclusion)).toEqual(['approved', 'pass', 'not_applicable']);
  });

  it('a check that always applies cannot be answered as not applicable', async () => {
    const checks = questionOf().checks.map((check) => ({
      ...check,
      text: `${check.text}\n\n**Not applicable**: NEVER`,
    }));
    const conclusion = await concluded(answerOf(answers({ outcome: 'not_applicable' })), { checks });
    expect(outcomes(conclusion)).toEqual(['needs_revision', 'pass', 'unanswered']);
    expect(conclusion.findings[0]?.message).toMatch(/it always applies, as its file says/);
    expect(outcomes(await concluded(answerOf(), { checks }))).toEqual(['approved', 'pass', 'pass']);
  });

  it('may be from a file beside those to be judged, if it quotes those as well', async () => {
    const both = await concluded(answerOf(answers({ evidence: [BESIDE, EVIDENCE] })));
    expect(outcomes(both)).toEqual(['approved', 'pass', 'pass']);
    const beside = await concluded(answerOf(answers({ evidence: [BESIDE] })));
    expect(outcomes(beside)).toEqual(['needs_revision', 'pass', 'unanswered']);
    expect(beside.findings[0]?.message).toMatch(/nothing in its evidence is from the files to be judged/);
  });

  it('has to tell something: words that stand everywhere leave it unanswered', async () => {
    const conclusion = await concluded(answerOf(answers({ evidence: [{ ...EVIDENCE, quote: 'export const' }] })));
    expect(outcomes(conclusion)).toEqual(['needs_revision', 'pass', 'unanswered']);
    expect(conclusion.findings[0]?.message).toMatch(/says too little to be evidence/);
  });

  it('that stands more than three lines from where it is said to be is noted', async () => {
    const conclusion = await concluded(answerOf(answers({ evidence: [{ ...EVIDENCE, line: 5 }] })));
    expect(outcomes(conclusion)).toEqual(['approved', 'pass', 'pass']);
    expect(conclusion.findings).toMatchObject([
      {
        severity: 'info',
        check: 'wrong-line',
        message: 'the check tests quotes line 5 of src/db.ts for what stands at line 1',
        location: 'src/db.ts:1',
      },
    ]);
    const near = await concluded(answerOf(answers({ evidence: [{ ...EVIDENCE, line: 4 }] })));
    expect(near.findings).toEqual([]);
  });
});

it('an error that cannot be looked up is told as a doubt of its own', async () => {
  const findings = [{ ...finding, evidence: { ...EVIDENCE, quote: 'DROP TABLE' } }];
  const conclusion = await concluded(answerOf({ findings }));
  expect(conclusion.findings.map(({ severity, check }) => [severity, check])).toEqual([
    ['info', 'security'],
    ['warning', 'unproven-error'],
  ]);
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

  it('tells how unsure a judge is who wants a revision', async () => {
    const conclusion = await concluded(
      answerOf({ confidence: 0, findings: [{ ...finding, severity: 'warning' }], result: 'needs_revision' }),
    );
    expect([conclusion.result, conclusion.unsure]).toEqual(['needs_revision', undefined]);
    expect(conclusion.findings.map(({ check }) => check)).toEqual(['security', 'unsure-opinion']);
  });

  it('asks nobody where something else is missing as well', async () => {
    const conclusion = await concluded(answerOf({ confidence: 0.1, findings: [{ ...finding }] }));
    expect([conclusion.result, conclusion.unsure]).toEqual(['rejected', undefined]);
    expect(conclusion.findings.map(({ check }) => check)).toEqual(['security']);
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

describe('a conflict', () => {
  const conflicts = [{ id: 'conflicts', text: 'Can all be true?', sha256: '0' }];
  const judged = { checks: conflicts };
  const said = {
    severity: 'error',
    check: 'conflicts',
    message: 'it takes text where the other takes a number',
    evidence: EVIDENCE,
  };
  const against = { file: 'src/other.ts', line: 1, quote: 'export const answer = 42;' };
  const answered = (over: Record<string, unknown>) =>
    answerOf({
      checks: [{ id: 'conflicts', outcome: 'fail', evidence: [EVIDENCE] }],
      findings: [{ ...said, ...over }],
      result: 'rejected',
    });

  it('is an error where both of its sides stand there, and names them', async () => {
    const { findings, result } = await concluded(answered({ against }), judged);
    expect(result).toBe('rejected');
    expect(findings).toMatchObject([
      {
        severity: 'error',
        location: 'src/db.ts:1',
        message: `${said.message} (against src/other.ts:1: "export const answer = 42;")`,
      },
    ]);
  });

  it.each([
    ['one side only', undefined, 'a conflict has two sides, and only one is quoted'],
    ['words that stand nowhere', { ...against, quote: 'the answer is forty-three now' }, 'of its other side: '],
    ['the same place twice', EVIDENCE, 'both sides of it are the same place'],
    ['a file there is not', { ...against, file: 'src/none.ts' }, 'of its other side: '],
  ])('with %s is a remark', async (_, other, why) => {
    const { findings } = await concluded(answered(other === undefined ? {} : { against: other }), judged);
    expect(findings[0]).toMatchObject({ severity: 'info', message: expect.stringContaining(why) });
    expect(findings.map(({ check }) => check)).toContain('unproven-error');
  });

  it('does not hold where what is judged is quoted from what may only be consulted', async () => {
    const { findings } = await concluded(answered({ evidence: against, against: EVIDENCE }), judged);
    expect(findings[0]).toMatchObject({
      severity: 'info',
      message: expect.stringContaining('src/other.ts is not among the files to be judged'),
    });
  });
});

it('what is settled needs no answer, and an answer to it is no trouble', async () => {
  const { checks } = questionOf();
  const settled = { checks: checks.slice(0, 1), settledChecks: checks.slice(1) };
  expect((await concluded(answerOf(), settled)).result).toBe('approved');
  const only = answerOf({ checks: [{ id: 'security', outcome: 'pass', evidence: [EVIDENCE] }] });
  expect(await concluded(only, settled)).toMatchObject({
    result: 'approved',
    findings: [],
    checks: [{ id: 'security' }],
  });
});

it.each([
  ['may be left out for what its front matter names', ['nothing but prose'], 'not_applicable'],
  ['may never be left out where its front matter names nothing', [], 'unanswered'],
  ['without front matter may be left out', undefined, 'not_applicable'],
])('a check %s', async (_, notApplicable, outcome) => {
  const [security, tests] = questionOf().checks;
  if (security === undefined || tests === undefined) throw new Error('there are two checks');
  const checks = [security, { ...tests, ...(notApplicable !== undefined && { notApplicable }) }];
  const answers = [
    { id: 'security', outcome: 'pass', evidence: [EVIDENCE] },
    { id: 'tests', outcome: 'not_applicable', evidence: [EVIDENCE] },
  ];
  const conclusion = await concluded(answerOf({ checks: answers }), { checks });
  expect(conclusion.checks.at(1)?.outcome).toBe(outcome);
  expect(conclusion.result).toBe(outcome === 'unanswered' ? 'needs_revision' : 'approved');
});

it('no confidence makes up for a check without evidence, or for an error', async () => {
  const [first, second] = answerOf().checks as { id: string }[];
  const bare = answerOf({ confidence: 1, checks: [first, { ...second, evidence: [] }] });
  expect((await concluded(bare)).result).toBe('needs_revision');
  const finding = { severity: 'error', check: 'security', message: 'an injection', evidence: EVIDENCE };
  expect((await concluded(answerOf({ confidence: 1, findings: [finding] }))).result).toBe('rejected');
});
