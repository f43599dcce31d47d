import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of the folder `config` that HELIX ships: where it is, and its text. */
export function readShippedConfig(name: string): { readonly path: string; readonly text: string } {
  const path = fileURLToPath(new URL(`../../config/${name}`, import.meta.url));
  return { path, text: readFileSync(path, 'utf8') };
}
