import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isAdrFileName, isAdrFolderName } from './adr-file-names.ts';
import { type AdrFile, readAdrFile, reasonOf, unreadable } from './read-adr-file.ts';

type Folders = Map<string, AdrFile[]>;

type Walk = {
  /** Real paths of what was read; nothing is read twice. */
  readonly seen: Set<string>;
  readonly shown: (path: string) => string;
};

type Reading = Walk & { readonly found: Folders; readonly links: string[] };

/** The path without links; the path itself where that cannot be told. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Reads the ADRs below a folder, by directory; what cannot be followed or read is there with a finding. */
export function walkAdrFolder(root: string, walk: Walk): Folders {
  const reading: Reading = { ...walk, found: new Map(), links: [] };
  const real = realPath(root);
  readTree(root, reading);
  // Links come last, so that a file counts under its own name.
  for (let link = reading.links.shift(); link !== undefined; link = reading.links.shift()) follow(link, real, reading);
  for (const files of reading.found.values()) files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return new Map([...reading.found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function readTree(root: string, reading: Reading): void {
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const real = realPath(folder);
    if (reading.seen.has(real)) continue;
    reading.seen.add(real);
    const shown = reading.shown(folder);
    for (const entry of entriesOf(folder, reading)) {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) reading.links.push(path);
      else if (entry.isDirectory()) {
        if (isAdrFolderName(entry.name)) folders.push(path);
      } else if (isAdrFileName(entry.name, basename(folder))) {
        readFile(
          { path, real: join(real, entry.name), shown: shown === '.' ? entry.name : `${shown}/${entry.name}` },
          reading,
        );
      }
    }
  }
}

type File = { readonly path: string; readonly real: string; readonly shown: string };

function readFile({ path, real, shown }: File, reading: Reading): void {
  if (reading.seen.has(real)) return;
  reading.seen.add(real);
  add(path, readAdrFile(path, shown), reading);
}

function add(path: string, file: AdrFile, { found }: Reading): void {
  const directory = dirname(path);
  const files = found.get(directory);
  if (files === undefined) found.set(directory, [file]);
  else files.push(file);
}

function entriesOf(folder: string, reading: Reading): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const reason = reasonOf((error as NodeJS.ErrnoException).code ?? '');
    add(folder, unreadable(reading.shown(folder), { message: `the folder cannot be read: ${reason}` }), reading);
    return [];
  }
}

/** Links are followed to what lies in the given folder; where else they lead is not what was asked for. */
function follow(link: string, root: string, reading: Reading): void {
  const name = link.slice(link.lastIndexOf(sep) + 1);
  const tell = (message: string, hint: string, severity: 'error' | 'warning') =>
    add(link, unreadable(reading.shown(link), { message, hint, severity }), reading);
  let target: { readonly path: string; readonly isFolder: boolean };
  try {
    target = { path: realpathSync(link), isFolder: statSync(link).isDirectory() };
  } catch (error) {
    const loop = (error as NodeJS.ErrnoException).code === 'ELOOP';
    const message = `the link leads ${loop ? 'back to itself' : 'to nothing that can be read'}`;
    // A link without the name of an ADR may have been meant for a folder of them.
    if (isAdrFileName(name)) tell(message, 'Mend the link or remove it.', 'error');
    else if (!name.slice(1).includes('.')) tell(message, 'Mend the link or remove it.', 'warning');
    return;
  }
  const wanted = target.isFolder ? isAdrFolderName(name) : isAdrFileName(name);
  if (!wanted) return;
  if (target.path !== root && !target.path.startsWith(root + sep)) {
    const kind = target.isFolder ? 'warning' : 'error';
    tell('the link leads out of the folder; it is not followed', 'Name its target on the command line too.', kind);
  } else if (target.isFolder && reading.seen.has(target.path)) {
    tell('the link leads to a folder that is read already; it is not followed', 'Remove the link.', 'warning');
  } else if (target.isFolder) readTree(link, reading);
  else readFile({ path: link, real: target.path, shown: reading.shown(link) }, reading);
}
