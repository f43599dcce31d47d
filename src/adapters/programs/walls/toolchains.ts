import { type Dirent, existsSync, lstatSync, readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { isBelow } from '../../disk/is-below.ts';
import { isSystem } from './system-directories.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Root = {
  /** Where it lies below the home directory, unless `env` says otherwise. */
  readonly home?: string;
  readonly env?: string;
  /** All that is needed of it, where the rest is other people's code or credentials. */
  readonly parts?: readonly string[];
};

/** Where version managers, compilers and package managers keep what a program needs to run or to be built. */
const ROOTS: readonly Root[] = [
  { home: '.cargo', env: 'CARGO_HOME', parts: ['bin', 'registry', 'git', 'config', 'config.toml'] },
  { home: '.rustup', env: 'RUSTUP_HOME' },
  { home: '.pyenv', env: 'PYENV_ROOT' },
  { home: '.rbenv', env: 'RBENV_ROOT' },
  { home: '.nodenv', env: 'NODENV_ROOT' },
  { home: '.nvm', env: 'NVM_DIR' },
  { home: '.volta', env: 'VOLTA_HOME' },
  { home: '.asdf', env: 'ASDF_DATA_DIR' },
  { home: '.sdkman', env: 'SDKMAN_DIR', parts: ['candidates'] },
  { home: '.bun', env: 'BUN_INSTALL', parts: ['bin', 'install'] },
  { home: '.deno', env: 'DENO_INSTALL', parts: ['bin'] },
  { home: '.dotnet', env: 'DOTNET_ROOT' },
  { home: '.ghcup', env: 'GHCUP_INSTALL_BASE_PREFIX' },
  { home: '.opam', env: 'OPAMROOT' },
  { home: '.juliaup' },
  { home: '.elan', env: 'ELAN_HOME' },
  { home: 'go', env: 'GOPATH', parts: ['bin', 'pkg'] },
  { env: 'GOROOT' },
  { env: 'JAVA_HOME' },
  { env: 'ANDROID_HOME' },
  { env: 'CONDA_PREFIX' },
  { env: 'VIRTUAL_ENV' },
  { home: '.m2/repository' },
  { home: '.nuget/packages', env: 'NUGET_PACKAGES' },
  { home: '.yarn/berry/cache' },
  { home: '.pub-cache', env: 'PUB_CACHE', parts: ['bin', 'hosted', 'git', 'global_packages'] },
  { home: '.local/lib' },
  { home: '.local/share/uv' },
  { home: '.local/share/mise', env: 'MISE_DATA_DIR' },
  { home: '.local/share/fnm', env: 'FNM_DIR' },
  { home: '.local/share/pnpm', env: 'PNPM_HOME' },
  { home: '.local/share/pipx', env: 'PIPX_HOME' },
  { home: '.local/share/gem' },
  { home: '.local/share/virtualenvs', env: 'WORKON_HOME' },
  { home: '.gem', parts: ['ruby'] },
  { home: '.cache/pypoetry/virtualenvs' },
  { home: '.cache/coursier' },
  { home: '.cache/deno', env: 'DENO_DIR' },
  { home: '.cache/ms-playwright', env: 'PLAYWRIGHT_BROWSERS_PATH' },
  { home: '.cache/puppeteer' },
  { home: '.cache/node/corepack', env: 'COREPACK_HOME' },
];

/** What an installation consists of beside its `bin`. */
const PREFIX_PARTS = ['lib', 'lib64', 'libexec', 'include', 'share'];
const MAX_LINKS = 500;
const EXECUTABLE = 0o111;

/** What must not be seen even where it lies inside a toolchain. */
export const CREDENTIAL_FILES = [
  ...['credentials', 'credentials.toml', 'credentials.json', '.npmrc', '.yarnrc.yml', '.netrc', '.pypirc'],
  ...['.git-credentials', 'settings.xml', 'settings-security.xml', 'gradle.properties', 'NuGet.Config'],
];

