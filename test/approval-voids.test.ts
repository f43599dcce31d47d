import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CreatorTask, JudgeTask } from '../src/ports/agent.ts';
import { sha256 } from '../src/text/digest.ts';
import {
  acceptedPhases,
  approvalsIn,
  approving,
  judgedText,
  play,
  RESULT,
  type Recorded,
  rejecting,
  TONE,
  writes,
} from './approval.fixture.ts';
import { eventually } from './robust-project.ts';

const FIT = {
  'approvals/fit/CLAUDE.md': '# Approval: fit\n\nYou judge whether a text may be sent.\n',
  'approvals/fit/checks/true.md': '# Check: true\n\nWhat is wrong is an error. Quote it.\n',
};
const write = (dir: string, { turn }: CreatorTask) => writes({ 'output/letter.md': `letter ${turn}\n` })(dir);

const CASCADE = {
  ...FIT,
  'phases.yaml': `project: { name: cascade, description: A trial }
workspace: phase-dirs
phases:
  - { id: write, type: documentation, output: [output/letter.md] }
  - { id: tone, type: approval, approval_type: tone, input: [output/letter.md], on_rejection: { action: retry_phase } }
  - { id: fit, type: approval, approval_type: fit, input: [output/letter.md], on_rejection: { action: retry_phase } }
`,
};

it('of several approvals side by side all are heard before the work goes back, and the next attempt reads what each objects to', async () => {
  const judge = async (task: JudgeTask, recorded: Recorded) => {
    if (task.subject.type === 'fit') await eventually(async () => approvalsIn(await recorded()).length > 0);
    return judgedText(task) === 'letter 0\n' ? rejecting(task, `${task.subject.type} objects`) : approving(task);
  };
  const { state, events, stage } = await play(CASCADE, { make: { write }, judge });
  expect(state.ended?.status).toBe('passed');
  const facts = events.map(({ type, data }) => `${type} ${'phase' in data ? data.phase : ''}`);
  expect(facts.filter((fact) => /^(approval_finished|phase_sent_back)/.test(fact)).slice(0, 3)).toEqual([
    'approval_finished tone',
    'approval_finished fit',
    'phase_sent_back tone',
  ]);
  const brief = readFileSync(join(stage.dir, '.helix/runs', state.run, 'phases/write/CLAUDE.md'), 'utf8');
  expect(brief).toMatch(/tone objects[\s\S]*fit objects/);
});

const CHAIN = {
  ...FIT,
  'phases.yaml': `project: { name: chain, description: A trial }
workspace: phase-dirs
phases:
  - { id: write, type: documentation, output: [output/letter.md] }
  - { id: approve, type: approval, approval_type: tone, input: [output/letter.md], output: [${RESULT}] }
  - id: build
    type: documentation
    input: [output/letter.md, ${RESULT}]
    output: [output/book.md]
    quality_gate: { type: approval_passed, result_file: ${RESULT}, on_failure: abort }
  - id: approve-build
    type: approval
    approval_type: fit
    input: [output/book.md]
    on_rejection: { action: retry_phase, target_phase: write, max_retries: 2 }
`,
};
const keep = (dir: string) => copyFileSync(join(dir, 'input', RESULT), join(dir, RESULT));
const book = (dir: string, { turn }: CreatorTask) => writes({ 'output/book.md': `book ${turn}\n` })(dir);
const firstBookIsBad = (task: JudgeTask) => (judgedText(task) === 'book 0\n' ? rejecting(task) : approving(task));

it('an approval later in the plan that sends work back makes every approval of it void, and each is asked for again', async () => {
  const build = (dir: string, task: CreatorTask) => {
    book(dir, task);
    keep(dir);
  };
  const { state, events } = await play(CHAIN, { make: { write, build }, judge: firstBookIsBad });
  expect(state.ended?.status).toBe('passed');
  const told = approvalsIn(events).map(({ phase, result }) => [phase, result.inputs[0]?.sha256]);
  expect(told).toEqual([
    ['approve', sha256('letter 0\n')],
    ['approve-build', sha256('book 0\n')],
    ['approve', sha256('letter 1\n')],
    ['approve-build', sha256('book 1\n')],
  ]);
  expect(state.approvals.filter((given) => given.void !== true)).toHaveLength(2);
});

it('the result file of a verdict that became void is refused, however it was kept', async () => {
  const build = (dir: string, task: CreatorTask) => {
    book(dir, task);
    if (task.turn === 0) keep(dir);
  };
  const { state, events, told } = await play(CHAIN, { make: { write, build }, judge: firstBookIsBad });
  const [first] = approvalsIn(events);
  expect(state.ended?.status).toBe('failed');
  expect(told.at(-2)).toContain(`build approval_passed reject: the approval ${first?.approval} is not on record`);
  expect(acceptedPhases(events)).toEqual(['write', 'approve', 'build', 'write', 'approve']);
});

it('work that comes back unchanged has had its opinion: nobody is asked again, and a human is', async () => {
  let asked = 0;
  const judge = (task: JudgeTask) => {
    asked += 1;
    return asked === 1 ? rejecting(task) : approving(task);
  };
  const plan = { ...CASCADE, 'phases.yaml': CASCADE['phases.yaml'].replace(/ {2}- \{ id: fit.*\n/, '') };
  const same = writes({ 'output/letter.md': 'you fool\n' });
  const { told, state } = await play(plan, { make: { write: same }, judge });
  expect([asked, state.ended]).toEqual([1, undefined]);
  expect(told.at(-1)).toMatch(/^tone asks exhausted: /);
});

it('what two approvals of one type see is their own, in whatever order they are asked (S4)', async () => {
  const plan = {
    'phases.yaml': `project: { name: two, description: A trial }
workspace: phase-dirs
phases:
  - { id: good, type: documentation, depends_on: [], output: [output/letter.md] }
  - { id: bad, type: documentation, depends_on: [], output: [output/letter.md] }
  - { id: of-good, type: approval, approval_type: tone, depends_on: [good], input: { from_phase: good, files: [output/letter.md] } }
  - { id: of-bad, type: approval, approval_type: tone, depends_on: [bad], input: { from_phase: bad, files: [output/letter.md] } }
`,
  };
  const judge = async (task: JudgeTask, recorded: Recorded) => {
    const text = judgedText(task);
    if (text === 'thank you\n') await eventually(async () => approvalsIn(await recorded()).length > 0);
    return text === 'thank you\n' ? approving(task) : rejecting(task);
  };
  const make = {
    good: writes({ 'output/letter.md': 'thank you\n' }),
    bad: writes({ 'output/letter.md': 'you fool\n' }),
  };
  const { events } = await play({ ...TONE, ...plan }, { make, judge });
  const told = Object.fromEntries(approvalsIn(events).map(({ phase, result }) => [phase, result.result]));
  expect(told).toEqual({ 'of-good': 'approved', 'of-bad': 'rejected' });
});
