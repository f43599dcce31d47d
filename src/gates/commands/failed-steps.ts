import { oneLine } from '../../text/sanitise.ts';
import type { OutputLines } from '../test-output/collect-output.ts';

const MAX_STEPS = 20;
const MAX_LENGTH = 200;

/** Lines in which what runs several steps, or a checker that is no test runner, says that something failed. */
const FAILED: readonly RegExp[] = [
  /^g?make(?:\[\d+\])?: \*\*\* /,
  /^npm (?:ERR!|error) Lifecycle script /,
  /^ERROR: "[^"]+" exited with \d+/,
  /^\[?[\w:@./ -]{1,80}\]? ?exited with code [1-9]\d*/,
  /ELIFECYCLE/,
  /^error Command failed with exit code/,
  /^error: script "[^"]+" (?:exited|was terminated)/,
  /^ ?Failed: {1,8}\S/,
  /^✖ \d+ problems? \([1-9]\d* errors?/,
  /\berror TS\d+:/,
  /^Found [1-9]\d* errors?\b/,
  /^error: could not compile /,
  /^\d+ files? would be reformatted|^would reformat /,
];

/** The steps of a command that its own output says have failed, without the numbers that differ from run to run. */
export function failedSteps({ stdout, stderr }: Pick<OutputLines, 'stdout' | 'stderr'>): string[] {
  const steps = new Set<string>();
  for (const line of [...stdout, ...stderr]) {
    if (steps.size >= MAX_STEPS) break;
    if (FAILED.some((pattern) => pattern.test(line))) steps.add(nameOf(line));
  }
  return [...steps];
}

function nameOf(line: string): string {
  const code = /\berror (TS\d+):/.exec(line)?.[1];
  return code ?? oneLine(line, MAX_LENGTH).replaceAll(/\d+/g, 'N');
}
