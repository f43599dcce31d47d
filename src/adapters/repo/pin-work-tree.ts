import { join, posix } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { present } from '../../domain/present.ts';
import type { Before, PinnedProject } from '../../ports/pinned-project.ts';
import type { Project } from '../../ports/project.ts';
import { DIFFERENCE_FILE, type Snapshot } from '../../ports/tree.ts';
import { freePath } from '../../text/free-path.ts';
import { findNamed } from '../disk/named-files.ts';
import { besides, copyFiles, isAll, requirePinned } from './copy-project.ts';
import { Git } from './git/git.ts';
import { GitTree } from './own/git-tree.ts';
import { OwnRepository } from './own/own-repository.ts';
import { findBase } from './user/find-base.ts';
import { listWorkTree } from './user/list-work-tree.ts';
import { UserRepository } from './user/user-repository.ts';
import { blobId } from './work/changes.ts';
import { type Item, workDifference } from './work/work-difference.ts';

const FILE_BYTES = 256 * 1024 * 1024;
/** What a file is called that stands in for a change that leaves none behind. */

type Wanted = {
  readonly files: readonly string[];
  readonly diff?: string;
  readonly newDefinition?: string;
  readonly signal?: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly marker: string;
  /** An empty, private directory. */
  readonly place: string;
};

/** Pins what lies in the work tree of the repository a project is in; HELIX's own repository beside the copy goes with it. */
export async function pinWorkTree(project: Project, wanted: Wanted): Promise<PinnedProject> {
  const { files, diff, signal, place, newDefinition } = wanted;
  const user = await UserRepository.open(new Git(wanted.env, wanted.marker), project.dir);
  const [base, { files: listed, links, submodules, absent }] = await Promise.all([
    diff === undefined ? user.commit() : findBase(user, diff),
    listWorkTree(user),
    user.settings(),
  ]);
  const repository = await OwnRepository.open(user, join(place, 'git'));
  try {
    const named = await findNamed(files, { project, listed });
    const sources = new Map([...listed.map((path) => [path, path] as const), ...named]);
    const now = new Map<string, Item>();
    const note = (path: string, { content, executable }: { content: Buffer; executable: boolean }) =>
      now.set(path, { mode: executable ? '100755' : '100644', object: blobId(content, repository) });
    const copying = { sources, limit: FILE_BYTES, signal, ...(diff !== undefined && { onFile: note }) };
    const copy = await copyFiles(place, project.dir, copying);
    const snapshot = closing(copy, repository);
    if (diff === undefined || base === undefined) {
      const inputs = requirePinned([...named.keys()], snapshot);
      const lying = besides(project, new Set(inputs));
      return {
        snapshot,
        inputs,
        ...present({ base }),
        ...(await beforeWork(lying, { base, newDefinition, repository })),
      };
    }
    for (const [path, target] of links) {
      now.set(path, { mode: '120000', object: blobId(Buffer.from(target), repository) });
    }
    for (const [path, object] of submodules) now.set(path, { mode: '160000', object });
    const only = files.length === 0 ? undefined : new Set(named.keys());
    const fileMode = (await user.settings()).get('core.filemode') !== 'false';
    const work = {
      repository,
      from: base,
      now,
      links,
      absent,
      snapshot,
      fileMode,
      ...present({ only }),
    };
    const { files: changed, patch } = await workDifference(work);
    if (patch === '') throw unchanged(diff);
    const inputs = requirePinned(only === undefined ? changed : [...only], snapshot);
    const before = await atCommit(base, repository);
    if (inputs.length > 0) return { snapshot, inputs, difference: patch, before, base };
    const standIn = freePath(DIFFERENCE_FILE, listed);
    const more = closing(copy.with(standIn, Buffer.from(patch)), repository);
    return { snapshot: more, inputs: [standIn], standIn, difference: patch, before, base };
  } catch (error) {
    repository.close();
    throw error;
  }
}

function closing(snapshot: Snapshot, repository: OwnRepository): Snapshot {
  return {
    dir: snapshot.dir,
    files: snapshot.files,
    read: (path, limit) => snapshot.read(path, limit),
    changed: () => snapshot.changed(),
    dispose: async () => {
      repository.close();
      await snapshot.dispose();
    },
  };
}

type Beginning = {
  readonly base: string | undefined;
  readonly newDefinition: string | undefined;
  readonly repository: OwnRepository;
};

/** What was committed last. What lies there speaks only where nothing was committed, or nothing of a type's own folder. */
async function beforeWork(
  lying: Before,
  { base, newDefinition: folder, repository }: Beginning,
): Promise<Pick<PinnedProject, 'before' | 'uncommitted'>> {
  if (base === undefined) return { before: lying, uncommitted: 'everything' };
  const committed = await atCommit(base, repository);
  if (folder === undefined || (await isKnown(folder, committed))) return { before: committed };
  const own = await lying.list(folder);
  if (own.length + (await lying.links(folder)).length === 0) return { before: committed };
  const isOwn = (path: string) => posix.normalize(`${path}/`).startsWith(`${folder}/`);
  const before: Before = {
    read: (path, limit) => (own.includes(path) ? lying : committed).read(path, limit),
    list: (wanted) => (isOwn(wanted) ? lying : committed).list(wanted),
    links: (wanted) => (isOwn(wanted) ? lying : committed).links(wanted),
    target: (path) => (isOwn(path) ? lying : committed).target(path),
  };
  return { before, uncommitted: 'definition' };
}

/** Also where a link leads there. */
async function isKnown(folder: string, { read, list }: Before): Promise<boolean> {
  return (await list(folder)).length > 0 || (await read(`${folder}/CLAUDE.md`, FILE_BYTES)) !== undefined;
}

async function atCommit(commit: string, repository: OwnRepository): Promise<Before> {
  const tree = await GitTree.open(commit, repository);
  const below = (folder: string, found: readonly { readonly path: string }[]) => {
    const start = isAll(folder) ? '' : posix.normalize(`${folder}/`);
    return found.map(({ path }) => path).filter((path) => path.startsWith(start));
  };
  return {
    read: async (path, limit) => {
      const content = await tree.read(path, limit + 1);
      return content && textOf(content, path, limit);
    },
    list: async (folder) => below(folder, tree.files),
    links: async (folder) => below(folder, tree.links),
    target: (path) => tree.target(path),
  };
}

function textOf(content: Buffer, path: string, limit: number): string {
  if (content.length > limit) {
    const most = limit % 1024 === 0 ? `${limit / 1024} KB` : `${limit} bytes`;
    throw new HelixError('io', `${path} is too large, the limit is ${most}`, { hint: 'Make it smaller.' });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new HelixError('io', `${path} is not UTF-8 text`, { hint: 'Save it as UTF-8.', cause: error });
  }
}

function unchanged(diff: string): HelixError {
  return new HelixError('usage', `nothing has changed since ${diff}`, {
    hint: 'Name the files to be judged, or a revision before the change.',
  });
}
