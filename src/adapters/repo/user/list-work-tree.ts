import { lstatSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import { isCopied } from '../../trees/pinned-copy.ts';
import { nulSeparated } from '../git/git.ts';
import { hasRealFolders } from '../git/real-folders.ts';
import type { UserRepository } from './user-repository.ts';

const SUBMODULE = '160000';

/** What lies in a project's work tree, by its path below the project. */
export type WorkTree = {
  /** Regular files that git knows or does not ignore. */
  readonly files: readonly string[];
  readonly links: ReadonlyMap<string, string>;
  /** Other repositories inside of this one, by the commit of theirs that the index names. */
  readonly submodules: ReadonlyMap<string, string>;
  /** What git knows and the user does not want to have here. */
  readonly absent: ReadonlySet<string>;
};

/** Lists what git knows or does not ignore, as it lies there; no link is followed and nothing is written. */
export async function listWorkTree({ git, gitDir, top, prefix }: UserRepository): Promise<WorkTree> {
  const below = prefix === '' ? [] : ['--', `${prefix}/`];
  const args = [
    'ls-files',
    '-z',
    '-t',
    '--stage',
    '--cached',
    '--others',
    '--exclude-standard',
    '--full-name',
    ...below,
  ];
  const { out } = await git.run(args, { gitDir, workTree: top });
  const names = new Map(nulSeparated(out).map((entry) => listed(entry)));
  const cut = prefix === '' ? 0 : prefix.length + 1;
  const files: string[] = [];
  const links = new Map<string, string>();
  const submodules = new Map<string, string>();
  const absent = new Set<string>();
  const isReal = rememberFolders(top);
  for (const [name, { tag, submodule }] of names) {
    const path = name.slice(cut);
    if (submodule !== undefined) submodules.set(path, submodule);
    if (submodule !== undefined || path === '' || path.endsWith('/') || path.startsWith('.helix/') || !isCopied(path))
      continue;
    const stat = isReal(name) ? lstatSync(join(top, name), { throwIfNoEntry: false }) : undefined;
    if (stat?.isFile()) files.push(path);
    else if (stat?.isSymbolicLink()) links.set(path, readlinkSync(join(top, name)));
    else if (stat === undefined && tag === 'S') absent.add(path);
  }
  return { files: files.sort(), links, submodules, absent };
}

type Listed = { readonly tag: string; readonly submodule?: string };

/** A line is `? path`, or `H 100644 object 0<tab>path` where git knows it. */
function listed(entry: Buffer): [name: string, Listed] {
  const tag = entry.toString('latin1', 0, 1);
  const known = tag === '?' ? undefined : /^. (\d+) ([0-9a-f]+) \d\t/.exec(entry.toString('latin1', 0, 100));
  const name = entry.subarray(known?.[0].length ?? 2);
  const text = name.toString('utf8');
  if (!Buffer.from(text).equals(name)) {
    throw new HelixError('config', `${JSON.stringify(text)} has a name that is not UTF-8`, {
      hint: 'Rename it: no judge could be told of it.',
    });
  }
  return [text, { tag, ...(known?.[1] === SUBMODULE && { submodule: known[2] ?? '' }) }];
}

/** Looks at each folder once. */
function rememberFolders(top: string): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const folder = name.slice(0, name.lastIndexOf('/') + 1);
    const found = known.get(folder) ?? hasRealFolders(top, name);
    known.set(folder, found);
    return found;
  };
}
