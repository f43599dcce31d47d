import type { Tree } from '../../ports/tree.ts';
import { isRecord } from '../../text/is-record.ts';
import { readableFiles } from '../found/readable-files.ts';
import { decider, isRunnerFile } from './runner-files.ts';
import { isMixed, withSettingsOf } from './test-settings.ts';

const LIMIT = 1024 * 1024;
const INSTALLED = /(?:^|\/)node_modules\//;
/** What package.json says to test runners; by its own name a package takes the place of another one. */
const RUNNER_KEYS = ['name', 'scripts', 'jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'vitest', 'babel', 'config'];

type Compared = { readonly origin: Tree; readonly tree: Tree; readonly declared: (path: string) => boolean };

/**
 * The files by which work decides how its tests are run, as they were before it: whole where they are there for nothing
 * else, of others the part that is about tests. Undefined for a file that was not there. What a phase declares is left alone.
 */
export async function formerSettings(
  command: string | readonly string[],
  { origin, tree, declared }: Compared,
): Promise<Map<string, Buffer | undefined>> {
  const [before, now] = await Promise.all([readableFiles(origin), readableFiles(tree)]);
  const paths = [...new Set([...before.keys(), ...now.keys()])];
  const linked = newLinks(before, tree);
  const decides = await decider(command, origin, tree);
  const former = new Map<string, Buffer | undefined>();
  for (const path of paths.filter((each) => before.get(each) !== now.get(each) && !declared(each))) {
    const old = async () => (before.has(path) ? await origin.read(path, LIMIT) : undefined);
    const mixed = mixer(path);
    if (mixed === undefined) {
      const link = linked(path);
      if (decides(path)) former.set(link ?? path, link === undefined ? await old() : undefined);
      continue;
    }
    const changed = (await tree.read(path, LIMIT))?.toString('utf8') ?? '';
    const merged = mixed((await old())?.toString('utf8') ?? '', changed);
    if (merged !== changed) former.set(path, merged === '' && !before.has(path) ? undefined : Buffer.from(merged));
  }
  return former;
}

/** Tells of a path the link it is read by, where nothing was there before. */
function newLinks(before: ReadonlyMap<string, string>, { links = [] }: Tree): (path: string) => string | undefined {
  const folders = new Set([...before.keys()].flatMap((path) => [path, ...above(path)]));
  const added = new Set(links.map(({ path }) => path).filter((path) => !folders.has(path)));
  return (path) => [path, ...above(path)].findLast((each) => added.has(each));
}

function above(path: string): string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, -1 - index).join('/'));
}

/** Tells by its name whether a file can decide how tests are run. */
export function isTestSetting(path: string): boolean {
  return isRunnerFile(path) || mixer(path) !== undefined;
}

type Mixer = (old: string, now: string) => string;

/** How to put back the part of a file that is about tests. */
function mixer(path: string): Mixer | undefined {
  if (/(?:^|\/)package\.json$/.test(path) && !INSTALLED.test(path)) return formerScripts;
  return isMixed(path) ? (old, now) => withSettingsOf(path, old, now) : undefined;
}

function formerScripts(old: string, now: string): string {
  const [before, after] = [old, now].map((text) => (text === '' ? {} : parsed(text)));
  if (before === undefined || after === undefined) return now;
  // A package that is new brings its name, and the scripts its own tests are run by.
  const keys = RUNNER_KEYS.filter((key) => old !== '' || (key !== 'scripts' && key !== 'name'));
  const same = keys.every((key) => JSON.stringify(before[key]) === JSON.stringify(after[key]));
  if (same) return now;
  const rest = Object.fromEntries(Object.entries(after).filter(([key]) => !keys.includes(key)));
  const kept = Object.fromEntries(Object.entries(before).filter(([key]) => keys.includes(key)));
  return JSON.stringify({ ...rest, ...kept }, undefined, 2);
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
