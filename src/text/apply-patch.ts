import { applyPatch, parsePatch } from 'diff';
import { HelixError } from '../domain/helix-error.ts';

/** The texts a unified diff makes, by path; `read` gives what it starts from. Throws HelixError `usage` where it does not fit. */
export async function patchedTexts(
  patch: string,
  read: (path: string) => Promise<string | undefined>,
): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const part of parsed(patch)) {
    const [before, after] = [nameOf(part.oldFileName), nameOf(part.newFileName)];
    if (after === undefined || (before !== undefined && before !== after)) {
      throw unfit(`it removes or renames ${before ?? 'a file'}, which a patch cannot do here`);
    }
    const text = files[after] ?? (before === undefined ? '' : await read(after));
    if (text === undefined) throw unfit(`there is no ${after} to change`);
    const made = applyPatch(text, part);
    if (made === false) throw unfit(`it does not fit ${after} as it was judged last`);
    files[after] = made;
  }
  if (Object.keys(files).length === 0) throw unfit('it changes no file');
  return files;
}

function parsed(patch: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(patch).filter(({ hunks }) => hunks.length > 0);
  } catch (error) {
    throw unfit((error as Error).message);
  }
}

/** The path below the `a/` or `b/` of git; undefined where there is no file on that side. */
function nameOf(name: string | undefined): string | undefined {
  return name === undefined || name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}

function unfit(why: string): HelixError {
  return new HelixError('usage', `the patch cannot be applied: ${why}`, {
    hint: 'Make it against what the last attempt left: helix diff shows that.',
  });
}
