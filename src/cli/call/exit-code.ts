import { setImmediate as breathe } from 'node:timers/promises';
import { ioError } from '../../adapters/disk/io-error.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { openRequests } from '../../domain/facts/run-state.ts';
import { HelixError, type HelixErrorCode } from '../../domain/helix-error.ts';
import { sanitise } from '../../text/sanitise.ts';
import type { Terminal } from './terminal.ts';

/** What the exit codes of `helix` mean. */
export const EXIT = { passed: 0, failed: 1, usage: 2, waiting: 3, budget: 4, parked: 5, interrupted: 130 } as const;

const BY_ERROR: Partial<Record<HelixErrorCode, number>> = {
  disk_full: EXIT.parked,
  machine: EXIT.parked,
  locked: EXIT.parked,
  stopped: EXIT.interrupted,
  fenced: EXIT.failed,
  conflict: EXIT.failed,
};

/** The exit code a run's state stands for. */
export function exitCodeOf(state: RunState): number {
  if (state.ended !== undefined) return state.ended.status === 'passed' ? EXIT.passed : EXIT.failed;
  if (state.interrupted) return EXIT.interrupted;
  if (state.parked !== undefined) return state.parked.reason === 'budget' ? EXIT.budget : EXIT.parked;
  return openRequests(state).length > 0 ? EXIT.waiting : EXIT.interrupted;
}

/** What a failing machine, or a directory that is gone, makes of any call, whoever made it, is no fault inside HELIX. */
function worded(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown;
  if ('syscall' in thrown && thrown.syscall === 'uv_cwd') {
    return new HelixError('not_found', 'the current directory is gone', { hint: 'Change to one that exists.' });
  }
  const error = ioError(thrown, 'path' in thrown ? String(thrown.path) : 'a file');
  return error instanceof HelixError && error.code === 'io' ? thrown : error;
}

/** Runs a command and turns whatever it throws into words on stderr and an exit code. */
export async function withExitCode(terminal: Terminal, command: () => Promise<number>): Promise<number> {
  try {
    const code = await command();
    await breathe();
    const lost = terminal.lost();
    if (lost === undefined || lost.closed) return code;
    terminal.err(`helix: the result could not be written: ${sanitise(lost.message)}\n`);
    return code === EXIT.passed ? EXIT.parked : code;
  } catch (thrown) {
    const error = worded(thrown);
    if (error instanceof HelixError) {
      terminal.err(`${terminal.paint('bad', 'helix:')} ${sanitise(error.message)}\n`);
      if (error.hint !== undefined) terminal.err(`${terminal.paint('dim', sanitise(error.hint))}\n`);
      return BY_ERROR[error.code] ?? EXIT.usage;
    }
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    terminal.err(`helix: something went wrong inside HELIX; please report it:\n${sanitise(text)}\n`);
    return EXIT.failed;
  }
}
