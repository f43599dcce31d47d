import { cargo } from './detect/cargo.ts';
import { type Argv, type Ecosystem, type Found, written } from './detect/ecosystem.ts';
import { go } from './detect/go.ts';
import { gradle, maven } from './detect/java.ts';
import { make } from './detect/make.ts';
import { node } from './detect/node.ts';
import { bundler, composer, dotnet } from './detect/others.ts';
import { foldersWith, type Look, openPlace } from './detect/place.ts';
import { python } from './detect/python.ts';

export type { Look } from './detect/place.ts';

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
/** Folders become arguments of commands, so one that could be taken for an option is not used. */
const PLAIN = /^\w[\w.@ +-]*(?:\/\w[\w.@ +-]*)*$/;

/** Tells languages, set-up and tests from the files of a tree or project; touches nothing. */
export async function detectTools(look: Look): Promise<DetectedTools> {
  const here = await packagesIn(look, '');
  const managed = here.filter(({ tool }) => tool !== 'make');
  const folders = foldersWith(look.paths, MANIFESTS)
    .filter((dir) => !PASSED_OVER.test(dir) && dir.split('/').length <= DEEPEST)
    .filter((dir) => !managed.some(({ covers }) => covers?.(dir) === true));
  const below: Package[] = [];
  for (const dir of folders.filter((each) => PLAIN.test(each)).slice(0, MOST)) {
    if (below.some((parent) => dir.startsWith(`${parent.dir}/`))) continue;
    below.push(...(await packagesIn(look, dir)).filter(({ tool }) => tool !== 'make'));
  }
  const used = managed.length > 0 ? here : [...here, ...below];
  const others = managed.length > 0 ? below : [];
  const { test, notes } = chooseTests(used, here);
  const { length } = folders;
  return {
    languages: [...new Set([...used, ...others].flatMap(({ languages }) => languages))],
    setup: used.flatMap(({ setup }) => setup),
    cache: [...new Set(used.flatMap(({ cache }) => cache))],
    ...(test !== undefined && { test }),
    notes: [
      ...used.filter(({ tool }) => tool !== 'make' || test === undefined).flatMap((found) => found.notes),
      ...notes,
      ...others.map(describeOther),
      ...(length > MOST ? [`There are ${length} packages; only the first ${MOST} were looked at.`] : []),
      ...(used.length === 0 ? [NOTHING] : []),
    ],
  };
}

const NOTHING =
  'No package manager, Makefile or tests were recognised. If the project needs a set-up, write it as workspace: { mode: repo, setup: [[program, argument]], cache: [folder] }; give tests_pass gates a command: [program, argument].';

async function packagesIn(look: Look, dir: string): Promise<Package[]> {
  const place = openPlace(look, dir);
  const packages: Package[] = [];
  for (const { detect } of ECOSYSTEMS) {
    const found = await detect(place);
    if (found !== undefined) packages.push({ ...found, dir });
  }
  return packages;
}

/** A gate runs one command, so where several packages have tests a Makefile of the project decides, or its author. */
function chooseTests(used: readonly Package[], here: readonly Package[]): { test?: Argv; notes: readonly string[] } {
  const tested = used.filter(({ test, tool }) => test !== undefined && tool !== 'make');
  const byMake = here.find(({ tool, dir }) => tool === 'make' && dir === '')?.test;
  const first = tested[0];
  const test = tested.length === 1 ? first?.test : (byMake ?? (first?.dir === '' ? first.test : undefined));
  if (tested.length < 2 || byMake !== undefined) return { ...(test !== undefined && { test }), notes: [] };
  const list = tested.map((found) => `${nameOf(found)}: ${written(found.test ?? [])}`).join(', ');
  const notes = [`Several packages have tests (${list}); give each its own tests_pass gate with its command.`];
  return { ...(test !== undefined && { test }), notes };
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
