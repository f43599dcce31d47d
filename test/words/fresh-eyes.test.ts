import { beforeAll, describe, expect, it } from 'vitest';
import type { Sent } from './listening.ts';
import { type ToldParts, ToldProject } from './told-project.ts';

const QUOTE = (line: string, file: string) => ({ file, line: 1, quote: line });
const opinion = (said: { outcome: string; of: ReturnType<typeof QUOTE>; word: string }, more: object) => ({
  answer: {
    checks: [{ id: 'kind', outcome: said.outcome, evidence: [said.of] }],
    ...{ findings: [], recommendations: [said.word], result: 'approved', confidence: 0.9, ...more },
  },
});
const definition = (type: string) => ({
  [`approvals/${type}/CLAUDE.md`]: `# ${type}\n\nIs it kind?\n`,
  [`approvals/${type}/checks/kind.md`]: '# Kind\n\nNo insult.\n',
});

/** Two reviews and two approvals look at one letter; the second approval sends it back once, so that all look twice. */
function letter(mode: 'repo' | 'phase-dirs', more: Partial<ToldParts> = {}): ToldProject {
  const at = (name: string) => (mode === 'repo' ? name : `output/${name}`);
  const given = mode === 'repo' ? 'letter.md' : 'input/output/letter.md';
  const approves = (line: string, word: string) => opinion({ outcome: 'pass', of: QUOTE(line, given), word }, {});
  const first = QUOTE('First letter.', given);
  const rejects = opinion(
    { outcome: 'fail', of: first, word: 'EGRET-SECOND' },
    { result: 'rejected', findings: [{ severity: 'error', check: 'kind', message: 'QUOLL-SECOND', evidence: first }] },
  );
  const remark = (message: string) => JSON.stringify({ approved: true, findings: [{ severity: 'warning', message }] });
  const review = (id: string, file: string) => ({
    ...{ id, type: 'review', output: [at(file)] },
    quality_gate: { type: 'review_approved', file: at(file) },
  });
  const approval = (id: string, type: string, rejection: object) => ({
    ...{ id, type: 'approval', approval_type: type, input: { from_phase: 'write', files: [at('letter.md')] } },
    ...{ output: [at(`${id}.json`)], on_rejection: rejection },
  });
  return new ToldProject({
    plan: { workspace: mode },
    phases: [
      { id: 'write', type: 'documentation', output: [at('letter.md')] },
      review('look', 'look.json'),
      review('glance', 'glance.json'),
      approval('tone', 'tone', { action: 'retry_phase', target_phase: 'write' }),
      approval('code', 'code', { action: 'retry_phase', target_phase: 'write' }),
      { id: 'post', type: 'documentation', output: [at('posted.md')] },
    ],
    script: {
      write: [
        { writes: { [at('letter.md')]: 'First letter.\n' } },
        { writes: { [at('letter.md')]: 'Second letter.\n' } },
      ],
      look: [
        { writes: { [at('look.json')]: remark('ZEBRA-LOOK') } },
        { writes: { [at('look.json')]: remark('ZEBRA-AGAIN') } },
      ],
      glance: [
        { writes: { [at('glance.json')]: remark('OTTER-GLANCE') } },
        { writes: { [at('glance.json')]: remark('OTTER-AGAIN') } },
      ],
      post: [{ writes: { [at('posted.md')]: 'posted\n' } }],
    },
    approvals: {
      tone: [approves('First letter.', 'HERON-TONE'), approves('Second letter.', 'HERON-AGAIN')],
      code: [rejects, approves('Second letter.', 'EGRET-AGAIN')],
    },
    files: {
      'request.md': 'Write a letter.\n',
      ...Object.fromEntries(
        Object.entries({ ...definition('tone'), ...definition('code') }).map(([path, text]) => [
          mode === 'repo' ? `repository/${path}` : path,
          text,
        ]),
      ),
      ...(mode === 'repo' && { 'repository/there.txt': 'there\n' }),
    },
    ...more,
  });
}

const FOUND = /ZEBRA-|OTTER-|HERON-|EGRET-|QUOLL-/;
const JUDGES = ['look', 'glance', 'tone', 'code'];
const asked = (sent: readonly Sent[], about: string) => sent.filter((each) => each.about === about);
const seen = ({ brief, instructions, files }: Sent) =>
  // The script holds all that will ever be said.
  [brief, instructions, ...Object.keys(files).map((path) => (path.endsWith('scripted.yaml') ? '' : files[path]))].join(
    '\n',
  );
