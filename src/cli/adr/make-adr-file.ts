import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ioError } from '../../adapters/disk/io-error.ts';
import { fileNumber } from '../../adr/document/adr-names.ts';
import type { NextName } from '../../adr/write/next-name.ts';
import { HelixError } from '../../domain/helix-error.ts';

const MOST_TRIES = 1_000;
/** A claim this old was left by somebody who was killed. */
const STALE_MS = 30_000;

/** Makes a file under the first name whose number nobody has or is about to take; never overwrites, and appears whole. */
export function makeAdrFile(
  directory: string,
  { name, text }: { readonly name: (after: number) => NextName; readonly text: (name: NextName) => string },
): NextName {
  try {
    mkdirSync(directory, { recursive: true });
    for (let after = 0; after < MOST_TRIES; after += 1) {
      const next = name(after);
      const claim = join(directory, `.${next.id ?? next.file}.adr-new`);
      if (!claimed(claim)) continue;
      try {
        if (isFree(directory, next) && create(join(directory, next.file), text(next))) return next;
      } finally {
        rmSync(claim, { force: true });
      }
    }
  } catch (error) {
    throw ioError(error, directory);
  }
  throw new HelixError('conflict', `no free number was found in ${directory}`);
}

/** The name that makeAdrFile would take now; nothing is written. */
export function freeName(directory: string, name: (after: number) => NextName): NextName {
  let next = name(0);
  for (let after = 1; after < MOST_TRIES && existsSync(directory) && !isFree(directory, next); after += 1)
    next = name(after);
  return next;
}

function claimed(claim: string): boolean {
  if (exclusive(() => writeFileSync(claim, '', { flag: 'wx' }))) return true;
  const stat = statSync(claim, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs < STALE_MS) return false;
  rmSync(claim, { force: true });
  return exclusive(() => writeFileSync(claim, '', { flag: 'wx' }));
}

function isFree(directory: string, { id, file }: NextName): boolean {
  const names = readdirSync(directory);
  if (id === undefined) return !names.includes(file);
  const series = file.slice(0, file.indexOf(id) + id.length);
  return !names.some(
    (name) =>
      /\.(?:md|markdown)$/i.test(name) && (name.startsWith(series) || Number(fileNumber(name) ?? -1) === Number(id)),
  );
}

/** False when something of that name is there. */
function create(file: string, text: string): boolean {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(temporary, text, { flag: 'wx' });
    return exclusive(() => linkSync(temporary, file));
  } catch (error) {
    // Not every file system has hard links.
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return exclusive(() => writeFileSync(file, text, { flag: 'wx' }));
  } finally {
    rmSync(temporary, { force: true });
  }
}

function exclusive(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
