import type { Phase } from '../../../domain/plan/plan.ts';
import type { Acceptance } from '../../../ports/workspace.ts';
import { oneLine } from '../../../text/sanitise.ts';

type Facts = {
  readonly run: string;
  readonly head: string;
  readonly simulated: boolean;
  readonly override?: Acceptance['override'];
};

const MAX_NAME = 100;
const MAX_REASON = 500;

/** What the commit of an accepted phase says; its trailers lead back to the journal. */
export function commitMessage(phase: Phase, { run, head, simulated, override }: Facts): string {
  const title = phase.name === phase.id ? phase.id : `${oneLine(phase.name, 60)} (${phase.id})`;
  const trailers = [
    `Helix-Run: ${run}`,
    `Helix-Phase: ${phase.id}`,
    `Helix-Journal: ${head}`,
    ...(simulated ? ['Helix-Simulated: true'] : []),
  ];
  return `${title}\n\n${sayingOf(override)}${trailers.join('\n')}\n`;
}

/** A paragraph of one line: nothing a human writes can become a trailer. */
function sayingOf(override: Acceptance['override']): string {
  if (override === undefined) return '';
  const { actor, reason } = override;
  return `Override: ${oneLine(actor, MAX_NAME)}: ${oneLine(reason, MAX_REASON) || 'no reason given'}\n\n`;
}
