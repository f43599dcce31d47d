import { present } from '../../domain/present.ts';
import type { ChangedFile } from './changed-files.ts';

/** A difference as text, and the files it is about. */
export type DifferenceText = {
  readonly files: readonly Pick<ChangedFile, 'path' | 'status' | 'note'>[];
  readonly patch: string;
};

/** Puts patches together; what has none, or finds no room, is named with why, on one line whatever its name is. */
export async function differenceText(changed: AsyncIterable<ChangedFile>, bytes: number): Promise<DifferenceText> {
  const files: DifferenceText['files'][number][] = [];
  const patches: Buffer[] = [];
  let room = bytes;
  for await (const { path, status, patch, only, note } of changed) {
    files.push({ path, status, ...present({ note }) });
    const shown = patch !== undefined && patch.length <= room ? patch : undefined;
    room -= shown?.length ?? 0;
    const why = note ?? only ?? 'too long to be shown here';
    patches.push(shown ?? Buffer.from(`# ${status}: ${named(path)} (${why})\n`));
  }
  return { files, patch: Buffer.concat(patches).toString('utf8') };
}

function named(path: string): string {
  return /["\\\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
}
