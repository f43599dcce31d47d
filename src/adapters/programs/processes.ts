import { HelixError } from '../../domain/helix-error.ts';
import type { Processes } from '../../ports/processes.ts';
import { self } from '../disk/process-identity.ts';
import { createMarkerUse } from './marker-use.ts';
import { ownProgram } from './own-program.ts';
import { carries } from './process-table.ts';
import { endProcesses } from './process-tree.ts';
import { runProgram } from './run-program.ts';
import { type Start, spawnProgram } from './spawn-program.ts';

const GRACE_MS = 5000;

/** The programs of this machine; `graceMs` is what a program gets between the polite and the final signal. */
export function createProcesses({ graceMs = GRACE_MS }: { graceMs?: number } = {}): Processes {
  const around = { graceMs, markers: createMarkerUse() };
  return {
    run: (spec) => runProgram(spec, around),
    leave,
    endMarked: (marker) => endProcesses((table) => table.filter((row) => carries(row, marker)), graceMs),
    ownProgram,
    self,
  };
}

async function leave(start: Start): Promise<void> {
  const program = await spawnProgram(start, 'ignore');
  const failed = 'ended' in program ? program : await Promise.race([program.spawned, program.exited]);
  if (failed?.ended === 'spawn') throw new HelixError('io', failed.message);
  if (!('ended' in program)) program.child.unref();
}
