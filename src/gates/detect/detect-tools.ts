import { present } from '../../domain/present.ts';
import { cargo } from './cargo.ts';
import { type Argv, type Ecosystem, type Found, written } from './ecosystem.ts';
import { go } from './go.ts';
import { gradle, maven } from './java.ts';
import { make } from './make.ts';
import { node } from './node.ts';
import { bundler, composer, dotnet } from './others.ts';
import { foldersWith, isPlain, type Look, openPlace } from './place.ts';
import { python } from './python.ts';

/** How a project is prepared and tested, as far as its files tell. */
export type DetectedTools = {
  readonly languages: readonly string[];
  readonly setup: readonly Argv[];
  /** The folders set-up fills, relative to the project. Some may be missing after it. */
  readonly cache: readonly string[];
  readonly test?: Argv;
  /** Sentences for people: what could not be told, and what to write. */
  readonly notes: readonly string[];
};

type Package = Found & { readonly dir: string };

/** In the order in which they are asked; the first one's tests are run, and make is a last resort. */
const ECOSYSTEMS: readonly Ecosystem[] = [node, python, go, cargo, maven, gradle, composer, bundler, dotnet, make];
const MANIFESTS = new Set(ECOSYSTEMS.flatMap(({ manifests }) => manifests));
const DEEPEST = 3;
const MOST = 12;
/** Packages in these folders are somebody else's, or made by a build, or there to be looked at. */
const PASSED_OVER =
  /(?:^|\/)(?:\.[^/]*|node_modules|vendor|third_party|dist|build|target|out|tests?|testdata|fixtures|__fixtures__|examples?|templates?)(?:\/|$)/;

/** Tells whether a file of this name can say how a project is set up and tested. */
export function isManifest(name: string): boolean {
  return MANIFESTS.has(name);
}

/**
 * Tells languages, set-up and tests from the files of a tree or project; touches nothing. Where the set-up it names will
 * be run (`prepared`), the tests may rely on that; else they use what there is.
 */
export async function detectTools(look: Look, { prepared = false } = {}): Promise<DetectedTools> {
  const packagesIn = packageFinder(look, prepared);
  const here = await packagesIn('');
  const { below, notes: passedOver } = await packagesBelow({ look, here, packagesIn });
  const alone = here.some(({ tool }) => tool !== 'make');
  const used = alone ? here : [...here, ...below];
  const others = alone ? below : [];
  const { test, notes } = chooseTests(used);
  return {
    languages: [...new Set([...used, ...others].flatMap(({ languages }) => languages))],
    setup: used.flatMap(({ setup }) => setup),
    cache: [...new Set(used.flatMap(({ cache }) => cache))],
    ...present({ test }),
    notes: [
      ...used.flatMap((found) => found.notes),
      ...notes,
      ...others.map(describeOther),
      ...passedOver,
      ...(used.length === 0 ? [NOTHING] : []),
    ],
  };
}

const NOTHING =
  'No package manager, Makefile or tests were recognised. If the project needs a set-up, write it as workspace: { mode: repo, setup: [[program, argument]], cache: [folder] }; give tests_pass gates a command: [program, argument].';

type PackagesIn = (dir: string) => Promise<Package[]>;
type Search = { readonly look: Look; readonly here: readonly Package[]; readonly packagesIn: PackagesIn };

/** The packages in folders that belong to none of those above them. */
async function packagesBelow({ look, here, packagesIn }: Search): Promise<{ below: Package[]; notes: string[] }> {
  const folders = foldersWith(look.paths, MANIFESTS)
    .filter((dir) => !PASSED_OVER.test(dir) && dir.split('/').length <= DEEPEST)
    .filter((dir) => !here.some(({ covers }) => covers?.(dir) === true));
  const plain = folders.filter(isPlain);
  const below: Package[] = [];
  for (const dir of plain.slice(0, MOST)) {
    if (below.some((parent) => dir.startsWith(`${parent.dir}/`))) continue;
    below.push(...(await packagesIn(dir)).filter(({ tool }) => tool !== 'make'));
  }
  const left = folders.length - Math.min(plain.length, MOST);
  const notes = [`${left} more folders with packages were not looked at; add what they need by hand.`];
  return { below, notes: left > 0 ? notes : [] };
}

function packageFinder(look: Look, prepared: boolean): PackagesIn {
  return async (dir) => {
    const place = openPlace(look, dir, prepared);
    const packages: Package[] = [];
    for (const { detect } of ECOSYSTEMS) {
      const found = await detect(place);
      if (found !== undefined) packages.push({ ...found, dir });
    }
    return packages;
  };
}

/** A gate runs one command, so where several packages have tests the project's Makefile decides, or its author. */
function chooseTests(used: readonly Package[]): { test?: Argv; notes: readonly string[] } {
  const tested = used.filter(({ test, tool }) => test !== undefined && tool !== 'make');
  const byMake = used.find(({ tool, dir }) => tool === 'make' && dir === '')?.test;
  const [first, second] = tested;
  if (byMake !== undefined && (first === undefined || second !== undefined)) return { test: byMake, notes: [] };
  if (first?.test === undefined) return { notes: used.flatMap(({ untested }) => untested ?? []) };
  if (second === undefined) return { test: first.test, notes: [] };
  const list = tested.map((found) => `${nameOf(found)}: ${written(found.test ?? [])}`).join('; ');
  const notes = [`Several packages have tests (${list}); give each its own tests_pass gate with its command.`];
  return first.dir === '' ? { test: first.test, notes } : { notes };
}

function describeOther(found: Package): string {
  const { setup, cache, test } = found;
  const parts = [
    ...(setup.length > 0 ? [`set-up ${setup.map(written).join(', ')}`] : []),
    ...(cache.length > 0 ? [`cache ${written(cache)}`] : []),
    ...(test === undefined ? [] : [`tests ${written(test)}`]),
  ];
  const rest = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `${nameOf(found)} is a package of its own and was left out; add it if phases work there${rest}.`;
}

function nameOf({ dir, tool }: Package): string {
  return `${dir === '' ? 'the project' : dir} (${tool})`;
}
