import { present } from '../../domain/present.ts';
import type { Argv, Ecosystem, Found } from './ecosystem.ts';
import { type Fields, fieldsOf, parseJsonMap } from './manifest.ts';
import { chooseManager, type Manager } from './node-managers.ts';
import { type Members, membersOf } from './node-workspaces.ts';
import type { Place } from './place.ts';

const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** From how many members on a workspace's folders are named by a pattern. */
const MANY = 12;
/** Declarations alone say nothing about what the code is written in. */
const TYPED = /(?<!\.d)\.[cm]?tsx?$/;

/** package.json, with whichever package manager its lock file belongs to. */
export const node: Ecosystem = { manifests: ['package.json'], detect };

async function detect(place: Place): Promise<Found | undefined> {
  if (!place.has('package.json')) return undefined;
  const manifest = parseJsonMap(await place.read('package.json'));
  const languages = place.files.some((path) => TYPED.test(path)) ? ['typescript'] : ['javascript'];
  if (manifest === undefined) {
    const broken = `${place.from('package.json')} cannot be read as JSON, so neither set-up nor tests could be told from it.`;
    return { tool: 'npm', languages, setup: [], cache: [], notes: [broken] };
  }
  const { manager, notes } = await chooseManager(place, manifest);
  const members = await membersOf(place, manifest);
  const needed = manager.locked || needsInstall(manifest) || members.dirs.length > 0;
  const test = testOf(manifest, manager, members);
  return {
    tool: manager.name,
    languages,
    setup: needed ? [manager.install] : [],
    cache: needed ? cachesOf(place, manager, members) : [],
    ...present({ test }),
    notes: [...notes, ...watching(place, manifest)],
    untested: `${place.from('package.json')} has no test script; write one, or give the tests_pass gates a command of your own.`,
    covers: (dir) => members.dirs.includes(dir),
  };
}

function needsInstall(manifest: Fields): boolean {
  const scripts = fieldsOf(manifest.scripts) ?? {};
  const depends = DEPENDENCIES.some((key) => Object.keys(fieldsOf(manifest[key]) ?? {}).length > 0);
  return depends || INSTALL_SCRIPTS.some((name) => name in scripts);
}

function cachesOf(place: Place, manager: Manager, members: Members): string[] {
  if (manager.nested && members.dirs.length > MANY) return [place.from('**/node_modules')];
  return [...manager.cache, ...(manager.nested ? members.dirs.map((dir) => `${dir}/node_modules`) : [])]
    .filter((path) => !place.files.some((file) => file === path || file.startsWith(`${path}/`)))
    .map(place.from);
}

function testOf(manifest: Fields, manager: Manager, members: Members): Argv | undefined {
  if (testScript(manifest) !== undefined) return manager.test;
  return members.manifests.some((member) => testScript(member) !== undefined) ? manager.testMembers : undefined;
}

/** The test script, unless it is the one `npm init` writes to say that there is none. */
function testScript(manifest: Fields): string | undefined {
  const script = fieldsOf(manifest.scripts)?.test;
  if (typeof script !== 'string' || script.trim() === '') return undefined;
  return /no test specified/i.test(script) ? undefined : script;
}

function watching(place: Place, manifest: Fields): string[] {
  if (!/--watch(?:All)?(?![\w-]|=false)/.test(testScript(manifest) ?? '')) return [];
  return [
    `The test script of ${place.from('package.json')} watches for changes and never ends; give it one that runs once.`,
  ];
}
