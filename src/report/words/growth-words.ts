import type { Growth } from '../../domain/facts/grown-plan.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import { present } from '../../domain/present.ts';
import { oneLine } from '../../text/sanitise.ts';
import { count } from './count.ts';

/** How the plan of a run has grown, a line for each phase that wrote to it. */
export function growthLines({ growths = [] }: RunState): string[] {
  return growths.map((growth) => `plan         ${growthWords(growth)}`);
}

/** The same for programs. */
export function growthsOf({ growths = [] }: Pick<RunState, 'growths'>) {
  return growths.map(({ phase, added, changed, dropped, kept }) => ({
    ...{ phase, added: [...added], changed: [...changed], dropped: [...dropped] },
    ...present({ kept }),
  }));
}

type Told = Omit<Growth, 'kept'> & { readonly kept?: string | undefined };

/** What became of the plan by what one phase wrote, in a sentence. */
export function growthWords({ phase, added, changed, dropped, kept }: Told): string {
  if (kept !== undefined) return `as it was, although ${oneLine(phase, 64)} wrote another one: ${oneLine(kept, 300)}`;
  const told = [
    ...(added.length > 0 ? [`${count(added.length, 'phase')} added`] : []),
    ...(changed.length > 0 ? [`${count(changed.length, 'phase')} changed`] : []),
    ...(dropped.length > 0 ? [`${count(dropped.length, 'phase')} left out`] : []),
  ];
  return told.length === 0 ? `left as it is by ${oneLine(phase, 64)}` : `${told.join(', ')} by ${oneLine(phase, 64)}`;
}
