import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { HelixError } from '../../domain/helix-error.ts';
import { writeAtomic } from '../disk/atomic-file.ts';
import { RunFiles } from '../journal/run-files.ts';
import { openUserSeal } from '../secrets/user-seal.ts';

const SEALED = /^(?:approval-result|interruption-\d+|mark)\.json$/;

/** The files of an approval outside of any run; what is counted later gets a seal beside it: `<name>.mac`. */
export class SealedFiles extends RunFiles {
  readonly #dir: string;

  constructor(dir: string) {
    super(dir);
    this.#dir = dir;
  }

  override async write(path: string, content: string): Promise<void> {
    await super.write(path, content);
    if (!SEALED.test(path)) return;
    const file = join(this.#dir, path);
    try {
      // What lies there now: secrets have been taken out of what was to be written.
      writeAtomic(`${file}.mac`, openUserSeal(process.env, homedir()).of(aboutOf(file), readFileSync(file)));
    } catch (error) {
      // Where this user's key cannot be kept the verdict still is one; it only counts in no statistics.
      if (!(error instanceof HelixError)) throw error;
    }
  }
}

/** Tells which contents of approvals were written by this user's HELIX, and where they lie now. */
export function keptSeal(): (file: string, content: string, mac: string | undefined) => boolean {
  const seal = openUserSeal(process.env, homedir());
  return (file, content, mac) =>
    mac !== undefined && seal.holds(Buffer.from(mac.trim()), aboutOf(file), Buffer.from(content));
}

/** A project may be moved, an approval may not become another one or be counted twice. */
function aboutOf(file: string): string {
  return `helix.kept/1\0${basename(dirname(file))}/${basename(file)}`;
}
