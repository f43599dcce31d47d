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
 * beside the inputs, as they were when the run began, skills with all that belongs to them. They are no inputs of the plan: nobody
 * judges by them, and no fact names them.
 */
export async function givenSkills(conventions: Conventions, { workspace, state }: Around): Promise<Given> {
  const { guidelines, tip } = state;
  const named = [...conventions.more, ...conventions.texts].some(({ file }) => file !== undefined);
  if (tip !== undefined || !named) return { conventions, files: [] };
  const known = guidelines === undefined ? [] : (await workspace.tree(guidelines)).files;
  const files = new Map<string, InputFile>();
  const give = (file: string): string | undefined => {
    const folder = file.endsWith('/SKILL.md') ? `${posix.dirname(file)}/` : undefined;
    const belongs = (path: string) => path === file || (folder !== undefined && path.startsWith(folder));
    for (const { path, digest } of known.filter((each) => belongs(each.path))) {
      const at = posix.join('input', path);
      files.set(at, { path: at, digest, from: { tree: guidelines ?? '', path } });
    }
    const given = posix.join('input', file);
    return files.has(given) ? given : undefined;
  };
  const more = conventions.more.flatMap(({ file = '', about }) => {
    const path = give(file);
    return path === undefined ? [] : [{ path: code(path), about, file: path }];
  });
  const texts = conventions.texts.map((text) => {
    const path = text.file === undefined ? undefined : give(text.file);
    return path === undefined ? text : { ...text, path: code(path), file: path };
  });
  return { conventions: { ...conventions, more, texts }, files: [...files.values()] };
}
