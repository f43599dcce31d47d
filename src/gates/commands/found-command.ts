import { posix } from 'node:path';
import type { Gate } from '../../domain/plan/gate.ts';
import type { Tree } from '../../ports/tree.ts';
import { detectTools, isManifest } from '../detect/detect-tools.ts';
import { scriptsBehind } from './test-command-changes.ts';

const READ_LIMIT = 256 * 1024;

/** Tells whether a gate finds its test command in the work itself. */
export function findsCommand({ type, settings }: Gate): boolean {
  return type === 'tests_pass' && settings.command === undefined;
}

/** Of the changed files those by which another test command is found than there was, or one that runs other scripts. */
export async function rewritingCommand(
  changed: readonly string[],
  { base, tree }: { readonly base: Tree; readonly tree: Tree },
): Promise<string[]> {
  const manifests = changed.filter((path) => isManifest(posix.basename(path)));
  if (manifests.length === 0) return [];
  const [before, after] = await Promise.all([foundIn(base), foundIn(tree)]);
  return before === undefined || before === after ? [] : manifests;
}

async function foundIn(tree: Tree): Promise<string | undefined> {
  const read = async (path: string) => (await tree.read(path, READ_LIMIT))?.toString('utf8');
  const { test } = await detectTools({ paths: tree.files.map(({ path }) => path), read });
  return test === undefined ? undefined : JSON.stringify([test, await scriptsBehind(test, read)]);
}
