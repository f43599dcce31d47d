import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { samplePhase, UNCONFINED } from '../../../test/sample-start.ts';
import { scratch } from '../../../test/scratch.ts';
import type { CreatorTask } from '../../ports/agent.ts';
import { openProject } from '../disk/project-directory.ts';
import { createProcesses } from '../programs/processes.ts';
import { performTurn } from './agent-turn.ts';

/** Drives a program that says it has spent too much; `before` runs when it is heard. */
function overspend(before: () => void, signal: AbortSignal) {
  const task: CreatorTask = {
    ...UNCONFINED,
    ...{ role: 'creator', phase: samplePhase('one'), attempt: 1, turn: 0, brief: 'Do it.', spendUsd: 1, signal },
    ...{
      dir: scratch(),
      marker: `turn-${randomUUID()}`,
      wallMs: 240_000,
      inputs: [],
      writable: [],
      protect: [],
      network: [],
    },
    onLine: () => undefined,
  };
  return performTurn(task, { processes: createProcesses(), project: openProject(task.dir) }, (control) => ({
    name: 'sh',
    hasResult: false,
    facts: { cost: { basis: 'unknown' } },
    start: () => ({ argv: ['/bin/sh', '-c', 'echo 2; sleep 3600'], env: { PATH: '/usr/bin:/bin' } }),
    take: (line) => {
      before();
      control.spend(Number(line), 'reported');
      return true;
    },
    cancel: () => undefined,
    outcome: () => ({}),
  }));
}

it('an agent that spends too much is ended for its budget', async () => {
  const end = await overspend(() => undefined, new AbortController().signal);
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'budget' });
});

it('what is spent too much after HELIX was asked to stop is no matter of the budget', async () => {
  const stop = new AbortController();
  const end = await overspend(() => stop.abort(), stop.signal);
  expect(end).toMatchObject({ kind: 'interrupted', failure: 'cancelled' });
});
