import type { Finding } from '../../domain/finding.ts';
import type { Tree } from '../../ports/tree.ts';
import { globMatcher } from '../../text/glob.ts';
import { oneLine } from '../../text/sanitise.ts';
import { type RustParts, splitRust } from '../../text/test-code/split-rust.ts';
import type { GateContext } from '../gate/gate-context.ts';
import { isOnlyForTests } from '../gate/test-files.ts';
import { formerSettings } from './former-settings.ts';

const LIMIT = 1024 * 1024;
const SHOWN = 20;

type Trees = Pick<GateContext, 'base' | 'tree'>;

/** Every path that differs between the two trees of a phase. */
export function changedPaths({ base, tree }: Trees): string[] {
  const [before, now] = [describe(base), describe(tree)];
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => before.get(path) !== now.get(path)).sort();
}

function describe({ files, links = [], submodules = [] }: Tree): Map<string, string> {
  return new Map([
    ...files.map(({ path, digest, executable }) => [path, `${digest} ${executable}`] as const),
    ...links.map(({ path }) => [path, 'link'] as const),
    ...submodules.map(({ path, commit }) => [path, commit] as const),
  ]);
}

/** What a phase changed besides tests although it is there to show a bug: the code that has the bug stays as it is. */
export async function notTests(
  command: string | readonly string[],
  { base, tree, phase }: Pick<GateContext, 'base' | 'tree' | 'phase'>,
): Promise<Finding[]> {
  const declared = phase.output.files.map(globMatcher);
  const isDeclared = (path: string) => declared.some((matches) => matches(path));
  const settings = await formerSettings(command, { origin: base, tree, declared: isDeclared });
  const strays: string[] = [];
  for (const path of changedPaths({ base, tree })) {
    if (isDeclared(path)) continue;
    if (settings.has(path) || !(await isTest(path, { base, tree }))) strays.push(path);
  }
  const more = strays.length > SHOWN ? [`and ${strays.length - SHOWN} more`] : [];
  const [file] = strays;
  if (file === undefined) return [];
  return [
    {
      severity: 'error',
      check: 'not-a-test',
      message: `this phase adds a test and changes nothing else, but it also changed: ${[...strays.slice(0, SHOWN).map((path) => oneLine(path, 200)), ...more].join(', ')}`,
      hint: 'Undo these changes. What the test needs goes into the test itself or beside it, in a folder for tests; the bug is mended in a later phase.',
      location: { file },
    },
  ];
}

/** A test that was removed shows nothing; in Rust the tests of a file stand at its end, and all before them is the product. */
async function isTest(path: string, { base, tree }: Trees): Promise<boolean> {
  if (!tree.files.some((file) => file.path === path)) return false;
  if (isOnlyForTests(path)) return true;
  if (!path.endsWith('.rs')) return false;
  const [before, now] = [await partsOf(base, path), await partsOf(tree, path)];
  return now !== undefined && now.product === before?.product;
}

async function partsOf(tree: Tree, path: string): Promise<RustParts | undefined> {
  const content = await tree.read(path, LIMIT + 1);
  return content === undefined || content.length > LIMIT ? undefined : splitRust(content.toString('utf8'));
}

/** What shows a bug stays as it was when the bug was seen: a test that is changed together with the code proves nothing. */
export async function changedReproduction({
  reproduced = [],
  base,
  tree,
}: Pick<GateContext, 'reproduced' | 'base' | 'tree'>): Promise<Finding[]> {
  const changed = new Set(changedPaths({ base, tree }));
  const findings: Finding[] = [];
  for (const file of reproduced.filter((path) => changed.has(path))) {
    if (await keepsTests(file, { base, tree })) continue;
    findings.push({
      severity: 'error',
      check: 'reproduction-changed',
      message: `${oneLine(file, 200)} shows the bug, and this phase changed it`,
      hint: 'Put it back as it was; further tests go into another file. If the test itself is wrong, leave it and say so: a human decides.',
      location: { file },
    });
  }
  return findings;
}

/** A bug is mended in the product: tests that pass because of what only tests use say that they were bent to it. */
export async function nothingMended({ shown, tree }: Pick<GateContext, 'shown' | 'tree'>): Promise<Finding[]> {
  if (shown === undefined) return [];
  const changed = changedPaths({ base: shown, tree });
  for (const path of changed) {
    if (!isOnlyForTests(path) && !(await isTest(path, { base: shown, tree }))) return [];
  }
  const names = changed.slice(0, SHOWN).map((path) => oneLine(path, 200));
  const what = names.length === 0 ? 'nothing was changed' : `only what tests use was changed: ${names.join(', ')}`;
  return [
    {
      severity: 'error',
      check: 'nothing-mended',
      message: `the bug was seen in the product, and since then ${what}`,
      hint: 'Mend the product, so that the test that shows the bug passes as it is. If the product is right and the test is wrong, leave both and say so: a human decides.',
    },
  ];
}

async function keepsTests(path: string, { base, tree }: Trees): Promise<boolean> {
  if (isOnlyForTests(path) || !path.endsWith('.rs')) return false;
  const [before, now] = [await partsOf(base, path), await partsOf(tree, path)];
  return before !== undefined && now?.tests === before.tests;
}
