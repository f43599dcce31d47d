import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ScriptedAgent } from '../src/adapters/agents/scripted.ts';
import { systemClock } from '../src/adapters/clock.ts';
import { createProcesses } from '../src/adapters/programs/processes.ts';
import { pinProject } from '../src/adapters/repo/project-snapshot.ts';
import { questionOf } from '../src/approval/approval.fixture.ts';
import { askJudge } from '../src/approval/ask-judge.ts';
import type { Asked } from '../src/approval/judge.ts';
import { ApprovalResult, type JudgeAnswer } from '../src/domain/judge/approval.ts';
import { sha256 } from '../src/text/digest.ts';
import { startHelix } from './helix-process.ts';
import { randomNumbers } from './random-numbers.ts';
import { repetitions } from './repetitions.ts';
import { put, scratch } from './scratch.ts';

const SEED = Number(process.env.HELIX_SEED ?? 1);
const APPROVALS = repetitions(150, 500);
const AT_ONCE = 50;
const FILE = 'src/db.ts';

const textOf = (n: number) => `export const number = ${n};\n`;
const isBad = (n: number) => n % 2 === 1;

/** What the judge of one input says: it quotes that input, and finds an error in every other one. */
function answerAbout(n: number, file = FILE): JudgeAnswer {
  const evidence = { file, line: 1, quote: textOf(n).trim() };
  const found = { severity: 'error', check: 'security', message: `number ${n} is bad`, evidence } as const;
  return {
    checks: ['security', 'tests'].map((id) => ({ id, outcome: 'pass', evidence: [evidence] })),
    findings: isBad(n) ? [found] : [],
    recommendations: [],
    result: isBad(n) ? 'rejected' : 'approved',
    confidence: 0.9,
  };
}

it(`of ${APPROVALS} approvals of one type, ${AT_ONCE} at a time, none has anything of another (HELIX_SEED=${SEED})`, async () => {
  const random = randomNumbers(SEED);
  const processes = createProcesses();
  const moves = Array.from({ length: APPROVALS }, (_, n) => ({ answer: answerAbout(n), sleep: random() * 0.05 }));
  const agent = new ScriptedAgent({ approvals: { code: moves } }, { processes, clock: systemClock });
  const ask = async (n: number): Promise<Asked> => {
    const project = scratch({ [FILE]: textOf(n), 'src/other.ts': 'export {};\n' });
    const { snapshot } = await pinProject({ project, files: [FILE] }, { processes, env: {} });
    try {
      const inputs = snapshot.files.filter(({ path }) => path === FILE);
      return await askJudge(questionOf({ snapshot, inputs }), {
        ...{ agent, name: 'default', clock: systemClock, signal: new AbortController().signal },
        ...{ sandbox: { level: 'basic', why: 'a test' }, marker: `mixing:${n}`, turn: n, id: `a${n}`, dir: project },
        reserve: async () => ({}),
        onLine: () => undefined,
      });
    } finally {
      await snapshot.dispose();
    }
  };
  const right: number[] = [];
  for (let first = 0; first < APPROVALS; first += AT_ONCE) {
    const asked = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => ask(first + at)));
    for (const [at, told] of asked.entries()) if (isAbout(first + at, told)) right.push(first + at);
  }
  expect(right).toHaveLength(APPROVALS);
});

/** Tells whether a verdict names the digest of its own input, comes to what its own judge said, and quotes nothing else. */
function isAbout(n: number, asked: Asked): boolean {
  if (asked.kind !== 'answered') return false;
  const { result, approval_id: id, inputs, findings } = asked.result;
  const expected = isBad(n) ? [`number ${n} is bad`] : [];
  return (
    id === `a${n}` &&
    result === (isBad(n) ? 'rejected' : 'approved') &&
    JSON.stringify(inputs) === JSON.stringify([{ path: FILE, sha256: sha256(textOf(n)) }]) &&
    JSON.stringify(findings.map(({ message }) => message)) === JSON.stringify(expected) &&
    asked.record.approval_id === id
  );
}

it('ten processes that approve in one project at once keep to their own files and leave ten results', async () => {
  const numbers = Array.from({ length: 10 }, (_, n) => n);
  const fileOf = (n: number) => `src/part-${n}.ts`;
  const dir = scratch({
    'helix.yaml': 'agents: { default: { driver: scripted } }\nallow_simulated: true\n',
    'approvals/pair/CLAUDE.md': '# Judge it\n',
    'approvals/pair/checks/security.md': '# Security\n',
    'approvals/pair/checks/tests.md': '# Tests\n',
    ...Object.fromEntries(numbers.map((n) => [fileOf(n), textOf(n)])),
  });
  const outside = scratch();
  const ends = numbers.map((n) => {
    put(outside, {
      [`${n}.json`]: JSON.stringify({ roles: { reviewer: [{ answer: answerAbout(n, fileOf(n)), sleep: 0.3 }] } }),
    });
    const args = ['approve', 'pair', fileOf(n), '--script', join(outside, `${n}.json`), '--trust', '--json'];
    return startHelix(args, { cwd: dir, env: { HOME: outside } }).end;
  });
  const told = await Promise.all(ends);
  expect(told.map(({ code }) => code)).toEqual(numbers.map((n) => (isBad(n) ? 1 : 0)));
  const results = told.map(({ stdout }) => JSON.parse(stdout) as ApprovalResult);
  expect(results.map(({ inputs }) => inputs)).toEqual(
    numbers.map((n) => [{ path: fileOf(n), sha256: sha256(textOf(n)) }]),
  );
  expect(new Set(results.map(({ approval_id: id }) => id)).size).toBe(10);
  for (const { approval_id: id, inputs } of results) {
    const kept = readFileSync(join(dir, '.helix/approvals', id, 'approval-result.json'), 'utf8');
    expect(ApprovalResult.parse(JSON.parse(kept)).inputs).toEqual(inputs);
  }
});
