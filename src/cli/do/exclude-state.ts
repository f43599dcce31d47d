import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ioError } from '../../adapters/disk/io-error.ts';
import type { UserRepository } from '../../adapters/repo/user/user-repository.ts';

/** Keeps HELIX's own folder out of the user's git without a change to any file of the checkout. */
export async function excludeState({ git, top, commonDir }: UserRepository): Promise<void> {
  const asked = await git.run(['check-ignore', '-q', '.helix/x'], { cwd: top, answers: [1, 128] });
  if (asked.code === 0) return;
  const path = join(commonDir, 'info', 'exclude');
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    // What a link leads to is not HELIX's to write to.
    if (stat !== undefined && !stat.isFile()) return;
    const text = stat === undefined ? '' : readFileSync(path, 'utf8');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${text === '' || text.endsWith('\n') ? '' : '\n'}/.helix/\n`, { flag: 'a' });
  } catch (error) {
    throw ioError(error, path);
  }
}
