import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import type { Limits } from '../../domain/plan/limits.ts';
import type { ProcessSpec } from '../../ports/processes.ts';
import { MARKER_VARIABLE } from './environment.ts';
import { Group } from './limits/group.ts';
import { groupParents } from './limits/group-parents.ts';
import { withinLimits } from './limits/within-limits.ts';
import { confined } from './walls/confined.ts';
import { findBehind } from './walls/layers.ts';

/** What is needed to start a program. */
export type Start = Pick<ProcessSpec, 'argv' | 'cwd' | 'env' | 'marker' | 'confine'>;

/** A program that was started; `exited` also resolves when it turns out that it never was. */
export type Program = {
  readonly child: ChildProcess;
  readonly spawned: Promise<void>;
  readonly exited: Promise<Exit>;
  /** Its pipes have ended too, which whoever inherited them can put off. */
  readonly closed: Promise<void>;
  /** What it is limited by, where it is. */
  readonly group: Group | undefined;
};

export type Exit =
  | { readonly ended: 'exit'; readonly exitCode: number; readonly message: string }
  | { readonly ended: 'signal' | 'spawn'; readonly message: string };

/** Starts a program in a session of its own, or says why that is not possible. */
export async function spawnProgram(start: Start, stdio: StdioOptions): Promise<Program | Exit> {
  const [program = '', ...args] = start.argv;
  // Looked up here, because the system's lookup follows relative entries of PATH into the working directory.
  const searched = start.env.PATH ?? process.env.PATH;
  const file = program.includes('/') ? program : await findBehind(program, searched, start.confine?.layers ?? []);
  if (file === undefined) return failure(start, new Error(`there is no executable program of this name in PATH`));
  const env = { ...start.env, [MARKER_VARIABLE]: start.marker };
  const { cwd, confine } = start;
  let group: Group | undefined;
  try {
    const argv: [string, ...string[]] = [file, ...args];
    const walled = confine === undefined ? argv : await confined({ argv, cwd, env, confine });
    const limits = confine?.limits;
    group = limits && (await openGroup(limits));
    const [first, ...rest] = limits && group ? withinLimits(walled, { limits, group }) : walled;
    return followed(spawn(first, rest, { cwd, env, stdio, detached: true, shell: false }), { start, group });
  } catch (error) {
    await group?.remove();
    return failure(start, error);
  }
}

async function openGroup(limits: Limits): Promise<Group> {
  try {
    return Group.make(await groupParents(), limits);
  } catch (error) {
    throw new Error(`its limits cannot be set: ${(error as Error).message}`);
  }
}

function followed(child: ChildProcess, { start, group }: { start: Start; group: Group | undefined }): Program {
  const spawned = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<Exit>();
  const closed = Promise.withResolvers<void>();
  child.once('spawn', spawned.resolve);
  child.once('close', () => closed.resolve());
  child.on('error', (error) => exited.resolve(failure(start, error)));
  child.once('exit', (exitCode, signal) => {
    if (exitCode === null) exited.resolve({ ended: 'signal', message: `ended by ${signal}` });
    else exited.resolve({ ended: 'exit', exitCode, message: `exited with code ${exitCode}` });
  });
  return { child, spawned: spawned.promise, exited: exited.promise, closed: closed.promise, group };
}

function failure(start: Start, error: unknown): Exit {
  const what = `cannot start ${start.argv[0] || 'a program without a name'}`;
  if (!isDirectory(start.cwd))
    return { ended: 'spawn', message: `${what}: ${start.cwd} is not a directory to work in` };
  const { code = '', message } = error as NodeJS.ErrnoException;
  return { ended: 'spawn', message: `${what}: ${REASONS[code] ?? message}` };
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program, or not the interpreter its first line names',
  EACCES: 'it is not executable, or not for this user',
  ENOEXEC: 'it is not in a format this machine can run',
  E2BIG: 'its arguments and environment are too large; hand long text over in a file or on stdin',
  EAGAIN: 'the limit of processes is reached',
  EMFILE: 'the limit of open files is reached',
};

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
