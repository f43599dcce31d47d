import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { HAS_PROC, type Identity, identityOf, PS, parsePsIdentity, readProc } from '../disk/process-identity.ts';
import { MARKER_VARIABLE } from './environment.ts';

const MAX_PASSES = 10;
const IS_NUMBER = /^\d+$/;
const PREFIX = Buffer.from(`${MARKER_VARIABLE}=`);

/** A living process and the marker it was started with, if it has one. */
export type ProcessRow = Identity & { readonly marker: string | undefined };

/** All living processes but this one. */
export async function listProcesses(): Promise<ProcessRow[]> {
  const rows = HAS_PROC ? rowsFromProc() : await rowsFromPs();
  return rows.filter((row) => row.pid !== process.pid);
}

/** Tells whether a process belongs to the marker or to one of its parts: a run's marker covers its attempts'. */
export function carries(row: ProcessRow, marker: string): boolean {
  return row.marker === marker || row.marker?.startsWith(`${marker}:`) === true;
}

function rowsFromProc(): ProcessRow[] {
  const rows = new Map<string, ProcessRow>();
  const read = new Set<string>();
  // Whoever forks and exits while the others are read is caught by looking for new numbers until there are none.
  for (let pass = 0, unsure = true; unsure && pass < MAX_PASSES; pass += 1) {
    unsure = false;
    for (const name of readdirSync('/proc')) {
      if (read.has(name) || !IS_NUMBER.test(name)) continue;
      unsure = true;
      const identity = identityOf(Number(name));
      const environ = readProc(Number(name), 'environ');
      if (identity === undefined) rows.delete(name);
      else rows.set(name, { ...identity, marker: markerIn(environ) });
      if (identity === undefined || !isBlank(identity, environ)) read.add(name);
    }
  }
  return [...rows.values()];
}

/** In the middle of an exec a process shows no environment yet; those of the kernel, in group 0, never do. */
function isBlank(identity: Identity, environ: Buffer | undefined): boolean {
  return environ?.length === 0 && identity.group !== 0;
}

function markerIn(environ: Buffer | undefined): string | undefined {
  if (environ === undefined) return undefined;
  for (let at = environ.indexOf(PREFIX); at !== -1; at = environ.indexOf(PREFIX, at + 1)) {
    if (at > 0 && environ[at - 1] !== 0) continue;
    const end = environ.indexOf(0, at);
    return environ.toString('utf8', at + PREFIX.length, end === -1 ? environ.length : end);
  }
  return undefined;
}

/** The process table as `ps` prints it, for systems without /proc. */
export async function rowsFromPs(): Promise<ProcessRow[]> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const flags = process.platform === 'darwin' ? '-axEww' : 'axeww';
  const args = [flags, '-o', 'pid=,pgid=,stat=,lstart=,command='];
  execFile(PS.path, args, { env: PS.env, maxBuffer: 256 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
  return (await promise).split('\n').flatMap((line) => {
    const identity = parsePsIdentity(line);
    return identity === undefined ? [] : [{ ...identity, marker: lastMarkerIn(line) }];
  });
}

/** The environment comes after the arguments, which may hold the same text. */
function lastMarkerIn(line: string): string | undefined {
  return [...line.matchAll(new RegExp(` ${MARKER_VARIABLE}=(\\S+)`, 'g'))].at(-1)?.[1];
}
