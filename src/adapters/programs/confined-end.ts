import { constants } from 'node:os';
import { basename } from 'node:path';
import { type Limits, renderLimit } from '../../domain/plan/limits.ts';
import type { Ending } from './program-limits.ts';

/** By number; where a signal has two names, by the first. */
const SIGNALS = new Map(
  Object.entries(constants.signals)
    .reverse()
    .map(([name, number]) => [number, name]),
);
const SHELLS = /^(ba|da|k|z)?sh$/;
const SIGNALLED = 128;

type Ended = { readonly argv: readonly string[]; readonly limits?: Limits | undefined; readonly tail: string };

/**
 * How a program behind walls ended. Bubblewrap tells a signal by an exit code, as shells do: from a shell it may be about a
 * program of the shell's, and stays what it is. Its own failures, in a line of its own, are no word of the program's.
 */
export function confinedEnd(ending: Ending, { argv, limits, tail }: Ended): Ending {
  if (ending.ended !== 'exit' || ending.exitCode === undefined) return ending;
  const failure = ending.exitCode === 1 ? /^(?:bwrap|helix): (.+)\n?$/.exec(tail)?.[1] : undefined;
  if (failure !== undefined) return { ended: 'spawn', message: `cannot start ${argv[0]} in the sandbox: ${failure}` };
  const signal = SIGNALS.get(ending.exitCode - SIGNALLED);
  if (signal === undefined || SHELLS.test(basename(argv[0] ?? ''))) return ending;
  if (signal === 'SIGXFSZ' && limits !== undefined && limits.file_size !== 'unlimited') {
    const limit = renderLimit(limits.file_size);
    return {
      ended: 'resource_limit',
      message: `stopped: it wrote a file of more than ${limit} (limits.file_size in helix.yaml)`,
    };
  }
  return { ended: 'signal', message: `ended by ${signal}` };
}
