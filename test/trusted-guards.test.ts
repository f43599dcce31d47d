import { expect, it } from 'vitest';
import { Repository } from './repository.ts';

const WORK = { id: 'work', type: 'development', output: ['out.txt'] };
const planWith = (gate: Readonly<Record<string, unknown>>) => ({
  'phases.yaml': JSON.stringify({
    project: { name: 'mine', description: 'Make what the phases say' },
    workspace: 'repo',
    phases: [{ ...WORK, ...gate }],
  }),
});
const SYNTAX = { quality_gate: { type: 'syntax_check' } };

it('a gate that was added to a trusted plan asks nothing, and is missed once a run has had it', async () => {
  const repository = new Repository();
  expect(await repository.helix(['trust'])).toMatchObject({ code: 0 });
  repository.write(planWith(SYNTAX));
  repository.commit('looked at by more');
  expect(await repository.helix(['run'])).toMatchObject({ code: 0 });
  repository.write(planWith({}));
  repository.commit('pulled');
  const { code, stderr } = await repository.helix(['run']);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('- looked at by syntax_check: work') });
  expect(await repository.helix(['run', '--trust'])).toMatchObject({ code: 0 });
});

it('where everybody plays a script no gate is missed', async () => {
  const repository = new Repository({ phases: [{ ...WORK, ...SYNTAX }] });
  expect(await repository.helix(['trust'])).toMatchObject({ code: 0 });
  repository.write(planWith({}));
  repository.commit('pulled');
  expect((await repository.helix(['run', '--agent', 'scripted'])).stderr).not.toContain('looked at by');
});

it('how a task has its work looked at is nothing that the plan of the project could lose', async () => {
  const repository = new Repository();
  expect(await repository.helix(['trust'])).toMatchObject({ code: 0 });
  const task = ['do', 'write out.txt', '--check', 'test -s out.txt', '--no-judge', '--trust'];
  expect(await repository.helix(task)).toMatchObject({ code: 0 });
  const { code, stderr } = await repository.helix(['run']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('looked at by') });
});
