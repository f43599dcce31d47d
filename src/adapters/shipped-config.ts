import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file of the folder `config` that HELIX ships: where it is, and its text. */
export function readShippedConfig(name: string): { readonly path: string; readonly text: string } {
  const path = fileURLToPath(new URL(`../../config/${name}`, import.meta.url));
  return { path, text: readFileSync(path, 'utf8') };
}

/** The version of this HELIX. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
