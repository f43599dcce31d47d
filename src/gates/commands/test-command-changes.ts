import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { oneLine } from '../../text/sanitise.ts';
import { makeRecipe, makeTargets } from '../found/make-rules.ts';
import { scriptNames, scriptsOf } from '../found/package-scripts.ts';
import { readableFiles } from '../found/readable-files.ts';
import { mayRunPython } from './runner-files.ts';
import { pytestSettings } from './test-settings.ts';

const LIMIT = 256 * 1024;
const MAX_SHOWN = 300;
const MAX_PACKAGES = 50;
const INSTALLED = /(?:^|\/)node_modules\//;

type Trees = { readonly base: Tree; readonly tree: Tree };

/** Warns where what a test command runs is written in the tree itself, and this phase rewrote it. */
export async function testCommandChanges(command: string | readonly string[], trees: Trees): Promise<Finding[]> {
  const text = [command].flat().join(' ');
  const [before, now] = await Promise.all([readableFiles(trees.base), readableFiles(trees.tree)]);
  const changed = [...before.keys()].filter((path) => now.get(path) !== before.get(path) && !INSTALLED.test(path));
  const added = [...now.keys()].filter((path) => !before.has(path));
  const findings: Finding[] = [];
  for (const path of changed.filter((one) => isNamed(one, 'package.json')).slice(0, MAX_PACKAGES)) {
    findings.push(...scriptChanges(path, text, await versions(path, trees)));
  }
  for (const path of changed.filter((one) => /(?:^|\/)(?:GNUm|m|M)akefile$/.test(one)).slice(0, MAX_PACKAGES)) {
    findings.push(...recipeChanges(path, text, await versions(path, trees)));
  }
  if (mayRunPython(command, trees.base)) {
    for (const path of [...changed, ...added].filter(holdsPytestSettings).slice(0, MAX_PACKAGES)) {
      const [old, now] = pytestSettings(path, await versions(path, trees));
      if (old !== now) findings.push(warning(path, `the settings of pytest in ${path}`, [old, now]));
    }
  }
  return findings;
}

/** Warns where another command was found than on the tree the phase began with. */
export function changedCommand(former: readonly string[], now: readonly string[]): Finding[] {
  if (former.join('\n') === now.join('\n')) return [];
  return [warning(undefined, 'the test command found in the project', [former.join(' '), now.join(' ')])];
}

function isNamed(path: string, name: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}

function holdsPytestSettings(path: string): boolean {
  return ['pyproject.toml', 'pytest.ini', '.pytest.ini', 'setup.cfg', 'tox.ini'].some((name) => isNamed(path, name));
}

async function versions(path: string, { base, tree }: Trees): Promise<[string, string]> {
  const [old, now] = await Promise.all([base.read(path, LIMIT), tree.read(path, LIMIT)]);
  return [old?.toString('utf8') ?? '', now?.toString('utf8') ?? ''];
}

function scriptChanges(path: string, command: string, [old, now]: [string, string]): Finding[] {
  const [before, after] = [scriptsOf(old), scriptsOf(now)];
  const names = scriptNames(command, before);
  const runsAny = [...names].some((name) => Object.hasOwn(before, name));
  if (!runsAny) return [];
  return [...names]
    .filter((name) => before[name] !== after[name])
    .map((name) => warning(path, `the script ${JSON.stringify(name)} of ${path}`, [before[name], after[name]]));
}

function recipeChanges(path: string, command: string, [old, now]: [string, string]): Finding[] {
  return makeTargets(command).flatMap((target) => {
    const [before, after] = [makeRecipe(old, target), makeRecipe(now, target)];
    if (before === undefined || before === after) return [];
    return [warning(path, `the target ${target} of ${path}`, [before, after])];
  });
}

function warning(file: string | undefined, what: string, [old, now]: readonly (string | undefined)[]): Finding {
  const shown = (text: string | undefined) =>
    text === undefined || text === '' ? 'nothing' : JSON.stringify(oneLine(text, MAX_SHOWN));
  return {
    severity: 'warning',
    check: 'test-command-changed',
    message: `${what} changed in this phase, from ${shown(old)} to ${shown(now)}`,
    hint: 'Tests that pass because less is run prove nothing; look at the difference.',
    ...(file !== undefined && { location: { file } }),
  };
}
