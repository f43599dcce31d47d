import { readFileSync } from 'node:fs';
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
