import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreatorTask, JudgeTask } from '../src/ports/agent.ts';
import {
  acceptedPhases,
  approvalsIn,
  approving,
  judgedText,
  play,
  type Recorded,
  rejecting,
  TONE,
  writes,
} from './approval.fixture.ts';
import { HELIX } from './helix-process.ts';
import { eventually } from './robust-project.ts';
import { put, scratch } from './scratch.ts';

const FACTS = {
  'approvals/facts/CLAUDE.md': '# Approval: facts\n\nYou judge whether a text is true.\n',
  'approvals/facts/checks/true.md': '# Check: true\n\nWhat is wrong is an error. Quote it.\n',
};
const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\n';

describe('in a repository a verdict belongs to the content it saw', () => {
  it('content that a merge has changed is judged once more, and what it left alone is not', async () => {
    const seen: string[] = [];
    const judge = async (task: JudgeTask, recorded: Recorded) => {
      seen.push(`${task.subject.type} ${judgedText(task).trim().split('\n').at(-1)}`);
      if (seen.length <= 2) await eventually(async () => acceptedPhases(await recorded()).includes('bb'));
      return approving(task);
    };
    const { state } = await play(
      {
        ...FACTS,
        's.md': LINES,
        't.md': 'a text that nobody touches\n',
        'phases.yaml': `project: { name: merged, description: A trial }
workspace: repo
concurrency: 3
phases:
  - id: aa
    type: documentation
    output: [s.md]
    depends_on: []
    quality_gate:
      - { type: approval, approval_type: tone, files: [s.md] }
      - { type: approval, approval_type: facts, files: [t.md] }
  - { id: bb, type: documentation, output: [s.md, y.md], depends_on: [] }
`,
      },
      {
        repository: true,
        judge,
        make: {
          aa: writes({ 's.md': LINES.replace('one', 'ONE') }),
          bb: writes({ 's.md': LINES.replace('six', 'you fool'), 'y.md': 'y\n' }),
        },
      },
    );
    expect(state.ended?.status).toBe('passed');
    expect(seen.toSorted()).toEqual(['facts a text that nobody touches', 'tone six', 'tone you fool']);
  });

  it('who had the very content approved that is sent back is judged again', async () => {
    const rejects = async (task: JudgeTask, recorded: Recorded) => {
      if (task.subject.type === 'facts') return approving(task);
      await eventually(async () => acceptedPhases(await recorded()).includes('cc'));
      return judgedText(task).includes('0') ? rejecting(task) : approving(task);
    };
    const { state, events, told } = await play(
      {
        ...FACTS,
        's.md': 'first\n',
        'phases.yaml': `project: { name: shared, description: A trial }
workspace: repo
concurrency: 1
phases:
  - { id: aa, type: documentation, output: [s.md], depends_on: [] }
  - { id: ok, type: approval, approval_type: tone, input: [s.md], depends_on: aa, on_rejection: { action: retry_phase, target_phase: aa } }
  - { id: cc, type: documentation, output: [c.md], depends_on: [], quality_gate: { type: approval, approval_type: facts, files: [s.md, c.md] } }
`,
      },
      {
        repository: true,
        judge: rejects,
        make: {
          aa: (dir, { turn }: CreatorTask) => writes({ 's.md': `letter ${turn}\n` })(dir),
          cc: writes({ 'c.md': 'a text of its own\n' }),
        },
      },
    );
    expect(state.ended?.status, told.join('\n')).toBe('passed');
    const judged = approvalsIn(events).map(({ phase, result }) => `${phase} ${result.result}`);
    expect(judged.filter((line) => line.startsWith('cc'))).toEqual(['cc approved', 'cc approved']);
  });
});

it('an edited gate that has work done again has all judged again that builds on it', async () => {
  const dir = scratch({ ...TONE, 'scripted.yaml': JSON.stringify(SCRIPT), 'phases.yaml': planOf('') });
  const helix = (...args: string[]) => spawnSync(HELIX, args, { cwd: dir, env, encoding: 'utf8' });
  const env = { ...process.env, XDG_STATE_HOME: join(dir, 'state') };
  expect((await helix('run', '--trust', '--no-wait')).status).toBe(3);
  put(dir, { 'phases.yaml': planOf(', quality_gate: { type: files_exist, files: [output/s.md, output/b.md] }') });
  const { stderr } = await helix('resume', '--replan', '--no-wait');
  expect(stderr.match(/ok +approval tone: approved/g)).toHaveLength(1);
  expect((await helix('status')).stdout).toMatch(/ok +passed +2 attempts/);
});

const SCRIPT = {
  phases: {
    aa: [
      { writes: { 'output/s.md': 'hello dear\n' } },
      { writes: { 'output/s.md': 'hello you\n', 'output/b.md': 'b\n' } },
    ],
  },
};

function planOf(gate: string): string {
  return `project: { name: edited, description: A trial }
workspace: phase-dirs
phases:
  - { id: aa, type: documentation, output: [output/s.md]${gate} }
  - { id: ok, type: approval, approval_type: tone, input: [output/s.md] }
  - { id: fin, type: documentation, output: [output/z.md], requires_approval: true }
`;
}

const PHASES = `project: { name: asked, description: A trial }
workspace: phase-dirs
phases:
  - { id: write, type: documentation, output: [output/letter.md] }
  - { id: ok, type: approval, approval_type: tone, input: [output/letter.md], output: [output/approval-result.json] }
  - { id: send, type: deploy, output: [output/sent.md], input: { from_phase: ok, files: [output/approval-result.json] }, quality_gate: { type: approval_passed } }
`;
const MAKE = { write: writes({ 'output/letter.md': 'Dear reader\n' }), send: writes({ 'output/sent.md': 'sent\n' }) };

describe('what a human says of an approval', () => {
  it('a comment on "ask again" after interruptions asks a judge again, and makes no verdict up', async () => {
    let asked = 0;
    const judge = (task: JudgeTask) => {
      asked += 1;
      return asked <= 5 ? { kind: 'interrupted', failure: 'crash', message: 'gone' } : approving(task);
    };
    const files = { 'phases.yaml': PHASES, 'answers.yaml': '- { option: A, comment: look again }\n' };
    const { stage, world, state } = await play(files, { make: MAKE, judge });
    expect((await stage.finish(world, state.run)).ended?.status).toBe('passed');
    expect(asked).toBe(6);
  });

  it('who lets it pass where a judge is not sure lets it pass for what asks for the result, too', async () => {
    const judge = (task: JudgeTask) => approving(task, { confidence: 0.5 });
    const files = { 'phases.yaml': PHASES, 'answers.yaml': '- { option: B }\n' };
    const { stage, world, state } = await play(files, { make: MAKE, judge });
    expect((await stage.finish(world, state.run)).ended?.status).toBe('passed');
  });
});
