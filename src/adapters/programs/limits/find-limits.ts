import { totalmem } from 'node:os';
import { bytesOf, type LimitSettings, type Limits } from '../../../domain/plan/limits.ts';
import { groupParents } from './group-parents.ts';

/** Enough for any honest test, and what is left keeps the machine working. */
const MEMORY_SHARE = 0.75;
const PROCESSES = 4096;
const FILE_SIZE = '8 GB';

/** What programs are limited to on this machine, by helix.yaml or else generously. */
export async function findLimits(settings: LimitSettings = {}): Promise<Limits> {
  const { memory, pids } = await groupParents();
  const share = Math.floor(usableMemory() * MEMORY_SHARE);
  return {
    memory: memory === undefined ? 'unlimited' : settings.memory === undefined ? share : bytesOf(settings.memory),
    processes: pids === undefined ? 'unlimited' : (settings.processes ?? PROCESSES),
    file_size: bytesOf(settings.file_size ?? FILE_SIZE),
  };
}

/** What the machine has, or the container HELIX is in. */
function usableMemory(): number {
  const given = process.constrainedMemory();
  return given > 0 ? Math.min(given, totalmem()) : totalmem();
}
