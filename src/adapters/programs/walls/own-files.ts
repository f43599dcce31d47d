import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of HELIX's own code, `src` or `dist`. */
const CODE = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

/** The directory HELIX is installed in. */
export const INSTALLATION = dirname(CODE);

/** What a program of HELIX's own needs beside Node: its code, and the packages it was installed with. */
export function ownFiles([program]: readonly string[]): string[] {
  if (program !== process.execPath) return [];
  const installed = /^.*?\/node_modules(?=\/)/.exec(CODE)?.[0];
  if (installed !== undefined) return [installed];
  return [CODE, ...['node_modules', 'package.json', 'templates'].map((name) => join(INSTALLATION, name))];
}
