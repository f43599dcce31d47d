import { existsSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';

/** The directory HELIX is installed in: the nearest one above its code that has a package.json. */
export const INSTALLATION = above(import.meta.dirname);

/** The folder of HELIX's own code, `src` or `dist`. */
export const CODE = join(INSTALLATION, relative(INSTALLATION, import.meta.filename).split(sep)[0] ?? '');

/** How the names of its files end: `.ts` in a checkout, `.js` where it was built. */
export const CODE_EXTENSION = extname(import.meta.filename);

function above(dir: string): string {
  return existsSync(join(dir, 'package.json')) || dirname(dir) === dir ? dir : above(dirname(dir));
}
