import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CreatorTask, JudgeTask } from '../src/ports/agent.ts';
import { approvalsIn, approving, judgedText, type Played, play } from './approval.fixture.ts';
import { put } from './scratch.ts';

const planOf = (more: string) => ({
  'phases.yaml': `project: { name: convergence, description: A trial }
workspace: phase-dirs
phases:
  - { id: write, type: documentation, output: [output/letter.md], ${more} }
`,
});
const GATED = 'quality_gate: { type: approval, approval_type: tone, max_retries: 6 }';

/** Every attempt writes a letter of its own; a judge objects to words in it, as the test says. */
function cast(objections: readonly (readonly string[])[]) {
  const words = [...new Set(objections.flat())].join('\n');
  const write = (dir: string, { turn }: CreatorTask) => put(dir, { 'output/letter.md': `${words}\nnumber ${turn}\n` });
  const judge = (task: JudgeTask) => {
    const turn = Number(/number (\d+)/.exec(judgedText(task))?.[1] ?? 0);
    const file = task.subject.inputs[0] ?? '';
    const findings = (objections[turn] ?? []).map((message) => ({
      ...{ severity: 'error', check: 'kind', message: `objection: ${message}`, evidence: { file, quote: message } },
    }));
    return approving(task, { findings, result: findings.length > 0 ? 'rejected' : 'approved' });
  };
  return { make: { write }, judge };
}

function textOf({ stage, state }: Played, path: string): string {
  return readFileSync(join(stage.dir, '.helix/runs', state.run, path), 'utf8');
}

describe('the brief of the next attempt', () => {
  it('says what is open, new and mended since the one before', async () => {
    const played = await play(
      planOf(GATED),
      cast([
        ['it shouts', 'it is late'],
        ['it is late', 'it is long'],
      ]),
    );
    expect(played.state.ended?.status).toBe('passed');
    const brief = textOf(played, 'phases/write/CLAUDE.md');
    expect(brief).toMatch(/still open: .*it is late/);
    expect(brief).toMatch(/new: .*it is long/);
    expect(brief).toMatch(/mended: .*it shouts/);
  });

  it('says of a finding that outlived two attempts that it is stuck', async () => {
    const played = await play(planOf(GATED), cast([['it shouts'], ['it shouts'], ['it shouts']]));
    expect(textOf(played, 'phases/write/CLAUDE.md')).toMatch(
      /stuck, it has outlived 2 attempts to mend it: .*it shouts/,
    );
  });

  it('says so, too, of what an approval phase sends back', async () => {
    const plan = {
      'phases.yaml': `${planOf('quality_gate: { type: files_exist }')['phases.yaml']}  - id: approve
    type: approval
    approval_type: tone
    input: [output/letter.md]
    on_rejection: { action: retry_phase, max_retries: 3 }
`,
    };
    const played = await play(plan, cast([['it shouts'], ['it shouts']]));
    expect(played.state.ended?.status).toBe('passed');
    expect(textOf(played, 'phases/write/CLAUDE.md')).toMatch(/still open: .*it shouts/);
  });
});

describe('what no judgement has looked at again', () => {
  const LATE = { type: 'files_exist', files: ['output/late.txt'] };
  const wrong = ['it shouts', 'it is late'];

  it('is listed as that, and never called mended', async () => {
    const { make, judge } = cast([wrong]);
    const write = (dir: string, task: CreatorTask) => {
      const { turn } = task;
      put(dir, { 'output/letter.md': `${wrong.join('\n')}\nnumber ${turn}\n` });
      if (turn === 0) put(dir, { 'output/late.txt': 'late\n' });
      else rmSync(join(dir, 'output/late.txt'), { force: true });
      return turn < 3 ? undefined : make.write(dir, task);
    };
    const gates = `quality_gate: [${JSON.stringify({ ...LATE, max_retries: 4 })}, { type: approval, approval_type: tone, max_retries: 4 }]`;
    const played = await play(planOf(gates), { make: { write }, judge });
    for (const attempt of [3, 4]) {
      const brief = textOf(played, `phases/write/logs/attempt-${attempt}/brief.md`);
      expect(brief).not.toContain('mended:');
      for (const each of wrong) expect(brief).toMatch(new RegExp(`not looked at again: .*${each}`));
      expect(brief).toMatch(/error \(.*late\.txt/);
    }
  });

  it('of a judge of another phase stays what came back with the work', async () => {
    const { make, judge } = cast([wrong]);
    const write = (dir: string, task: CreatorTask) => {
      make.write(dir, task);
      if (task.turn === 0) put(dir, { 'output/late.txt': 'late\n' });
      else rmSync(join(dir, 'output/late.txt'), { force: true });
    };
    const plan = {
      'phases.yaml': `${planOf(`quality_gate: ${JSON.stringify({ ...LATE, max_retries: 4 })}`)['phases.yaml']}  - id: approve
    type: approval
    approval_type: tone
    input: [output/letter.md]
    on_rejection: { action: retry_phase, max_retries: 3 }
`,
    };
    const played = await play(plan, { make: { write }, judge });
    const brief = textOf(played, 'phases/write/logs/attempt-3/brief.md');
    expect(brief).not.toContain('mended:');
    expect(brief.match(/objection: it shouts/g)).toHaveLength(1);
  });
});

it('who reviews again is told nothing of what was found before', async () => {
  const played = await play(planOf(GATED), cast([['it shouts at the reader']]));
  const [first, second] = approvalsIn(played.events);
  const briefs = [first, second].map((each) => textOf(played, `approvals/${each?.approval}/brief.md`));
  for (const brief of briefs) {
    expect(brief).toContain('## Check `kind`');
    expect(brief).not.toMatch(/objection|still open|mended:|stuck,/);
  }
  expect(first?.approval).not.toBe(second?.approval);
});

describe('stop_when_stuck', () => {
  const always = Array.from({ length: 9 }, () => ['it shouts']);
  it.each([
    ['true climbs after two attempts that changed nothing', 'stop_when_stuck: true', 3, 'the same finding came back'],
    ['a number climbs after so many', 'stop_when_stuck: 1', 2, 'the same finding came back'],
    ['without it all attempts are used', '', 6, 'its gate approval failed 6 times'],
  ])('%s', async (_, setting, attempts, reason) => {
    const { state, told } = await play(planOf([setting, GATED].filter((part) => part !== '').join(', ')), cast(always));
    expect(state.phases.get('write')?.history.judged).toBe(attempts);
    expect(told.at(-1)).toMatch(new RegExp(`^write asks proposal: .*${reason}`));
  });

  it('does not climb while findings go and others come', async () => {
    const others = Array.from({ length: 6 }, (_, n) => [
      `it shouts ${['once', 'twice', 'again', 'often', 'always', 'still'][n]}`,
    ]);
    const { told } = await play(planOf(`stop_when_stuck: 1, ${GATED}`), cast(others));
    expect(told.at(-1)).toMatch(/^write asks proposal: .*its gate approval failed \d times/);
  });
});
