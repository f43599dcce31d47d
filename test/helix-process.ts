import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The command line as users of a checkout call it. */
export const HELIX = fileURLToPath(new URL('../bin/helix', import.meta.url));

/** How a `helix` process ended and what it said. */
export type HelixEnd = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

/** Starts a real `helix` process; `through` is a program that becomes it, such as setpriv. */
export function startHelix(
  args: readonly string[],
  options: { cwd: string; env?: Record<string, string>; input?: string; through?: readonly string[] },
): { child: ChildProcess; end: Promise<HelixEnd> } {
  const [program = HELIX, ...before] = [...(options.through ?? []), HELIX];
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd,
    env: {
      ...process.env,
      HELIX_WARM: undefined,
      NO_COLOR: '1',
      XDG_STATE_HOME: `${options.cwd}/.state`,
      ...options.env,
    },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (options.input !== undefined) child.stdin?.end(options.input);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (piece) => (stdout += String(piece)));
  child.stderr?.on('data', (piece) => (stderr += String(piece)));
  const end = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }) as HelixEnd);
  return { child, end };
}

/** Runs `helix` to its end: in a process that has loaded it already where there is one and the call can be served by it. */
export async function helix(args: readonly string[], options: Parameters<typeof startHelix>[1]): Promise<HelixEnd> {
  const { HELIX_WARM: socket, ...own } = process.env;
  const env: NodeJS.ProcessEnv = { ...own, NO_COLOR: '1', XDG_STATE_HOME: `${options.cwd}/.state`, ...options.env };
  // A shell is handed what this process reads and writes, and a background process is started as this one was.
  const hasOwn = args[0] === 'shell' || args.includes('--detach');
  const asUsual = options.through === undefined && env.PATH === own.PATH && !hasOwn;
  if (socket === undefined || socket === 'none' || !asUsual) return startHelix(args, options).end;
  const connection = connect(socket).end(JSON.stringify({ args, cwd: options.cwd, env, input: options.input ?? '' }));
  return JSON.parse(await text(connection)) as HelixEnd;
}
