import { describe, expect, it } from 'vitest';
import type { Answer } from '../src/domain/ladder/answer.ts';
import { expectGolden } from './golden-brief.ts';
import type { Sent } from './words/listening.ts';
import { type ToldParts, ToldProject } from './words/told-project.ts';

const FILE = 'src/export.js';
const OLD = 'export const encode = (text) => Buffer.from(text, "latin1");\n';
const WRONG = 'export const encode = (text) => Buffer.from(text, "ascii");\n';
const WORSE = 'export const encode = (text) => Buffer.from(escape(text), "ascii");\n';
const RIGHT = 'export const encode = (text) => Buffer.from(text, "utf8");\n';
const MERGED = 'export const encode = (text) => Buffer.from("\\ufeff" + text, "utf8");\n';

const PHASES = [
  {
    ...{ id: '01-specify', type: 'planning', description: 'Specify what the export has to keep.' },
    output: ['spec.yaml'],
  },
  {
    ...{ id: '02-fix', type: 'development', description: 'Mend the export.', output: [FILE], verify_agent: true },
    quality_gate: [
      { type: 'tests_pass', command: ['sh', 'tests.sh'], max_retries: 2 },
      { type: 'approval', approval_type: 'code', checks: ['tests'], max_retries: 2 },
    ],
  },
  { id: '03-review', type: 'review', output: ['review.json'], quality_gate: { type: 'review_approved' } },
  {
    ...{ id: '04-approve', type: 'approval', approval_type: 'security', depends_on: ['02-fix'] },
    ...{ input: [FILE], on_rejection: { action: 'retry_phase', target_phase: '02-fix' } },
  },
];

const FILES = {
  'request.md': 'The CSV export loses umlauts. Mend it, and add a test for it.\n',
  'repository/AGENTS.md': '# Conventions\n\n- Two spaces, no tabs.\n- Run `sh tests.sh` before you stop.\n',
  'repository/skills/encodings/SKILL.md':
    '---\nname: encodings\ndescription: How files are encoded here\n---\nUTF-8, with BOM for Excel.\n',
  'repository/config/approvals.yaml': 'approvals: { security: { checks: [injection] } }\n',
  [`repository/${FILE}`]: OLD,
  'repository/tests.sh': `echo "comparing the exported file"\ngrep -q utf8 ${FILE} && exit 0\necho "expected Müller, got M?ller"\nexit 1\n`,
};

const writes = (text: string) => ({ prints: 'Umlauts are safe now.', writes: { [FILE]: text } });
const SPEC =
  'goal: Exports keep every character.\nacceptance_criteria:\n  - Müller stays Müller in the exported file.\n';
const SPECIFIED = [{ writes: { 'spec.yaml': SPEC } }, { writes: { 'spec.yaml': `${SPEC}encoding: UTF-8\n` } }];
const STUCK = [writes(WRONG), writes(WORSE)];

const ANALYSIS = {
  failure_summary: 'The export cannot hold characters outside of ASCII.',
  root_cause: 'Both attempts looked for another way to squeeze umlauts into one byte.',
  learning: 'No encoding of one byte will do.',
  attempts_analyzed: 2,
};
const consultant = (decision: object, more: object = {}) => ({ answer: { analysis: ANALYSIS, decision, ...more } });
const ASKS = consultant({ action: 'ask_human' }, { question: 'May the export change its encoding?' });

/** Plays a bugfix to its end, and gives what was sent. */
async function played(parts: Partial<ToldParts>, answers: readonly Answer[] = []): Promise<Picked> {
  const { script, ...more } = parts;
  const project = new ToldProject({
    plan: {
      ...{ project: { name: 'sums', description: 'Sums things up' }, workspace: 'repo' },
      budget: { usd: 7.5, minutes: 30 },
    },
    ...{ phases: PHASES, files: FILES, script: { '01-specify': SPECIFIED, ...script } },
    ...more,
  });
  await project.start();
  for (const answer of answers) await project.decide(answer);
  expect((await project.state()).ended?.status).toBe('passed');
  return (role, about, at) => {
    const found = project.sent.filter((sent) => sent.role === role && sent.about === about)[at - 1];
    if (found === undefined) throw new Error(`a ${role} was not asked ${at} times about ${about}`);
    return [found.instructions, found.brief].filter(Boolean).join('\n\n');
  };
}

type Picked = (role: Sent['role'], about: string, at: number) => string;

