import { setTimeout as pause } from 'node:timers/promises';
import { type Identity, identityOf } from '../disk/process-identity.ts';
import { listProcesses, type ProcessRow } from './process-table.ts';

const POLL_MS = 20;
const KILL_ROUNDS = 100;
// The table is not read in one moment: of 120 chains of forks, one empty look believed to be the end missed one.
const QUIET_LOOKS = 3;

/** Picks the processes that are meant; asked again and again, since they may fork while they are being ended. */
export type Selection = (table: readonly ProcessRow[]) => readonly ProcessRow[];

/** Ends all selected processes, first politely, and resolves to how many have gone. */
export async function endProcesses(select: Selection, graceMs: number): Promise<number> {
  const met = new Map<string, ProcessRow>();
  const look = async (): Promise<readonly ProcessRow[]> => {
    const rows = select(await listProcesses());
    for (const row of rows) met.set(nameOf(row), row);
    return rows;
  };
  const polite = await look();
  for (const row of polite) signalProcess(row, 'SIGTERM');
  await untilGone(polite, graceMs);
  let quiet = met.size === 0 ? QUIET_LOOKS : 0;
  for (let round = 0; quiet < QUIET_LOOKS && round < KILL_ROUNDS; round += 1) {
    const left = await look();
    for (const row of left) signalProcess(row, 'SIGKILL');
    quiet = left.length === 0 ? quiet + 1 : 0;
    await pause(Math.min(POLL_MS, round));
  }
  return [...met.values()].filter((row) => !lives(row)).length;
}

/** Waits for selected processes that are about to end by themselves; false when some are left after `ms`. */
export async function allGone(select: Selection, ms: number): Promise<boolean> {
  for (const deadline = performance.now() + ms; performance.now() < deadline; await pause(POLL_MS / 10)) {
    if (select(await listProcesses()).length === 0) return true;
  }
  return false;
}

/** Picks what a dead leader has left: the members its group had at the first look, and every stray. */
export function leftBy(leader: number, isStray: (row: ProcessRow) => boolean): Selection {
  // By name, because the group's number may be given away once the group is empty.
  let members: ReadonlySet<string> | undefined;
  return (table) => {
    members ??= new Set(table.filter((row) => row.group === leader).map(nameOf));
    const known = members;
    return table.filter((row) => known.has(nameOf(row)) || isStray(row));
  };
}

/** Sends a signal to exactly this process; a later one with the same number is left alone. */
export function signalProcess(identity: Identity, signal: NodeJS.Signals): void {
  if (lives(identity)) send(identity.pid, signal);
}

/** Sends a signal to a whole group; only safe while its leader has not been reaped. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal);
}

/** Sends a signal to the members of a group, but not to its leader. */
export async function signalFollowers(leader: number, signal: NodeJS.Signals): Promise<void> {
  for (const row of await listProcesses()) if (row.group === leader && row.pid !== leader) signalProcess(row, signal);
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Gone already, or not ours to end: the next look at the table tells.
  }
}

function nameOf(identity: Identity): string {
  return `${identity.pid} ${identity.start}`;
}

function lives(identity: Identity): boolean {
  return identityOf(identity.pid)?.start === identity.start;
}

async function untilGone(identities: readonly Identity[], ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  while (identities.some(lives) && performance.now() < deadline) await pause(POLL_MS);
}
