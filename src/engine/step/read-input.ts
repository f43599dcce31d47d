import type { InputFile } from '../../domain/facts/run-event.ts';
import type { GateContext } from '../../gates/gate/gate-context.ts';
import type { Workspace } from '../../ports/workspace.ts';

/** Reads the files an attempt was given, by where they come from, by where they lie, or by the end of that. */
export function readInput(inputs: readonly InputFile[], workspace: Pick<Workspace, 'tree'>): GateContext['input'] {
  return async (path, limit) => {
    const found =
      inputs.find((input) => input.path === path || input.from.path === path) ??
      inputs.find((input) => input.path.endsWith(`/${path}`));
    return found === undefined ? undefined : (await workspace.tree(found.from.tree)).read(found.from.path, limit);
  };
}