/** The directories and files that programs of PATH need, as far as they exist; never the home directory or one that holds it. */
export function findToolchains(env: Env, home: string): string[] {
  const inPath = searchPath(env.PATH).filter((dir) => !isSystem(dir));
  const found = [
    ...inPath.flatMap((dir) => programsIn(dir, home)),
    ...ROOTS.flatMap((root) => partsOf(root, env, home)),
  ];
  return [...new Set(found)].filter((path) => !isSystem(path) && !holds(path, home) && existsSync(path));
}

function holds(path: string, home: string): boolean {
  return isBelow(home, path);
}

function searchPath(text = ''): string[] {
  return text
    .split(delimiter)
    .filter(isAbsolute)
    .map((dir) => resolve(dir));
}

function partsOf({ home: below, env: name, parts }: Root, env: Env, home: string): string[] {
  const named = name === undefined ? [] : searchPath(env[name]);
  const roots = [...named, ...(below === undefined ? [] : [join(home, below)])];
  return roots.flatMap((root) => (parts === undefined ? [root] : parts.map((part) => join(root, part))));
}

/** A directory of programs, with what they are installed with and what its links lead to. */
function programsIn(dir: string, home: string): string[] {
  return [...installation(dir, home), ...linksIn(dir).flatMap((target) => behind(target, home))];
}

/** Most programs need their prefix; that of a home directory or of `~/.local` holds other things as well. */
function installation(dir: string, home: string): string[] {
  const prefix = dirname(dir);
  const isPrefix = ['bin', 'sbin', '.bin', 'shims', 'Scripts'].includes(basename(dir));
  if (!isPrefix || holds(prefix, home)) return [dir];
  if (basename(dir) === '.bin' || existsSync(join(prefix, 'pyvenv.cfg'))) return [prefix];
  if (isInstallation(prefix) && prefix !== join(home, '.local')) return [prefix];
  const parts = prefix === join(home, '.local') ? PREFIX_PARTS.filter((part) => part !== 'share') : PREFIX_PARTS;
  return [dir, ...parts.map((part) => join(prefix, part))];
}

/** A directory with libraries or code beside its programs, which nobody works in: such as an unpacked Go, Maven or JDK. */
function isInstallation(prefix: string): boolean {
  const has = (name: string) => existsSync(join(prefix, name));
  return ['lib', 'libexec', 'jmods', 'boot', 'packages'].some(has) && !['.git', '.hg', '.helix'].some(has);
}

/** Each link on the way to a program may lead into another installation. */
function behind(link: string, home: string, hops = 8): string[] {
  const stat = lstatSync(link, { throwIfNoEntry: false });
  if (stat === undefined || hops === 0) return [];
  const installed =
    dirname(link) === home ? [] : installation(dirname(link), home).filter((dir) => dir !== dirname(link));
  const found = [link, ...(installed.length > 0 ? [dirname(link), ...installed] : [])];
  if (!stat.isSymbolicLink()) return found;
  return [...found, ...behind(resolve(dirname(link), readlinkSync(link)), home, hops - 1)];
}

/** Where the links in a directory of programs lead that leave it; one to anything but a program has nothing to do with tools. */
function linksIn(dir: string): string[] {
  return listing(dir)
    .filter((item) => item.isSymbolicLink() && isProgram(join(dir, item.name)))
    .slice(0, MAX_LINKS)
    .map((item) => resolve(dir, readlinkSync(join(dir, item.name))))
    .filter((target) => dirname(target) !== dir);
}

/** A link that leads nowhere, or round in a circle, leads to no program. */
function isProgram(path: string): boolean {
  try {
    const stat = statSync(path);
    return stat.isFile() && (stat.mode & EXECUTABLE) !== 0;
  } catch {
    return false;
  }
}

/** A directory that cannot be read holds no program that could be started. */
function listing(dir: string): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
