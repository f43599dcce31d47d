import type { SetUpStep } from '../../ports/workspace.ts';
import { renderDuration } from '../../report/words/time.ts';
import { oneLine } from '../../text/sanitise.ts';

/** What set-up does or did, in a line. */
export function setUpText({ command, kept, ended }: SetUpStep): string {
  const what = `${oneLine(command, 200)}${kept ? ', from cache' : ''}`;
  if (ended === undefined) return what;
  return `${what}, ${ended.failed ? 'failed after ' : ''}${renderDuration(ended.ms)}`;
}
