import { HelixError } from '../../domain/helix-error.ts';
import type { NoticeDocument } from '../../domain/ladder/notice.ts';
import type { ProcessEnd } from '../../ports/processes.ts';
import type { World } from '../../ports/world.ts';
import { oneLine } from '../../text/sanitise.ts';

const WALL_MS = 30_000;
const OUTPUT_BYTES = 1024 * 1024;
const SHOWN = 300;

/** What is needed to start programs that tell people. */
export type Programs = Pick<World, 'project' | 'processes' | 'findProgram' | 'env' | 'newMarker'>;

type Surroundings = { readonly programs: Programs; readonly signal: AbortSignal };

/** Starts a program of the user's with the notice on its standard input; throws HelixError `io` unless it ends well. */
export async function startCommand(
  argv: readonly string[],
  notice: NoticeDocument,
  { programs, signal }: Surroundings,
): Promise<void> {
  const processes = await programs.processes();
  const end = await processes.run({
    argv,
    cwd: programs.project.dir,
    env: programs.env,
    marker: programs.newMarker(),
    stdin: `${JSON.stringify(notice)}\n`,
    wallMs: WALL_MS,
    outputBytes: OUTPUT_BYTES,
    signal,
  });
  requireSuccess(argv[0] ?? '', end);
}

/** Throws HelixError `io` with a program's last words unless it ended well. */
export function requireSuccess(program: string, { ended, exitCode, message, tail }: ProcessEnd): void {
  if (ended === 'exit' && exitCode === 0) return;
  const words = oneLine(tail.slice(-SHOWN), SHOWN);
  throw new HelixError('io', `${oneLine(program, 80)}: ${oneLine(message)}${words === '' ? '' : ` (${words})`}`);
}
