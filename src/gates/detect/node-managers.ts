import type { Argv } from './ecosystem.ts';
import { type Fields, parseYamlMap } from './manifest.ts';
import type { Place } from './place.ts';

/** How one package manager installs what the lock file says, and runs the tests. */
export type Manager = {
  readonly name: string;
  readonly locked: boolean;
  readonly install: Argv;
  readonly cache: readonly string[];
  /** Whether members of a workspace get a node_modules of their own. */
  readonly nested: boolean;
  readonly test: Argv;
  /** Runs the tests of all members of a workspace, where the workspace itself has none. */
  readonly testMembers: Argv;
  readonly notes: readonly string[];
};

const LOCKS: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];
const MANAGERS = new Set(LOCKS.map(([, manager]) => manager));

/** The manager package.json names, else the one whose lock file is there, else npm. */
export async function chooseManager(
  place: Place,
  manifest: Fields,
): Promise<{ readonly manager: Manager; readonly notes: readonly string[] }> {
  const declared = typeof manifest.packageManager === 'string' ? manifest.packageManager : '';
  const locks = LOCKS.filter(([file]) => place.has(file));
  const managers = [...new Set(locks.map(([, manager]) => manager))];
  const named = /^[a-z]+/.exec(declared)?.[0] ?? '';
  const chosen = MANAGERS.has(named) ? named : (managers[0] ?? 'npm');
  const manager = await build(chosen, place, { locked: managers.includes(chosen), declared });
  const several = `There are lock files of ${managers.join(' and ')}; set-up uses ${chosen}. Remove the others.`;
  const none = `${place.from('package.json')} has no lock file, so set-up may install other versions each time.`;
  const notes = [
    ...manager.notes,
    ...(managers.length > 1 ? [several] : []),
    ...(manager.locked || !declaresAny(manifest) ? [] : [none]),
  ];
  return { manager, notes };
}

const UNLINKED =
  "Yarn's Plug'n'Play works in phases only where .pnp.cjs is committed; commit it, or write nodeLinker: node-modules in .yarnrc.yml.";

type Facts = { readonly locked: boolean; readonly declared: string };

async function build(name: string, place: Place, facts: Facts): Promise<Manager> {
  if (name === 'yarn') return await yarn(place, facts);
  if (name === 'pnpm') return pnpm(place, facts.locked);
  return name === 'bun' ? bun(place, facts.locked) : npm(place, facts.locked);
}

function declaresAny(manifest: Fields): boolean {
  return ['dependencies', 'devDependencies'].some((key) => Object.keys(manifest[key] ?? {}).length > 0);
}

/** Without a lock file none is written: set-up must not change the project. */
function npm(place: Place, locked: boolean): Manager {
  const folder = place.dir === '' ? [] : ['--prefix', place.dir];
  return {
    name: 'npm',
    locked,
    install: locked ? ['npm', 'ci', ...folder] : ['npm', 'install', '--no-package-lock', ...folder],
    cache: ['node_modules'],
    nested: true,
    test: ['npm', 'test', ...folder],
    notes: [],
    testMembers: ['npm', 'test', '--workspaces', '--if-present', ...folder],
  };
}

function pnpm(place: Place, locked: boolean): Manager {
  const folder = place.dir === '' ? [] : [`--dir=${place.dir}`];
  return {
    name: 'pnpm',
    locked,
    install: ['pnpm', ...folder, 'install', locked ? '--frozen-lockfile' : '--no-lockfile'],
    cache: ['node_modules'],
    nested: true,
    test: ['pnpm', ...folder, 'test'],
    notes: [],
    testMembers: ['pnpm', ...folder, '--recursive', 'test'],
  };
}

async function yarn(place: Place, { locked, declared }: Facts): Promise<Manager> {
  const folder = place.dir === '' ? [] : [`--cwd=${place.dir}`];
  const modern =
    place.has('.yarnrc.yml') ||
    /^yarn@(?:[2-9]|\d\d)/.test(declared) ||
    /^__metadata:/m.test((await place.read('yarn.lock')) ?? '');
  const settings = parseYamlMap(await place.read('.yarnrc.yml'), '.yarnrc.yml');
  const linked = !modern || settings?.nodeLinker === 'node-modules' || settings?.nodeLinker === 'pnpm';
  const classicInstall = ['install', locked ? '--frozen-lockfile' : '--no-lockfile'];
  const modernInstall = locked ? ['install', '--immutable'] : ['install', '--no-immutable'];
  return {
    name: 'yarn',
    locked,
    install: ['yarn', ...folder, ...(modern ? modernInstall : classicInstall)],
    cache: linked ? ['node_modules'] : ['.yarn/cache', '.yarn/unplugged'],
    notes: linked || place.has('.pnp.cjs') ? [] : [UNLINKED],
    nested: linked,
    test: ['yarn', ...folder, 'test'],
    testMembers: ['yarn', ...folder, 'workspaces', ...(modern ? ['foreach', '--all'] : []), 'run', 'test'],
  };
}

function bun(place: Place, locked: boolean): Manager {
  const folder = place.dir === '' ? [] : [`--cwd=${place.dir}`];
  return {
    name: 'bun',
    locked,
    install: ['bun', 'install', ...(locked ? ['--frozen-lockfile'] : ['--no-save']), ...folder],
    cache: ['node_modules'],
    nested: true,
    test: ['bun', 'run', ...folder, 'test'],
    notes: [],
    testMembers: ['bun', 'run', ...folder, '--filter', '*', 'test'],
  };
}
