import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Snapshot } from '../../../ports/tree.ts';
import { isBinary } from '../../../text/is-binary.ts';
import { nulSeparated } from '../git/git.ts';
import { type OwnRepository, quoted } from '../own/own-repository.ts';
import { blobId } from './changes.ts';

/** Something of a tree by the object git would keep it as: a file, a link, or a commit of another repository. */
export type Item = { readonly mode: '100644' | '100755' | '120000' | '160000'; readonly object: string };
type Items = ReadonlyMap<string, Item>;

type Work = {
  readonly repository: OwnRepository;
  /** The tree the work began with. */
  readonly from: string;
  readonly now: Items;
  readonly links: ReadonlyMap<string, string>;
  /** What is not here because the user does not want it here. */
  readonly absent: ReadonlySet<string>;
  readonly snapshot: Snapshot;
  /** Tells whether it matters which files may be run. */
  readonly fileMode: boolean;
  /** The only files that count, where some were named. */
  readonly only?: ReadonlySet<string>;
};

const POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n/;
const MAX_POINTER = 1024;
/** Beyond this a file is only named. */
const MAX_TEXT = 8 * 1024 * 1024;
const SUBMODULE = '160000';

/** No configuration but HELIX's own: neither filters nor drivers for differences come from elsewhere. */
const BARE_GIT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_ATTR_NOSYSTEM: '1' } as const;

/** What was changed since a tree: the paths that are files now, and all of it as a patch. */
export async function workDifference(work: Work): Promise<{ files: string[]; patch: string }> {
  const base = await itemsOf(work);
  const differing = [...new Set([...base.keys(), ...work.now.keys()])].filter(
    (path) =>
      (work.only?.has(path) ?? true) && !work.absent.has(path) && !isSame(base.get(path), work.now.get(path), work),
  );
  const changed: string[] = [];
  for (const path of differing.sort()) if (!(await isConverted(path, base.get(path), work))) changed.push(path);
  const files = changed.filter((path) => work.now.get(path)?.mode.startsWith('100'));
  return { files, patch: changed.length === 0 ? '' : await patchOf(changed, base, work) };
}

async function itemsOf({ repository, from }: Work): Promise<Map<string, Item>> {
  const { git, dir, user } = repository;
  const below = user.prefix === '' ? [] : ['--', `${user.prefix}/`];
  const { out } = await git.run(['ls-tree', '-r', '-z', '--full-tree', from, ...below], { gitDir: dir });
  const cut = user.prefix === '' ? 0 : user.prefix.length + 1;
  const entries = nulSeparated(out).flatMap((line): [string, Item][] => {
    const [, mode, object, path] =
      /^(100644|100755|120000|160000) (?:blob|commit) ([0-9a-f]+)\t(.+)$/s.exec(line.toString('utf8')) ?? [];
    if (mode === undefined || object === undefined || path === undefined) return [];
    return [[path.slice(cut), { mode: mode as Item['mode'], object }]];
  });
  return new Map(entries);
}

function isSame(one: Item | undefined, other: Item | undefined, { fileMode }: Pick<Work, 'fileMode'>): boolean {
  const kind = (item: Item | undefined) => (fileMode ? item?.mode : item?.mode.slice(0, 3));
  return kind(one) === kind(other) && one?.object === other?.object;
}

/** Tells whether a file only looks different because git writes it otherwise than it keeps it: large files, line ends. */
async function isConverted(path: string, before: Item | undefined, work: Work): Promise<boolean> {
  const now = work.now.get(path);
  if (before === undefined || before.mode !== now?.mode || !before.mode.startsWith('100')) return false;
  const { repository, snapshot } = work;
  const kept = await repository.contents.read(before.object, MAX_POINTER);
  const digest = POINTER.exec(kept.toString('latin1'))?.[1];
  if (digest !== undefined) {
    const isIt = snapshot.files.some((file) => file.path === path && file.sha256 === digest);
    return isIt && (await isKeptElsewhere(path, repository));
  }
  const content = await snapshot.read(path, Number.MAX_SAFE_INTEGER);
  if (content === undefined || !content.includes('\r\n')) return false;
  const plain = Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return blobId(plain, repository) === before.object && (await asGitKeepsIt(path, repository)) === before.object;
}

