import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const MAX_BYTES = 1024 * 1024;

/**
 * Python's virtual environments name the place they were made in: in the first line of scripts, and in the files by which
 * the project itself is importable. A copy that kept those names would run another tree's code. Files that name it are changed or,
 * where that must not be, written into another directory.
 */
export function relocateVirtualEnvironment(
  dir: string,
  { from, to, into = dir }: { from: string; to: string; into?: string },
): void {
  if (!existsSync(join(dir, 'pyvenv.cfg'))) return;
  for (const file of [...scripts(dir), ...importLinks(dir)]) {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) continue;
    const content = readFileSync(file, 'latin1');
    const here = Buffer.from(from).toString('latin1');
    if (!content.includes(here)) continue;
    const target = join(into, relative(dir, file));
    if (into !== dir) makeFolders(into, dir, dirname(relative(dir, file)));
    const options = { encoding: 'latin1', mode: stat.mode & 0o777 } as const;
    writeFileSync(target, content.replaceAll(here, Buffer.from(to).toString('latin1')), options);
  }
}

/** Folders as they are in another directory. */
function makeFolders(into: string, like: string, path: string): void {
  if (path === '.') return;
  makeFolders(into, like, dirname(path));
  if (!existsSync(join(into, path))) mkdirSync(join(into, path), { mode: lstatSync(join(like, path)).mode & 0o777 });
}

function scripts(dir: string): string[] {
  return ['bin', 'Scripts'].flatMap((folder) => entries(join(dir, folder)));
}

function importLinks(dir: string): string[] {
  const sites = entries(join(dir, 'lib')).map((python) => join(python, 'site-packages'));
  return [...sites, join(dir, 'Lib', 'site-packages')].flatMap((site) => {
    const links = entries(site).filter((path) => /\.(pth|egg-link)$|\/__editable__[^/]*\.py$/.test(path));
    const origins = entries(site)
      .filter((path) => path.endsWith('.dist-info'))
      .map((path) => join(path, 'direct_url.json'));
    return [...links, ...origins.filter((path) => existsSync(path))];
  });
}

function entries(dir: string): string[] {
  return lstatSync(dir, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(dir).map((name) => join(dir, name))
    : [];
}
