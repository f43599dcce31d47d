import type { Location } from '../../domain/finding.ts';
import { present } from '../../domain/present.ts';
import type { FailureClass } from '../../domain/verdict.ts';
import { excerpt, oneLine } from '../../text/sanitise.ts';
import { withoutDirectory } from '../../text/without-directory.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { collectOutput } from '../test-output/collect-output.ts';
import { countTests } from '../test-output/count-tests.ts';
import { findPlaces } from '../test-output/report/find-places.ts';
import { endingOf } from './ending.ts';
import { failedSteps } from './failed-steps.ts';
import { locator } from './locate.ts';
import { type CommandOptions, runCommand } from './run-command.ts';

const MAX_NAME = 300;
const MAX_MESSAGE = 900;

/** A test that failed, by a name that stays the same from run to run. */
export type Failed = {
  readonly name: string;
  readonly message?: string;
  readonly location?: Location;
  /** The files of the tree that its message and stack trace name. */
  readonly files: readonly string[];
};

/** What one run of a test command came to. */
export type TestRun = {
  readonly kind: 'ran';
  readonly exitCode: number;
  /** Undefined where the output names no number of tests. */
  readonly total: number | undefined;
  readonly skipped: number;
  /** How many failures were counted, whether or not they were named. */
  readonly failures: number;
  readonly failed: readonly Failed[];
  /** The names of all that passed; undefined where the runner does not name them. */
  readonly passed?: readonly string[] | undefined;
  /** The steps of the command that its output says have failed. */
  readonly steps: readonly string[];
  /** The last words of the command, and the first place in them that is in the tree. */
  readonly ending: string;
  /** As much of its end as an agent is told, where that is more. */
  readonly output?: string | undefined;
  readonly place: Location | undefined;
  /** Whether the output was too long to be read whole. */
  readonly cut: boolean;
  readonly durationMs: number;
};

type Interrupted = { readonly kind: 'interrupted'; readonly failure: FailureClass; readonly message: string };

/** Runs a test command in the scratch copy and reads what it says. */
export async function runTests(
  context: GateContext,
  { command, wallMs, network }: Pick<CommandOptions, 'command' | 'wallMs' | 'network'>,
): Promise<TestRun | Interrupted> {
  const collector = collectOutput();
  const end = await runCommand(context, { command, wallMs, network, onLine: collector.add });
  if (end.kind === 'interrupted') return end;
  const directory = await context.directory();
  const locate = locator(
    directory,
    context.tree.files.map(({ path }) => path),
  );
  const output = collector.lines();
  const { total, skipped = 0, failures = 0, failed = [], passed } = countTests(output) ?? {};
  const named = (name: string) => oneLine(withoutDirectory(name, directory), MAX_NAME);
  const { words: ending, output: longer } = endingOf(withoutDirectory(end.tail, directory));
  return {
    kind: 'ran',
    exitCode: end.exitCode,
    total,
    skipped,
    failures,
    failed: failed.map(({ name, message, places }) => {
      const location = locate(places);
      return {
        name: named(name),
        ...(message !== undefined && { message: excerpt(withoutDirectory(message, directory), MAX_MESSAGE) }),
        ...present({ location }),
        files: [...new Set(places.flatMap((place) => locate([place])?.file ?? []))],
      };
    }),
    ...present({ passed: passed?.map(named) }),
    steps: failedSteps(output),
    ending,
    ...present({ output: longer }),
    place: locate(findPlaces(ending.split('\n'))),
    cut: output.cut,
    durationMs: end.durationMs,
  };
}
