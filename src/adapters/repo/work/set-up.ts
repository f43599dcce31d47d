import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { HelixError } from '../../../domain/helix-error.ts';
import type { Plan } from '../../../domain/plan/plan.ts';
import { present } from '../../../domain/present.ts';
import type { Processes } from '../../../ports/processes.ts';
import type { Tree, TreeFile } from '../../../ports/tree.ts';
import { globMatcher, isGlob } from '../../../text/glob.ts';
import { excerpt } from '../../../text/sanitise.ts';
import { findTool } from '../../disk/find-program.ts';
import { listDirectories } from '../git/list-directories.ts';
import { hasRealFolders } from '../git/real-folders.ts';
import { relocateVirtualEnvironment } from './virtual-environment.ts';

/** Files that pin what set-up installs. */
const LOCKS =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|uv\.lock|poetry\.lock|pdm\.lock|Pipfile\.lock|requirements[^/]*\.txt|go\.sum|Cargo\.lock|gradle\.lockfile|Gemfile\.lock|composer\.lock|packages\.lock\.json)$/;
/** Files that say what set-up installs where nothing pins it. */
const MANIFESTS =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Pipfile|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(\.kts)?|Gemfile|composer\.json|[^/]+\.csproj)$/;

const WALL_MS = 30 * 60_000;
const MAX_MADE = 2000;

type Settings = Plan['workspace'];
type Place = {
  readonly dir: string;
  readonly tree: Tree;
  /** Files of the repository above the project: a lock file there counts, too. */
  readonly above: readonly TreeFile[];
  /** What lies there that neither the tree has nor git ignores: once set-up is done, it is what set-up made beside its folders. */
  readonly added: () => Promise<readonly string[]>;
  readonly signal?: AbortSignal;
};
type Means = {
  readonly settings: Settings;
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly marker: string;
  /** Where installed folders are kept, by digest. */
  readonly store: string;
};

/** Installs what a project needs, once for each content of its lock files; every later directory gets a copy. */
export class SetUp {
  readonly #means: Means;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(means: Means) {
    this.#means = means;
  }

  /** Makes a directory ready to work in; throws HelixError `setup` with the command's words when that fails. */
  async prepare(place: Place): Promise<void> {
    if (this.#means.settings.setup.length === 0) return;
    const key = this.#key([...place.above, ...place.tree.files]);
    for (let work = this.#underWay.get(key); work !== undefined; work = this.#underWay.get(key)) {
      await work.catch(() => undefined);
    }
    const kept = join(this.#means.store, key);
    if (existsSync(join(kept, 'done'))) return this.#copy(kept, place.dir);
    const work = this.#install(place, kept);
    this.#underWay.set(key, work);
    try {
      await work;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #key(all: readonly TreeFile[]): string {
    const { settings } = this.#means;
    const locks = all.filter(({ path }) => LOCKS.test(path));
    const locked = new Set(locks.map(({ path }) => posix.dirname(path)));
    const manifests = all.filter(({ path }) => MANIFESTS.test(path) && !locked.has(posix.dirname(path)));
    const files = [...locks, ...manifests].map(({ path, digest }) => [path, digest]);
    const root = settings.root === undefined ? [] : [settings.root];
    const machine = [process.platform, process.arch, this.#means.env.PATH ?? ''];
    const what = [settings.setup, settings.cache, files, ...machine, ...root];
    return createHash('sha256').update(JSON.stringify(what)).digest('hex');
  }

  async #install({ dir, signal, added }: Place, kept: string): Promise<void> {
    const before = new Set(await added());
    for (const argv of this.#means.settings.setup) await this.#run(argv, dir, signal);
    const temporary = `${kept}.${randomBytes(4).toString('hex')}`;
    mkdirSync(temporary, { recursive: true, mode: 0o700 });
    const made = (await added()).filter((path) => !before.has(path)).slice(0, MAX_MADE);
    const folders = [...this.#folders(dir), ...made];
    for (const folder of folders) await copyFolder(join(dir, folder), join(temporary, 'files', folder));
    writeFileSync(join(temporary, 'origin.json'), JSON.stringify({ dir, folders }));
    writeFileSync(join(temporary, 'done'), '');
    try {
      renameSync(temporary, kept);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      if (!existsSync(join(kept, 'done'))) throw error;
    }
  }

  async #copy(kept: string, dir: string): Promise<void> {
    const origin = JSON.parse(readFileSync(join(kept, 'origin.json'), 'utf8')) as { dir: string; folders: string[] };
    // Says when it was last of use, so that it is not cleared away as old.
    utimesSync(join(kept, 'done'), new Date(), new Date());
    for (const folder of origin.folders.filter((path) => leadsInside(dir, path))) {
      rmSync(join(dir, folder), { recursive: true, force: true });
      await copyFolder(join(kept, 'files', folder), join(dir, folder));
      relocateVirtualEnvironment(join(dir, folder), { from: origin.dir, to: dir });
    }
  }

  /** The folders to keep that are there; a pattern such as `packages/*` may name several. */
  #folders(dir: string): string[] {
    const { cache } = this.#means.settings;
    const plain = cache.filter((path) => !isGlob(path) && hasRealFolders(dir, `${path}/`));
    const matchers = cache.filter(isGlob).map(globMatcher);
    return [...plain, ...listDirectories(dir, (path) => matchers.some((matches) => matches(path)))];
  }

  async #run(argv: readonly string[], dir: string, signal?: AbortSignal): Promise<void> {
    const { processes, env, marker } = this.#means;
    const end = await processes.run({
      argv,
      cwd: dir,
      env,
      marker: `${marker}:set-up`,
      wallMs: WALL_MS,
      ...present({ signal }),
    });
    if (end.ended === 'exit' && end.exitCode === 0) return;
    if (end.ended === 'aborted') throw new HelixError('stopped', 'stopped during set-up');
    const words = excerpt(end.tail.trim(), 1500);
    throw new HelixError(
      'setup',
      `the set-up command failed: ${argv.join(' ')}: ${end.message}${words && `\n${words}`}`,
      {
        hint: 'It is written under workspace.setup in phases.yaml; try it by hand in a fresh clone.',
      },
    );
  }
}

/** Tells whether a path can be made below a directory: what there is of its folders must be folders, not links. */
function leadsInside(dir: string, path: string): boolean {
  const parts = dirname(path).split('/');
  return parts.every((_, at) => {
    const stat = lstatSync(join(dir, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    return stat === undefined || stat.isDirectory();
  });
}

/** Copies a folder, by reference where the file system can do that. */
async function copyFolder(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true });
  const how = process.platform === 'darwin' ? ['-Rpc'] : ['-a', '--reflink=auto', '-T'];
  const child = spawn(findTool('cp') ?? '/bin/cp', [...how, '--', from, to], { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (piece: Buffer) => {
    if (complaint.length < 2000) complaint += piece.toString('utf8');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return;
  if (/No space left/.test(complaint)) throw new HelixError('disk_full', `the disk is full: ${to}`);
  throw new HelixError('io', `${from} could not be copied: ${excerpt(complaint, 500)}`);
}
