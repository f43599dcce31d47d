import { existsSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { Git, nulSeparated } from '../repo/git/git.ts';
import { isAdrFileName } from './adr-file-names.ts';
import { upward } from './adr-files.ts';
import type { AdrFile } from './read-adr-file.ts';

const DELETED = ['--raw', '--diff-filter=D', '--abbrev=64', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'];

/** The ADRs that folders had where the work on a git reference began, and that are gone since, as they were. */
export async function deletedSince(
  ref: string,
  { cwd, folders }: { readonly cwd: string; readonly folders: ReadonlySet<string> },
): Promise<AdrFile[]> {
  const git = new Git(process.env, 'helix-adr');
  const root = upward(cwd).at(-1) ?? cwd;
  const ask = (more: readonly string[]) =>
    git.run(['diff', ...DELETED, '--ignore-submodules', ...more, '--end-of-options', ref, '--'], {
      cwd: root,
      answers: [128],
    });
  const since = await ask(['--merge-base']);
  // Histories that have nothing in common are compared as they are.
  const { out } = since.code === 0 ? since : await ask([]);
  const parts = nulSeparated(out).map((part) => part.toString('utf8'));
  const found: AdrFile[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [mode = '', , blob = ''] = parts[index]?.split(' ') ?? [];
    const file = resolve(root, parts[index + 1] ?? '');
    const path = relative(cwd, file).split(sep).join('/');
    const isAdr = mode.startsWith(':100') && isAdrFileName(basename(file), basename(dirname(file)));
    if (!isAdr || !folders.has(dirname(path)) || existsSync(file)) continue;
    const { out: text } = await git.run(['cat-file', 'blob', blob], { cwd: root });
    found.push({ path, text: text.toString('utf8'), findings: [] });
  }
  return found;
}
