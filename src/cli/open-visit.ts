import { type VisitKind, visitMarker, visitName } from '../adapters/visit.ts';
import type { Workspace, WorkspaceScope, World } from '../ports.ts';

/** A workspace for somebody who only looks or tries, apart from whoever works on the run. */
export type Visit = { readonly name: string; readonly marker: string; readonly workspace: Workspace };

/** Opens the workspace of a run beside its owner: with directories, and processes, of its own. */
export async function openVisit(world: World, kind: VisitKind, scope: Omit<WorkspaceScope, 'marker'>): Promise<Visit> {
  const name = visitName(scope.run, kind);
  const marker = `${visitMarker(world.marker)}:${name}`;
  return { name, marker, workspace: await world.workspace({ ...scope, run: name, marker }) };
}
