import { posix } from 'node:path';
import type { Conventions } from '../../brief/conventions.ts';
import { code } from '../../brief/quote.ts';
import type { InputFile } from '../../domain/facts/run-event.ts';
import type { RunState } from '../../domain/facts/run-state.ts';
import type { Workspace } from '../../ports/workspace.ts';

type Around = { readonly workspace: Pick<Workspace, 'tree'>; readonly state: Pick<RunState, 'guidelines' | 'tip'> };
type Given = { readonly conventions: Conventions; readonly files: readonly InputFile[] };

/**
 * What a brief names must be there to be read. In a repository it is; where phases have directories of their own, the files are laid
 * beside the inputs, as they were when the run began. They are no inputs of the plan: nobody judges by them, and no fact names them.
 */
export async function givenSkills(conventions: Conventions, { workspace, state }: Around): Promise<Given> {
  const { guidelines, tip } = state;
  if (tip !== undefined || conventions.more.length === 0) return { conventions, files: [] };
  const known = new Map(
    guidelines === undefined ? [] : (await workspace.tree(guidelines)).files.map((file) => [file.path, file]),
  );
  const files: InputFile[] = [];
  const more = conventions.more.flatMap(({ file = '', about }) => {
    const found = known.get(file);
    if (found === undefined || guidelines === undefined) return [];
    const path = posix.join('input', file);
    files.push({ path, digest: found.digest, from: { tree: guidelines, path: file } });
    return [{ path: code(path), about, file: path }];
  });
  return { conventions: { ...conventions, more }, files };
}
