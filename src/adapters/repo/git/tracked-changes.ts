import { lstatSync } from 'node:fs';
import { type Git, type GitPlace, nulSeparated } from './git.ts';

const RECORD = /^ {2}ctime: (\d+:\d+)\n {2}mtime: (\d+:\d+)\n {2}dev: \d+\tino: (\d+)\n.*\n {2}size: (\d+)\t.*\n/;
const NAMES = 'latin1';

type Place = GitPlace & { readonly workTree: string };

/** Lets the index forget about files that were only touched. */
export async function refreshIndex(git: Git, place: Place): Promise<void> {
  await git.run(['update-index', '-q', '--refresh', '--unmerged'], { ...place, answers: [1] });
}

/** Files that were changed or removed since the index was written; `said` is what git could not look at. */
export async function trackedChanges(
  git: Git,
  place: Place,
): Promise<{ changed: { path: Buffer; gone: boolean }[]; said: string }> {
  // Unlike `ls-files`, `diff-files` does not look through a link that took a folder's place.
  const args = ['diff-files', '-z', '--name-status', '--no-renames', '--ignore-submodules=all'];
  const { out, said } = await git.run(args, place);
  const fields = nulSeparated(out);
  const found = fields.flatMap((path, at) => (at % 2 === 0 ? [] : [{ path, status: fields[at - 1]?.toString() }]));
  const same = await untouched(git, place, found);
  const changed = found
    .filter(({ path }) => !same.has(path.toString(NAMES)))
    .map(({ path, status }) => ({ path, gone: status === 'D' }));
  return { changed, said };
}

/**
 * Tells which files are still the very ones the index was written with. Git compares young files by content, and where
 * attributes would now write a file differently than it was committed, it takes one for changed that nobody touched.
 */
async function untouched(git: Git, place: Place, found: readonly { path: Buffer; status: string | undefined }[]) {
  const modified = found.filter(({ status }) => status === 'M').map(({ path }) => path);
  if (modified.length === 0) return new Set<string>();
  const records = recordsOf((await git.run(['ls-files', '-z', '--debug'], place)).out.toString(NAMES));
  const same = modified.filter((path) => {
    const record = records.get(path.toString(NAMES));
    return record !== undefined && record === stateOf(Buffer.concat([Buffer.from(`${place.workTree}/`), path]));
  });
  return new Set(same.map((path) => path.toString(NAMES)));
}

function recordsOf(text: string): Map<string, string> {
  const records = new Map<string, string>();
  for (let from = 0; ; ) {
    const end = text.indexOf('\0', from);
    const found = end === -1 ? null : RECORD.exec(text.slice(end + 1, end + 400));
    if (found === null) return records;
    records.set(text.slice(from, end), found.slice(1).join(' '));
    from = end + 1 + found[0].length;
  }
}

function stateOf(path: Buffer): string | undefined {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const time = (ns: bigint) => `${ns / 1_000_000_000n}:${ns % 1_000_000_000n}`;
  const short = (value: bigint) => BigInt.asUintN(32, value);
  return `${time(stat.ctimeNs)} ${time(stat.mtimeNs)} ${short(stat.ino)} ${short(stat.size)}`;
}
