import { posix } from 'node:path';
import { HelixError } from '../domain/helix-error.ts';
import { oneLine } from '../text/sanitise.ts';

const LIMITS = { steps: 16, links: 100, files: 5000, fileBytes: 64 * 1024 };
/** What HELIX and git keep is no part of the project. */
const KEPT = new Set(['.git', '.helix']);

/** A project's files and links, by paths from its root. */
export type LinkedSource = {
  /** The text of a file; undefined when there is none. */
  readonly read: (path: string, limit: number) => Promise<string | undefined>;
  /** The paths of all files below a folder, none of them behind a link; none when there is no such folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  /** The links below a folder; absent where there cannot be any. */
  readonly links?: (folder: string) => Promise<readonly string[]>;
  /** Where a link leads, as it is written; undefined for what is none. */
  readonly target?: (path: string) => Promise<string | undefined>;
};

/**
 * Where the files below a folder lie, by the paths they have in it. Links are followed as long as they stay in the project;
 * throws HelixError `config` for one that is wanted and does not: what lies behind it would be left out, and nobody would notice.
 */
export async function linkedFiles(
  folder: string,
  source: LinkedSource,
  isWanted: (path: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const queue = [folder];
  for (let seen = queue.shift(), links = 0; seen !== undefined; seen = queue.shift(), links += 1) {
    if (links > LIMITS.links) throw refused(seen, `is one of more than ${LIMITS.links} links to follow`);
    const { files, further } = await folderBehind(seen, source, seen !== folder);
    for (const [path, real] of files) found.set(path, real);
    if (found.size > LIMITS.files) throw refused(seen, `is one of the places with more than ${LIMITS.files} files`);
    queue.push(...further.filter(isWanted));
  }
  return found;
}

type Behind = { readonly files: readonly (readonly [string, string])[]; readonly further: readonly string[] };

async function folderBehind(seen: string, source: LinkedSource, isLink: boolean): Promise<Behind> {
  const real = await realPath(seen, source);
  const isBelow = (path: string) => path.startsWith(`${real}/`);
  const named = (path: string) => `${seen}${path.slice(real.length)}`;
  const files = (await source.list(real)).filter(isBelow).map((path) => [named(path), path] as const);
  const further = ((await source.links?.(real)) ?? []).filter(isBelow).map(named);
  if (files.length + further.length > 0 || (!isLink && real === seen)) return { files, further };
  if (isLink && real !== seen && (await isThere(real, source))) return { files: [[seen, real]], further };
  throw refused(seen, 'is a link that leads nowhere');
}

/** What is there and cannot be read is found out by whoever wants its text. */
async function isThere(path: string, { read }: LinkedSource): Promise<boolean> {
  try {
    return (await read(path, LIMITS.fileBytes)) !== undefined;
  } catch (error) {
    if (error instanceof HelixError && error.code === 'io') return true;
    throw error;
  }
}

/** The path without a link in it: `..` behind a link climbs from where that leads to. */
async function realPath(path: string, { target }: LinkedSource): Promise<string> {
  const ahead = path.split('/');
  const walked: string[] = [];
  let steps = 0;
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      if (walked.pop() === undefined) throw refused(path, 'is a link that leads out of the project');
      continue;
    }
    const to = await target?.(posix.join(...walked, name));
    if (to === undefined) {
      walked.push(name);
      continue;
    }
    steps += 1;
    if (to.startsWith('/')) throw refused(path, 'is a link with an absolute target');
    if (steps > LIMITS.steps)
      throw refused(path, `is a link that leads on and on, over more than ${LIMITS.steps} others`);
    ahead.unshift(...to.split('/'));
  }
  if (walked.length > 0 && !walked.some((name) => KEPT.has(name.toLowerCase()))) return walked.join('/');
  throw refused(path, `is a link to ${walked.length === 0 ? 'the whole project' : walked.join('/')}`);
}

function refused(path: string, what: string): HelixError {
  return new HelixError(
    'config',
    `${oneLine(path, 200)} ${oneLine(what, 200)}; what judges are told is not read through it`,
    {
      hint: 'Let the link lead, by a relative path, to a file or folder of the project, or replace it by what it leads to.',
    },
  );
}