describe('a brief as it is sent', () => {
  it('on every rung of the ladder, up to the judges of what came of it', async () => {
    const consultants = [
      consultant({
        action: 'retry_with_changes',
        additional_hints: ['Let Node encode the text; do not replace characters yourself.'],
        spec_updates: { acceptance_criteria: ['Excel opens the file.'] },
      }),
      ASKS,
    ];
    const picked = await played(
      { script: { '02-fix': [...STUCK, ...STUCK, writes(RIGHT)] }, roles: { consultant: consultants } },
      [{ option: 'A', comment: 'UTF-8 is fine, everybody has a new Excel.', spec: { encoding: 'UTF-8' } }],
    );
    expectGolden('first-attempt', picked('creator', '02-fix', 1));
    expectGolden('retry', picked('creator', '02-fix', 2));
    expectGolden('consultant-decides', picked('consultant', 'consultant', 1));
    expectGolden('after-consultant', picked('creator', '02-fix', 3));
    expectGolden('consultant-advises', picked('consultant', 'consultant', 2));
    expectGolden('after-human', picked('creator', '02-fix', 5));
    expectGolden('verifier', picked('verifier', 'verification', 1));
    expectGolden('approval-gate', picked('reviewer', 'code', 1));
    expectGolden('reviewer', picked('creator', '03-review', 1));
    expectGolden('approval-phase', picked('reviewer', 'security', 1));
  });

  it('after a consultant went back to an earlier phase', async () => {
    const reverts = consultant({
      action: 'revert',
      plan_revert: { enabled: true, revert_to_task: '01-specify', reasoning: 'The encoding was never specified.' },
    });
    const picked = await played({
      script: { '02-fix': [...STUCK, writes(RIGHT)] },
      roles: { consultant: [reverts] },
    });
    expectGolden('after-revert', picked('creator', '01-specify', 2));
    expectGolden('after-revert-follower', picked('creator', '02-fix', 3));
  });

  it('after a merge with conflicts', async () => {
    const other = { id: '02-label', type: 'development', depends_on: ['01-specify'], output: [FILE] };
    const picked = await played(
      {
        plan: { project: { name: 'sums' }, workspace: 'repo', concurrency: 2 },
        phases: [...PHASES, other],
        script: {
          '02-fix': [...STUCK, writes(RIGHT), writes(MERGED)],
          '02-label': [{ writes: { [FILE]: 'export const encode = (text) => Buffer.from("\\ufeff" + text);\n' } }],
        },
        roles: { consultant: [ASKS] },
      },
      [{ option: 'A' }],
    );
    expectGolden('after-merge-conflict', picked('creator', '02-fix', 4));
  });

  it('after a review rejected the work', async () => {
    const finding = { severity: 'error', file: FILE, line: 1, message: 'Excel needs a BOM, and there is none' };
    const picked = await played({
      script: {
        '02-fix': [writes(RIGHT), writes(MERGED)],
        '03-review': [{ answer: { approved: false, findings: [finding] } }, { answer: { approved: true } }],
      },
    });
    expectGolden('after-rejected-review', picked('creator', '02-fix', 2));
    expectGolden('reviewer-again', picked('creator', '03-review', 2));
  });

  it('after an approval rejected the work', async () => {
    const at = (text: string) => ({ file: FILE, line: 1, quote: text.trim() });
    const rejects = {
      checks: [{ id: 'injection', outcome: 'fail', evidence: [at(RIGHT)] }],
      findings: [
        {
          ...{ severity: 'error', check: 'injection', message: 'a cell that begins with = is run by Excel' },
          ...{ hint: 'put a quote before it', evidence: at(RIGHT) },
        },
      ],
      ...{ recommendations: [], result: 'rejected', confidence: 0.9 },
    };
    const approves = {
      checks: [{ id: 'injection', outcome: 'pass', evidence: [at(MERGED)] }],
      ...{ findings: [], recommendations: [], result: 'approved', confidence: 0.9 },
    };
    const picked = await played({
      script: { '02-fix': [writes(RIGHT), writes(MERGED)] },
      approvals: { security: [{ answer: rejects }, { answer: approves }] },
    });
    // The review works beside the approval: whether its file was accepted before that rejected the work, both are right.
    const brief = picked('creator', '02-fix', 2).replace('- `review.json`\n- `spec.yaml`', '- `spec.yaml`');
    expectGolden('after-rejected-approval', brief);
  });
});