/** Tells whether the user has git keep the content of a file as Git LFS does; else a pointer is a file like any other. */
async function isKeptElsewhere(path: string, { git, user }: OwnRepository): Promise<boolean> {
  const place = { gitDir: user.gitDir, workTree: user.top };
  const filter = await git.run(['config', '--get', 'filter.lfs.clean'], { ...place, answers: [1] });
  if (filter.code !== 0) return false;
  const input = `${join(user.prefix, path)}\0`;
  const { out } = await git.run(['check-attr', '-z', '--stdin', 'filter'], { ...place, input });
  return nulSeparated(out)[2]?.toString('utf8') === 'lfs';
}

/** The object git would make of a file with the line ends the repository asks for. */
async function asGitKeepsIt(path: string, { git, dir, user }: OwnRepository): Promise<string> {
  const place = { gitDir: dir, workTree: user.top, env: BARE_GIT, answers: [128] };
  const input = `${quoted(join(user.prefix, path))}\n`;
  return (await git.run(['hash-object', '--stdin-paths'], { ...place, input })).out.toString().trim();
}

/** Taken from what was pinned, not from what lies in the work tree by now, and without the attributes of what is judged. */
async function patchOf(paths: readonly string[], base: Items, work: Work): Promise<string> {
  await keep(paths, work);
  writeFileSync(join(work.repository.dir, 'info', 'attributes'), '');
  const texts: string[] = [];
  for (const path of paths) if (await isShown(path, base, work)) texts.push(path);
  const shown = new Set(texts);
  const others = paths.filter((path) => !shown.has(path));
  return `${await patchBetween(texts, ['--text'], { base, work })}${await patchBetween(others, [], { base, work })}`;
}

/** Tells whether both sides of a file are text, if need be with a NUL in it by which git would take it for something else. */
async function isShown(path: string, base: Items, { repository, now, snapshot }: Work): Promise<boolean> {
  const [old, item] = [base.get(path), now.get(path)];
  if ([old, item].some((side) => side !== undefined && !side.mode.startsWith('100'))) return false;
  const before = old && (await repository.contents.read(old.object, MAX_TEXT + 1));
  const after = item && (await snapshot.read(path, MAX_TEXT + 1));
  return [before, after].every((side) => side === undefined || (side.length <= MAX_TEXT && !isBinary(side)));
}

async function patchBetween(
  paths: readonly string[],
  more: readonly string[],
  { base, work: { repository, now } }: { readonly base: Items; readonly work: Work },
): Promise<string> {
  if (paths.length === 0) return '';
  const [from, to] = [await treeOf(paths, base, repository), await treeOf(paths, now, repository)];
  const settings = ['-c', 'core.attributesFile=/dev/null', '-c', 'core.bigFileThreshold=1m'];
  const how = ['-p', '-r', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '-U3', ...more];
  const args = [...settings, 'diff-tree', ...how, '--src-prefix=a/', '--dst-prefix=b/', from, to];
  return (await repository.git.run(args, { gitDir: repository.dir, env: BARE_GIT })).out.toString('utf8');
}

/** Lets git have what was pinned. */
async function keep(paths: readonly string[], { repository, now, links, snapshot }: Work): Promise<void> {
  const { git, dir } = repository;
  const wanted = paths.filter((path) => (now.get(path)?.mode ?? SUBMODULE) !== SUBMODULE);
  const sources = wanted.map((path, at) => {
    const target = links.get(path);
    if (target === undefined) return join(snapshot.dir, path);
    const file = join(dir, `link-${at}`);
    writeFileSync(file, target);
    return file;
  });
  const input = sources.map((source) => `${quoted(source)}\n`).join('');
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const objects = await git.text(args, { gitDir: dir, env: BARE_GIT, input });
  if (objects === wanted.map((path) => now.get(path)?.object).join('\n')) return;
  throw new HelixError('io', 'the pinned copy was changed while it was compared', {
    hint: 'Ask for the approval again.',
  });
}

async function treeOf(paths: readonly string[], items: Items, { git, dir }: OwnRepository): Promise<string> {
  const index = join(dir, 'compared');
  rmSync(index, { force: true });
  const entries = paths.flatMap((path) => {
    const item = items.get(path);
    return item === undefined ? [] : [`${item.mode} ${item.object}\t${path}\0`];
  });
  const place = { gitDir: dir, index, env: BARE_GIT };
  await git.run(['update-index', '-z', '--index-info'], { ...place, input: entries.join('') });
  return git.text(['write-tree', '--missing-ok'], place);
}
