import { type VisitKind, visitMarker, visitName } from '../../adapters/visit.ts';
import type { Workspace, WorkspaceScope } from '../../ports/workspace.ts';
import type { World } from '../../ports/world.ts';

/** A workspace for somebody who only looks or tries, apart from whoever works on the run. */
export type Visit = { readonly name: string; readonly marker: string; readonly workspace: Workspace };

/** Opens the workspace of a run beside its owner, with directories and processes of its own, and clears up afterwards. */
export async function withVisit<T>(
  world: World,
  { kind, scope }: { kind: VisitKind; scope: Omit<WorkspaceScope, 'marker'> },
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  const name = visitName(scope.run, kind);
  const marker = `${visitMarker(world.marker)}:${name}`;
  const workspace = await world.workspace({ ...scope, run: name, marker });
  // Where phases have directories of their own there is one place for all, and it belongs to whoever works there.
  const leave = scope.settings.mode === 'repo' ? await workspace.take() : undefined;
  try {
    return await work({ name, marker, workspace });
  } finally {
    await leave?.();
  }
}
