import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 1024 * 1024;

/**
 * Python's virtual environments name the place they were made in: in the first line of scripts, and in the files by which
 * the project itself is importable. A copy that kept those names would run another tree's code.
 */
export function relocateVirtualEnvironment(dir: string, { from, to }: { from: string; to: string }): void {
  if (!existsSync(join(dir, 'pyvenv.cfg'))) return;
  for (const file of [...scripts(dir), ...importLinks(dir)]) {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) continue;
    const content = readFileSync(file, 'latin1');
    const here = Buffer.from(from).toString('latin1');
    if (content.includes(here))
      writeFileSync(file, content.replaceAll(here, Buffer.from(to).toString('latin1')), 'latin1');
  }
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
