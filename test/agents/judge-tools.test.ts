import { expect, it } from 'vitest';
import { claudeArguments } from '../../src/adapters/agents/claude-code/claude-arguments.ts';
import { codexArguments } from '../../src/adapters/agents/codex/codex-arguments.ts';
import { answerOf, done, judgeOf, MemoryAgent, questionOf } from '../../src/approval/approval.fixture.ts';
import { askJudge } from '../../src/approval/ask-judge.ts';
import type { Driver } from '../../src/domain/plan/driver.ts';
import type { JudgeTask } from '../../src/ports/agent.ts';

/** Asks a judge of a driver: what it was asked to do, and what the record says it could do it with. */
async function recorded(driver: Driver) {
  const agent = new MemoryAgent([done(answerOf())], { driver });
  const asked = await askJudge(questionOf(), judgeOf(agent));
  const [task] = agent.tasks;
  if (asked.kind !== 'answered' || task === undefined) throw new Error('a judge was expected to answer');
  return { task, tools: asked.record.tools };
}

/** What stands behind a flag, up to the next one. */
function valuesOf(args: readonly string[], flag: string): string[] {
  const rest = args.slice(args.indexOf(flag) + 1);
  const next = rest.findIndex((each) => each.startsWith('--'));
  return rest.slice(0, next === -1 ? undefined : next);
}

const claude = (task: JudgeTask) => claudeArguments(task, { driver: 'claude-code' });

it('the record of a judge names the very tools that claude is started with', async () => {
  const { task, tools } = await recorded('claude-code');
  expect(tools).toEqual(['Read', 'Grep', 'Glob']);
  expect(valuesOf(claude(task), '--tools')).toEqual([tools.join(',')]);
  expect(valuesOf(claude(task), '--allowedTools')).toEqual(tools);
});

it('the record of a judge by codex names the shell, which codex is told to let nobody write with', async () => {
  const { task, tools } = await recorded('codex');
  expect(tools).toEqual(['shell (read-only, without network)']);
  expect(valuesOf(codexArguments(task), '--sandbox')[0]).toBe('read-only');
});

it.each([
  'scripted',
  'command',
  'acp',
  'replay',
] as const)('the record of %s names no tool: HELIX gives it none', async (driver) => {
  expect((await recorded(driver)).tools).toEqual([]);
});