const leaks = (sent: readonly Sent[]) =>
  sent.filter(({ about }) => JUDGES.includes(about)).flatMap((each) => seen(each).match(FOUND) ?? []);

describe.each(['repo', 'phase-dirs'] as const)('in %s', (mode) => {
  let project: ToldProject;
  beforeAll(async () => {
    project = letter(mode);
    await project.start();
  });

  it('nobody who judges hears or reads what was found before, by others or by itself', async () => {
    expect((await project.state()).ended?.status).toBe('passed');
    for (const about of JUDGES) expect(asked(project.sent, about), about).toHaveLength(2);
    expect(leaks(project.sent)).toEqual([]);
    const histories = asked(project.sent, 'look').map(({ files }) => files['git log']);
    for (const history of histories) expect(history?.includes('Helix-Phase')).toBe(mode === 'repo' ? false : undefined);
  });

  it('what judges wrote is not even named to a judge, and whoever works after them has it', () => {
    const named = project.sent
      .filter(({ about }) => JUDGES.includes(about))
      .flatMap(({ about, brief, files }) =>
        ['look.json', 'glance.json', 'tone.json', 'code.json']
          .filter((file) => !file.startsWith(about))
          .filter((file) => brief.includes(file) || Object.keys(files).some((path) => path.endsWith(file))),
      );
    expect(named).toEqual([]);
    expect(
      Object.keys(asked(project.sent, 'post')[0]?.files ?? {}).filter((path) => path.endsWith('.json')),
    ).toHaveLength(4);
  });
});

it('what a human says who lets work pass reaches no review, not even by git', async () => {
  const fails = { type: 'custom', command: ['false'], on_failure: 'retry', max_retries: 1 };
  const project = new ToldProject({
    plan: { workspace: 'repo' },
    phases: [
      { id: 'write', type: 'documentation', output: ['letter.md'], quality_gate: fails },
      {
        id: 'look',
        type: 'review',
        output: ['look.json'],
        quality_gate: { type: 'review_approved', file: 'look.json' },
      },
    ],
    script: {
      write: [{ writes: { 'letter.md': 'First letter.\n' } }],
      look: [{ writes: { 'look.json': '{"approved":true}' } }],
    },
    files: { 'request.md': 'Write a letter.\n', 'repository/there.txt': 'there\n' },
  });
  await project.start();
  const state = await project.decide({ option: await project.option('accept'), comment: 'YAK-LETS-IT-PASS' });
  expect(state.ended?.status).toBe('passed');
  const review = asked(project.sent, 'look')[0];
  expect(review?.files['git log']).toContain('there');
  expect(review && seen(review)).not.toContain('YAK-LETS-IT-PASS');
});

it('what the plan names as an input of a judge is given to it, whoever wrote it', async () => {
  const project = new ToldProject({
    plan: { workspace: 'repo' },
    phases: [
      { id: 'write', type: 'documentation', output: ['letter.md'] },
      {
        id: 'look',
        type: 'review',
        output: ['look.json'],
        quality_gate: { type: 'review_approved', file: 'look.json' },
      },
      { id: 'tone', type: 'approval', approval_type: 'tone', input: ['letter.md', 'look.json'] },
    ],
    script: {
      write: [{ writes: { 'letter.md': 'First letter.\n' } }],
      look: [{ writes: { 'look.json': '{"approved":true,"suggestions":["ZEBRA-NAMED"]}' } }],
    },
    approvals: { tone: [opinion({ outcome: 'pass', of: QUOTE('First letter.', 'letter.md'), word: 'fine' }, {})] },
    files: {
      'request.md': 'Write a letter.\n',
      'repository/approvals/tone/CLAUDE.md': '# tone\n\nIs it kind?\n',
      'repository/approvals/tone/checks/kind.md': '# Kind\n\nNo insult.\n',
    },
  });
  expect((await project.start()).ended?.status).toBe('passed');
  const judge = asked(project.sent, 'tone')[0];
  expect(judge?.brief).toContain('look.json');
  expect(judge?.files['look.json']).toContain('ZEBRA-NAMED');
});
