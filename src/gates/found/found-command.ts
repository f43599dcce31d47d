import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { detectTools, isManifest } from '../detect/detect-tools.ts';
import { written } from '../detect/ecosystem.ts';
import type { Look } from '../detect/place.ts';
import { isWrapper, runsScripts, scriptsBehind } from './behind-command.ts';
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

/** Tells whether what a gate runs may be written in files that decide it. */
export function runsWritten(gate: Gate): boolean {
  return gate.type === 'tests_pass' || runsScripts(givenCommand(gate) ?? []);
}

/** The command of a gate of the plan's own; what tests run is told by running them with what there was. */
function givenCommand({ type, settings: { command } }: Gate): readonly string[] | undefined {
  return type === 'custom' && command !== undefined ? [command].flat().map(String) : undefined;
}

/** Another command than there was, in words, and the files that make it so. */
export type Rewritten = { readonly files: readonly string[]; readonly before: string; readonly after: string };

type Trees = { readonly base: Tree; readonly tree: Tree };

/**
 * The changed files by which gates find another test command than there was, or commands of gates run other scripts; undefined
 * where that is not so, or where it comes of the code alone, such as a first module.
 */
export async function rewritingCommand(
  changed: readonly string[],
  { gates, ...trees }: Trees & { readonly gates: readonly Gate[] },
): Promise<Rewritten | undefined> {
  const given = new Map(gates.flatMap(givenOf).map((command) => [written(command), command]));
  const commands = [...(gates.some(findsCommand) ? [undefined] : []), ...given.values()];
  if (commands.length === 0) return undefined;
  const linked = await behindLinks(changed, trees);
  const included = await Promise.all([trees.base, trees.tree].map((tree) => includedMakefiles(lookAt(tree))));
  const isIncluded = new Set(included.flat());
  const candidates = changed.filter((path) => isDeciding(path) || isIncluded.has(path));
  if (candidates.length + linked.length === 0) return undefined;
  const files = new Set<string>();
  const [was, is]: [string[], string[]] = [[], []];
  for (const command of commands) {
    const [before, after] = await Promise.all([trees.base, trees.tree].map((tree) => foundIn(lookAt(tree), command)));
    if (before === undefined) continue;
    const wrappers = /\b(?:mvnw?|gradlew?)\b/.test(`${before} ${after}`) ? candidates.filter(isWrapper) : [];
    const guilty = before === after ? [] : [...linked, ...(await guiltyOf(candidates, { after, command, ...trees }))];
    for (const path of [...guilty, ...wrappers]) files.add(path);
    if (guilty.length + wrappers.length === 0) continue;
    was.push(before);
    is.push(after ?? 'nothing');
  }
  return files.size === 0 ? undefined : { files: [...files], before: told(was.join('; ')), after: told(is.join('; ')) };
}

function givenOf(gate: Gate): (readonly string[])[] {
  const command = givenCommand(gate);
  return command !== undefined && runsScripts(command) ? [command] : [];
}

/** The files without whose change the command would be another one; all, where only together they make the difference. */
async function guiltyOf(
  candidates: readonly string[],
  { after, command, base, tree }: Trees & { after: string | undefined; command: readonly string[] | undefined },
): Promise<readonly string[]> {
  const restored = (files: readonly string[]) => foundIn(lookAt(tree, { files, from: base }), command);
  if ((await restored(candidates)) === after) return [];
  const alone: string[] = [];
  for (const file of candidates.slice(0, MAX_ALONE)) if ((await restored([file])) !== after) alone.push(file);
  return alone.length === 0 ? candidates : alone;
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

/** A command with what it runs: one that is given, which says nothing where no scripts are, or the test command found there. */
async function foundIn(look: Look, given?: readonly string[]): Promise<string | undefined> {
  const command = given ?? (await detectTools(look)).test;
  if (command === undefined) return undefined;
  const scripts =
    given === undefined ? await scriptsBehind(command, look) : await scriptsBehind(command, look, () => false);
  if (scripts.length === 0) return given === undefined ? written(command) : undefined;
  return `${written(command)}, which runs ${JSON.stringify(scripts)}`;
}
