import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Owner } from '../../domain/facts/run-event.ts';

/** A living process; number and start time together are never given twice within a boot. */
export type Identity = { readonly pid: number; readonly start: string; readonly group: number };

/** Tells whether the kernel shows its processes as files. */
export const HAS_PROC = existsSync('/proc/self/stat');

/** `ps` without /proc: absolute start times in a fixed language and zone. */
export const PS = { path: '/bin/ps', env: { LC_ALL: 'C', TZ: 'UTC' } };

let own: Owner | undefined;

/** Who this process is. */
export function self(): Owner {
  own ??= { host: hostname(), pid: process.pid, start: identityOf(process.pid)?.start ?? '', boot: bootId() };
  return own;
}

/** The living process with this number; undefined when there is none or only its zombie. */
export function identityOf(pid: number): Identity | undefined {
  if (!HAS_PROC) return identityFromPs(pid);
  const stat = readProc(pid, 'stat');
  return stat === undefined ? undefined : parseStat(stat.toString('latin1'));
}

/** Reads a line of /proc/<pid>/stat; undefined for the dead. */
export function parseStat(stat: string): Identity | undefined {
  // The name in parentheses is chosen by the program and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const start = fields[19];
  if (state === undefined || start === undefined || isDead(state)) return undefined;
  return { pid: Number.parseInt(stat, 10), start, group: Number(group) };
}

/** Tells a zombie, and one that is just vanishing, by the state of `stat` or `ps`. */
function isDead(state: string): boolean {
  return state.startsWith('Z') || state.startsWith('X');
}

// Files of /proc tell no size, so that readFileSync takes 64 KB anew for each of hundreds of them.
let buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * A file of a process; undefined when it may not be read or the process has gone meanwhile. The bytes are good until the
 * next call.
 */
export function readProc(pid: number, file: 'stat' | 'environ'): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${pid}/${file}`, 'r');
    let end = 0;
    for (let count = -1; count !== 0; end += count) {
      if (end === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(end)]);
      count = readSync(fd, buffer, end, buffer.length - end, null);
    }
    return buffer.subarray(0, end);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function identityFromPs(pid: number): Identity | undefined {
  const args = ['-o', 'pid=,pgid=,stat=,lstart=', '-p', String(pid)];
  return parsePsIdentity(spawnSync(PS.path, args, { env: PS.env, encoding: 'utf8' }).stdout ?? '');
}

/** Reads `pid pgid stat lstart`; undefined for the dead. */
export function parsePsIdentity(line: string): Identity | undefined {
  const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+ +\S+ +\d+ [\d:]+ \d+)/.exec(line);
  const [, pid, group, state, start] = match ?? [];
  if (pid === undefined || group === undefined || state === undefined || start === undefined) return undefined;
  return isDead(state) ? undefined : { pid: Number(pid), start, group: Number(group) };
}

function bootId(): string {
  // Without /proc start times are dates, which tell boots apart by themselves.
  return HAS_PROC ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : 'unknown';
}
