import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { upward } from '../../adapters/adrs/adr-files.ts';

const SIGNS = ['phases.yaml', 'helix.yaml', join('.helix', 'helix.db')];

/** The project around a directory: the nearest one with files of HELIX, else the repository, else the directory itself. */
export function projectAround(cwd: string): string {
  const places = upward(cwd);
  return places.find((place) => SIGNS.some((sign) => existsSync(join(place, sign)))) ?? places.at(-1) ?? cwd;
}
