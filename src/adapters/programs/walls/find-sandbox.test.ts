import { expect, it } from 'vitest';
import { createProcesses } from '../processes.ts';
import { findSandbox } from './find-sandbox.ts';

const means = { processes: createProcesses(), env: { PATH: process.env.PATH ?? '' } };

it.each(['basic', 'none'] as const)('%s is what was asked for, without a look at the machine', async (wanted) => {
  const never = { run: () => Promise.reject(new Error('nothing is started')) };
  const sandbox = await findSandbox(wanted, { ...means, processes: { ...means.processes, ...never } });
  expect(sandbox).toEqual({ level: wanted, why: 'asked for in helix.yaml' });
});

it('the machine is looked at once', async () => {
  let runs = 0;
  const run: typeof means.processes.run = (spec) => {
    runs += 1;
    return means.processes.run(spec);
  };
  const counting = { ...means, processes: { ...means.processes, run } };
  const first = await findSandbox('auto', counting);
  const looked = runs;
  expect(await findSandbox('auto', counting)).toEqual(first);
  expect(runs).toBe(looked);
});
