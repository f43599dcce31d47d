import type { Phase } from '../../domain/plan.ts';
import { oneLine } from '../../text/sanitise.ts';

type Facts = { readonly run: string; readonly head: string; readonly simulated: boolean };

/** What the commit of an accepted phase says; its trailers lead back to the journal. */
export function commitMessage(phase: Phase, { run, head, simulated }: Facts): string {
  const title = phase.name === phase.id ? phase.id : `${oneLine(phase.name, 60)} (${phase.id})`;
  const trailers = [
    `Helix-Run: ${run}`,
    `Helix-Phase: ${phase.id}`,
    `Helix-Journal: ${head}`,
    ...(simulated ? ['Helix-Simulated: true'] : []),
  ];
  return `${title}\n\n${trailers.join('\n')}\n`;
}
