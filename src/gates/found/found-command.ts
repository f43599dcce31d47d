import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { detectTools, isManifest } from '../detect/detect-tools.ts';
import { written } from '../detect/ecosystem.ts';
import type { Look } from '../detect/place.ts';
import { isWrapper, scriptsBehind } from './behind-command.ts';
import { linkFollower } from './follow-links.ts';
import { includedMakefiles } from './make-rules.ts';

const READ_LIMIT = 256 * 1024;
const MAX_ALONE = 50;
const MAX_SHOWN = 4000;
/** Beside manifests and wrappers: files by which it is told how a project is tested, and files with what that runs. */
const DECIDING =
  /(?:^|\/)(?:[^/]*(?:lock|lockb|shrinkwrap)(?:\.\w+)?|pnpm-workspace\.yaml|conftest\.py|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|[^/]*requirements[^/]*|requirements\/[^/]+|composer\.json|phpunit[^/]*\.xml[^/]*|Rakefile|Gemfile|(?:nx|turbo|lerna|project|rush)\.json|package-scripts\.[cm]?js|[^/]+\.(?:mk|mak|make|slnx?|csproj|fsproj|vbproj))$/;

/** Tells whether a gate finds its test command in the work itself. */
export function findsCommand({ type, settings }: Gate): boolean {
  return type === 'tests_pass' && settings.command === undefined;
}

/** Another command than there was, in words, and the files that make it so. */
export type Rewritten = { readonly files: readonly string[]; readonly before: string; readonly after: string };

type Trees = { readonly base: Tree; readonly tree: Tree };

/**
 * The changed files by which another test command is found than there was, or one that runs other scripts; undefined where
 * that is not so, or where it comes of the code alone, such as a first module.
 */
export async function rewritingCommand(changed: readonly string[], trees: Trees): Promise<Rewritten | undefined> {
  const linked = await behindLinks(changed, trees);
  const included = await Promise.all([trees.base, trees.tree].map((tree) => includedMakefiles(lookAt(tree))));
  const isIncluded = new Set(included.flat());
  const candidates = changed.filter((path) => isDeciding(path) || isIncluded.has(path));
  if (candidates.length + linked.length === 0) return undefined;
  const [before, after] = await Promise.all([foundIn(lookAt(trees.base)), foundIn(lookAt(trees.tree))]);
  if (before === undefined) return undefined;
  const wrappers = /\b(?:mvnw?|gradlew?)\b/.test(`${before} ${after}`) ? candidates.filter(isWrapper) : [];
  const guilty = before === after ? [] : [...linked, ...(await guiltyOf(candidates, after, trees))];
  const files = [...new Set([...guilty, ...wrappers])];
  return files.length === 0 ? undefined : rewritten(files, { before, after });
}

/** The files without whose change the command would be another one; all, where only together they make the difference. */
async function guiltyOf(
  candidates: readonly string[],
  after: string | undefined,
  { base, tree }: Trees,
): Promise<readonly string[]> {
  const restored = (files: readonly string[]) => foundIn(lookAt(tree, { files, from: base }));
  if ((await restored(candidates)) === after) return [];
  const alone: string[] = [];
  for (const file of candidates.slice(0, MAX_ALONE)) if ((await restored([file])) !== after) alone.push(file);
  return alone.length === 0 ? candidates : alone;
}

function rewritten(
  files: readonly string[],
  { before, after }: { before: string; after: string | undefined },
): Rewritten {
  return { files, before: told(before), after: told(after) };
}

/** The test command that is found in a tree, as it is told to people. */
export async function commandFound(tree: Tree): Promise<string> {
  return told(await foundIn(lookAt(tree)));
}

function told(command = 'nothing'): string {
  return oneLine(command, MAX_SHOWN);
}

/** Tells whether a file can decide which test command is found. */
export function isDeciding(path: string): boolean {
  return isManifest(posix.basename(path)) || isWrapper(path) || DECIDING.test(path);
}

/** What such a file is a link to decides just as well. */
async function behindLinks(changed: readonly string[], { base, tree }: Trees): Promise<string[]> {
  const links = [base, tree].flatMap((each) => (each.links ?? []).map(({ path }) => path)).filter(isDeciding);
  if (links.length === 0) return [];
  const followers = await Promise.all([base, tree].map(linkFollower));
  const behind = new Set(links.flatMap((link) => followers.map((follow) => follow(link))));
  return changed.filter((path) => behind.has(path));
}

/** A tree as detection sees it, some files as another one has them. */
function lookAt(
  tree: Tree,
  back: { readonly files: readonly string[]; readonly from: Tree } | undefined = undefined,
): Look {
  const text = async (from: Tree, path: string) => {
    const bytes = await from.read(path, READ_LIMIT + 1);
    if (bytes === undefined || bytes.length <= READ_LIMIT) return bytes?.toString('utf8');
    // What lies beyond the limit counts by its digest.
    const rest = from.files.find((file) => file.path === path)?.digest;
    return `${bytes.toString('utf8', 0, READ_LIMIT)}\n\nBEYOND = ${rest}\n`;
  };
  const files = new Set(back?.files);
  const old = back?.from.files.map(({ path }) => path).filter((path) => files.has(path)) ?? [];
  return {
    paths: [...tree.files.map(({ path }) => path).filter((path) => !files.has(path)), ...old],
    read: (path) => text(back !== undefined && files.has(path) ? back.from : tree, path),
  };
}

async function foundIn(look: Look): Promise<string | undefined> {
  const { test } = await detectTools(look);
  if (test === undefined) return undefined;
  const scripts = await scriptsBehind(test, look);
  return scripts.length === 0 ? written(test) : `${written(test)}, which runs ${JSON.stringify(scripts)}`;
}
