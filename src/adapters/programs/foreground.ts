import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { HelixError } from '../../domain/helix-error.ts';
import { findTool } from '../disk/find-program.ts';

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> };

/**
 * Runs a program on the terminal of this process until it ends, and resolves to its exit code. The keyboard is the
 * program's alone meanwhile; whoever wants this process to stop reaches the program.
 */
export async function runInForeground(argv: readonly string[], { cwd, env }: Place): Promise<number> {
  const [program = '', ...args] = argv;
  const file = program.includes('/') ? program : findTool(program, env.PATH);
  if (file === undefined) throw notStarted(program, new Error('there is no such program in PATH'));
  const child = spawn(file, args, { cwd, env, stdio: 'inherit' });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  // On a terminal Ctrl-C reaches the program by itself, and what it means is the program's affair.
  const typed = (signal: NodeJS.Signals) => (process.stdin.isTTY ? undefined : pass(signal));
  const heard = [
    ['SIGINT', typed],
    ['SIGQUIT', typed],
    ['SIGTERM', pass],
    ['SIGHUP', pass],
  ] as const;
  for (const [signal, listener] of heard) process.on(signal, listener);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) => reject(notStarted(program, cause)));
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    for (const [signal, listener] of heard) process.off(signal, listener);
  }
}

function notStarted(program: string, cause: Error): HelixError {
  return new HelixError('usage', `${program} cannot be started: ${cause.message}`, {
    hint: 'Name a program in PATH, or one by its path.',
    cause,
  });
}
