import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import type { Before, PinnedProject } from '../../ports/pinned-project.ts';
import type { Processes } from '../../ports/processes.ts';
import type { Project } from '../../ports/project.ts';
import { listProject, PROJECT_LIMITS } from '../disk/list-project.ts';
import { findNamed } from '../disk/named-files.ts';
import { makePrivateDirectory, removeQuietly } from '../disk/private-directory.ts';
import { openProject } from '../disk/project-directory.ts';
import { copyFiles, isAll, requirePinned, stopped } from './copy-project.ts';

type Wanted = {
  readonly project: string;
  readonly files: readonly string[];
  readonly diff?: string;
  /** A folder that may be read as it lies there where no commit has anything of it. */
  readonly newDefinition?: string;
  readonly signal?: AbortSignal;
};
type Tools = { readonly processes: Processes; readonly env: Readonly<Record<string, string>> };

/**
 * Pins a project as it lies there, with the named files or those that were changed since `diff` as what is to be judged.
 * Throws HelixError `usage` for files and revisions there are none of, `config` where there is too much, `stopped` by the signal.
 */
export async function pinProject(wanted: Wanted, { processes, env }: Tools): Promise<PinnedProject> {
  const project = openProject(wanted.project);
  if (wanted.files.length === 0 && wanted.diff === undefined) {
    throw new HelixError('usage', 'there is nothing to judge', {
      hint: 'Name files of the project, or --diff REVISION.',
    });
  }
  const marker = `helix-approve:${randomBytes(16).toString('hex')}`;
  const stop = () => void processes.endMarked(marker);
  wanted.signal?.addEventListener('abort', stop, { once: true });
  const place = makePrivateDirectory('pinned', project.dir);
  try {
    if (!(await project.inGit())) return await pinFolder(project, wanted, place);
    const { pinWorkTree } = await import('./pin-work-tree.ts');
    return await pinWorkTree(project, { ...wanted, env: { ...process.env, ...env }, marker, place });
  } catch (error) {
    removeQuietly(place);
    if (wanted.signal?.aborted) throw stopped();
    throw error;
  } finally {
    wanted.signal?.removeEventListener('abort', stop);
  }
}

async function pinFolder(project: Project, { files, diff, signal }: Wanted, place: string): Promise<PinnedProject> {
  if (diff !== undefined) {
    throw new HelixError('usage', `--diff ${JSON.stringify(diff)}: ${project.dir} is not in a git repository`, {
      hint: 'Name the files to be judged instead.',
    });
  }
  const listed = await listProject(project.dir);
  const named = await findNamed(files, { project, listed });
  const sources = new Map([...listed.map((path) => [path, path] as const), ...named]);
  const snapshot = await copyFiles(place, project.dir, { sources, limit: PROJECT_LIMITS.fileBytes, signal });
  const inputs = requirePinned([...named.keys()], snapshot);
  const list = async (folder: string) => (isAll(folder) ? listed : project.match(posix.join(folder, '**')));
  const before: Before = {
    read: (path, limit) => project.read(path, limit),
    list,
    links: (folder) => project.links(folder),
    target: (path) => project.target(path),
  };
  return { snapshot, inputs, before, uncommitted: 'everything' };
}
