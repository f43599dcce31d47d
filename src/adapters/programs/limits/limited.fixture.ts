import { describe } from 'vitest';
import { describeWalled } from '../walls/walled.fixture.ts';
import { groupParents } from './group-parents.ts';

const { memory, pids } = await groupParents();

/** Tests that need walls and control groups; where there are none they are skipped, and their name says why. */
export function describeLimited(name: string, tests: () => void): void {
  if (memory !== undefined && pids !== undefined) describeWalled(name, tests);
  else describe.skip(`${name} (skipped: no control groups can be written)`, tests);
}
