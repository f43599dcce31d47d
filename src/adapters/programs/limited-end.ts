import type { Confinement } from '../../ports/processes.ts';
import type { Group } from './limits/group.ts';
import type { Ending } from './program-limits.ts';

const LOOK_MS = 250;

type Limited = { readonly group: Group | undefined; readonly confine: Confinement | undefined };

/**
 * Calls `stop` when a program has more processes than it may or, behind closed walls, was short of memory. An agent whose command
 * was killed for want of memory sees that itself, and goes on.
 */
export function watchGroup({ group, confine }: Limited, stop: (ending: Ending) => void): () => void {
  if (group === undefined) return () => undefined;
  const look = () => {
    const overrun = group.overrun();
    if (overrun !== undefined && (confine?.kind === 'closed' || overrun.what === 'processes')) stop(stopped(overrun));
  };
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

/** How a program ended that may have been stopped by its limits, whoever of its processes noticed. */
export function limitedEnd(ending: Ending, { group, confine }: Limited): Ending {
  if (ending.ended !== 'exit' && ending.ended !== 'signal') return ending;
  const overrun = group?.overrun();
  if (overrun === undefined || (confine?.kind === 'open' && ending.exitCode === 0)) return ending;
  return stopped(overrun);
}

function stopped({ words }: { words: string }): Ending {
  return { ended: 'resource_limit', message: `stopped: ${words}` };
}
