import { identityOf, self } from './disk/process-identity.ts';

/** What somebody who does not own a run does with it. */
export type VisitKind = 'gate' | 'shell' | 'diff' | 'brief';

const VISIT = /\.(?:gate|shell|diff|brief)-(\d+)-(\w+)(?=[.:]|$)/;

/** A name beside a run's own that says which process uses it, so that what a dead one left can be told. */
export function visitName(run: string, kind: VisitKind): string {
  const { pid, start } = self();
  return `${run}.${kind}-${pid}-${plain(start)}`;
}

/** Tells whether the process that uses a name lives; undefined for a name that is not a visit's. */
export function visitLives(name: string): boolean | undefined {
  const [, pid, start] = VISIT.exec(name) ?? [];
  if (pid === undefined || start === undefined) return undefined;
  return plain(identityOf(Number(pid))?.start ?? '') === start;
}

/** The beginning of the markers of all visits to a project; starting a run ends only what carries the project's own. */
export function visitMarker(projectMarker: string): string {
  return `${projectMarker}-visit`;
}

function plain(start: string): string {
  return start.replaceAll(/\W/g, '');
}
