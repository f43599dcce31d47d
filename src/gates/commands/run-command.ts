import { delimiter, isAbsolute, join } from 'node:path';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import { lastLines } from '../../text/last-lines.ts';
import { excerpt } from '../../text/sanitise.ts';
import type { GateContext } from '../gate/gate-context.ts';

/** The exit code of a program that was killed, as shells tell it. */
const KILLED = 137;
const STDOUT_LIMIT = 4 * 1024 * 1024;

/** What a gate runs, and how long and with what it may. */
export type CommandOptions = {
  readonly command: string | readonly string[];
  readonly wallMs: number;
  /** What the gate's settings say about the network, if anything. */
  readonly network?: boolean | undefined;
  /** All of stdout is wanted, and too much of it is an interruption. */
  readonly keepStdout?: boolean;
  readonly onLine?: (line: string, stream: 'stdout' | 'stderr') => void;
};

type Ran =
  | {
      readonly kind: 'ran';
      readonly exitCode: number;
      readonly stdout: string;
      readonly tail: string;
      readonly durationMs: number;
    }
  | { readonly kind: 'interrupted'; readonly failure: FailureClass; readonly message: string };

/** Runs a gate's command in a scratch copy of the judged tree; a command that cannot run is a set-up error, not an opinion. */
export async function runCommand(context: GateContext, options: CommandOptions): Promise<Ran> {
  const dir = await context.directory();
  const argv = argvOf(options.command, context.programsIn === 'copy' ? dir : context.project);
  const confine = context.walls(dir, options.network);
  const end = await context.processes.run({
    argv,
    cwd: dir,
    env: {
      ...context.env,
      // In an empty home npm looks for a newer npm at each call, which takes longer than many tests.
      npm_config_update_notifier: 'false',
      ...searchPath(context, dir),
      HELIX_PROJECT_DIR: context.project,
      HELIX_PHASE: context.phase.id,
      HELIX_ATTEMPT: String(context.attempt),
    },
    marker: context.marker,
    wallMs: options.wallMs,
    lastWords: true,
    signal: context.signal,
    ...present({ confine }),
    ...(options.keepStdout && { keepStdoutBytes: STDOUT_LIMIT }),
    ...(options.onLine && { onLine: options.onLine, lineBytes: STDOUT_LIMIT }),
  });
  return outcome(end, argv, { needsStdout: options.keepStdout === true, isWalled: confine !== undefined });
}

function searchPath({ env, binaries = [] }: GateContext, dir: string): { PATH?: string } {
  if (binaries.length === 0) return {};
  return { PATH: [...binaries.map((folder) => join(dir, folder)), env.PATH ?? ''].join(delimiter) };
}

function argvOf(command: string | readonly string[], dir: string): readonly string[] {
  if (typeof command === 'string') return ['/bin/sh', '-c', command];
  const [program = '', ...rest] = command;
  return [program.includes('/') && !isAbsolute(program) ? join(dir, program) : program, ...rest];
}

/** What is told of the output of a command that could not run. */
const WHY = { lines: 20, bytes: 1200 } as const;

const BEHIND_WALLS =
  'In the strict sandbox it sees the programs of the system and of PATH, their toolchains and the judged files, nothing else of yours.';

function outcome(
  end: ProcessEnd,
  argv: readonly string[],
  { needsStdout, isWalled }: { needsStdout: boolean; isWalled: boolean },
): Ran {
  const name = argv.join(' ');
  if (end.ended === 'spawn' || end.exitCode === 126 || end.exitCode === 127) {
    return {
      kind: 'interrupted',
      failure: 'setup',
      message: excerpt(
        [
          `the gate's command cannot run: ${name}: ${end.message}`,
          lastLines(end.tail, WHY),
          ...(isWalled ? [BEHIND_WALLS] : []),
        ]
          .join(' ')
          .trim(),
        2000,
      ),
    };
  }
  if (needsStdout && end.stdoutBytes > STDOUT_LIMIT) {
    return {
      kind: 'interrupted',
      failure: 'output_limit',
      message: `the gate's command ${name}: more than ${STDOUT_LIMIT / 1048576} MB of findings`,
    };
  }
  if (end.ended === 'exit' && end.exitCode !== undefined) {
    return { kind: 'ran', exitCode: end.exitCode, stdout: end.stdout, tail: end.tail, durationMs: end.durationMs };
  }
  if (end.ended === 'resource_limit') {
    const tail = `${end.tail.trimEnd()}\nthe command was ${end.message}`.trimStart();
    return { kind: 'ran', exitCode: KILLED, stdout: end.stdout, tail, durationMs: end.durationMs };
  }
  const failure: FailureClass =
    end.ended === 'aborted' ? 'cancelled' : end.ended === 'signal' || end.ended === 'exit' ? 'crash' : end.ended;
  return { kind: 'interrupted', failure, message: `the gate's command ${name}: ${end.message}` };
}
