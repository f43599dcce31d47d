import { expect, it } from 'vitest';
import { Repository } from '../../../test/repository.ts';

it.each([
  ['without a plan', true, 'helix do "'],
  ['with a plan', false, 'helix run'],
])('%s and a run, it names a command that can start one', async (_what, planless, command) => {
  const { code, stderr } = await new Repository({ planless }).helix(['status']);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Start one: ${command}`)]);
});
